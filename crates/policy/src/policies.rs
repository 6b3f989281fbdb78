//! The authorizer of a design with policy files.

use std::collections::BTreeSet;
use std::sync::Arc;

use cedar_policy::Schema;
use keyfold_design::Design;
use keyfold_design::model::Verb;
use keyfold_design::span::Span;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{Access, AccessTable, Authorizer, Caller, Decision, DesignRules};

use crate::codes;
use crate::diagnostic::{PolicyDiagnostic, Source};
use crate::explanation::{DecisionExplanation, Reason};
use crate::export;
use crate::file_policy::FilePolicy;
use crate::files::Reader;
use crate::names::EntityTypes;
use crate::request;
use crate::schema;
use crate::slice::{Set, Slice};
use crate::statement::Statement;
use crate::verdict::Verdict;

/// The `allow` rules of a design, composed with the policies of `.cedar` files: a permit adds to the rules, a forbid
/// overrides them. Compiled once, when a design is loaded. Without files it decides exactly as [`DesignRules`].
pub struct Policies {
    design: Arc<Design>,
    rules: DesignRules,
    /// The file policies that can apply; `None` if there are none.
    slices: AccessTable<Option<Slice>>,
    /// Of the rules in their order, then of the policies of files.
    statements: Vec<Statement>,
    schema: String,
    cedar: String,
    warnings: Vec<PolicyDiagnostic>,
}

impl Policies {
    /// Compiles the design's rules and the policy files, which are pairs of a name and a text. `text` is the design
    /// file, for the lines of rules; where it is empty, rules are written out from the model.
    pub fn compile(
        design: &Arc<Design>,
        text: &str,
        files: &[(String, String)],
    ) -> Result<Self, Vec<PolicyDiagnostic>> {
        let types = EntityTypes::new(design);
        let schema = schema::text(design, &types);
        let exported = export::rules(design, text, &types);
        let mut statements: Vec<Statement> = exported.iter().map(|rule| rule.statement.clone()).collect();
        let mut cedar: Vec<&str> = exported.iter().map(|rule| rule.cedar.as_str()).collect();
        let (policies, warnings) = read_files(design, &types, &schema, &statements, files)?;
        let slices = slices(design, &types, &policies).ok_or_else(|| vec![no_schema(files, "a name is not valid")])?;
        statements.extend(policies.iter().map(|policy| policy.statement.clone()));
        cedar.extend(policies.iter().map(|policy| policy.cedar.as_str()));
        let cedar = cedar.join("\n\n") + "\n";
        let (design, rules) = (Arc::clone(design), DesignRules::new(Arc::clone(design)));
        Ok(Self { design, rules, slices, statements, schema, cedar, warnings })
    }

    /// The Cedar schema that policies are written against.
    pub fn schema_text(&self) -> &str {
        &self.schema
    }

    /// All policies as Cedar text: the design's in the order of its rules, then those of the files.
    pub fn policies_text(&self) -> &str {
        &self.cedar
    }

    /// Every rule and policy as written.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Findings in the files that are suspicious but not certainly mistakes, such as a policy that never applies.
    pub fn warnings(&self) -> &[PolicyDiagnostic] {
        &self.warnings
    }

    /// The rules and policies that allow something to callers without a token, for some items at least.
    pub fn public_rules(&self) -> Vec<&Statement> {
        let anonymous = Caller::default();
        let mut public = BTreeSet::new();
        let accesses = self.design.entities.iter().flat_map(|entity| Verb::ALL.map(|verb| (entity, verb)));
        for (entity, verb) in accesses {
            let access = Access { caller: &anonymous, verb, entity, pattern: None };
            let files = self.slice(&access).map(|slice| request::ask(slice, slice.possible(), &access));
            match files {
                Some(outcome) if outcome.verdict == Verdict::Forbidden => continue,
                Some(outcome) => public.extend(outcome.deciding),
                None => {}
            }
            public.extend(self.applicable_rules(&access, None));
        }
        self.select(&public)
    }

    /// Decides as [`Authorizer::decide`] and [`Authorizer::decide_item`] do, and names the rules and policies that
    /// decided.
    pub fn explain(&self, access: &Access<'_>, item: Option<&Attributes>) -> DecisionExplanation {
        if !access.is_in_scope(&self.design) {
            return DecisionExplanation { decision: Decision::Denied, reason: Reason::Scope, rules: Vec::new() };
        }
        if access.caller.superuser {
            return DecisionExplanation { decision: Decision::Allowed, reason: Reason::Superuser, rules: Vec::new() };
        }
        let decision = self.decide(access);
        match (decision, item) {
            (Decision::ByItem, Some(item)) => self.explain_item(access, item),
            _ => self.explain_early(access, decision),
        }
    }

    fn explain_early(&self, access: &Access<'_>, decision: Decision) -> DecisionExplanation {
        let files = self.slice(access).map(|slice| {
            let set = if decision == Decision::Allowed { &slice.sure } else { slice.possible() };
            request::ask(slice, set, access)
        });
        let mut deciding: BTreeSet<String> = files.into_iter().flat_map(|outcome| outcome.deciding).collect();
        match decision {
            Decision::Denied => {}
            Decision::Allowed => deciding.extend(self.certain_rules(access)),
            Decision::ByItem => deciding.extend(self.applicable_rules(access, None)),
        }
        self.explanation(decision, &deciding)
    }

    fn explain_item(&self, access: &Access<'_>, item: &Attributes) -> DecisionExplanation {
        let outcome = match self.slice(access).map(|slice| (slice, request::ask_about(slice, access, item))) {
            None => None,
            Some((_, Ok(outcome))) => Some(outcome),
            Some((slice, Err(unreadable))) => {
                let reason = Reason::Unreadable { attribute: unreadable.attribute };
                return DecisionExplanation { decision: Decision::Denied, reason, rules: slice.statements.clone() };
            }
        };
        let forbidden = outcome.as_ref().is_some_and(|outcome| outcome.verdict == Verdict::Forbidden);
        let mut deciding: BTreeSet<String> = outcome.into_iter().flat_map(|outcome| outcome.deciding).collect();
        if forbidden {
            return self.explanation(Decision::Denied, &deciding);
        }
        deciding.extend(self.applicable_rules(access, Some(item)));
        let decision = if deciding.is_empty() { Decision::Denied } else { Decision::Allowed };
        self.explanation(decision, &deciding)
    }

    /// The ids of the rules that apply, or may apply as far as is known without the item.
    fn applicable_rules(&self, access: &Access<'_>, item: Option<&Attributes>) -> Vec<String> {
        self.rule_ids(access, item, |verdict| verdict != Decision::Denied)
    }

    /// The ids of the rules that apply whatever the item.
    fn certain_rules(&self, access: &Access<'_>) -> Vec<String> {
        self.rule_ids(access, None, |verdict| verdict == Decision::Allowed)
    }

    fn rule_ids(&self, access: &Access<'_>, item: Option<&Attributes>, keep: fn(Decision) -> bool) -> Vec<String> {
        let verdicts = self.rules.verdicts(access, item).filter(|(_, verdict)| keep(*verdict));
        verdicts.filter_map(|(position, _)| self.statements.get(position)).map(|rule| rule.id.clone()).collect()
    }

    fn explanation(&self, decision: Decision, deciding: &BTreeSet<String>) -> DecisionExplanation {
        let reason = if deciding.is_empty() { Reason::NoRule } else { Reason::Rules };
        DecisionExplanation { decision, reason, rules: self.select(deciding).into_iter().cloned().collect() }
    }

    fn select(&self, ids: &BTreeSet<String>) -> Vec<&Statement> {
        self.statements.iter().filter(|statement| ids.contains(&statement.id)).collect()
    }

    fn slice(&self, access: &Access<'_>) -> Option<&Slice> {
        self.slices.get(access)?.as_ref()
    }
}

impl Authorizer for Policies {
    fn decide(&self, access: &Access<'_>) -> Decision {
        if !access.is_in_scope(&self.design) {
            return Decision::Denied;
        }
        let rules = self.rules.decide(access);
        let Some(slice) = self.slice(access).filter(|_| !access.caller.superuser) else { return rules };
        let ask = |set: &Set| set.settled.unwrap_or_else(|| request::ask(slice, set, access).verdict);
        let sure = ask(&slice.sure);
        match (sure, rules) {
            (Verdict::Permitted, _) | (Verdict::Silent, Decision::Allowed) => return Decision::Allowed,
            _ => {}
        }
        match (slice.possible.as_ref().map_or(sure, ask), rules) {
            (Verdict::Forbidden, _) | (Verdict::Silent, Decision::Denied) => Decision::Denied,
            _ => Decision::ByItem,
        }
    }

    fn decide_item(&self, access: &Access<'_>, item: &Attributes) -> bool {
        if !access.is_in_scope(&self.design) {
            return false;
        }
        let Some(slice) = self.slice(access).filter(|_| !access.caller.superuser) else {
            return self.rules.decide_item(access, item);
        };
        let verdict = match slice.whole.settled {
            Some(settled) => settled,
            None => match request::ask_about(slice, access, item) {
                Ok(outcome) => outcome.verdict,
                // Policies cannot read the item: only what no item can change is allowed.
                Err(_) => return self.decide(access) == Decision::Allowed,
            },
        };
        match verdict {
            Verdict::Forbidden => false,
            Verdict::Permitted => true,
            Verdict::Silent => self.rules.decide_item(access, item),
        }
    }

    fn forbids(&self, access: &Access<'_>, item: Option<&Attributes>) -> Option<bool> {
        let slice = self.slice(access).filter(|slice| !access.caller.superuser && slice.whole.has_forbids);
        let Some(slice) = slice else { return Some(false) };
        // Policies that cannot read the item forbid.
        let verdict = request::ask_about(slice, access, item?).map_or(Verdict::Forbidden, |outcome| outcome.verdict);
        Some(verdict == Verdict::Forbidden)
    }
}

/// `None` if Cedar rejects a name.
fn slices(design: &Design, types: &EntityTypes, policies: &[FilePolicy]) -> Option<AccessTable<Option<Slice>>> {
    AccessTable::try_new(design, |entity, verb| {
        let applying: Vec<&FilePolicy> =
            policies.iter().filter(|policy| policy.applies.contains(&(entity.id, verb))).collect();
        if applying.is_empty() {
            return Some(None);
        }
        Slice::new(entity, types.name(entity), verb, &applying).map(Some)
    })
}

/// Policies with warnings.
type ReadPolicies = (Vec<FilePolicy>, Vec<PolicyDiagnostic>);

/// The policies of the files, with warnings; with an error, everything that was found.
fn read_files(
    design: &Design,
    types: &EntityTypes,
    schema: &str,
    rules: &[Statement],
    files: &[(String, String)],
) -> Result<ReadPolicies, Vec<PolicyDiagnostic>> {
    if files.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let schema = match Schema::from_cedarschema_str(schema) {
        Ok((schema, _)) => schema,
        Err(error) => return Err(vec![no_schema(files, &error.to_string())]),
    };
    let used_ids = rules.iter().map(|rule| rule.id.clone()).collect();
    let mut reader = Reader { design, types, schema, used_ids, diagnostics: Vec::new() };
    let policies: Vec<FilePolicy> = files.iter().flat_map(|(file, text)| reader.read(Source { file, text })).collect();
    let mut found = reader.diagnostics;
    found.sort_by(|one, other| (&one.file, one.diagnostic.span).cmp(&(&other.file, other.diagnostic.span)));
    if found.iter().any(|found| found.diagnostic.is_error()) { Err(found) } else { Ok((policies, found)) }
}

fn no_schema(files: &[(String, String)], cause: &str) -> PolicyDiagnostic {
    let file = files.first().map_or("", |(file, _)| file.as_str());
    let message = format!("the design has no Cedar schema: {cause}");
    let help = "name entities and attributes with letters and digits";
    Source { file, text: "" }.diagnostic(&codes::NO_SCHEMA, Span::new(0, 0), message, help)
}
