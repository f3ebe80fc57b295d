//! The templates of Helm charts: files that are YAML only once Helm has rendered them.

use crate::command::validate::{application, repository, validate};
use crate::harness::{Repository, put};

const WORDS: &str = "Helm's templates are not rendered here";

/// An Application as a chart makes it.
fn template() -> String {
    let text = application("consumer", "consumer", "peerings/rome-milan");
    format!(
        "{{{{- range .Values.peerings }}}}\n{}{{{{- end }}}}\n",
        text.replace("rome-milan-consumer", "{{ .name }}")
    )
}

#[test]
fn a_chart_is_named_once_and_nothing_of_it_is_to_be_corrected() {
    for name in ["application-consumer.yaml", "apps/consumer.yaml"] {
        let root = repository();
        put(
            root.path().join("charts/net/Chart.yaml"),
            "apiVersion: v2\nname: net\n",
        );
        put(
            root.path().join("charts/net/templates").join(name),
            template(),
        );
        let outcome = validate(&root, ".");
        outcome
            .says(&format!("not ./charts/net: {WORDS}"))
            .silent_on("note[")
            .done();
        // one that is YAML, but for its values
        let role = application("provider", "'{{ .Values.cluster }}'", "peerings/rome-milan");
        put(root.path().join("charts/net/templates/provider.yaml"), role);
        let outcome = validate(&root, ".");
        outcome
            .says(&format!("not 2 templates of ./charts/net: {WORDS}"))
            .silent_on("note[")
            .done();
        // without a chart it is a mistake
        std::fs::remove_file(root.path().join("charts/net/Chart.yaml")).expect("removed");
        validate(&root, ".")
            .says("charts/net/templates")
            .silent_on(WORDS);
    }
}

#[test]
fn a_change_of_a_chart_is_noted_once() {
    let repository = Repository::new("peerings/consumer-provider");
    repository.write("charts/net/Chart.yaml", "apiVersion: v2\nname: net\n");
    repository.commit();
    for name in ["application-consumer.yaml", "other.yaml"] {
        repository.write(&format!("charts/net/templates/{name}"), template());
    }
    let outcome = repository.diff(&["."]).run();
    outcome.prints(&format!("note: `charts/net`: `not judged: {WORDS}`"));
    assert_eq!(outcome.stdout.matches(WORDS).count(), 1, "{outcome}");
}
