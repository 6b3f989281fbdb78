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

/// What files are read against, and what is found in them.
pub(crate) struct Reader<'a> {
    pub design: &'a Design,
    pub types: &'a EntityTypes,
    pub schema: Schema,
    /// The ids of rules and policies so far.
    pub taken: BTreeSet<String>,
    pub diagnostics: Vec<PolicyDiagnostic>,
}

/// A policy with the place where it begins.
struct Placed<'p> {
    policy: &'p Policy,
    text: String,
    offset: usize,
}

impl Reader<'_> {
    pub(crate) fn read(&mut self, source: Source<'_>) -> Vec<FilePolicy> {
        let set: PolicySet = match source.text.parse() {
            Ok(set) => set,
            Err(errors) => {
                let help = "a policy is `permit (principal, action, resource) when { … };`, or begins with `forbid`";
                let start = Span::new(0, 0);
                let found = errors.iter().map(|error| source.reported(&codes::NOT_CEDAR, error, start, help));
                self.diagnostics.extend(found);
                return Vec::new();
            }
        };
        let before = self.errors();
        for template in set.templates() {
            let offset = source.text.find(template.to_cedar().as_str()).unwrap_or(0);
            let message = "`?principal` and `?resource` stand for nothing";
            let help = "write the principal and the resource out: nothing links templates here";
            let span = source.first_line(offset);
            self.diagnostics.push(source.diagnostic(&codes::TEMPLATE, span, message, help));
        }
        let placed = placed(&set, source.text);
        self.validate(source, &set, &placed);
        if self.errors() > before {
            return Vec::new();
        }
        placed.iter().enumerate().filter_map(|(position, placed)| self.policy(source, position, placed)).collect()
    }

    fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|found| found.diagnostic.is_error()).count()
    }

    fn validate(&mut self, source: Source<'_>, set: &PolicySet, placed: &[Placed<'_>]) {
        let span_of = |id: &cedar_policy::PolicyId| {
            let found = placed.iter().find(|placed| placed.policy.id() == id);
            source.first_line(found.map_or(0, |placed| placed.offset))
        };
        let outcome = Validator::new(self.schema.clone()).validate(set, ValidationMode::Strict);
        let mut invalid = BTreeSet::new();
        for error in outcome.validation_errors() {
            invalid.insert(error.policy_id());
            let help = "callers and entities have what the design's Cedar schema lists, see docs/authorization.md";
            let span = span_of(error.policy_id());
            self.diagnostics.push(source.reported(&codes::INVALID_POLICY, error, span, help));
        }
        // A policy with an error often seems impossible as well, which would be said twice.
        for warning in outcome.validation_warnings().filter(|warning| !invalid.contains(warning.policy_id())) {
            let help = "leave the policy out, or correct its condition";
            let span = span_of(warning.policy_id());
            self.diagnostics.push(source.reported(&codes::SUSPICIOUS_POLICY, warning, span, help));
        }
    }

    fn policy(&mut self, source: Source<'_>, position: usize, placed: &Placed<'_>) -> Option<FilePolicy> {
        let named = placed.policy.annotation("id").filter(|id| !id.is_empty()).map(str::to_owned);
        let id = named.unwrap_or_else(|| format!("{}-{}", stem(source.file), position + 1));
        if !self.taken.insert(id.clone()) {
            let message = format!("another policy has the id `{id}`");
            let help = "give it an id of its own: `@id(\"…\")`";
            let span = source.first_line(placed.offset);
            self.diagnostics.push(source.diagnostic(&codes::DUPLICATE_ID, span, message, help));
            return None;
        }
        let template = self.template(source, placed)?;
        let effect = match template.effect {
            pst::Effect::Permit => Effect::Permit,
            pst::Effect::Forbid => Effect::Forbid,
        };
        let (file, line) = (Some(source.file.to_owned()), Some(line_of(source.text, placed.offset)));
        let statement = Statement { id, effect, file, line, text: on_one_line(&placed.text) };
        Some(FilePolicy { statement, template, cedar: placed.text.clone(), applies: self.applies(placed.policy) })
    }

    /// The policy as a tree, if it can be decided at all.
    fn template(&mut self, source: Source<'_>, placed: &Placed<'_>) -> Option<pst::Template> {
        let mut refuse = |message: &str, help: &str| {
            let span = source.first_line(placed.offset);
            self.diagnostics.push(source.diagnostic(&codes::UNDECIDABLE_POLICY, span, message, help));
            None
        };
        let template = match placed.policy.to_pst() {
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
fn placed<'p>(set: &'p PolicySet, text: &str) -> Vec<Placed<'p>> {
    let mut placed: Vec<Placed<'p>> = set
        .policies()
        .filter_map(|policy| {
            let own = policy.to_cedar()?;
            Some(Placed { policy, offset: text.find(own.as_str()).unwrap_or(0), text: own })
        })
        .collect();
    placed.sort_by_key(|placed| (number(placed.policy), placed.offset));
    // Two policies may be the same text: each is behind the one before.
    let mut from = 0;
    for one in &mut placed {
        if let Some(at) = text.get(from..).and_then(|rest| rest.find(one.text.as_str())) {
            one.offset = from + at;
            from = one.offset + one.text.len();
        }
    }
    placed
}

/// Cedar calls the policies of a text `policy0`, `policy1` and so on.
fn number(policy: &Policy) -> usize {
    let id: &str = policy.id().as_ref();
    id.trim_start_matches("policy").parse().unwrap_or(usize::MAX)
}

fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".cedar").unwrap_or(name)
}
