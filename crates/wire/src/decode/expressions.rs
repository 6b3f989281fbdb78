//! The expressions of a request, from text to trees. They are parsed once everything else of the request has been read
//! and checked, and before anything is known of its tables: a syntax error comes before "no such table".

use keyfold_dynamo::expression::{
    Aliases, Condition, ConditionKind, Context, KeyCondition, NameAliases, Projection, Update,
};

use crate::failure::Failure;

/// The expressions of a write, as texts.
pub(super) struct WriteTexts {
    /// Whether the write is an update, which has another expression than its condition.
    pub(super) is_update: bool,
    pub(super) update: Option<String>,
    pub(super) condition: Option<String>,
    pub(super) aliases: Aliases,
}

impl WriteTexts {
    /// Whether there is nothing that could be wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.update.is_none() && self.condition.is_none() && self.aliases == Aliases::default()
    }

    pub(super) fn parse(&self) -> Result<(Option<Update>, Option<Condition>), Failure> {
        if self.is_empty() {
            return Ok((None, None));
        }
        let condition = ("ConditionExpression", self.condition.is_some());
        let with_update = [("UpdateExpression", self.update.is_some()), condition];
        let given = if self.is_update { with_update.as_slice() } else { &[condition] };
        let (names, values) = (self.aliases.names.as_ref(), self.aliases.values.as_ref());
        let mut context = Context::for_request(names, values, false, given)?;
        let update = self.update.as_deref().map(|text| Update::parse(text, &mut context)).transpose()?;
        let condition = self.condition.as_deref();
        let condition =
            condition.map(|text| Condition::parse(ConditionKind::Condition, text, &mut context)).transpose()?;
        context.finish()?;
        Ok((update, condition))
    }
}

/// The expressions of a Query or Scan, as texts.
#[derive(Default)]
pub(super) struct PageTexts {
    pub(super) filter: Option<String>,
    pub(super) projection: Option<String>,
    pub(super) aliases: Aliases,
}

/// The same, parsed.
pub(super) struct PageExpressions {
    pub(super) filter: Option<Condition>,
    pub(super) projection: Option<Projection>,
}

impl PageTexts {
    pub(super) fn parse(&self) -> Result<PageExpressions, Failure> {
        let given = [("FilterExpression", self.filter.is_some())];
        let mut context = self.context(&given)?;
        let expressions = self.parse_in(&mut context)?;
        context.finish()?;
        Ok(expressions)
    }

    pub(super) fn parse_with_key_condition(
        &self,
        key_condition: &str,
    ) -> Result<(PageExpressions, KeyCondition), Failure> {
        let given = [("FilterExpression", self.filter.is_some()), ("KeyConditionExpression", true)];
        let mut context = self.context(&given)?;
        let expressions = self.parse_in(&mut context)?;
        let key_condition = KeyCondition::parse(key_condition, &mut context)?;
        context.finish()?;
        Ok((expressions, key_condition))
    }

    fn context(&self, given: &[(&str, bool)]) -> Result<Context<'_>, Failure> {
        let (names, values) = (self.aliases.names.as_ref(), self.aliases.values.as_ref());
        Ok(Context::for_request(names, values, self.projection.is_some(), given)?)
    }

    fn parse_in(&self, context: &mut Context<'_>) -> Result<PageExpressions, Failure> {
        let filter = self.filter.as_deref();
        let filter = filter.map(|text| Condition::parse(ConditionKind::Filter, text, context)).transpose()?;
        let projection = self.projection.as_deref().map(|text| Projection::parse(text, context)).transpose()?;
        Ok(PageExpressions { filter, projection })
    }
}

/// The projection of a request that has no other expression.
pub(super) fn projection(text: Option<&str>, names: Option<&NameAliases>) -> Result<Option<Projection>, Failure> {
    if text.is_none() && names.is_none() {
        return Ok(None);
    }
    let mut context = Context::for_request(names, None, text.is_some(), &[])?;
    let projection = text.map(|text| Projection::parse(text, &mut context)).transpose()?;
    context.finish()?;
    Ok(projection)
}
