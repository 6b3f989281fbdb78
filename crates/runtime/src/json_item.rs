//! Items from the text of JSON objects, by the design's types. No tree of the document is built: a list of small
//! numbers would take forty times its size.

use std::fmt;
use std::sync::LazyLock;

use keyfold_design::model::{AttributeType, Entity};
use keyfold_dynamo::{AttributeValue, Attributes};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::error::Error;
use crate::json::{is_text, number, truncate_for_message, value_of};

/// Why a text is not an item.
#[derive(Debug, PartialEq)]
pub enum JsonItemError {
    /// It is not JSON, from this line and column on.
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1; 0 before the first character.
        column: usize,
    },
    /// It is another JSON value.
    NotAnObject,
    /// A value is not of its attribute's type.
    Invalid(Error),
}

/// Reads the attributes of an entity from the text of a JSON object, which
/// [`json_text::check`](crate::json_text::check) has accepted. `null` removes an attribute.
pub fn read(entity: &Entity, text: &str) -> Result<Attributes, JsonItemError> {
    let mut failure = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = ItemSeed { entity, failure: &mut failure }.deserialize(&mut deserializer);
    match (read.and_then(|attributes| deserializer.end().map(|()| attributes)), failure) {
        (Ok(attributes), _) => Ok(attributes),
        (Err(_), Some(failure)) => Err(JsonItemError::Invalid(failure)),
        (Err(error), None) if error.is_data() => Err(JsonItemError::NotAnObject),
        (Err(error), None) => Err(JsonItemError::Syntax { line: error.line(), column: error.column() }),
    }
}

struct ItemSeed<'a> {
    entity: &'a Entity,
    failure: &'a mut Option<Error>,
}

impl<'de> DeserializeSeed<'de> for ItemSeed<'_> {
    type Value = Attributes;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Attributes, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ItemSeed<'_> {
    type Value = Attributes;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes, A::Error> {
        let mut attributes = Attributes::new();
        while let Some(name) = map.next_key::<String>()? {
            let attribute = self.entity.attribute(&name);
            let value_type = attribute.map_or(&AttributeType::Any, |attribute| &attribute.value_type);
            let seed = ValueSeed { name: &name, value_type, failure: &mut *self.failure };
            let value = map.next_value_seed(seed)?;
            attributes.insert(name, value);
        }
        Ok(attributes)
    }
}

/// A value of a type.
struct ValueSeed<'a> {
    name: &'a str,
    value_type: &'a AttributeType,
    failure: &'a mut Option<Error>,
}

impl ValueSeed<'_> {
    fn fail<T, E: serde::de::Error>(self, error: Error) -> Result<T, E> {
        *self.failure = Some(error);
        Err(E::custom("a value is not of its type"))
    }

    fn reject<T, E: serde::de::Error>(self, shown: &str) -> Result<T, E> {
        let error = mismatch(self.name, self.value_type, shown);
        self.fail(error)
    }

    fn scalar<E: serde::de::Error>(self, value: &Value) -> Result<AttributeValue, E> {
        match value_of(self.name, self.value_type, value) {
            Ok(value) => Ok(value),
            Err(error) => self.fail(error),
        }
    }

    /// A number or an object.
    fn tree<E: serde::de::Error>(self, value: Value) -> Result<AttributeValue, E> {
        match value {
            Value::Object(_) if !matches!(self.value_type, AttributeType::Any | AttributeType::Map) => {
                self.reject("an object")
            }
            value => self.scalar(&value),
        }
    }

    fn list<'de, A: SeqAccess<'de>>(
        self,
        element: &AttributeType,
        mut elements: A,
    ) -> Result<AttributeValue, A::Error> {
        let mut list = Vec::new();
        let Self { name, failure, .. } = self;
        while let Some(value) =
            elements.next_element_seed(ValueSeed { name, value_type: element, failure: &mut *failure })?
        {
            list.push(value);
        }
        // Most lists are short, and a vector begins with room for four.
        list.shrink_to_fit();
        Ok(AttributeValue::L(list))
    }

    /// A set, whose elements are scalars.
    fn set<'de, A: SeqAccess<'de>>(self, mut elements: A) -> Result<AttributeValue, A::Error> {
        let mut set = match self.value_type {
            AttributeType::NumberSet => AttributeValue::Ns(Default::default()),
            _ => AttributeValue::Ss(Default::default()),
        };
        while let Some(element) = elements.next_element::<Scalar>()? {
            match (&mut set, element.0) {
                (AttributeValue::Ss(set), Some(Value::String(text))) => drop(set.insert(text)),
                (AttributeValue::Ns(set), Some(value)) => match number(&value) {
                    Some(number) => drop(set.insert(number)),
                    None => return self.reject(&format!("a list with {}", truncate_for_message(&value))),
                },
                (_, Some(other)) => return self.reject(&format!("a list with {}", truncate_for_message(&other))),
                (_, None) => return self.reject("a list of lists or objects"),
            }
        }
        Ok(set)
    }
}

/// The error of a value of another type.
fn mismatch(name: &str, value_type: &AttributeType, shown: &str) -> Error {
    Error::constraint(name, Some(name), format!("`{name}` must be {} but is {shown}", value_type.rule()))
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = AttributeValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<AttributeValue, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = AttributeValue;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<AttributeValue, E> {
        Ok(AttributeValue::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<AttributeValue, E> {
        self.scalar(&Value::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<AttributeValue, E> {
        self.scalar(&Value::from(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<AttributeValue, E> {
        self.scalar(&Value::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<AttributeValue, E> {
        self.scalar(&Value::from(value))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<AttributeValue, E> {
        match is_text(self.value_type) {
            true => Ok(AttributeValue::S(text.to_owned())),
            false => self.scalar(&Value::String(text.to_owned())),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<AttributeValue, A::Error> {
        match self.value_type {
            AttributeType::Any => self.list(&AttributeType::Any, elements),
            AttributeType::List(element) => {
                let element = element.as_deref().unwrap_or(&AttributeType::Any);
                self.list(element, elements)
            }
            AttributeType::StringSet | AttributeType::NumberSet => self.set(elements),
            _ => self.reject("a list"),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<AttributeValue, A::Error> {
        if *NUMBERS_ARE_MAPS {
            return self.tree(Value::deserialize(MapAccessDeserializer::new(members))?);
        }
        if !matches!(self.value_type, AttributeType::Any | AttributeType::Map) {
            return self.reject("an object");
        }
        let mut map = Attributes::new();
        while let Some(name) = members.next_key::<String>()? {
            let seed = ValueSeed { name: self.name, value_type: &AttributeType::Any, failure: &mut *self.failure };
            let value = members.next_value_seed(seed)?;
            map.insert(name, value);
        }
        Ok(AttributeValue::M(map))
    }
}

/// Where another crate of the program asks serde_json for numbers of any precision, numbers arrive as maps of a form
/// that only serde_json knows. Then it has to read objects as well, at the cost of a tree.
static NUMBERS_ARE_MAPS: LazyLock<bool> =
    LazyLock::new(|| serde_json::from_str::<MapProbe>("0.5").is_ok_and(|probe| probe.0));

/// Whether a value arrives as a map.
struct MapProbe(bool);

impl<'de> Deserialize<'de> for MapProbe {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MapProbe(false))
    }
}

impl<'de> Visitor<'de> for MapProbe {
    type Value = Self;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number")
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(Self(false))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self(true))
    }
}

/// A value that is neither a list nor an object; `None` for one that is, which is read over.
struct Scalar(Option<Value>);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar(Some(Value::Null)))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(Some(Value::Bool(value))))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(Some(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar(Some(value.into())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar(Some(value.into())))
    }

    fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar(Some(Value::String(text.to_owned()))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Scalar, A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Scalar, A::Error> {
        if *NUMBERS_ARE_MAPS {
            let value = Value::deserialize(MapAccessDeserializer::new(members))?;
            return Ok(Scalar((!value.is_object()).then_some(value)));
        }
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar(None))
    }
}

#[cfg(test)]
mod tests {
    use keyfold_design::Design;

    use super::*;
    use crate::json;

    fn design() -> Design {
        let text = "
design: notes
table: notes
entities:
  Note:
    PK: NOTE#<noteId>
    SK: METADATA
    open: yes
    attributes:
      noteId: string
      count: integer
      tags: string set
      scores: number set
      flags: list of boolean
      data: map
      image: binary
";
        Design::load("design.yaml", text).unwrap().0
    }

    /// As through a tree of the document.
    fn through_tree(entity: &Entity, text: &str) -> Result<Attributes, Error> {
        let Value::Object(object) = serde_json::from_str(text).unwrap() else { panic!("{text}") };
        json::attributes(entity, object)
    }

    #[test]
    fn items_are_read_as_through_a_tree() {
        let design = design();
        let entity = &design.entities[0];
        for text in [
            r#"{}"#,
            r#"{"noteId":"a\u00e9\n","count":-7,"other":1.5e3}"#,
            r#"{"noteId":null,"count":"12","tags":["b","a"],"scores":[1,"2",2.5]}"#,
            r#"{"flags":[true,null,false],"data":{"a":[0,{"b":[]}],"c":{}},"image":"AAEC"}"#,
            r#"{"other":[[],{},"",null,18446744073709551615,-1]}"#,
        ] {
            assert_eq!(read(entity, text).unwrap(), through_tree(entity, text).unwrap(), "{text}");
        }
        for text in [
            r#"{"noteId":1}"#,
            r#"{"count":"x"}"#,
            r#"{"count":true}"#,
            r#"{"tags":"a"}"#,
            r#"{"flags":[1]}"#,
            r#"{"data":1}"#,
            r#"{"image":"?"}"#,
        ] {
            let expected = through_tree(entity, text).unwrap_err();
            assert_eq!(read(entity, text), Err(JsonItemError::Invalid(expected)), "{text}");
        }
    }

    #[test]
    fn values_of_another_type_are_named() {
        let design = design();
        let detail = |text: &str| match read(&design.entities[0], text) {
            Err(JsonItemError::Invalid(error)) => error.to_string(),
            other => panic!("{text}: {other:?}"),
        };
        assert!(detail(r#"{"count":[1,2]}"#).ends_with("but is a list"));
        assert!(detail(r#"{"noteId":{"a":1}}"#).ends_with("but is an object"));
        assert!(detail(r#"{"tags":["a",1]}"#).ends_with("but is a list with 1"));
        assert!(detail(r#"{"scores":[1,[[2]]]}"#).ends_with("but is a list of lists or objects"));
        let long = detail(&format!(r#"{{"count":"{}"}}"#, "x".repeat(1_000_000)));
        assert!(long.ends_with("xxx…") && long.len() < 300, "{}", long.len());
    }

    #[test]
    fn texts_other_than_objects_are_rejected() {
        let design = design();
        let read = |text| read(&design.entities[0], text).unwrap_err();
        assert_eq!(read("[1]"), JsonItemError::NotAnObject);
        assert_eq!(read(r#"{"a":"#), JsonItemError::Syntax { line: 1, column: 5 });
        assert_eq!(read(""), JsonItemError::Syntax { line: 1, column: 0 });
        assert_eq!(read("{} {}"), JsonItemError::Syntax { line: 1, column: 4 });
        assert!(matches!(read(r#"{"a":"\ud800"}"#), JsonItemError::Syntax { .. }));
    }
}
