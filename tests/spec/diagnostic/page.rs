//! `docs/diagnostics.md`, from the explanations and from what the corpus and the failed runs show.

use std::collections::BTreeMap;

use crate::harness::library::{Code, Explanation, explain};

/// Where it is.
pub(crate) const PATH: &str = "docs/diagnostics.md";

/// Codes that no Application can show, and why.
pub(crate) const NEVER_IN_ARGO_CD: [(&str, &str); 8] = [
    ("disagreement", "Argo CD runs the plugin for one folder; only `validate` sees several."),
    ("invalid", "The plugin does not run `validate`."),
    ("file", "The plugin reads nothing but the folder and the identity."),
    ("flag", "The plugin's flags stand in plugin.yaml."),
    ("sealing", "The plugin seals nothing."),
    ("import", "The plugin makes no seeds."),
    ("rotation", "The plugin changes no file."),
    ("randomness", "The plugin makes no seeds."),
];

const INTRODUCTION: &str = "\
<!-- Made from src/explain: UPDATE=1 cargo test --locked -->

# Diagnostics

Whatever goes wrong has a code: `error[cidr-host-bits]`. A code keeps its name and its meaning, so it can be searched for and linked
to. `argocd-peering explain CODE` prints what stands here, `argocd-peering explain` lists all codes.

The exit code is 0 if all is well, 1 if the document is wrong, 2 for a mistake on the command line or in the plugin's parameters, and
3 for the environment: sealed files, identity, input and output. Unless it is 0, no manifest is printed.

For programs `argocd-peering validate --format json` prints one report to standard output, also of peerings that are wrong; standard error
is then only for what kept it from looking at them. The report's form is [`report.schema.json`](report.schema.json): `version` is 1, and a later program may add fields but does not change
these. A `path` leads to the field, with an item's number in brackets and a key of your own in backticks; lines and columns count from 1,
columns in characters.

```json
{
  \"version\": 1,
  \"peerings\": 1,
  \"findings\": [
    {
      \"code\": \"cidr-host-bits\",
      \"message\": \"`10.42.3.0/16` has bits behind its prefix\",
      \"file\": \"./peering.yaml\",
      \"path\": \"spec.consumer.podCIDRs[0]\",
      \"range\": { \"line\": 13, \"column\": 16, \"endLine\": 13, \"endColumn\": 28 },
      \"help\": \"the network is `10.42.0.0/16`\"
    }
  ]
}
```

`related` has the other places that a message speaks of, also in other files.
";

const ARGO_CD: &str = r#"
## In Argo CD

When the plugin fails, the Application has a condition `ComparisonError`, and its sync status is `Unknown`. Nothing is changed on the cluster.
The condition's message begins with Argo CD's own words and ends with the plugin's:

```text
Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = CMP processing failed for
application "rome-milan-consumer": error generating manifests in cmp: rpc error: code = Unknown desc = error generating manifests:
`/usr/local/bin/argocd-peering generate --identity-file /etc/argocd-peering/identity/identity.txt` failed exit status 1: error[…] …
```

(argo-cd `controller/state.go`, `reposerver/repository/repository.go`, `cmpserver/plugin/plugin.go`, at 3.5.) After three failures for one
commit Argo CD pauses for an hour and puts `Manifest generation error (cached)` before it; a new commit or a hard refresh tries again.

The plugin's own words are at most 20 lines, without colours, the same on every run, and without anything secret: the code, the file
with line and column, the field, what is wrong, and the way out. Of several problems as many are shown as fit.
"#;

/// The whole page. `briefs` has what Argo CD shows, by code.
pub(crate) fn text(briefs: &BTreeMap<String, String>) -> String {
    let (documents, runs): (Vec<Explanation>, Vec<Explanation>) =
        explain::all().partition(|it| Code::find(it.code).is_some());
    let mut page = INTRODUCTION.to_owned();
    for (title, explanations) in [("In peering.yaml", &documents), ("In a run", &runs)] {
        page += &format!("\n| {title} | |\n| --- | --- |\n");
        for it in explanations {
            page += &format!("| [`{0}`](#{0}) | {1} |\n", it.code, cell(it.rule));
        }
    }
    page += "\n## What can be wrong with a document\n";
    for it in &documents {
        page += &section(it, "yaml");
    }
    page += "\n## What can go wrong with a run\n";
    for it in &runs {
        page += &section(it, "text");
    }
    page += ARGO_CD;
    for it in documents.iter().chain(&runs) {
        let never = NEVER_IN_ARGO_CD.iter().find(|(code, _)| *code == it.code);
        page += &match (never, briefs.get(it.code)) {
            (Some((code, why)), _) => format!("\n[`{code}`](#{code}): never. {why}\n"),
            (None, Some(brief)) => format!("\n[`{0}`](#{0})\n\n```text\n{brief}```\n", it.code),
            (None, None) => format!("\n`{}`: missing\n", it.code),
        };
    }
    page
}

fn section(it: &Explanation, language: &str) -> String {
    let Explanation { code, rule, reason, source, example, fix } = it;
    format!(
        "\n### {code}\n\n{rule}\n\n{reason}\n\nSource: {source}\n\n```{language}\n{example}\n```\n\nMended:\n\n```{language}\n{fix}\n```\n"
    )
}

/// A text in a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
