//! Global projects: of what an AppProject permits, the lists of others count, if Argo CD's settings say so.

use crate::command::validate::{repository, validate};
use crate::harness::run::{Outcome, Run};
use crate::harness::{committed, put};
use tempfile::TempDir;

/// `destinations` without a namespace of the stream, and what is written of it.
const NARROW: (&str, &str) = ("namespace: demo", "namespace: other");
const REFUSED: &str = "error[app-project]: the project `peering-consumer` does not permit the namespace `demo` on `consumer`";
const UNSAID: &str = "not `peering-consumer` of ./project.yaml: a project that no Application here is in permits it, so it may be a global one: add the file of `argocd-cm`";
const IF_ELSEWHERE: &str = "; if a global project permits it, add the file of `argocd-cm` too";

/// A project that others have the lists of.
fn project(spec: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {{ name: everyone, namespace: argocd }}\nspec: {spec}\n"
    )
}

const PERMITS: &str = "{ destinations: [{ name: '*', namespace: demo }] }";

/// The settings, with a selector of these.
fn settings(selector: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: argocd-cm, namespace: argocd }}\ndata:\n  globalProjects: |-\n    - labelSelector: {selector}\n      projectName: everyone\n"
    )
}

/// `validate` of the consumer's project with labels and another text in place of one, and with these files beside it.
fn judged(labels: &str, change: (&str, &str), files: &[(&str, &str)]) -> Outcome {
    validate(&with(labels, change, files), ".")
}

fn with(labels: &str, (from, to): (&str, &str), files: &[(&str, &str)]) -> TempDir {
    let root = repository();
    let text = committed("argocd-app/project-consumer.yaml");
    let text = text.replace(
        "  finalizers:",
        &format!("  labels: {labels}\n  finalizers:"),
    );
    put(root.path().join("project.yaml"), text.replacen(from, to, 1));
    for (name, text) in files {
        put(root.path().join(name), text);
    }
    root
}

#[test]
fn what_a_global_project_permits_is_permitted() {
    for (labels, selector, is_one) in [
        ("{ tier: net }", "{ matchLabels: { tier: net } }", true),
        ("{ tier: web }", "{ matchLabels: { tier: net } }", false),
        (
            "{ tier: net }",
            "{ matchExpressions: [{ key: tier, operator: In, values: [web, net] }] }",
            true,
        ),
        (
            "{}",
            "{ matchExpressions: [{ key: tier, operator: In, values: [web, net] }] }",
            false,
        ),
        (
            "{}",
            "{ matchExpressions: [{ key: tier, operator: NotIn, values: [web] }] }",
            true,
        ),
        (
            "{ tier: web }",
            "{ matchExpressions: [{ key: tier, operator: NotIn, values: [web] }] }",
            false,
        ),
        (
            "{ tier: '' }",
            "{ matchExpressions: [{ key: tier, operator: Exists }] }",
            true,
        ),
        (
            "{}",
            "{ matchExpressions: [{ key: tier, operator: Exists }] }",
            false,
        ),
        (
            "{}",
            "{ matchExpressions: [{ key: tier, operator: DoesNotExist }] }",
            true,
        ),
        (
            "{ tier: net }",
            "{ matchExpressions: [{ key: tier, operator: DoesNotExist }] }",
            false,
        ),
        ("{}", "{}", true),
        (
            "{ tier: net }",
            "{ matchLabels: { tier: net }, matchExpressions: [{ key: a, operator: Exists }] }",
            false,
        ),
    ] {
        let files = [
            ("everyone.yaml", &*project(PERMITS)),
            ("argocd-cm.yaml", &settings(selector)),
        ];
        let outcome = judged(labels, NARROW, &files);
        if is_one {
            outcome
                .silent_on("not judged")
                .silent_on("app-project")
                .done();
        } else {
            outcome
                .fails(1, "app-project")
                .says(REFUSED)
                .silent_on("global project");
        }
    }
    // the settings have none
    let none = settings("{}").replace("globalProjects", "url");
    judged("{ tier: net }", NARROW, &[("argocd-cm.yaml", &none)]).fails(1, "app-project");
    // of another Argo CD
    let other = settings("{}").replace("namespace: argocd", "namespace: other");
    let files = [
        ("everyone.yaml", &*project(PERMITS)),
        ("argocd-cm.yaml", &none),
        ("other.yaml", &other),
    ];
    judged("{}", NARROW, &files).fails(1, "app-project");
}

/// As Go appends nothing to a list that is not there.
#[test]
fn an_empty_list_of_a_global_project_is_none() {
    let everyone = project("{ destinations: [], namespaceResourceWhitelist: [] }");
    let files = [
        ("everyone.yaml", &*everyone),
        ("argocd-cm.yaml", &settings("{}")),
    ];
    let outcome = judged("{}", ("  namespaceResourceWhitelist:", "  roles:"), &files);
    outcome.silent_on("app-project").done();
}

#[test]
fn what_a_global_project_refuses_is_refused() {
    let has = "it also has the lists of the global project `everyone`";
    let sound = ("", "");
    for (spec, change, words) in [
        (
            "{ destinations: [], namespaceResourceBlacklist: [{ group: '', kind: Secret }] }",
            sound,
            "does not permit the kind `Secret`",
        ),
        (
            "{ destinations: [], clusterResourceBlacklist: [{ group: '', kind: Namespace }] }",
            sound,
            "does not permit the Namespace `demo`",
        ),
        (
            "{ destinations: [{ server: '*', namespace: '!demo' }] }",
            sound,
            "does not permit the namespace `demo`",
        ),
        (
            "{ destinations: [], sourceRepos: ['!https://git.example.org/**'] }",
            sound,
            "does not permit the repository",
        ),
        // with a list of its own, all that is not in it
        (
            "{ destinations: [], namespaceResourceWhitelist: [{ group: apps, kind: Deployment }] }",
            ("  namespaceResourceWhitelist:", "  roles:"),
            "does not permit the kind `Secret`",
        ),
    ] {
        let files = [
            ("everyone.yaml", &*project(spec)),
            ("argocd-cm.yaml", &settings("{}")),
        ];
        let outcome = judged("{}", change, &files);
        outcome.fails(1, "app-project").says(words).says(has);
        judged("{}", change, &files[..1])
            .silent_on("app-project")
            .done();
    }
    let windows = "{ destinations: [], syncWindows: [{ kind: deny, schedule: '0 8 * * *', duration: 1h, applications: ['*'] }] }";
    let files = [
        ("everyone.yaml", &*project(windows)),
        ("argocd-cm.yaml", &settings("{}")),
    ];
    let outcome = judged("{}", sound, &files);
    outcome
        .says("the project `peering-consumer` has sync windows of kind `deny`")
        .says(has)
        .done();
    outcome.says("--> ./project.yaml:");
}

/// What other settings could lift is no error; what none could lift is one.
#[test]
fn without_the_settings_nothing_false_is_said() {
    let everyone = project(PERMITS);
    let beside = [("everyone.yaml", everyone.as_str())];
    judged("{ tier: net }", NARROW, &[])
        .fails(1, "app-project")
        .says(REFUSED)
        .says(IF_ELSEWHERE);
    judged("{}", NARROW, &beside)
        .says(UNSAID)
        .silent_on("app-project")
        .done();
    judged("{}", NARROW, &[])
        .fails(1, "app-project")
        .says(REFUSED);
    let narrow = project("{ destinations: [{ name: '*', namespace: elsewhere }] }");
    judged("{}", NARROW, &[("everyone.yaml", &narrow)])
        .fails(1, "app-project")
        .says(REFUSED);
    let other = everyone.replace("namespace: argocd", "namespace: other");
    judged("{}", NARROW, &[("everyone.yaml", &other)])
        .fails(1, "app-project")
        .says(REFUSED);
    let refused = (
        "  sourceRepos:\n",
        "  namespaceResourceBlacklist: [{ group: '', kind: Secret }]\n  sourceRepos:\n",
    );
    let outcome = judged("{ tier: net }", refused, &beside);
    outcome
        .fails(1, "app-project")
        .says("take it out of its")
        .silent_on(IF_ELSEWHERE);
    // a project of other Applications is no global one, whatever makes their objects
    for text in [
        "kind: Application\nspec: { project: everyone, source: { chart: loki } }\n",
        "kind: ApplicationSet\nspec: { template: { spec: { project: everyone, source: { chart: loki } } } }\n",
    ] {
        let text = format!("apiVersion: argoproj.io/v1alpha1\n{text}");
        let files = [beside[0], ("loki.yaml", text.as_str())];
        judged("{}", NARROW, &files)
            .fails(1, "app-project")
            .says(REFUSED);
    }
    // the word alone gives nothing
    let schema = (
        "schema.yaml",
        "# globalProjects are not used here\nproperties: { globalProjects: { type: array } }\n",
    );
    judged("{}", NARROW, &[schema])
        .fails(1, "app-project")
        .says(REFUSED);
    // one without a list of kinds adds none
    let without = ("    - group: \"\"\n      kind: Secret\n", "");
    judged("{}", without, &beside)
        .fails(1, "app-project")
        .says("does not permit the kind `Secret`");
    // that it is sound is known
    judged("{ tier: net }", ("", ""), &beside)
        .silent_on("peering-consumer")
        .done();
}

/// Settings in another form, or of a project that is elsewhere, are named: they can refuse what the project permits. Only a form can be
/// mended in each repository, and is an error with `--strict`.
#[test]
fn settings_that_are_not_evaluated_are_named() {
    let everyone = project(PERMITS);
    let all = settings("{}");
    for (is_asked, text, words) in [
        (
            true,
            all.replace("{}", "{ matchExpressions: [{ key: a, operator: Like }] }"),
            "`globalProjects` is written in a form that is not read",
        ),
        (
            false,
            all.replace("projectName: everyone", "projectName: elsewhere"),
            "the global project whose lists it also has is not among what was read",
        ),
        (
            false,
            format!(
                "{all}---\n{}",
                all.replace("projectName: everyone", "projectName: peering-consumer")
            ),
            "which of several `argocd-cm` is of its Argo CD is not known",
        ),
    ] {
        for change in [NARROW, ("", "")] {
            let root = with(
                "{}",
                change,
                &[("everyone.yaml", &everyone), ("argocd-cm.yaml", &text)],
            );
            validate(&root, ".")
                .says(words)
                .silent_on("app-project")
                .done();
            let outcome = Run::new(["validate", ".", "--strict"])
                .within(root.path())
                .run();
            if is_asked {
                outcome.says("error[not-judged]")
            } else {
                outcome.silent_on("error[not-judged]")
            };
        }
    }
}
