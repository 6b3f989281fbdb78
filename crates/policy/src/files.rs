//! Policies from `.cedar` files, beside those of the design.

use std::collections::BTreeSet;

use cedar_policy::{Policy, PolicySet, Schema, ValidationMode, Validator, pst};
use keyfold_design::Design;
use keyfold_design::model::{EntityId, Verb};
use keyfold_design::span::Span;

use crate::codes;
use crate::diagnostic::{PolicyDiagnostic, Source};
use crate::file_policy::FilePolicy;
use crate::names::EntityTypes;
use crate::source::{line_of, on_one_line};
use crate::statement::{Effect, Statement};
use crate::tree::Reads;

/// Reads policy files against the schema of a design.
pub(crate) struct Reader<'a> {
    pub design: &'a Design,
    pub types: &'a EntityTypes,
    pub schema: Schema,
    /// The ids of rules and policies so far.
    pub used_ids: BTreeSet<String>,
    pub diagnostics: Vec<PolicyDiagnostic>,
}

/// A policy with its place in the file.
struct LocatedPolicy<'p> {
    policy: &'p Policy,
    /// The policy as it is written.
    text: String,
    /// The byte at which it begins; `None` if Cedar does not return it as it is written.
    offset: Option<usize>,
}

impl Reader<'_> {
    pub(crate) fn read(&mut self, source: Source<'_>) -> Vec<FilePolicy> {
        let set: PolicySet = match source.text.parse() {
            Ok(set) => set,
            Err(errors) => {
                let help = "a policy is `permit (principal, action, resource) when { … };`, or begins with `forbid`";
                let start = Span::new(0, 0);
                let found = errors.iter().map(|error| source.cedar_report(&codes::NOT_CEDAR, error, start, help));
                self.diagnostics.extend(found);
                return Vec::new();
            }
        };
        let before = self.errors();
        for template in set.templates() {
            let offset = source.text.find(template.to_cedar().as_str());
            let message = "`?principal` and `?resource` stand for nothing";
            let help = "write the principal and the resource out: nothing links templates here";
            let span = source.first_line_at(offset);
            self.diagnostics.push(source.diagnostic(&codes::TEMPLATE, span, message, help));
        }
        let located = locate_policies(&set, source.text);
        self.validate(source, &set, &located);
        if self.errors() > before {
            return Vec::new();
        }
        located.iter().enumerate().filter_map(|(position, located)| self.policy(source, position, located)).collect()
    }

    fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|found| found.diagnostic.is_error()).count()
    }

    fn validate(&mut self, source: Source<'_>, set: &PolicySet, located: &[LocatedPolicy<'_>]) {
        let span_of = |id: &cedar_policy::PolicyId| {
            let found = located.iter().find(|located| located.policy.id() == id);
            source.first_line_at(found.and_then(|located| located.offset))
        };
        let outcome = Validator::new(self.schema.clone()).validate(set, ValidationMode::Strict);
        let mut invalid = BTreeSet::new();
        for error in outcome.validation_errors() {
            invalid.insert(error.policy_id());
            let help = "callers and entities have what the design's Cedar schema lists, see docs/authorization.md";
            let span = span_of(error.policy_id());
            self.diagnostics.push(source.cedar_report(&codes::INVALID_POLICY, error, span, help));
        }
        // A policy with an error often seems impossible as well, which would be said twice.
        for warning in outcome.validation_warnings().filter(|warning| !invalid.contains(warning.policy_id())) {
            let help = "leave the policy out, or correct its condition";
            let span = span_of(warning.policy_id());
            self.diagnostics.push(source.cedar_report(&codes::SUSPICIOUS_POLICY, warning, span, help));
        }
    }

    fn policy(&mut self, source: Source<'_>, position: usize, located: &LocatedPolicy<'_>) -> Option<FilePolicy> {
        let named = located.policy.annotation("id").filter(|id| !id.is_empty()).map(str::to_owned);
        let id = named.unwrap_or_else(|| format!("{}-{}", stem(source.file), position + 1));
        if !self.used_ids.insert(id.clone()) {
            let message = format!("another policy has the id `{id}`");
            let help = "give it an id of its own: `@id(\"…\")`";
            let span = source.first_line_at(located.offset);
            self.diagnostics.push(source.diagnostic(&codes::DUPLICATE_ID, span, message, help));
            return None;
        }
        let template = self.template(source, located)?;
        let effect = match template.effect {
            pst::Effect::Permit => Effect::Permit,
            pst::Effect::Forbid => Effect::Forbid,
        };
        let (file, line) = (Some(source.file.to_owned()), located.offset.map(|offset| line_of(source.text, offset)));
        let statement = Statement { id, effect, file, line, text: on_one_line(&located.text) };
        Some(FilePolicy { statement, template, cedar: located.text.clone(), applies: self.applies(located.policy) })
    }

    /// The policy as a tree, if it can be decided at all.
    fn template(&mut self, source: Source<'_>, located: &LocatedPolicy<'_>) -> Option<pst::Template> {
        let mut refuse = |message: &str, help: &str| {
            let span = source.first_line_at(located.offset);
            self.diagnostics.push(source.diagnostic(&codes::UNDECIDABLE_POLICY, span, message, help));
            None
        };
        let template = match located.policy.to_pst() {
            Ok(policy) => policy.body().clone(),
            Err(_) => return refuse("the policy cannot be analysed", "write it with fewer extensions of Cedar"),
        };
        let by_id = !matches!(template.resource, pst::ResourceConstraint::Any | pst::ResourceConstraint::Is(_));
        let reads: Vec<Reads> = template
            .clauses()
            .iter()
            .map(|clause| match clause {
                pst::Clause::When(part) | pst::Clause::Unless(part) => Reads::in_expression(part),
            })
            .collect();
        if by_id || reads.iter().any(|reads| reads.opaque) {
            let help = "compare attributes: `resource is Site && resource.siteId == \"…\"`, `context.pattern`";
            return refuse("items have no Cedar id, and a request cannot be compared as a whole", help);
        }
        if reads.iter().any(|reads| reads.holds) {
            let help = "`holds` is for the exported rules of the design: state the condition itself";
            return refuse("`context.holds` is never passed to a policy file", help);
        }
        Some(template)
    }

    /// The accesses for which the policy is not plainly false.
    fn applies(&self, policy: &Policy) -> BTreeSet<(EntityId, Verb)> {
        let mut applies = BTreeSet::new();
        for request in policy.get_valid_request_envs(&self.schema) {
            let resource = request.resource().to_string();
            let entity = self.design.entities.iter().find(|entity| self.types.name(entity) == resource);
            let verb = Verb::ALL.into_iter().find(|verb| request.action().id().unescaped() == verb.as_str());
            applies.extend(entity.map(|entity| entity.id).zip(verb));
        }
        applies
    }
}

/// The policies in the order of the file.
fn locate_policies<'p>(set: &'p PolicySet, text: &str) -> Vec<LocatedPolicy<'p>> {
    let mut located: Vec<LocatedPolicy<'p>> = set
        .policies()
        .filter_map(|policy| {
            let own = policy.to_cedar()?;
            Some(LocatedPolicy { policy, text: own, offset: None })
        })
        .collect();
    located.sort_by_key(|located| (policy_number(located.policy).is_none(), policy_number(located.policy)));
    // Two policies may have the same text: each begins after the end of the previous one.
    let mut from = 0;
    for one in &mut located {
        if let Some(at) = text.get(from..).and_then(|rest| rest.find(one.text.as_str())) {
            one.offset = Some(from + at);
            from += at + one.text.len();
        }
    }
    located
}

/// The position of a policy in its text: Cedar names them `policy0`, `policy1` and so on.
fn policy_number(policy: &Policy) -> Option<usize> {
    let id: &str = policy.id().as_ref();
    id.strip_prefix("policy")?.parse().ok()
}

fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".cedar").unwrap_or(name)
}
