//! Each judge declares what it looks at: its function takes the parts that are declared, so it can look at nothing else. The page for
//! contributors has the lists.

use crate::harness::committed;
use crate::harness::library::declared;
use std::collections::BTreeSet;

#[test]
fn the_page_has_every_judge_with_what_it_looks_at() {
    let page = committed("docs/project/judges.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let mut expected = Vec::new();
    for (list, judges) in declared() {
        assert!(page.contains(&format!("## {list}")) || list == "validate", "{list}");
        let names: BTreeSet<&str> = judges.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), judges.len(), "{list}: two judges of one name");
        expected.extend(judges.iter().map(|(name, inputs)| format!("| `{name}` | {} |", inputs.join("; "))));
    }
    assert_eq!(rows, expected, "{}", expected.join("\n"));
}
