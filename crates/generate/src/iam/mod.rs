//! IAM policies, one for each kind of caller that the rules distinguish, and their limits.

mod grants;
mod leading_key;
mod policy;
mod readme;
mod roles;

use crate::naming::kebab;
use crate::{File, Input};

pub(crate) fn files(input: &Input<'_>) -> Vec<File> {
    let roles = roles::roles(input.design);
    let policies: Vec<policy::Policy> = roles.iter().map(|role| policy::Policy::new(input.design, role)).collect();
    let mut files = vec![
        File { path: "iam/README.md".to_owned(), text: readme::text(input, &policies) },
        File { path: "iam/service.json".to_owned(), text: policy::service(input.design) },
    ];
    files.extend(policies.iter().filter(|policy| !policy.is_empty()).map(|policy| File {
        path: format!("iam/{}.json", kebab(&policy.role.title)),
        text: policy.text(input.design),
    }));
    files
}
