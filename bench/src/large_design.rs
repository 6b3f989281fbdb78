//! A large design, for measurements.

/// A design of so many entities, in the shapes that designs have.
pub(crate) fn generated(entities: usize) -> String {
    let mut text = String::from(
        "design: large\ntable: large_data\ntenant: accountId\nindexes:\n  GSI1: {purpose: by type}\n  GSI2: {purpose: by parent}\nentities:\n",
    );
    let mut patterns = String::from("patterns:\n");
    let mut accept = String::from("accept:\n");
    for n in 0..entities {
        // Half of them share the account's partition, half have one of their own.
        let (partition, sort) = if n % 2 == 0 {
            ("ACCOUNT#<accountId>".to_owned(), format!("THING{n}#<thing{n}Id>"))
        } else {
            (format!("THING{n}#<thing{n}Id>"), "METADATA".to_owned())
        };
        text.push_str(&format!(
            "  Thing{n}:\n    scope: tenant\n    PK: {partition}\n    SK: {sort}\n    GSI1PK: ENTITY#THING{n}\n    GSI1SK: THING{n}#<thing{n}Id>\n    \
             GSI2PK: ACCOUNT#<accountId>#THING{n}\n    GSI2SK: <endDate or 9999-12-31>#<thing{n}Id>\n    attributes:\n      accountId: string\n      \
             thing{n}Id: string, at most 60 characters\n      name: string\n      status: active | expired\n      endDate: date, optional\n      version: version\n    \
             must hold:\n      \"has a name\": name != \"\" && (status != \"expired\" || endDate != null)\n"
        ));
        patterns.push_str(&format!("  all thing{n}: GSI1PK = ENTITY#THING{n}, across tenants\n  thing{n} due: GSI2PK = ACCOUNT#<accountId>#THING{n} and GSI2SK <= <before>\n"));
        accept.push_str(&format!("  KF031 ENTITY#THING{n}: few\n"));
    }
    format!("{text}{patterns}{accept}allow:\n  - operators: everything\n")
}
