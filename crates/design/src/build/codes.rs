//! The diagnostics of reading a design: shapes, names, lines and types.

use crate::diagnostic::{Code, Severity};

pub static CODES: &[&Code] = &[
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
];

const E: Severity = Severity::Error;

pub static UNKNOWN_KEY: Code = Code {
    id: "KF006",
    title: "an unknown key",
    severity: E,
    explanation: "A key that the language does not have would be ignored by a lenient reader, and with it what it was meant \
                  to say. Within an entity any other word with a text is an attribute stored with the item, so a word that \
                  is almost one of the language's is refused as well.",
    fix: "Use the suggested spelling. An attribute whose name is a word of the language goes under `attributes:`.",
};

pub static MISSING: Code = Code {
    id: "KF007",
    title: "something is missing",
    severity: E,
    explanation: "A design needs a name, a table and entities; an entity needs the keys of the table.",
    fix: "Add the missing key, for example\n\n    design: platform\n    table: app_data",
};

pub static WRONG_SHAPE: Code = Code {
    id: "KF008",
    title: "another shape is expected",
    severity: E,
    explanation: "At this place a text, a list or a mapping is expected, and something else is there.",
    fix: "See the language reference for the key, or the help line of the message.",
};

pub static BAD_NAME: Code = Code {
    id: "KF009",
    title: "a name that cannot be used",
    severity: E,
    explanation: "Entities become types and routes, attributes become DynamoDB attributes, indexes and tables have \
                  DynamoDB's rules: 3 to 255 characters of letters, digits, `_`, `-` and `.`.",
    fix: "Choose a name of letters and digits that begins with a letter.",
};

pub static NAME_TAKEN: Code = Code {
    id: "KF010",
    title: "two things share a name",
    severity: E,
    explanation: "Patterns are called by their slug (`licenses by enterprise` is `licenses-by-enterprise` in URLs and \
                  generated code), so two names may not have the same one.",
    fix: "Rename one of the two.",
};

pub static UNKNOWN_ENTITY: Code = Code {
    id: "KF011",
    title: "an unknown entity",
    severity: E,
    explanation: "A reference, a pattern, a rule or an example names an entity that the design does not have.",
    fix: "Use the name under `entities:` to the letter; names are case-sensitive.",
};

pub static UNKNOWN_NAME: Code = Code {
    id: "KF012",
    title: "an unknown attribute",
    severity: E,
    explanation: "A placeholder, a reference or an expression names an attribute that the entity does not have. The \
                  documents' placeholders are often in snake case (`<account_id>`) while attributes are stored in camel \
                  case: the placeholder of a design is the attribute's name.",
    fix: "Correct the name, or declare it:\n\n    attributes:\n      accountId: string",
};

pub static NO_KEY: Code = Code {
    id: "KF013",
    title: "an unknown index, or an attribute that is no key",
    severity: E,
    explanation: "A pattern's conditions are on key attributes of the table or of one index. Conditions on other attributes \
                  are filters.",
    fix: "Use a key attribute, or write the condition behind `where`.",
};

pub static BAD_ACCEPT: Code = Code {
    id: "KF014",
    title: "an `accept` line that accepts nothing",
    severity: Severity::Warning,
    explanation: "`accept` takes a known weakness out of the report: `KF031 ENTITY#USER: reason`. A line that matches no \
                  finding is outdated or misspelt, and would hide a later one. Errors cannot be accepted.",
    fix: "Remove the line, or use the code and subject that the finding names.",
};

pub static BAD_WORD: Code = Code {
    id: "KF015",
    title: "a word that is none of the choices",
    severity: E,
    explanation: "At this place one of a few words is expected: a scope, a target, a projection, `yes` or `no`.",
    fix: "Use one of the words that the help line lists.",
};

pub static BAD_EXAMPLE: Code = Code {
    id: "KF016",
    title: "an example that does not fit the design",
    severity: E,
    explanation: "Examples are tests, so they are checked like the rest: entities, attributes, values and parameters have to \
                  exist and to have the right types.",
    fix: "Write `{name, given, when, then}` with the entities and patterns of the design.",
};

pub static BAD_ATTRIBUTE_LINE: Code = Code {
    id: "KF020",
    title: "an attribute line that does not parse",
    severity: E,
    explanation: "An attribute is a type and then modifiers, separated by commas: `seats: integer, at least 1`.",
    fix: "See the types and modifiers in the language reference.",
};

pub static BAD_TEMPLATE: Code = Code {
    id: "KF021",
    title: "a template that does not parse",
    severity: E,
    explanation: "A template is literal text with placeholders in angle brackets: `LICENSE#STATUS#<status>`, with formats \
                  behind a colon (`<email:lower>`) and a fallback (`<endDate or 9999-12-31>`).",
    fix: "Close the placeholder and use a known format.",
};

pub static BAD_FORMAT: Code = Code {
    id: "KF022",
    title: "a format that does not fit the type",
    severity: E,
    explanation: "`width` is for integers, `lower`, `upper` and `first` are for text, date parts are for dates. Lists, sets \
                  and maps cannot be part of a key.",
    fix: "Remove the format, or use one for the attribute's type.",
};

pub static INSEPARABLE: Code = Code {
    id: "KF023",
    title: "placeholders that cannot be told apart",
    severity: E,
    explanation: "Two placeholders without literal text between them give keys that cannot be read back: `<a><b>` is `abc` for \
                  `a`, `bc` and for `ab`, `c`. Only a first one of a fixed length (a date, a ULID, `width(4)`) is fine.",
    fix: "Put a delimiter between them: `<a>#<b>`.",
};

pub static KEY_TYPE: Code = Code {
    id: "KF025",
    title: "a key of the wrong type",
    severity: E,
    explanation: "A numeric or binary key is one attribute of that type, unchanged: DynamoDB refuses to write any other value, \
                  and text cannot be put together into a number.",
    fix: "Use the plain attribute (`starRating: <stars>`), or make the key a string.",
};

pub static OPTIONAL_KEY: Code = Code {
    id: "KF026",
    title: "an optional attribute in the table's key",
    severity: E,
    explanation: "An item without the attribute would have no key. In an index that is welcome (the item is just not in it), in \
                  the table it is not.",
    fix: "Make the attribute required, or give the placeholder a fallback: `<endDate or 9999-12-31>`.",
};

pub static BAD_VALUE: Code = Code {
    id: "KF027",
    title: "a value outside its type",
    severity: E,
    explanation: "A default, a literal in a condition or a value of an example is none that the attribute can have: \
                  `STATUS#Active` finds nothing where the values are `active` and `expired`.",
    fix: "Use a value of the attribute's type; enumerations are case-sensitive.",
};

pub static ATTRIBUTE_CLASH: Code = Code {
    id: "KF028",
    title: "an attribute is given in two ways",
    severity: E,
    explanation: "A key or fixed attribute is computed from its template; the same name under `attributes:` would be a second \
                  source of its value.",
    fix: "Keep one: the template, or the attribute (an index key may be a plain attribute without a template).",
};

pub static INCOMPLETE_INDEX_KEY: Code = Code {
    id: "KF029",
    title: "half of an index key",
    severity: E,
    explanation: "An item is in an index only with all attributes of the index key. With a part that the entity never has, the \
                  item never gets there and the other part is written for nothing.",
    fix: "Give the entity the missing key too, or remove this one.",
};

pub static NO_SCOPE: Code = Code {
    id: "KF032",
    title: "an entity without a scope",
    severity: E,
    explanation: "With a tenant in the design, every entity says whether its items belong to a tenant (`scope: tenant`) or to \
                  all (`scope: global`). Leaving it out is how tenant filters are forgotten.",
    fix: "Add `scope: tenant` or `scope: global`.",
};

pub static NO_TENANT_ATTRIBUTE: Code = Code {
    id: "KF033",
    title: "a tenant's entity that does not say whose it is",
    severity: E,
    explanation: "Items of `scope: tenant` have to hold the tenant's id, in a key or in an attribute: otherwise no read can be \
                  checked, and no item assigned.",
    fix: "Add the tenant's attribute, for example `accountId: string`, or say `scope: global`.",
};

pub static BAD_PATTERN: Code = Code {
    id: "KF040",
    title: "a pattern that does not parse",
    severity: E,
    explanation: "A pattern is one line: key conditions joined by `and`, then options behind commas, then `where` and a filter, \
                  then `->` and the entities it returns.",
    fix: "For example\n\n    licenses by enterprise: GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, LICENSE#)",
};

pub static NO_PARTITION_EQUALITY: Code = Code {
    id: "KF041",
    title: "a pattern without an equal partition key",
    severity: E,
    explanation: "DynamoDB finds items by the exact partition key; a range or prefix is possible on the sort key only. A range \
                  over partition keys has to be bounded, since each value is a query of its own.",
    fix: "Add `PK = …`, or bound the range: `squashDate between <from> and <to>, at most 92 days`.",
};

pub static NO_INDEX: Code = Code {
    id: "KF042",
    title: "a pattern that no index serves",
    severity: E,
    explanation: "No entity has keys that the pattern's conditions could find, or the conditions are on keys of different \
                  indexes. A query reads one index.",
    fix: "Compare the condition with the templates of the entities, or add an index.",
};

pub static SEVERAL_ENTITIES: Code = Code {
    id: "KF043",
    title: "a key range that holds several entities",
    severity: E,
    explanation: "The key range of the pattern holds items of more than one entity. Which of them the pattern returns is not to \
                  be guessed.",
    fix: "Name them: `PK = ACCOUNT#<accountId> -> Account, Address`.",
};

pub static NOT_IN_RANGE: Code = Code {
    id: "KF044",
    title: "an entity that the key range cannot hold",
    severity: E,
    explanation: "The pattern names an entity whose keys never fall into the range it reads.",
    fix: "Remove the entity, or correct the condition or the entity's template.",
};

pub static PARAMETER_CONFLICT: Code = Code {
    id: "KF048",
    title: "a parameter with two meanings",
    severity: E,
    explanation: "A parameter takes the type of the template part it meets. Here it meets parts of different types, or none.",
    fix: "Use two parameters, or give the attributes one type.",
};

pub static BAD_FILTER: Code = Code {
    id: "KF049",
    title: "a filter that does not parse",
    severity: E,
    explanation: "A filter compares attributes in DynamoDB's spelling: `=`, `<>`, `<`, `<=`, `>`, `>=`, `between … and …`, \
                  `in (…)`, `begins_with(a, …)`, `contains(a, …)`, `attribute_exists(a)`, joined by `and`, `or`, `not`.",
    fix: "For example `where status = <status> and seats >= 10`.",
};

pub static BAD_FAN_OUT: Code = Code {
    id: "KF039",
    title: "a range over partitions without a bound",
    severity: E,
    explanation: "A range over a partition key reads one partition per value, so it needs a bound, and values that can be \
                  counted: dates.",
    fix: "Write `squashDate between <from> and <to>, at most 92 days`.",
};

pub static BAD_REFERENCE: Code = Code {
    id: "KF054",
    title: "a reference that does not lead to a key",
    severity: E,
    explanation: "A reference has to give every attribute that identifies the other entity, from the referring attribute itself \
                  and from attributes of the same names.",
    fix: "Add the missing attribute, or say where it is: `refers to Workstream through accountId`.",
};

pub static BAD_DERIVATION: Code = Code {
    id: "KF055",
    title: "a derived entity that cannot be made",
    severity: E,
    explanation: "A derived entity is made from the attributes of its source: `derived from: Site, for each tag in tags`.",
    fix: "Name an entity that is not derived itself, and attributes that it has.",
};

pub static NO_SEQUENCE: Code = Code {
    id: "KF059",
    title: "a sequence without a place",
    severity: E,
    explanation: "The counter of a sequence is a numeric attribute of one item. The design says which: a singleton entity with \
                  `keeps: sequences` and an integer attribute of the sequence's name.",
    fix: "Add it:\n\n    Sequence:\n      keeps: sequences\n      PK: sequence\n      SK: sequence\n      attributes: {place: \"integer, optional\"}",
};

pub static BAD_EXPRESSION: Code = Code {
    id: "KF056",
    title: "a rule over attributes that cannot be evaluated",
    severity: E,
    explanation: "Expressions of `must hold` and `when` are written in the Common Expression Language over the entity's \
                  attributes, and are true or false: `winningTeam == \"A\" ? teamAGames == 3 : teamBGames == 3`.",
    fix: "Use attributes of the entity, compare them with values they can have, and make the whole true or false.",
};

pub static BAD_RULE: Code = Code {
    id: "KF060",
    title: "an `allow` rule that does not parse",
    severity: E,
    explanation: "A rule is `WHO: VERBS ENTITIES`, optionally with `when` and an expression.",
    fix: "For example `- members with permission licenses.write: create, update, delete License`.",
};

pub static NO_SOURCE: Code = Code {
    id: "KF061",
    title: "a rule whose callers come from nowhere",
    severity: E,
    explanation: "Groups and permissions that rules speak of have to come from somewhere: `callers:` says from which items. \
                  Members need a tenant.",
    fix: "Add `callers:`, for example\n\n    callers:\n      groups: {from: Membership, of: userId, group: groupName}",
};

pub static NO_OWNER: Code = Code {
    id: "KF065",
    title: "a rule for the owner of something that has none",
    severity: E,
    explanation: "`the owner` is the caller whose subject the entity's `owner` attribute holds.",
    fix: "Add `owner: userId` to the entity.",
};

pub static BAD_BUDGET: Code = Code {
    id: "KF073",
    title: "a budget that does not parse",
    severity: E,
    explanation: "A budget is `PATTERN: at most 2.5 read units for 20` or `create ENTITY: at most 12 write units`.",
    fix: "Name a pattern of the design, or a verb and an entity, and give the units.",
};
