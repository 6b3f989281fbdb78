//! Condition and filter expressions from text.

use crate::error::ServiceError;

use super::condition::{Condition, ConditionKind};
use super::context::Context;
use super::fault::Fault;
use super::lexer::TokenKind;
use super::syntax::{Grammar, Parser};
use super::{check_size, operators, resolve, words};

impl Condition {
    /// Parses an expression with the checks and the error texts of the service.
    pub fn parse(kind: ConditionKind, text: &str, context: &mut Context<'_>) -> Result<Self, ServiceError> {
        Self::parse_text(text, context).map_err(|fault| fault.in_expression(kind.into()))
    }

    pub(super) fn parse_text(text: &str, context: &mut Context<'_>) -> Result<Self, Fault> {
        check_size(text)?;
        let mut parser = Parser::new(text);
        let node = parser.expression(Grammar::Condition)?;
        parser.expect(TokenKind::End)?;
        words::check_condition(&node)?;
        if parser.is_too_deep() {
            return Err(operators::too_many());
        }
        let condition = resolve::condition(&node, context)?;
        operators::check_count([&node])?;
        Ok(condition)
    }
}
