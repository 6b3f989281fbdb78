//! A design's rules and the policies of files, compiled.

use std::collections::BTreeSet;
use std::sync::Arc;

use cedar_policy::{Policy, PolicyId, Schema};
use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};
use keyfold_dynamo::Attributes;
use keyfold_runtime::{Access, Authorizer, Caller, Decision, DesignRules};

use crate::cache::Cache;
use crate::candidate::Candidate;
use crate::explanation::{Explanation, Reason};
use crate::files::Reader;
use crate::names::EntityTypes;
use crate::problem::PolicyProblem;
use crate::request::{self, Answer, Misfit};
use crate::rules::{self, RulePolicy};
use crate::schema;
use crate::slice::{Set, Slice};
use crate::stated::{Effect, Stated};

/// Who may do what, decided by Cedar. Made once, when a design is loaded.
pub struct Policies {
    schema: String,
    candidates: Vec<Candidate>,
    /// By entity and verb.
    slices: Vec<Slice>,
    warnings: Vec<PolicyProblem>,
    /// For items with values that Cedar cannot hold.
    plain: DesignRules,
    cache: Cache,
}

impl Policies {
    /// Compiles the design's `allow` rules, and the files beside it: pairs of a name and a text. `text` is the design's own, for
    /// the lines of rules; without it the rules are spelt from the model.
    pub fn compile(design: &Arc<Design>, text: &str, files: &[(String, String)]) -> Result<Self, Vec<PolicyProblem>> {
        let types = EntityTypes::of(design);
        let schema = schema::text(design, &types);
        let mut problems = Vec::new();
        let mut candidates = Vec::new();
        for policy in rules::policies(design, text, &types) {
            match candidate(policy) {
                Ok(candidate) => candidates.push(candidate),
                Err(problem) => problems.push(problem),
            }
        }
        let mut warnings = Vec::new();
        if !files.is_empty() {
            let taken = candidates.iter().map(|candidate| candidate.stated.id.clone()).collect();
            match read_files(design, &types, &schema, taken, files) {
                Ok((read, found)) => {
                    candidates.extend(read);
                    warnings = found;
                }
                Err(found) => problems.extend(found),
            }
        }
        let mut slices = Vec::new();
        for (entity, verb) in design.entities.iter().flat_map(|entity| Verb::ALL.map(|verb| (entity, verb))) {
            match Slice::of(entity, types.name(entity), verb, &candidates) {
                Some(slice) => slices.push(slice),
                None => problems.push(unsayable(&entity.name)),
            }
        }
        if !problems.is_empty() {
            problems.sort();
            return Err(problems);
        }
        let plain = DesignRules::new(Arc::clone(design));
        Ok(Self { schema, candidates, slices, warnings, plain, cache: Cache::default() })
    }

    /// The Cedar schema that the policies are written against.
    pub fn schema_text(&self) -> &str {
        &self.schema
    }

    /// All policies as Cedar text: the design's in the order of its rules, then those of the files.
    pub fn policies_text(&self) -> String {
        let mut text =
            self.candidates.iter().map(|candidate| candidate.cedar.as_str()).collect::<Vec<_>>().join("\n\n");
        text.push('\n');
        text
    }

    /// Every policy, as it is stated.
    pub fn stated(&self) -> impl Iterator<Item = &Stated> {
        self.candidates.iter().map(|candidate| &candidate.stated)
    }

    /// What in the files is suspicious, but no mistake for certain: a policy that never applies.
    pub fn warnings(&self) -> &[PolicyProblem] {
        &self.warnings
    }

    /// The rules that allow something to callers without a token, for some items at least.
    pub fn public_rules(&self) -> Vec<&Stated> {
        let anonymous = Caller::default();
        let mut public = BTreeSet::new();
        for slice in &self.slices {
            let set = slice.possible.as_ref().unwrap_or(&slice.sure);
            let answer = request::ask_anonymously(slice, set, &anonymous);
            public.extend(answer.because.into_iter().filter(|_| answer.allowed));
        }
        self.stated().filter(|stated| public.contains(&stated.id)).collect()
    }

    /// May the caller, and which rule says so. Without an item the answer may be that it depends on it.
    pub fn explain(&self, access: &Access<'_>, item: Option<&Attributes>) -> Explanation {
        if access.caller.superuser {
            return Explanation { decision: Decision::Allowed, reason: Reason::Superuser, rules: Vec::new() };
        }
        let Some(slice) = self.slice(access) else { return denied(Vec::new()) };
        let sure = request::ask(slice, &slice.sure, access);
        if sure.allowed {
            return explained(slice, Decision::Allowed, sure);
        }
        let Some(possible) = &slice.possible else { return denied(decisive(slice, sure)) };
        let answer = request::ask(slice, possible, access);
        let Some(item) = item.filter(|_| answer.allowed) else {
            return if answer.allowed {
                explained(slice, Decision::ByItem, answer)
            } else {
                denied(decisive(slice, answer))
            };
        };
        match request::ask_about(slice, access, item) {
            Ok(answer) if answer.allowed => explained(slice, Decision::Allowed, answer),
            Ok(answer) => denied(decisive(slice, answer)),
            Err(misfit) => self.explain_misfit(slice, access, item, misfit),
        }
    }

    fn explain_misfit(&self, slice: &Slice, access: &Access<'_>, item: &Attributes, misfit: Misfit) -> Explanation {
        let of_files = |stated: &&Stated| stated.file.is_some();
        if slice.files_read_items {
            let rules = slice.stated.iter().filter(of_files).cloned().collect();
            let reason = Reason::Unreadable { attribute: misfit.attribute };
            return Explanation { decision: Decision::Denied, reason, rules };
        }
        if !self.plain.decide_item(access, item) {
            return denied(Vec::new());
        }
        let possible = slice.possible.as_ref().map(|set| request::ask(slice, set, access)).unwrap_or_default();
        explained(slice, Decision::Allowed, possible)
    }

    fn slice(&self, access: &Access<'_>) -> Option<&Slice> {
        self.slices.get(position(access.entity, access.verb))
    }

    fn decide_early(&self, slice: &Slice, access: &Access<'_>) -> Decision {
        let allows = |set: &Set| set.settled.unwrap_or_else(|| request::ask(slice, set, access).allowed);
        if allows(&slice.sure) {
            return Decision::Allowed;
        }
        match &slice.possible {
            Some(possible) if allows(possible) => Decision::ByItem,
            _ => Decision::Denied,
        }
    }
}

impl Authorizer for Policies {
    fn decide(&self, access: &Access<'_>) -> Decision {
        if access.caller.superuser {
            return Decision::Allowed;
        }
        let Some(slice) = self.slice(access) else { return Decision::Denied };
        if let Some(settled) = slice.settled {
            return settled;
        }
        let at = position(access.entity, access.verb);
        self.cache.get_or(at, slice, access, || self.decide_early(slice, access))
    }

    fn decide_item(&self, access: &Access<'_>, item: &Attributes) -> bool {
        if access.caller.superuser {
            return true;
        }
        let Some(slice) = self.slice(access) else { return false };
        if let Some(settled) = slice.whole.settled {
            return settled;
        }
        match request::ask_about(slice, access, item) {
            Ok(answer) => answer.allowed,
            // What Cedar cannot hold, the design's own reading of its rules can; a policy of a file has no other.
            Err(_) => match self.decide(access) {
                Decision::Allowed => true,
                Decision::Denied => false,
                Decision::ByItem => !slice.files_read_items && self.plain.decide_item(access, item),
            },
        }
    }
}

fn position(entity: &Entity, verb: Verb) -> usize {
    entity.id.index() * Verb::ALL.len() + verb as usize
}

fn candidate(policy: RulePolicy) -> Result<Candidate, PolicyProblem> {
    let parsed = Policy::parse(Some(PolicyId::new(&policy.id)), &policy.cedar);
    let tree = parsed.ok().and_then(|parsed| parsed.to_pst().ok()).ok_or_else(|| unsayable(&policy.rule))?;
    let applies = policy.entities.iter().flat_map(|entity| policy.verbs.iter().map(|verb| (*entity, *verb))).collect();
    let stated = Stated { id: policy.id, effect: Effect::Permit, file: None, line: policy.line, text: policy.rule };
    Ok(Candidate { stated, template: tree.body().clone(), cedar: policy.cedar, told: policy.told, applies })
}

fn unsayable(what: &str) -> PolicyProblem {
    PolicyProblem {
        file: "the design".to_owned(),
        line: 1,
        column: 1,
        message: format!("`{what}` cannot be said in Cedar"),
        help: "write the rule in fewer words, or with names of letters and digits".to_owned(),
    }
}

type Read = (Vec<Candidate>, Vec<PolicyProblem>);

fn read_files(
    design: &Design,
    types: &EntityTypes,
    schema: &str,
    taken: BTreeSet<String>,
    files: &[(String, String)],
) -> Result<Read, Vec<PolicyProblem>> {
    let schema = match Schema::from_cedarschema_str(schema) {
        Ok((schema, _)) => schema,
        Err(error) => {
            let message = format!("the design has no Cedar schema: {error}");
            let help = "name entities and attributes with letters and digits";
            return Err(vec![PolicyProblem::at("the design", "", 0, message, help)]);
        }
    };
    let mut reader = Reader { design, types, schema, taken, problems: Vec::new(), warnings: Vec::new() };
    let read: Vec<Candidate> = files.iter().flat_map(|(file, text)| reader.read(file, text)).collect();
    if reader.problems.is_empty() { Ok((read, reader.warnings)) } else { Err(reader.problems) }
}

/// The rules of a denial: those that forbid.
fn decisive(slice: &Slice, answer: Answer) -> Vec<Stated> {
    let forbids = |stated: &&Stated| {
        stated.effect == Effect::Forbid
            && (answer.because.contains(&stated.id) || answer.failed.as_ref() == Some(&stated.id))
    };
    slice.stated.iter().filter(forbids).cloned().collect()
}

fn denied(rules: Vec<Stated>) -> Explanation {
    let reason = if rules.is_empty() { Reason::NoRule } else { Reason::Rules };
    Explanation { decision: Decision::Denied, reason, rules }
}

fn explained(slice: &Slice, decision: Decision, answer: Answer) -> Explanation {
    let rules = slice.stated.iter().filter(|stated| answer.because.contains(&stated.id)).cloned().collect();
    Explanation { decision, reason: Reason::Rules, rules }
}
