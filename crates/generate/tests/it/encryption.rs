//! A key of the owner's in every kind of infrastructure. The tools themselves read it in the design `visits` of the
//! tests.

use keyfold_generate::{Input, Target, generate};

fn file(target: Target, encryption: &str) -> String {
    let text = format!(
        "design: notes\ntable: {{name: notes, encryption: {encryption}}}\nentities:\n  Note:\n    PK: NOTE#<noteId>\n    \
         SK: METADATA\n    attributes: {{noteId: ulid}}\npatterns: {{}}\nallow: [{{signed in: everything}}]\n"
    );
    let design = keyfold_design::load("notes.yaml", &text).unwrap_or_else(|found| panic!("{found:?}")).0;
    generate(target, &Input::new(&design)).remove(0).text
}

#[track_caller]
fn has(text: &str, lines: &str) {
    assert!(text.contains(lines), "{text}");
}

#[test]
fn by_its_arn() {
    let key = "customer key arn:aws:kms:eu-north-1:123456789012:key/1234abcd";
    has(
        &file(Target::CloudFormation, key),
        "SSESpecification:\n        SSEEnabled: true\n        SSEType: KMS\n        \
         KMSMasterKeyId: \"arn:aws:kms:eu-north-1:123456789012:key/1234abcd\"\n",
    );
    has(
        &file(Target::Terraform, key),
        "server_side_encryption {\n    enabled     = true\n    \
         kms_key_arn = \"arn:aws:kms:eu-north-1:123456789012:key/1234abcd\"\n  }\n",
    );
    has(
        &file(Target::Cdk, key),
        "encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,\n      \
         encryptionKey: kms.Key.fromKeyArn(this, 'Key', 'arn:aws:kms:eu-north-1:123456789012:key/1234abcd'),\n",
    );
}

#[test]
fn by_an_alias_with_or_without_its_prefix() {
    for key in ["customer key shop", "customer key alias/shop"] {
        has(&file(Target::CloudFormation, key), "KMSMasterKeyId: alias/shop\n");
        let terraform = file(Target::Terraform, key);
        has(&terraform, "data \"aws_kms_alias\" \"table\" {\n  name = \"alias/shop\"\n}\n");
        has(&terraform, "kms_key_arn = data.aws_kms_alias.table.target_key_arn\n");
        has(&file(Target::Cdk, key), "kms.Alias.fromAliasName(this, 'Key', 'alias/shop')");
    }
}

#[test]
fn or_of_amazons() {
    has(&file(Target::CloudFormation, "aws managed"), "SSESpecification:\n        SSEEnabled: true\n");
    assert!(!file(Target::CloudFormation, "aws owned").contains("SSESpecification"));
    has(&file(Target::Cdk, "aws managed"), "encryption: dynamodb.TableEncryption.AWS_MANAGED,\n");
    assert!(!file(Target::Terraform, "aws owned").contains("server_side_encryption"));
}
