//! Policies from `.cedar` files, beside those of the design.

use std::collections::BTreeSet;

use cedar_policy::{Policy, PolicySet, Schema, ValidationMode, Validator, pst};
use keyfold_design::Design;
use keyfold_design::model::{EntityId, Verb};

use crate::file_policy::FilePolicy;
use crate::names::EntityTypes;
use crate::problem::PolicyProblem;
use crate::source::{line_of, on_one_line};
use crate::statement::{Effect, Statement};
use crate::tree::Reads;

/// What files are read against.
pub struct Reader<'a> {
    pub design: &'a Design,
    pub types: &'a EntityTypes,
    pub schema: Schema,
    /// Ids that policies have already.
    pub taken: BTreeSet<String>,
    pub problems: Vec<PolicyProblem>,
    /// What is no mistake for certain.
    pub warnings: Vec<PolicyProblem>,
}

/// A policy with the place where it begins.
struct Placed<'p> {
    policy: &'p Policy,
    text: String,
    offset: usize,
}

impl Reader<'_> {
    pub fn read(&mut self, file: &str, text: &str) -> Vec<FilePolicy> {
        let set: PolicySet = match text.parse() {
            Ok(set) => set,
            Err(errors) => {
                let help = "a policy is `permit (principal, action, resource) when { … };`, or begins with `forbid`";
                self.problems.extend(errors.iter().map(|error| PolicyProblem::of(file, text, error, 0, help)));
                return Vec::new();
            }
        };
        let before = self.problems.len();
        for template in set.templates() {
            let offset = text.find(template.to_cedar().as_str()).unwrap_or(0);
            let help = "write the principal and the resource out: nothing links templates here";
            self.problems.push(PolicyProblem::at(
                file,
                text,
                offset,
                "`?principal` and `?resource` stand for nothing",
                help,
            ));
        }
        let placed = placed(&set, text);
        self.validate(file, text, &set, &placed);
        if self.problems.len() > before {
            return Vec::new();
        }
        placed.iter().enumerate().filter_map(|(position, placed)| self.policy(file, text, position, placed)).collect()
    }

    fn validate(&mut self, file: &str, text: &str, set: &PolicySet, placed: &[Placed<'_>]) {
        let offset_of = |id: &cedar_policy::PolicyId| {
            placed.iter().find(|placed| placed.policy.id() == id).map_or(0, |placed| placed.offset)
        };
        let outcome = Validator::new(self.schema.clone()).validate(set, ValidationMode::Strict);
        let help = "callers and entities have what the design's Cedar schema lists, see docs/authorization.md";
        for error in outcome.validation_errors() {
            let problem = PolicyProblem::of(file, text, error, offset_of(error.policy_id()), help);
            self.problems.push(without_policy_id(problem));
        }
        for warning in outcome.validation_warnings() {
            let problem = PolicyProblem::of(
                file,
                text,
                warning,
                offset_of(warning.policy_id()),
                "leave it out, or say what was meant",
            );
            self.warnings.push(without_policy_id(problem));
        }
    }

    fn policy(&mut self, file: &str, text: &str, position: usize, placed: &Placed<'_>) -> Option<FilePolicy> {
        let named = placed.policy.annotation("id").filter(|id| !id.is_empty()).map(str::to_owned);
        let id = named.unwrap_or_else(|| format!("{}-{}", stem(file), position + 1));
        if !self.taken.insert(id.clone()) {
            let message = format!("another policy has the id `{id}`");
            let problem =
                PolicyProblem::at(file, text, placed.offset, message, "give it an id of its own: `@id(\"…\")`");
            self.problems.push(problem);
            return None;
        }
        let template = self.template(file, text, placed)?;
        let effect = match template.effect {
            pst::Effect::Permit => Effect::Permit,
            pst::Effect::Forbid => Effect::Forbid,
        };
        let line = Some(line_of(text, placed.offset));
        let statement = Statement { id, effect, file: Some(file.to_owned()), line, text: on_one_line(&placed.text) };
        Some(FilePolicy { statement, template, cedar: placed.text.clone(), applies: self.applies(placed.policy) })
    }

    /// The policy as a tree, if it can be decided at all.
    fn template(&mut self, file: &str, text: &str, placed: &Placed<'_>) -> Option<pst::Template> {
        let mut refuse = |message: &str, help: &str| {
            self.problems.push(PolicyProblem::at(file, text, placed.offset, message, help));
            None
        };
        let template = match placed.policy.to_pst() {
            Ok(policy) => policy.body().clone(),
            Err(_) => return refuse("the policy cannot be taken apart", "write it with fewer extensions of Cedar"),
        };
        let by_id = !matches!(template.resource, pst::ResourceConstraint::Any | pst::ResourceConstraint::Is(_));
        let reads: Vec<Reads> = template
            .clauses()
            .iter()
            .map(|clause| match clause {
                pst::Clause::When(part) | pst::Clause::Unless(part) => Reads::of(part),
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

    /// The verbs and entities that the policy is not plainly false for.
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

/// Cedar begins with its own number of the policy, which is in no file.
fn without_policy_id(mut problem: PolicyProblem) -> PolicyProblem {
    if let Some(rest) = problem.message.strip_prefix("for policy `").and_then(|rest| rest.split_once("`, ")) {
        problem.message = rest.1.to_owned();
    }
    problem
}
