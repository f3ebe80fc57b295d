//! The cases that are scripts, a test for each file of them, below its room.

use crate::harness::script::play;
use crate::harness::{files_below, root};
use std::collections::BTreeSet;

/// Whoever adds a file adds its test here.
macro_rules! plays {
    ($($room:ident { $($test:ident: $file:literal),* $(,)? })*) => {
        $(
            mod $room {
                $(
                    #[test]
                    fn $test() {
                        super::play(concat!(stringify!($room), "/", $file, ".cases"));
                    }
                )*
            }
        )*

        /// A file that no test plays would hold nothing.
        #[test]
        fn each_file_is_played() {
            let all = files_below(&root().join("tests/spec"), ".cases");
            let played = [$($(concat!(stringify!($room), "/", $file, ".cases"),)*)*];
            let played = played.map(|file| root().join("tests/spec").join(file));
            assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(played));
        }
    };
}

plays! {
    argocd {
        contract: "contract",
        files: "files",
        hydrator: "hydrator",
        parameters: "parameters",
        sets: "sets",
        spellings: "spellings",
    }
    custody {
        attack: "attack",
        authenticate: "authenticate",
        certificates: "certificates",
        commands: "commands",
        confirmed: "confirmed",
        credential: "credential",
        damage: "damage",
        handshake: "handshake",
        identities: "identities",
        issued: "issued",
        keys: "keys",
        kubeconfigs: "kubeconfigs",
        life: "life",
        payloads: "payloads",
        place: "place",
        policy: "policy",
        roles: "roles",
        rotation: "rotation",
        sealing: "sealing",
        terms: "terms",
    }
    command {
        beside: "beside",
        diff_annotations: "diff/annotations",
        diff_argocd: "diff/argocd",
        diff_attributes: "diff/attributes",
        diff_comment: "diff/comment",
        diff_effects: "diff/effects",
        diff_hazards: "diff/hazards",
        diff_live: "diff/live",
        diff_revisions: "diff/revisions",
        diff_states: "diff/states",
        doctor: "doctor",
        doctor_argocd: "doctor/argocd",
        doctor_record: "doctor/record",
        doctor_sides: "doctor/sides",
        export: "export",
        generate: "generate",
        graph: "graph",
        import_forms: "import/forms",
        import_manifests: "import/manifests",
        import_owners: "import/owners",
        init: "init",
        init_by_side: "init_by_side",
        init_live: "init_live",
        init_reviewed: "init_reviewed",
        list: "list",
        revision: "revision",
        liqo_values: "liqo_values",
        rights: "rights",
        rotate: "rotate",
        validate: "validate",
    }
    input {
        edits: "edits",
        files: "files",
        scalars: "scalars",
    }
    peering {
        status: "status",
        values: "values",
    }
    rules {
        settings: "settings",
    }
}
