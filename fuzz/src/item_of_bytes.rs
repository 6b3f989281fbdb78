//! Values and items made from the fuzzer's bytes. Every value of DynamoDB can come out, also those it refuses.

use keyfold_dynamo::{AttributeValue, Attributes, Number};
use libfuzzer_sys::arbitrary::{Result, Unstructured};

pub fn number(bytes: &mut Unstructured<'_>) -> Result<Number> {
    let text = match bytes.int_in_range(0..=2)? {
        0 => bytes.arbitrary::<i64>()?.to_string(),
        1 => format!("{}e{}", bytes.arbitrary::<i128>()?, bytes.int_in_range(-170..=130)?),
        _ => format!("{}e{}", bytes.arbitrary::<i8>()?, bytes.int_in_range(-132..=126)?),
    };
    Ok(Number::parse(&text).unwrap_or(Number::ZERO))
}

pub fn value(bytes: &mut Unstructured<'_>) -> Result<AttributeValue> {
    value_within(bytes, 0)
}

fn value_within(bytes: &mut Unstructured<'_>, depth: usize) -> Result<AttributeValue> {
    // Deeper than any item may be, so that the limit is met as well.
    let kinds = if depth < 34 { 9 } else { 7 };
    Ok(match bytes.int_in_range(0..=kinds)? {
        0 => AttributeValue::Null,
        1 => AttributeValue::Bool(bytes.arbitrary()?),
        2 => AttributeValue::S(bytes.arbitrary()?),
        3 => AttributeValue::N(number(bytes)?),
        4 => AttributeValue::B(bytes.arbitrary()?),
        5 => AttributeValue::Ss(bytes.arbitrary()?),
        6 => AttributeValue::Ns(several(bytes, number)?.into_iter().collect()),
        7 => AttributeValue::Bs(bytes.arbitrary()?),
        8 => AttributeValue::L(several(bytes, |bytes| value_within(bytes, depth + 1))?),
        _ => AttributeValue::M(attributes_within(bytes, depth + 1)?),
    })
}

pub fn attributes(bytes: &mut Unstructured<'_>) -> Result<Attributes> {
    attributes_within(bytes, 0)
}

fn attributes_within(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Attributes> {
    let attributes = several(bytes, |bytes| Ok((bytes.arbitrary::<String>()?, value_within(bytes, depth)?)))?;
    Ok(attributes.into_iter().collect())
}

fn several<T>(
    bytes: &mut Unstructured<'_>,
    mut each: impl FnMut(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut all = Vec::new();
    while !bytes.is_empty() && bytes.ratio(2, 3)? {
        all.push(each(bytes)?);
    }
    Ok(all)
}
