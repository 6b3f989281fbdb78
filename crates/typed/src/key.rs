//! Keys, put together by the same rules as the runtime's.

use std::collections::BTreeMap;

use keyfold_design::span::Span;
use keyfold_design::template::{DELIMITER, Format, IntegerRange, Part, Placeholder, Template, TemplateError};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::value::KeyValue;

/// A key that is being put together, part by part.
///
/// ```
/// use keyfold_typed::Key;
///
/// let mut key = Key::new("LICENSE#<licenseId>", '#');
/// key.literal("LICENSE#");
/// key.part("licenseId", "l1", &[]);
/// assert_eq!(key.text().unwrap(), "LICENSE#l1");
/// ```
#[derive(Debug)]
pub struct Key {
    template: Template,
    values: BTreeMap<String, AttributeValue>,
    /// Templates of others at the same key: a text of theirs is not this one's.
    rivals: Vec<Template>,
}

impl Key {
    /// A key of a template, as errors show it.
    pub fn new(template: &str, delimiter: char) -> Self {
        let template = Template::new(template, Span::default(), Vec::new(), delimiter);
        Self { template, values: BTreeMap::new(), rivals: Vec::new() }
    }

    /// A key that is a number or binary rather than a text: nothing but one part.
    pub fn with_type(template: &str, key_type: KeyType) -> Self {
        let mut key = Self::new(template, DELIMITER);
        key.template.key_type = key_type;
        key
    }

    /// A text that every such key contains.
    pub fn literal(&mut self, text: &str) {
        self.template.parts.push(Part::Literal(text.to_owned()));
    }

    /// A value within the key.
    pub fn part<T: KeyValue + ?Sized>(&mut self, name: &str, value: &T, formats: &[Format]) {
        self.placeholder::<T>(name, Some(value), formats, None, None);
    }

    /// A value that an item may lack: without it the key is absent.
    pub fn part_if<T: KeyValue + ?Sized>(&mut self, name: &str, value: Option<&T>, formats: &[Format]) {
        self.placeholder(name, value, formats, None, None);
    }

    /// A value, or what stands in for it.
    pub fn part_or<T: KeyValue + ?Sized>(&mut self, name: &str, value: Option<&T>, formats: &[Format], fallback: &str) {
        self.placeholder(name, value, formats, Some(fallback), None);
    }

    /// The text of a default that the last value may have although it contains the delimiter.
    pub fn sentinel(&mut self, text: &str) {
        if let Some(Part::Placeholder(placeholder)) = self.template.parts.last_mut() {
            placeholder.sentinel = Some(text.to_owned());
        }
    }

    /// The key of items that lack a part of this one.
    pub fn or(&mut self, other: Self) {
        self.template.otherwise = Some(Box::new(other.template));
        self.values.extend(other.values);
    }

    /// A part of a rival's key: any value of a type.
    pub fn any<T: KeyValue + ?Sized>(&mut self, name: &str, formats: &[Format]) {
        self.placeholder::<T>(name, None, formats, None, None);
    }

    /// A part of a rival's key: a whole number with bounds.
    pub fn any_within(&mut self, name: &str, formats: &[Format], least: i64, most: i64) {
        self.placeholder::<i64>(name, None, formats, None, Some(IntegerRange { least, most }));
    }

    /// Refuses texts that are another entity's keys.
    pub fn rival(&mut self, other: Self) {
        self.rivals.push(other.template);
    }

    /// The text of a key that every item has.
    pub fn text(&self) -> Result<String, TemplateError> {
        self.text_if()?.ok_or_else(|| {
            let is_missing = |placeholder: &&Placeholder| !self.values.contains_key(&placeholder.attribute);
            let missing = self.template.placeholders().find(is_missing);
            let template = self.template.source.clone();
            let attribute = missing.map_or_else(|| template.clone(), |placeholder| placeholder.attribute.clone());
            TemplateError::Empty { attribute, template }
        })
    }

    /// The text of a key that an item may lack.
    pub fn text_if(&self) -> Result<Option<String>, TemplateError> {
        let text = self.template.render_text(|name| self.values.get(name))?;
        if let Some(text) = &text {
            self.refuse_rivals(text)?;
        }
        Ok(text)
    }

    /// The value of a key, as it is stored.
    pub fn value_if(&self) -> Result<Option<AttributeValue>, TemplateError> {
        match self.template.key_type {
            KeyType::S => Ok(self.text_if()?.map(AttributeValue::S)),
            KeyType::N | KeyType::B => self.template.render(|name| self.values.get(name)),
        }
    }

    fn refuse_rivals(&self, text: &str) -> Result<(), TemplateError> {
        let Some(rival) = self.rivals.iter().find(|rival| rival.claims(text)) else { return Ok(()) };
        let culprit = self.template.placeholders().last();
        let attribute =
            culprit.map_or_else(|| self.template.source.clone(), |placeholder| placeholder.attribute.clone());
        let value = self.values.get(&attribute).and_then(AttributeValue::as_str).unwrap_or(text).to_owned();
        let (template, rival) = (self.template.source.clone(), rival.source.clone());
        Err(TemplateError::BelongsToRival { attribute, template, value, rival })
    }

    fn placeholder<T: KeyValue + ?Sized>(
        &mut self,
        name: &str,
        value: Option<&T>,
        formats: &[Format],
        fallback: Option<&str>,
        range: Option<IntegerRange>,
    ) {
        if let Some(value) = value {
            self.values.insert(name.to_owned(), value.to_value());
        }
        self.template.parts.push(Part::Placeholder(Placeholder {
            attribute: name.to_owned(),
            span: Span::default(),
            formats: formats.to_vec(),
            fallback: fallback.map(str::to_owned),
            kind: T::kind(),
            optional: value.is_none(),
            range,
            sentinel: None,
        }));
    }
}

/// The attributes of an index key: all of them, or none where an item lacks a part.
pub fn index_key<const N: usize>(keys: [(&str, Key); N]) -> Result<Attributes, TemplateError> {
    let mut attributes = Attributes::new();
    for (name, key) in keys {
        match key.value_if()? {
            Some(value) => attributes.insert(name.to_owned(), value),
            None => return Ok(Attributes::new()),
        };
    }
    Ok(attributes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Date;

    fn by_end(end: Option<Date>) -> Result<Option<String>, TemplateError> {
        let mut key = Key::new("<endDate or 9999-12-31>#<userId>", '#');
        key.part_or("endDate", end.as_ref(), &[], "9999-12-31");
        key.literal("#");
        key.part("userId", "ada", &[]);
        key.text_if()
    }

    #[test]
    fn what_is_absent_falls_back() {
        assert_eq!(by_end(None).unwrap().as_deref(), Some("9999-12-31#ada"));
        assert_eq!(by_end(Some("2026-01-31".parse().unwrap())).unwrap().as_deref(), Some("2026-01-31#ada"));
    }

    fn album(parent: Option<&str>) -> Result<Attributes, TemplateError> {
        let mut partition = Key::new("ALBUM#<parentId>", '#');
        partition.literal("ALBUM#");
        partition.part_if("parentId", parent, &[]);
        let mut otherwise = Key::new("TENANT#<tenantId>", '#');
        otherwise.literal("TENANT#");
        otherwise.part("tenantId", "t1", &[]);
        partition.or(otherwise);
        index_key([("GSI1PK", partition)])
    }

    #[test]
    fn another_key_stands_in() {
        let key = |text: &str| Attributes::from([("GSI1PK".to_owned(), AttributeValue::S(text.to_owned()))]);
        assert_eq!(album(Some("a1")).unwrap(), key("ALBUM#a1"));
        assert_eq!(album(None).unwrap(), key("TENANT#t1"));
    }

    #[test]
    fn an_index_has_all_of_its_keys_or_none() {
        let mut partition = Key::new("X", '#');
        partition.literal("X");
        let mut sort = Key::new("<note>", '#');
        sort.part_if::<str>("note", None, &[]);
        assert_eq!(index_key([("A", partition), ("B", sort)]).unwrap(), Attributes::new());
    }

    #[test]
    fn a_delimiter_within_a_part_is_refused() {
        let mut key = Key::new("<tenant>#<id>", '#');
        key.part("tenant", "a#b", &[]);
        key.literal("#");
        key.part("id", "1", &[]);
        let error = key.text().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`a#b` of `tenant` contains `#`, which separates the parts of the key `<tenant>#<id>`"
        );
    }

    #[test]
    fn a_key_of_another_entity_is_refused() {
        let rating = |site: &str| {
            let mut key = Key::new("SITE#<site>", '#');
            key.literal("SITE#");
            key.part("site", site, &[]);
            let mut rival = Key::new("SITE#<site>#COMMENT#<commentId>", '#');
            rival.literal("SITE#");
            rival.any::<str>("site", &[]);
            rival.literal("#COMMENT#");
            rival.any::<str>("commentId", &[]);
            key.rival(rival);
            key.text()
        };
        assert_eq!(rating("a").unwrap(), "SITE#a");
        assert_eq!(
            rating("a#COMMENT#b").unwrap_err().to_string(),
            "`a#COMMENT#b` of `site` would give `SITE#<site>` a key that belongs to `SITE#<site>#COMMENT#<commentId>`"
        );
    }

    #[test]
    fn formats_are_the_designs_own() {
        let mut key = Key::new("<email:lower>", '#');
        key.part("email", "Ada@Example.com", &[Format::Lower]);
        assert_eq!(key.text().unwrap(), "ada@example.com");
    }
}
