//! A write that is not granted brings no grants for the writes that would accompany it.

use keyfold_generate::{Input, Target, generate};

const DESIGN: &str = "
design: library
tenant: {attribute: libraryId, entity: Library}
table: library
indexes:
  GSI1: {purpose: loans by reader}
entities:
  Library:
    scope: tenant
    PK: LIBRARY#<libraryId>
    SK: METADATA
    attributes:
      libraryId: string
  Book:
    scope: tenant
    PK: LIBRARY#<libraryId>
    SK: BOOK#<bookId>
    attributes:
      libraryId: string
      bookId: string
      loanCount: integer, default 0
  Loan:
    scope: tenant
    owner: readerId
    PK: LIBRARY#<libraryId>
    SK: LOAN#<loanId>
    GSI1PK: LIBRARY#<libraryId>#READER#<readerId>
    GSI1SK: LOAN#<loanId>
    attributes:
      libraryId: string
      loanId: string
      readerId: string
      bookId: string, refers to Book, counted as loanCount
patterns:
  loans of a reader: GSI1PK = LIBRARY#<libraryId>#READER#<readerId>
allow:
  - the owner: read, create, update, delete Loan
  - members: read Library, Book
";

fn file(path: &str) -> Option<String> {
    let design = keyfold_design::load("library.yaml", DESIGN).unwrap_or_else(|found| panic!("{found:?}")).0;
    let files = generate(Target::Iam, &Input::new(&design));
    files.into_iter().find(|file| file.path == path).map(|file| file.text)
}

#[test]
fn an_owner_who_may_not_write_may_not_count_either() {
    let readme = file("iam/README.md").unwrap();
    assert!(readme.contains("not granted: writing Loan: the partition `LIBRARY#<libraryId>` does not begin with the"));
    let policy = file("iam/the-owner.json").unwrap_or_default();
    for action in ["UpdateItem", "ConditionCheckItem", "PutItem"] {
        assert!(!policy.contains(action), "{policy}");
    }
}

#[test]
fn statements_are_named_after_what_they_do() {
    let policy = file("iam/members.json").unwrap();
    assert!(policy.contains("\"Sid\": \"DenyUnsafeLibraryId\""), "{policy}");
    assert!(policy.contains("\"Sid\": \"TableStatement1\""), "{policy}");
}
