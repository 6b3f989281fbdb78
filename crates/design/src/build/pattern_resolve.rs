//! A pattern's line against the design: its index, the entities in its key range, its parameters.

use keyfold_dynamo::table::KeyType;

use super::codes::{
    BAD_FAN_OUT, BAD_VALUE, NO_INDEX, NO_KEY, NO_PARTITION_EQUALITY, NOT_IN_RANGE, PARAMETER_CONFLICT, SEVERAL_ENTITIES,
};
use super::filter_line;
use super::pattern_line::{Condition, Operator, PatternLine};
use super::reader::{Reader, suggest};
use crate::diagnostic::Diagnostic;
use crate::model::{
    Attribute, AttributeType, Design, Entity, FanOut, FanOutUnit, Index, IndexId, KeyAttribute, KeyCondition, KeyPart,
    Layout, Order, Parameter, Pattern, PatternId, Returned, SortCondition, SortOperator, TenantMode, slug,
};
use crate::span::Span;
use crate::syntax::Entry;
use crate::template::{Binding, Fit, Format, Placeholder, Template, ValueKind, unify};

pub fn resolve(
    id: PatternId,
    declared: &Entry,
    line: PatternLine<'_>,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Option<Pattern> {
    let source = Source::find(&line, declared, design, reader)?;
    let keys = Keys::sort(&line, &source, declared, reader)?;
    let found = candidates(&source, &keys, design);
    let mut parameters = Parameters::default();
    let members = members(found, &mut parameters, declared, &keys, reader)?;
    let returns = returned(&line, &members, design, declared, reader)?;
    let chosen: Vec<&Member<'_>> = members.iter().filter(|member| returns.contains(&member.returned())).collect();
    parameters.take(&chosen);
    let mut pattern = Pattern {
        id,
        name: declared.name().to_owned(),
        slug: slug(declared.name()),
        span: declared.key.span,
        source: declared.value.scalar().map_or_else(|| key_text(declared), str::to_owned),
        description: None,
        index: source.index,
        partition: keys.partition,
        sort_equal: keys.sort_equal,
        sort: keys.sort,
        holds_others: members.iter().any(|member| !returns.contains(&member.returned())),
        returns,
        filter: None,
        order: if line.options.descending { Order::Descending } else { Order::Ascending },
        tenant: TenantMode::Global,
        tenant_stated: line.options.across_tenants || line.options.own_tenant_only || line.options.misunderstood,
        parameters: Vec::new(),
        fan_out: keys.fan_out,
        count: line.options.count,
        limit: line.options.limit,
    };
    parameters.apply(&mut pattern, &source, declared.value.span, reader);
    if let Some(sort) = &mut pattern.sort {
        sort.component = component(&chosen, sort);
    }
    pattern.tenant = tenant_mode(&pattern, &chosen, &line, design);
    if let Some(filter) = line.filter {
        let entities: Vec<&Entity> = chosen.iter().map(|member| member.entity).collect();
        pattern.filter = Some(filter_line::parse(filter, &entities, &mut pattern.parameters, reader)?);
    }
    Some(pattern)
}

fn key_text(declared: &Entry) -> String {
    let key = declared.value.entries().and_then(|entries| super::reader::entry(entries, "key"));
    key.and_then(|entry| entry.value.scalar()).unwrap_or_default().to_owned()
}

/// What a pattern reads: the table or an index.
struct Source<'d> {
    index: Option<IndexId>,
    name: &'d str,
    partition: &'d [KeyAttribute],
    sort: &'d [KeyAttribute],
}

impl<'d> Source<'d> {
    fn table(design: &'d Design) -> Self {
        let table = &design.table;
        Self { index: None, name: &table.name, partition: std::slice::from_ref(&table.partition), sort: table.sort.as_slice() }
    }

    fn index(index: &'d Index) -> Self {
        Self { index: Some(index.id), name: &index.name, partition: &index.partition, sort: &index.sort }
    }

    fn has(&self, name: &str) -> bool {
        self.partition.iter().chain(self.sort).any(|key| key.name == name)
    }

    fn key(&self, name: &str) -> Option<&'d KeyAttribute> {
        self.partition.iter().chain(self.sort).find(|key| key.name == name)
    }

    /// The one place whose keys the conditions are on.
    fn find(line: &PatternLine<'_>, declared: &Entry, design: &'d Design, reader: &mut Reader<'_>) -> Option<Self> {
        let all: Vec<Source<'d>> =
            std::iter::once(Self::table(design)).chain(design.indexes.iter().map(Self::index)).collect();
        for condition in &line.conditions {
            let name = &condition.attribute.value;
            if !all.iter().any(|source| source.has(name)) {
                let names: Vec<&str> =
                    all.iter().flat_map(|source| source.partition.iter().chain(source.sort)).map(|key| key.name.as_str()).collect();
                let help = match suggest(name, names.iter().copied()) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("conditions on other attributes go behind `where`: `where {name} = …`"),
                };
                reader.fault(&NO_KEY, condition.attribute.span, format!("`{name}` is no key of the table or of an index"), help);
                return None;
            }
        }
        if let Some(using) = &line.options.using {
            let Some(index) = design.index_named(&using.value) else {
                let names = design.indexes.iter().map(|index| index.name.as_str());
                let help = match suggest(&using.value, names) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => "name an index under `indexes:`".to_owned(),
                };
                reader.fault(&NO_KEY, using.span, format!("there is no index `{}`", using.value), help);
                return None;
            };
            return Some(Self::index(index));
        }
        let whole: Vec<Source<'d>> = all
            .into_iter()
            .filter(|source| line.conditions.iter().all(|condition| source.has(&condition.attribute.value)))
            .collect();
        let (mut served, partial): (Vec<_>, Vec<_>) = whole.into_iter().partition(|source| {
            source.partition.iter().all(|key| line.conditions.iter().any(|condition| condition.attribute.value == key.name))
        });
        // Conditions that the table serves are for the table, though a local index shares its partition key.
        if let Some(table) = served.iter().position(|source| source.index.is_none()) {
            return Some(served.swap_remove(table));
        }
        let span = conditions_span(line, declared);
        match (served.len(), partial.first()) {
            (1, _) => served.pop(),
            (0, Some(near)) => {
                let missing: Vec<&str> = near.partition.iter().map(|key| key.name.as_str()).collect();
                let message = format!("`{}` has no `{} = …`", declared.name(), missing.join("`, `"));
                let help = format!("a query of `{}` needs the exact partition key: add `{} = TEMPLATE`", near.name, missing.join("`, `"));
                reader.fault(&NO_PARTITION_EQUALITY, span, message, help);
                None
            }
            (0, None) => {
                let message = format!("no index serves `{}`: its conditions are on keys of different indexes", declared.name());
                reader.fault(&NO_INDEX, span, message, "a query reads the table or one index; move a condition behind `where`");
                None
            }
            _ => {
                let names: Vec<&str> = served.iter().map(|source| source.name).collect();
                let message = format!("`{}` could read `{}`", declared.name(), names.join("` or `"));
                let help = format!("say which: `…, using {}`", names.last().copied().unwrap_or_default());
                reader.fault(&NO_INDEX, span, message, help);
                None
            }
        }
    }
}

fn conditions_span(line: &PatternLine<'_>, declared: &Entry) -> Span {
    let spans = line.conditions.iter().map(|condition| condition.span);
    spans.reduce(Span::to).unwrap_or(declared.value.span)
}

/// The conditions, sorted into partition and sort key.
struct Keys {
    partition: Vec<KeyCondition>,
    sort_equal: Vec<KeyCondition>,
    sort: Option<SortCondition>,
    fan_out: Option<FanOut>,
}

impl Keys {
    fn sort(line: &PatternLine<'_>, source: &Source<'_>, declared: &Entry, reader: &mut Reader<'_>) -> Option<Self> {
        let mut keys = Self { partition: Vec::new(), sort_equal: Vec::new(), sort: None, fan_out: None };
        for condition in &line.conditions {
            let name = condition.attribute.value.clone();
            if source.partition.iter().any(|key| key.name == name) {
                keys.partition_condition(condition, line, source, reader)?;
                continue;
            }
            if keys.sort.is_some() && source.sort.len() < 2 {
                let message = format!("`{}` has two conditions on `{name}`", declared.name());
                let help = "a query has one condition on its sort key; use `between … and …`";
                reader.fault(&super::codes::BAD_PATTERN, condition.span, message, help);
                return None;
            }
            let operator = sort_operator(&condition.operator);
            let Some(operator) = operator else {
                let message = format!("`in` is not possible on the sort key `{name}`");
                reader.fault(&super::codes::BAD_PATTERN, condition.span, message, "use `=`, `between` or a filter");
                return None;
            };
            if let Some(SortCondition { attribute, operator: SortOperator::Equal(template), .. }) = keys.sort.take() {
                keys.sort_equal.push(KeyCondition { attribute, template });
            }
            keys.sort = Some(SortCondition { attribute: name, operator, component: None });
        }
        keys.multi_attribute_order(source, declared, reader)?;
        Some(keys)
    }

    /// Conditions on a multi-attribute sort key run from its first attribute on, without a gap.
    fn multi_attribute_order(&self, source: &Source<'_>, declared: &Entry, reader: &mut Reader<'_>) -> Option<()> {
        let given = self.sort_equal.iter().map(|equal| &equal.attribute).chain(self.sort.iter().map(|sort| &sort.attribute));
        for (position, name) in given.enumerate() {
            if source.sort.get(position).is_none_or(|key| key.name != *name) {
                let names: Vec<&str> = source.sort.iter().map(|key| key.name.as_str()).collect();
                let message = format!("`{}` skips a part of the sort key of `{}`", declared.name(), source.name);
                let help = format!("give equal values from the left on: `{}`", names.join("`, `"));
                reader.fault(&super::codes::BAD_PATTERN, declared.value.span, message, help);
                return None;
            }
        }
        Some(())
    }

    fn partition_condition(
        &mut self,
        condition: &Condition,
        line: &PatternLine<'_>,
        source: &Source<'_>,
        reader: &mut Reader<'_>,
    ) -> Option<()> {
        let attribute = condition.attribute.value.clone();
        match (&condition.operator, line.options.at_most) {
            (Operator::Equal(template), _) => {
                self.partition.push(KeyCondition { attribute, template: template.clone() });
            }
            (Operator::Between(from, to), Some((at_most, unit))) => {
                let (from, to) = (from.clone(), to.clone());
                self.fan_out = Some(FanOut::Range { attribute, from, to, at_most, unit });
            }
            (Operator::In(list), Some((at_most, FanOutUnit::Values))) => {
                let parameter = list.plain_attribute().map(|plain| plain.attribute.clone());
                let Some(parameter) = parameter else {
                    let message = format!("`{}` is no list parameter", list.source);
                    reader.fault(&BAD_FAN_OUT, list.span, message, "write `in <values>, at most 20 values`");
                    return None;
                };
                self.fan_out = Some(FanOut::Values { attribute, parameter, at_most });
            }
            (Operator::Between(..) | Operator::In(_), None) => {
                let message = format!("the range over the partition key `{attribute}` has no bound");
                reader.fault(&BAD_FAN_OUT, condition.span, message, "each value is a query of its own: add `, at most 92 days`");
                return None;
            }
            _ => {
                let message = format!("`{attribute}` is the partition key of `{}`, and has to be equal", source.name);
                let help = format!("write `{attribute} = TEMPLATE`; prefixes and ranges are for the sort key");
                reader.fault(&NO_PARTITION_EQUALITY, condition.span, message, help);
                return None;
            }
        }
        Some(())
    }
}

fn sort_operator(operator: &Operator) -> Option<SortOperator> {
    Some(match operator {
        Operator::Equal(template) => SortOperator::Equal(template.clone()),
        Operator::BeginsWith(template) => SortOperator::BeginsWith(template.clone()),
        Operator::Less(template) => SortOperator::Less(template.clone()),
        Operator::LessOrEqual(template) => SortOperator::LessOrEqual(template.clone()),
        Operator::Greater(template) => SortOperator::Greater(template.clone()),
        Operator::GreaterOrEqual(template) => SortOperator::GreaterOrEqual(template.clone()),
        Operator::Between(low, high) => SortOperator::Between(low.clone(), high.clone()),
        Operator::In(_) => return None,
    })
}

/// An entity (or the lookup of a unique) whose keys can fall into the pattern's range.
struct Member<'d> {
    entity: &'d Entity,
    unique: Option<&'d str>,
    /// Each condition's template with the part of the entity's key it meets and how.
    meetings: Vec<Meeting<'d>>,
}

struct Meeting<'d> {
    condition: Template,
    key: &'d str,
    /// The entity's template, the alternative of it that the condition meets.
    template: &'d Template,
    fit: Fit,
    /// The condition is `begins_with`: its last parameter may be the beginning of a value.
    prefix: bool,
    sort: bool,
}

impl Member<'_> {
    fn returned(&self) -> Returned {
        match self.unique {
            None => Returned::Entity(self.entity.id),
            Some(unique) => Returned::ThroughUnique { entity: self.entity.id, unique: unique.to_owned() },
        }
    }
}

fn candidates<'d>(source: &Source<'_>, keys: &Keys, design: &'d Design) -> Vec<Member<'d>> {
    let mut members = Vec::new();
    for entity in &design.entities {
        let layouts = std::iter::once((None, &entity.layout))
            .chain(entity.uniques.iter().map(|unique| (Some(unique.name.as_str()), &unique.layout)));
        for (unique, layout) in layouts {
            if let Some(meetings) = meet(source, keys, layout) {
                members.push(Member { entity, unique, meetings });
            }
        }
    }
    members
}

/// How the conditions meet the keys of a layout; `None` when they do not.
fn meet<'d>(source: &Source<'_>, keys: &Keys, layout: &'d Layout) -> Option<Vec<Meeting<'d>>> {
    let parts: Vec<&KeyPart> = match source.index {
        None => std::iter::once(&layout.partition).chain(&layout.sort).collect(),
        Some(index) => layout.index_key(index)?.parts().collect(),
    };
    let part_of = |name: &str| parts.iter().copied().find(|part| part.key.name == name);
    let mut meetings = Vec::new();
    for equal in keys.partition.iter().chain(&keys.sort_equal) {
        let part = part_of(&equal.attribute)?;
        let (template, fit) = lay(&equal.template, part, false)?;
        let sort = keys.sort_equal.iter().any(|other| other.attribute == equal.attribute);
        meetings.push(Meeting { condition: equal.template.clone(), key: &part.key.name, template, fit, prefix: false, sort });
    }
    match &keys.fan_out {
        Some(FanOut::Range { attribute, from, to, .. }) => {
            let part = part_of(attribute)?;
            for bound in [from, to] {
                let (template, fit) = lay(bound, part, false)?;
                let condition = bound.clone();
                meetings.push(Meeting { condition, key: &part.key.name, template, fit, prefix: false, sort: false });
            }
        }
        Some(FanOut::Values { attribute, parameter, .. }) => {
            let part = part_of(attribute)?;
            let condition = Template::plain(parameter, Span::default(), part.template.delimiter);
            let (template, fit) = lay(&condition, part, false)?;
            meetings.push(Meeting { condition, key: &part.key.name, template, fit, prefix: false, sort: false });
        }
        Some(FanOut::Shards { .. }) | None => {}
    }
    if let Some(sort) = &keys.sort {
        let part = part_of(&sort.attribute)?;
        let open = sort.operator.is_range();
        let prefix = matches!(sort.operator, SortOperator::BeginsWith(_));
        for bound in sort.operator.templates() {
            let (template, fit) = lay(bound, part, open)?;
            meetings.push(Meeting { condition: bound.clone(), key: &part.key.name, template, fit, prefix, sort: true });
        }
    }
    Some(meetings)
}

/// Lays a condition over a key, or over the template that stands in for the key's.
fn lay<'d>(condition: &Template, part: &'d KeyPart, prefix: bool) -> Option<(&'d Template, Fit)> {
    part.template.alternatives().find_map(|template| Some((template, unify(condition, template, prefix)?)))
}

/// Those whose literals are values that their attributes can have, and whose parameters have the types of the others.
fn members<'d>(
    found: Vec<Member<'d>>,
    parameters: &mut Parameters,
    declared: &Entry,
    keys: &Keys,
    reader: &mut Reader<'_>,
) -> Option<Vec<Member<'d>>> {
    let mut refused: Option<(String, Placeholder)> = None;
    let fitting: Vec<Member<'d>> = found
        .into_iter()
        .filter(|member| match misfit(member) {
            None => true,
            Some(fault) => {
                refused.get_or_insert(fault);
                false
            }
        })
        .collect();
    let typed: Vec<(String, ValueKind)> = fitting.iter().flat_map(|member| member.meetings.iter().flat_map(meeting_kinds)).collect();
    let members: Vec<Member<'d>> = fitting
        .into_iter()
        .filter(|member| {
            member.meetings.iter().all(|meeting| {
                meeting.fit.bindings.iter().all(|binding| match binding {
                    Binding::ParameterIsLiteral { parameter, text } => {
                        let name = nth(&meeting.condition, *parameter).map(|placeholder| placeholder.attribute.as_str());
                        typed.iter().filter(|(known, _)| Some(known.as_str()) == name).all(|(_, kind)| kind.admits(text))
                    }
                    _ => true,
                })
            })
        })
        .collect();
    if !members.is_empty() {
        return Some(members);
    }
    parameters.types.clear();
    match refused {
        Some((text, placeholder)) => {
            let message = format!("`{text}` in `{}` is not {}, as `{}` is", declared.name(), placeholder.kind.describe(), placeholder.attribute);
            let help = match &placeholder.kind {
                ValueKind::Enumeration(values) => match suggest(&text, values.iter().map(String::as_str)) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("its values are `{}`", values.join("`, `")),
                },
                _ => "use a value that the attribute can have".to_owned(),
            };
            let span = literal_span(keys, &text).unwrap_or(declared.value.span);
            reader.push(Diagnostic::new(&BAD_VALUE, span, message).also(placeholder.span, "the attribute in the key").help(help));
        }
        // The entity that it finds may be the one whose template is broken.
        None if reader.entities_incomplete => {}
        None => {
            let message = format!("no entity has keys that `{}` could find", declared.name());
            let help = "compare the conditions with the templates of the entities, literal text and delimiters included";
            reader.fault(&NO_INDEX, declared.value.span, message, help);
        }
    }
    None
}

fn literal_span(keys: &Keys, text: &str) -> Option<Span> {
    let templates = keys.partition.iter().map(|condition| &condition.template);
    let sort = keys.sort.iter().flat_map(|sort| sort.operator.templates());
    templates.chain(sort).find_map(|template| {
        let at = template.source.find(text)?;
        (template.span.end - template.span.start == template.source.len())
            .then(|| Span::new(template.span.start + at, template.span.start + at + text.len()))
    })
}

/// A literal that is no value of the attribute it meets.
fn misfit(member: &Member<'_>) -> Option<(String, Placeholder)> {
    member.meetings.iter().find_map(|meeting| {
        meeting.fit.bindings.iter().find_map(|binding| {
            let Binding::Literal { text, placeholder } = binding else { return None };
            let placeholder = nth(meeting.template, *placeholder)?;
            let fits = placeholder.fallback.as_deref() == Some(text)
                || !placeholder.formats.is_empty()
                || placeholder.kind.admits(text);
            (!fits).then(|| (text.clone(), placeholder.clone()))
        })
    })
}

fn nth(template: &Template, position: usize) -> Option<&Placeholder> {
    template.placeholders().nth(position)
}

fn meeting_kinds<'m>(meeting: &'m Meeting<'_>) -> impl Iterator<Item = (String, ValueKind)> + 'm {
    meeting.fit.bindings.iter().filter_map(|binding| match binding {
        Binding::Parameter { parameter, placeholder } => {
            let name = nth(&meeting.condition, *parameter)?.attribute.clone();
            Some((name, nth(meeting.template, *placeholder)?.kind.clone()))
        }
        _ => None,
    })
}

/// What the pattern returns: what it names, or the one entity that its range can hold.
fn returned(
    line: &PatternLine<'_>,
    members: &[Member<'_>],
    design: &Design,
    declared: &Entry,
    reader: &mut Reader<'_>,
) -> Option<Vec<Returned>> {
    if line.returns.is_empty() {
        return match members {
            [one] => Some(vec![one.returned()]),
            several => {
                let mut names: Vec<&str> = several.iter().map(|member| member.entity.name.as_str()).collect();
                names.dedup();
                let message = format!("`{}` can find `{}`", declared.name(), names.join("`, `"));
                let help = format!("say which it returns: `… -> {}`", names.join(", "));
                reader.fault(&SEVERAL_ENTITIES, declared.value.span, message, help);
                None
            }
        };
    }
    let mut returns = Vec::new();
    for named in &line.returns {
        let Some(entity) = design.entity_named(&named.value) else {
            let names = design.entities.iter().map(|entity| entity.name.as_str());
            let help = match suggest(&named.value, names) {
                Some(close) => format!("did you mean `{close}`?"),
                None => "the name is one under `entities:`".to_owned(),
            };
            reader.fault(&super::codes::UNKNOWN_ENTITY, named.span, format!("there is no entity `{}`", named.value), help);
            continue;
        };
        let found: Vec<&Member<'_>> = members.iter().filter(|member| member.entity.id == entity.id).collect();
        // The entity's own items before its lookups, where a range holds both.
        match found.iter().find(|member| member.unique.is_none()).or(found.first()) {
            Some(member) => returns.push(member.returned()),
            None if reader.entities_incomplete => {}
            None => {
                let message = format!("`{}` never finds a `{}`", declared.name(), named.value);
                let names: Vec<&str> = members.iter().map(|member| member.entity.name.as_str()).collect();
                let help = format!("its key range can hold `{}`", names.join("`, `"));
                reader.fault(&NOT_IN_RANGE, named.span, message, help);
            }
        }
    }
    (returns.len() == line.returns.len()).then_some(returns)
}

/// The character with which keys go on behind a bound that covers their leading components.
fn component(members: &[&Member<'_>], sort: &SortCondition) -> Option<char> {
    if matches!(sort.operator, SortOperator::Equal(_) | SortOperator::BeginsWith(_)) {
        return None;
    }
    members
        .iter()
        .flat_map(|member| &member.meetings)
        .filter(|meeting| meeting.sort && meeting.key == sort.attribute && meeting.fit.open)
        .find_map(|meeting| meeting.fit.next)
}

fn tenant_mode(pattern: &Pattern, members: &[&Member<'_>], line: &PatternLine<'_>, design: &Design) -> TenantMode {
    let Some(tenant) = &design.tenant else { return TenantMode::Global };
    let owned: Vec<&&Member<'_>> = members.iter().filter(|member| member.entity.scope.has_tenant()).collect();
    if owned.is_empty() {
        return TenantMode::Global;
    }
    let pinned_by = |member: &Member<'_>| {
        member.meetings.iter().filter(|meeting| !meeting.sort).find_map(|meeting| {
            meeting.fit.bindings.iter().find_map(|binding| match binding {
                Binding::Parameter { parameter, placeholder } => {
                    let placeholder = nth(meeting.template, *placeholder)?;
                    (placeholder.attribute == tenant.attribute)
                        .then(|| nth(&meeting.condition, *parameter).map(|parameter| parameter.attribute.clone()))?
                }
                _ => None,
            })
        })
    };
    let pins: Vec<Option<String>> = owned.iter().map(|member| pinned_by(member)).collect();
    match pins.first() {
        Some(Some(parameter)) if pins.iter().all(|pin| pin.as_ref() == Some(parameter)) && pattern.fan_out.is_none() => {
            TenantMode::Pinned { parameter: parameter.clone() }
        }
        _ if line.options.across_tenants => TenantMode::AcrossTenants,
        _ => TenantMode::Filtered,
    }
}

/// What each parameter meets.
#[derive(Default)]
struct Parameters {
    types: Vec<Met>,
}

struct Met {
    name: String,
    span: Span,
    value_type: AttributeType,
    kind: ValueKind,
    formats: Vec<Format>,
    /// The beginning of a value is enough.
    beginning: bool,
    entity: String,
    attribute: String,
}

impl Parameters {
    fn take(&mut self, members: &[&Member<'_>]) {
        for member in members {
            for meeting in &member.meetings {
                for binding in &meeting.fit.bindings {
                    self.types.extend(met(member, meeting, binding));
                }
            }
        }
    }

    /// Gives the templates of the pattern the kinds of what they meet, and the pattern its parameters.
    fn apply(self, pattern: &mut Pattern, source: &Source<'_>, span: Span, reader: &mut Reader<'_>) {
        for met in &self.types {
            if let Some(Format::Shard(count)) = met.formats.iter().find(|format| matches!(format, Format::Shard(_))) {
                pattern.fan_out = Some(FanOut::Shards { placeholder: met.name.clone(), count: *count });
                continue;
            }
            let at_least_characters = met.formats.iter().find_map(|format| match format {
                Format::First(count) => Some(*count),
                _ => None,
            });
            match pattern.parameters.iter_mut().find(|parameter| parameter.name == met.name) {
                None => pattern.parameters.push(Parameter {
                    name: met.name.clone(),
                    span: met.span,
                    value_type: if met.beginning { AttributeType::String } else { met.value_type.clone() },
                    at_least_characters,
                }),
                Some(known) => {
                    known.at_least_characters = known.at_least_characters.max(at_least_characters);
                    let same = known.value_type.kind() == met.value_type.kind() || met.beginning;
                    if !same {
                        let message = format!(
                            "`<{}>` is {} here and {} for `{}` of `{}`",
                            met.name, known.value_type.rule(), met.value_type.rule(), met.attribute, met.entity
                        );
                        reader.fault(&PARAMETER_CONFLICT, met.span, message, "use two parameters, or give the attributes one type");
                    }
                }
            }
        }
        let sort_templates = pattern.sort.iter_mut().flat_map(|sort| {
            let name = sort.attribute.clone();
            sort.operator.templates_mut().into_iter().map(move |template| (name.clone(), template))
        });
        let equal = pattern.partition.iter_mut().chain(&mut pattern.sort_equal);
        let mut templates: Vec<(String, &mut Template)> =
            equal.map(|condition| (condition.attribute.clone(), &mut condition.template)).chain(sort_templates).collect();
        if let Some(FanOut::Range { attribute, from, to, .. }) = &mut pattern.fan_out {
            templates.push((attribute.clone(), from));
            templates.push((attribute.clone(), to));
        }
        for (attribute, template) in templates {
            template.key_type = source.key(&attribute).map_or(KeyType::S, |key| key.key_type);
            self.resolve(template, span, reader);
        }
    }

    fn resolve(&self, template: &mut Template, span: Span, reader: &mut Reader<'_>) {
        for placeholder in template.placeholders_mut() {
            let Some(met) = self.types.iter().find(|met| met.name == placeholder.attribute && met.span == placeholder.span) else {
                let message = format!("`<{}>` stands for no attribute", placeholder.attribute);
                reader.fault(&PARAMETER_CONFLICT, span, message, "write the literal text of the key instead");
                continue;
            };
            if !placeholder.formats.is_empty() && placeholder.formats != met.formats {
                let wanted: String = met.formats.iter().map(|format| format!(":{}", format.spelling())).collect();
                let message = format!("`<{}>` is formatted otherwise than `{}` of `{}`", placeholder.attribute, met.attribute, met.entity);
                reader.fault(&PARAMETER_CONFLICT, placeholder.span, message, format!("write `<{}{wanted}>`", placeholder.attribute));
            }
            placeholder.formats.clone_from(&met.formats);
            placeholder.kind = if met.beginning { ValueKind::Text } else { met.kind.clone() };
        }
    }
}

fn met(member: &Member<'_>, meeting: &Meeting<'_>, binding: &Binding) -> Option<Met> {
    let (parameter, name, kind, formats, value_type, ends_template) = match binding {
        Binding::Parameter { parameter, placeholder } => {
            let own = nth(meeting.template, *placeholder)?;
            let is_last = meeting.template.placeholders().count() == placeholder + 1 && !meeting.fit.open;
            let value_type = type_of(member.entity, own);
            (*parameter, own.attribute.clone(), own.kind.clone(), own.formats.clone(), value_type, is_last)
        }
        Binding::ParameterIsLiteral { parameter, .. } => {
            (*parameter, "a literal".to_owned(), ValueKind::Text, Vec::new(), AttributeType::String, false)
        }
        _ => return None,
    };
    let stated = nth(&meeting.condition, parameter)?;
    let ends_condition = meeting.condition.placeholders().count() == parameter + 1
        && matches!(meeting.condition.parts.last(), Some(crate::template::Part::Placeholder(_)));
    Some(Met {
        name: stated.attribute.clone(),
        span: stated.span,
        value_type,
        kind,
        formats,
        beginning: meeting.prefix && ends_condition && ends_template,
        entity: member.entity.name.clone(),
        attribute: name,
    })
}

/// The type of the attribute behind a placeholder; what a key only tells is typed by its kind.
fn type_of(entity: &Entity, placeholder: &Placeholder) -> AttributeType {
    let declared = entity.attribute(&placeholder.attribute).map(|attribute: &Attribute| attribute.value_type.clone());
    declared.unwrap_or(AttributeType::String)
}
