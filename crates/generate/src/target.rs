//! What can be generated.

/// A kind of file, or of several that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    CloudFormation,
    Terraform,
    Cdk,
    Iam,
    Markdown,
    Html,
    TypeScript,
    Rust,
    JsonSchema,
    OpenApi,
    Cedar,
}

impl Target {
    pub const ALL: [Self; 11] = [
        Self::CloudFormation,
        Self::Terraform,
        Self::Cdk,
        Self::Iam,
        Self::Markdown,
        Self::Html,
        Self::TypeScript,
        Self::Rust,
        Self::JsonSchema,
        Self::OpenApi,
        Self::Cedar,
    ];

    /// As the command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::CloudFormation => "cloudformation",
            Self::Terraform => "terraform",
            Self::Cdk => "cdk",
            Self::Iam => "iam",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::TypeScript => "typescript",
            Self::Rust => "rust",
            Self::JsonSchema => "json-schema",
            Self::OpenApi => "openapi",
            Self::Cedar => "cedar",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Whether a deployment of it may change one global index only.
    pub fn deploys_in_steps(self) -> bool {
        matches!(self, Self::CloudFormation | Self::Cdk)
    }

    /// Whether `Input::new` is enough for it: its files show no samples, no server and no policies.
    pub fn is_function_of_design(self) -> bool {
        !self.shows_samples() && !matches!(self, Self::OpenApi | Self::Cedar)
    }

    /// Whether its files show the sample data.
    pub fn shows_samples(self) -> bool {
        matches!(self, Self::Markdown | Self::Html)
    }
}
