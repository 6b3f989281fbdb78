use http::Request;

use super::authorization::Credential;
use super::secret::Secret;
use super::timestamp::Timestamp;
use super::{canonical, hexadecimal, sign};

/// The worked example of AWS's documentation: a request of another service, signed step by step.
#[test]
fn the_documented_example_is_signed_alike() {
    let (head, ()) = Request::get("https://iam.amazonaws.com/?Version=2010-05-08&Action=ListUsers")
        .header("host", "iam.amazonaws.com")
        .header("content-type", "application/x-www-form-urlencoded;   charset=utf-8 ")
        .header("x-amz-date", "20150830T123600Z")
        .body(())
        .unwrap()
        .into_parts();
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let canonical = canonical::request(&head, "content-type;host;x-amz-date", empty).unwrap();
    assert_eq!(
        canonical,
        "GET\n/\nAction=ListUsers&Version=2010-05-08\ncontent-type:application/x-www-form-urlencoded; charset=utf-8\n\
         host:iam.amazonaws.com\nx-amz-date:20150830T123600Z\n\ncontent-type;host;x-amz-date\n\
         e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    let credential = Credential::parse("AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request").unwrap();
    let secret = Secret::new("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".to_owned());
    let key = secret.signing_key(&credential).unwrap();
    assert_eq!(hexadecimal(&key), "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9");
    let to_sign = "AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/iam/aws4_request\n\
                   f536975d06c0309214f805bb90ccff089219ecd68b2577efef23edd43b7e1a59";
    assert_eq!(
        hexadecimal(&sign(&key, to_sign.as_bytes()).unwrap()),
        "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
    );
}

#[test]
fn a_derived_key_is_used_for_its_scope_alone() {
    let credential = |text| Credential::parse(text).unwrap();
    let monday = credential("a/20150830/us-east-1/dynamodb/aws4_request");
    let tuesday = credential("a/20150831/us-east-1/dynamodb/aws4_request");
    let elsewhere = credential("a/20150830/us-east-2/dynamodb/aws4_request");
    let secret = Secret::new("secret".to_owned());
    for scope in [&monday, &monday, &tuesday, &elsewhere, &monday] {
        assert_eq!(secret.signing_key(scope), Secret::new("secret".to_owned()).signing_key(scope));
    }
    assert_ne!(secret.signing_key(&monday), secret.signing_key(&tuesday));
    assert_ne!(secret.signing_key(&monday), secret.signing_key(&elsewhere));
}

#[test]
fn times_are_read_and_written() {
    for (seconds, basic, http) in [
        (0, "19700101T000000Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "19941106T084937Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "20000229T000000Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_399, "21000228T235959Z", "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "21000301T000000Z", "Mon, 01 Mar 2100 00:00:00 GMT"),
    ] {
        let time = Timestamp::at_second(seconds);
        assert_eq!(time.to_string(), basic);
        assert_eq!(Timestamp::parse(basic), Some(time));
        assert_eq!(Timestamp::parse(http), Some(time));
    }
    for wrong in [
        "",
        "20150830",
        "20150830T1236Z",
        "20151330T123600Z",
        "2015083aT123600Z",
        "20150830T246000Z",
        "2015-08-30T12:36:00Z",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "+0150830T123600Z",
    ] {
        assert_eq!(Timestamp::parse(wrong), None, "{wrong}");
    }
}
