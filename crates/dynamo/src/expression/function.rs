//! The functions of the expression languages. Their names are case-sensitive.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    AttributeExists,
    AttributeNotExists,
    AttributeType,
    BeginsWith,
    Contains,
    Size,
    IfNotExists,
    ListAppend,
}

impl Function {
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "attribute_exists" => Self::AttributeExists,
            "attribute_not_exists" => Self::AttributeNotExists,
            "attribute_type" => Self::AttributeType,
            "begins_with" => Self::BeginsWith,
            "contains" => Self::Contains,
            "size" => Self::Size,
            "if_not_exists" => Self::IfNotExists,
            "list_append" => Self::ListAppend,
            _ => return None,
        })
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::AttributeExists => "attribute_exists",
            Self::AttributeNotExists => "attribute_not_exists",
            Self::AttributeType => "attribute_type",
            Self::BeginsWith => "begins_with",
            Self::Contains => "contains",
            Self::Size => "size",
            Self::IfNotExists => "if_not_exists",
            Self::ListAppend => "list_append",
        }
    }

    /// How many operands it takes.
    pub(super) fn arity(self) -> usize {
        match self {
            Self::AttributeExists | Self::AttributeNotExists | Self::Size => 1,
            _ => 2,
        }
    }

    /// Whether it is for the right sides of SET, not for conditions.
    pub(super) fn is_for_updates(self) -> bool {
        matches!(self, Self::IfNotExists | Self::ListAppend)
    }
}
