//! Projection expressions.

use crate::error::ServiceError;
use crate::value::Attributes;

use super::context::Context;
use super::fault::{ExpressionKind, Fault};
use super::lexer::TokenKind;
use super::overlap::PathSet;
use super::path::Path;
use super::syntax::Parser;
use super::{check_size, resolve, words};

/// `ProjectionExpression`: the parts of an item to return.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Projection {
    paths: Vec<Path>,
    set: PathSet,
}

impl Projection {
    /// Parses an expression with the checks and the error texts of the service.
    pub fn parse(text: &str, context: &mut Context<'_>) -> Result<Self, ServiceError> {
        Self::parse_text(text, context).map_err(|fault| fault.in_expression(ExpressionKind::Projection))
    }

    fn parse_text(text: &str, context: &mut Context<'_>) -> Result<Self, Fault> {
        check_size(text)?;
        let mut parser = Parser::new(text);
        let mut written = vec![parser.path()?];
        while parser.peek() == TokenKind::Comma {
            parser.advance();
            written.push(parser.path()?);
        }
        parser.expect(TokenKind::End)?;
        for steps in &written {
            words::check_path(steps)?;
        }
        let written: Vec<_> = written.iter().map(Vec::as_slice).collect();
        let (paths, set) = resolve::distinct_paths(&written, context)?;
        Ok(Self { paths, set })
    }

    /// The paths, in the order of the expression.
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// The top-level attributes that it reads.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(|path| path.root.as_str())
    }

    /// The selected parts of an item. Selected elements of a list move up, without gaps.
    pub fn apply(&self, item: &Attributes) -> Attributes {
        self.set.select(item)
    }
}
