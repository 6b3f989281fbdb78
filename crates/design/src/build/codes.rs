//! The diagnostics of reading a design: shapes, names, lines and types.

use crate::diagnostic::{Code, Severity};

pub(crate) static CODES: &[&Code] = &[
    &UNKNOWN_KEY,
    &MISSING,
    &WRONG_SHAPE,
    &BAD_NAME,
    &NAME_TAKEN,
    &UNKNOWN_ENTITY,
    &UNKNOWN_NAME,
    &NO_KEY,
    &BAD_ACCEPT,
    &BAD_WORD,
    &BAD_EXAMPLE,
    &BAD_ATTRIBUTE_LINE,
    &BAD_TEMPLATE,
    &BAD_FORMAT,
    &INSEPARABLE,
    &KEY_TYPE,
    &OPTIONAL_KEY,
    &BAD_VALUE,
    &ATTRIBUTE_CLASH,
    &INCOMPLETE_INDEX_KEY,
    &NO_SCOPE,
    &NO_TENANT_ATTRIBUTE,
    &BAD_PATTERN,
    &NO_PARTITION_EQUALITY,
    &NO_INDEX,
    &SEVERAL_ENTITIES,
    &NOT_IN_RANGE,
    &PARAMETER_CONFLICT,
    &BAD_FILTER,
    &BAD_FAN_OUT,
    &BAD_REFERENCE,
    &BAD_DERIVATION,
    &NO_SEQUENCE,
    &BAD_EXPRESSION,
    &BAD_RULE,
    &NO_SOURCE,
    &NO_OWNER,
    &BAD_BUDGET,
    &BAD_CALLER,
    &BAD_ENTRY_CONDITION,
    &BAD_KIND,
    &BAD_SENTINEL,
];

const E: Severity = Severity::Error;

pub(super) static UNKNOWN_KEY: Code = Code {
    id: "KF006",
    title: "unknown key",
    severity: E,
    explanation: "An unknown key would otherwise be ignored, together with its meaning. In an entity, any other key \
                  with a string value is an attribute stored with the item, so a key that is almost a keyword is an \
                  error as well.",
    fix: "Use the suggested spelling. Declare an attribute whose name is a keyword under `attributes:`.",
};

pub(super) static MISSING: Code = Code {
    id: "KF007",
    title: "missing key",
    severity: E,
    explanation: "A design needs a name, a table and entities; an entity needs the keys of the table.",
    fix: "Add the missing key, for example\n\n    design: platform\n    table: app_data",
};

pub(super) static WRONG_SHAPE: Code = Code {
    id: "KF008",
    title: "unexpected kind of value",
    severity: E,
    explanation: "A string, a list or a mapping is expected here, and the design has another kind of value.",
    fix: "See the key in the language reference, or the help line of the message.",
};

pub(super) static BAD_NAME: Code = Code {
    id: "KF009",
    title: "invalid name",
    severity: E,
    explanation: "Entities become types and routes, and attributes become DynamoDB attributes. Indexes and tables \
                  follow DynamoDB's rules: 3 to 255 letters, digits, `_`, `-` and `.`.",
    fix: "Choose a name of letters and digits that starts with a letter.",
};

pub(super) static NAME_TAKEN: Code = Code {
    id: "KF010",
    title: "duplicate name",
    severity: E,
    explanation: "Patterns are identified by their slug (`licenses by enterprise` is `licenses-by-enterprise` in URLs \
                  and generated code), so no two names may have the same slug.",
    fix: "Rename one of the two.",
};

pub(super) static UNKNOWN_ENTITY: Code = Code {
    id: "KF011",
    title: "unknown entity",
    severity: E,
    explanation: "A reference, a pattern, a rule or an example names an entity that the design does not have.",
    fix: "Use the exact name under `entities:`; names are case-sensitive.",
};

pub(super) static UNKNOWN_NAME: Code = Code {
    id: "KF012",
    title: "unknown attribute",
    severity: E,
    explanation: "A placeholder, a reference or an expression names an attribute that the entity does not have. Design \
                  documents often use snake case in placeholders (`<account_id>`) but store attributes in camel case; \
                  in a design, the placeholder is the name of the attribute.",
    fix: "Correct the name, or declare the attribute:\n\n    attributes:\n      accountId: string",
};

pub(super) static NO_KEY: Code = Code {
    id: "KF013",
    title: "unknown index, or attribute that is not a key",
    severity: E,
    explanation: "The conditions of a pattern use key attributes of the table or of one index. Conditions on other \
                  attributes are filters.",
    fix: "Use a key attribute, or move the condition after `where`.",
};

pub(crate) static BAD_ACCEPT: Code = Code {
    id: "KF014",
    title: "unused `accept` entry",
    severity: Severity::Warning,
    explanation: "`accept` suppresses a known warning: `KF031 ENTITY#USER: reason`. An entry that matches no \
                  diagnostic is outdated or misspelled, and could hide a later one. Errors cannot be accepted.",
    fix: "Remove the entry, or use the code and subject named in the diagnostic.",
};

pub(crate) static BAD_WORD: Code = Code {
    id: "KF015",
    title: "unknown keyword",
    severity: E,
    explanation: "One of a few keywords is expected here: a scope, a target, a projection, `yes` or `no`.",
    fix: "Use one of the keywords in the help line.",
};

pub(super) static BAD_EXAMPLE: Code = Code {
    id: "KF016",
    title: "invalid example",
    severity: E,
    explanation: "Examples are tests and are checked like the rest of the design: entities, attributes, values and \
                  parameters must exist and have the right types.",
    fix: "Write `{name, given, when, then}` with entities and patterns of the design.",
};

pub(super) static BAD_ATTRIBUTE_LINE: Code = Code {
    id: "KF020",
    title: "invalid attribute declaration",
    severity: E,
    explanation: "An attribute is a type followed by modifiers, separated by commas: `seats: integer, at least 1`.",
    fix: "See the types and modifiers in the language reference.",
};

pub(super) static BAD_TEMPLATE: Code = Code {
    id: "KF021",
    title: "invalid template",
    severity: E,
    explanation: "A template is literal text with placeholders in angle brackets: `LICENSE#STATUS#<status>`, with \
                  formats after a colon (`<email:lower>`) and a fallback (`<endDate or 9999-12-31>`).",
    fix: "Close the placeholder and use a known format.",
};

pub(super) static BAD_FORMAT: Code = Code {
    id: "KF022",
    title: "format does not fit the type",
    severity: E,
    explanation: "`width` is for integers, `lower`, `upper` and `first` are for strings, date parts are for dates. \
                  Lists, sets and maps cannot be part of a key.",
    fix: "Remove the format, or use one for the attribute's type.",
};

pub(super) static INSEPARABLE: Code = Code {
    id: "KF023",
    title: "adjacent placeholders",
    severity: E,
    explanation: "Two placeholders without literal text between them give ambiguous keys: `<a><b>` is `abc` for both \
                  `a`, `bc` and `ab`, `c`. They are allowed only if the first has a fixed length (a date, a ULID, \
                  `width(4)`).",
    fix: "Put a delimiter between them: `<a>#<b>`.",
};

pub(super) static KEY_TYPE: Code = Code {
    id: "KF025",
    title: "wrong key type",
    severity: E,
    explanation: "A numeric or binary key must be a single attribute of that type, unchanged: DynamoDB rejects any \
                  other value, and text cannot be assembled into a number.",
    fix: "Use the plain attribute (`starRating: <stars>`), or make the key a string.",
};

pub(super) static OPTIONAL_KEY: Code = Code {
    id: "KF026",
    title: "optional attribute in the table's key",
    severity: E,
    explanation: "An item without the attribute would have no key. In an index this is allowed (the item is not in the \
                  index), in the table it is not.",
    fix: "Make the attribute required, or give the placeholder a fallback: `<endDate or 9999-12-31>`.",
};

pub(super) static BAD_VALUE: Code = Code {
    id: "KF027",
    title: "invalid value for the type",
    severity: E,
    explanation: "A default, a literal in a condition or a value in an example is not a valid value of the attribute: \
                  `STATUS#Active` finds nothing if the values are `active` and `expired`.",
    fix: "Use a value of the attribute's type; enumerations are case-sensitive.",
};

pub(super) static ATTRIBUTE_CLASH: Code = Code {
    id: "KF028",
    title: "attribute defined twice",
    severity: E,
    explanation: "A key or constant attribute is computed from its template. Declaring the same name under \
                  `attributes:` would define its value a second time.",
    fix: "Keep one: the template or the attribute (an index key may be a plain attribute without a template).",
};

pub(super) static INCOMPLETE_INDEX_KEY: Code = Code {
    id: "KF029",
    title: "incomplete index key",
    severity: E,
    explanation: "An item is in an index only if it has all attributes of the index key. If the entity never has one \
                  of them, its items are never in the index, and the other attributes are written for nothing.",
    fix: "Give the entity the missing key as well, or remove this one.",
};

pub(super) static NO_SCOPE: Code = Code {
    id: "KF032",
    title: "entity without a scope",
    severity: E,
    explanation: "In a design with a tenant, every entity states whether its items belong to a tenant (`scope: \
                  tenant`) or to all (`scope: global`). Without this, a missing tenant filter would go unnoticed.",
    fix: "Add `scope: tenant` or `scope: global`.",
};

pub(super) static NO_TENANT_ATTRIBUTE: Code = Code {
    id: "KF033",
    title: "tenant entity without the tenant attribute",
    severity: E,
    explanation: "Items of `scope: tenant` must contain the tenant's id, in a key or in an attribute. Otherwise items \
                  cannot be assigned to tenants, and reads cannot be checked.",
    fix: "Add the tenant attribute, for example `accountId: string`, or use `scope: global`.",
};

pub(super) static BAD_PATTERN: Code = Code {
    id: "KF040",
    title: "invalid access pattern",
    severity: E,
    explanation: "A pattern is one line: key conditions joined by `and`, then options after commas, then `where` and a \
                  filter, then `->` and the returned entities.",
    fix: "For example\n\n    licenses by enterprise: GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, LICENSE#)",
};

pub(super) static NO_PARTITION_EQUALITY: Code = Code {
    id: "KF041",
    title: "partition key without equality",
    severity: E,
    explanation: "DynamoDB finds items by the exact partition key; ranges and prefixes are possible only on the sort \
                  key. A range over partition keys must be bounded, because each value is a separate query.",
    fix: "Add `PK = …`, or bound the range: `squashDate between <from> and <to>, at most 92 days`.",
};

pub(super) static NO_INDEX: Code = Code {
    id: "KF042",
    title: "no index for the pattern",
    severity: E,
    explanation: "No entity has keys that match the conditions of the pattern, or the conditions use keys of different \
                  indexes. A query reads one index.",
    fix: "Compare the condition with the templates of the entities, or add an index.",
};

pub(super) static SEVERAL_ENTITIES: Code = Code {
    id: "KF043",
    title: "key range with several entities",
    severity: E,
    explanation: "The key range of the pattern contains items of more than one entity, so the pattern must state which \
                  of them it returns.",
    fix: "Name them: `PK = ACCOUNT#<accountId> -> Account, Address`.",
};

pub(super) static NOT_IN_RANGE: Code = Code {
    id: "KF044",
    title: "entity outside the key range",
    severity: E,
    explanation: "The pattern names an entity whose keys are never in the range it reads, whatever the values of its \
                  attributes and of the parameters.",
    fix: "Remove the entity, or correct the condition or the entity's template.",
};

pub(super) static PARAMETER_CONFLICT: Code = Code {
    id: "KF048",
    title: "conflicting parameter types",
    severity: E,
    explanation: "A parameter takes the type of the template part it corresponds to. This one corresponds to parts of \
                  different types, or to none.",
    fix: "Use two parameters, or give the attributes the same type.",
};

pub(super) static BAD_FILTER: Code = Code {
    id: "KF049",
    title: "invalid filter",
    severity: E,
    explanation: "A filter compares attributes in DynamoDB's syntax: `=`, `<>`, `<`, `<=`, `>`, `>=`, `between … and \
                  …`, `in (…)`, `begins_with(a, …)`, `contains(a, …)`, `attribute_exists(a)`, combined with `and`, \
                  `or`, `not`.",
    fix: "For example `where status = <status> and seats >= 10`.",
};

pub(super) static BAD_FAN_OUT: Code = Code {
    id: "KF039",
    title: "unbounded range over partitions",
    severity: E,
    explanation: "A range over a partition key reads one partition per value. It therefore needs a limit and values \
                  that can be enumerated: dates.",
    fix: "Write `squashDate between <from> and <to>, at most 92 days`.",
};

pub(super) static BAD_REFERENCE: Code = Code {
    id: "KF054",
    title: "incomplete reference",
    severity: E,
    explanation: "A reference must provide every attribute that identifies the other entity: the referring attribute \
                  itself, and attributes of the same names.",
    fix: "Add the missing attribute, or name it: `refers to Workstream through accountId`.",
};

pub(super) static BAD_DERIVATION: Code = Code {
    id: "KF055",
    title: "invalid derived entity",
    severity: E,
    explanation: "A derived entity is built from the attributes of its source: `derived from: Site, for each tag in \
                  tags`.",
    fix: "Name a source entity that is not itself derived, and attributes that it has.",
};

pub(super) static NO_SEQUENCE: Code = Code {
    id: "KF059",
    title: "sequence without a counter",
    severity: E,
    explanation: "The counter of a sequence is a numeric attribute of one item. The design declares it: a singleton \
                  entity with `keeps: sequences` and an integer attribute named after the sequence.",
    fix: "Add it:\n\n    Sequence:\n      keeps: sequences\n      PK: sequence\n      SK: sequence\n      attributes: {place: \"integer, optional\"}",
};

pub(super) static BAD_EXPRESSION: Code = Code {
    id: "KF056",
    title: "invalid expression",
    severity: E,
    explanation: "Expressions in `must hold` and `when` are written in the Common Expression Language (CEL) over the \
                  entity's attributes, and are true or false: `winningTeam == \"A\" ? teamAGames == 3 : teamBGames == \
                  3`.",
    fix: "Use attributes of the entity, compare them with values they can have, and make the result true or false.",
};

pub(super) static BAD_RULE: Code = Code {
    id: "KF060",
    title: "invalid `allow` rule",
    severity: E,
    explanation: "A rule is `WHO: VERBS ENTITIES`, optionally followed by `when` and an expression.",
    fix: "For example `- members with permission licenses.write: create, update, delete License`.",
};

pub(super) static NO_SOURCE: Code = Code {
    id: "KF061",
    title: "undefined source of groups or permissions",
    severity: E,
    explanation: "Rules, `visible to` and `settable by` that name groups or permissions need a source for them: \
                  `callers:` names the items. Members need a tenant. Otherwise nobody is such a caller.",
    fix: "Add `callers:`, for example\n\n    callers:\n      groups: {from: Membership, of: userId, group: groupName}",
};

pub(super) static NO_OWNER: Code = Code {
    id: "KF065",
    title: "`the owner` of an entity without an owner",
    severity: E,
    explanation: "`the owner`, in a rule, in `visible to` or in `settable by`, is the caller whose subject is in the \
                  entity's `owner` attribute.",
    fix: "Add `owner: userId` to the entity.",
};

pub(super) static BAD_BUDGET: Code = Code {
    id: "KF073",
    title: "invalid budget",
    severity: E,
    explanation: "A budget is `PATTERN: at most 2.5 read units for 20` or `create ENTITY: at most 12 write units`.",
    fix: "Name a pattern of the design, or an operation and an entity, and give the units.",
};

pub(super) static BAD_CALLER: Code = Code {
    id: "KF077",
    title: "callers that cannot be found",
    severity: E,
    explanation: "`callers: {are: …}` names the entity of the people and the attributes with the issuer and the subject of \
                  their tokens. At most one item may have them, so that they are the entity's identity or a `unique`. \
                  `callers: {members: …}` names the entity that makes a caller a member of a tenant. Its items have \
                  the tenant, and a key leads from a caller to all of them.",
    fix: "For example\n\n    callers:\n      are: User by issuer and subject\n      members: Membership by userId",
};

pub(super) static BAD_ENTRY_CONDITION: Code = Code {
    id: "KF085",
    title: "invalid condition of a key",
    severity: E,
    explanation: "In a template, ` when ` begins a condition in CEL over the item's own attributes: `GSI1PK: \
                  INBOX#<userId> when unread`. The item is in the index only while the condition holds. An index has \
                  one condition for its whole key, stated with one half or the same with both. The keys of the table \
                  have none, because every item is in the table; on those of a `unique`, it decides whether there is a \
                  lookup item. A condition knows neither the time nor the caller: the key is written with the item. \
                  Counters change without their item, so that no condition reads them.",
    fix: "State one condition that some items meet and others do not, with a key of an index or with a `unique`. A text \
          that contains ` when ` cannot be a constant attribute; store it in an attribute.",
};

pub(super) static BAD_KIND: Code = Code {
    id: "KF086",
    title: "entities that share keys and differ in more than their kind",
    severity: E,
    explanation: "Entities may have the same keys if a constant attribute tells them apart, such as `type: User` and \
                  `type: Organization`: each key then has an item of one of them, and every read and write is \
                  conditional on the attribute. This requires that they have the same templates in the table, the same \
                  identity and the same scope, and that neither is derived or keeps sequences.",
    fix: "Make keys, identity and scope the same, or give the templates different literal text.",
};

pub(super) static BAD_SENTINEL: Code = Code {
    id: "KF087",
    title: "default that keys cannot be read back from",
    severity: E,
    explanation: "A value within a key must not contain the delimiter. A default may, as ElectroDB's `#` does, if every \
                  key that contains it can be read in one way only: `type_<type>#number_<number>` with the default `#` \
                  gives `type_##number_4`, which nothing else gives. Otherwise each item with the default would be \
                  rejected when it is written.",
    fix: "Choose a default without the delimiter, encode the value (`<type:url>`), or put the placeholder at the end of \
          the key.",
};
