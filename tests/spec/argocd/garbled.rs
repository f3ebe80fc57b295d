//! Around a sound folder, with any one file taken away or garbled: what validate reports changes, or names the file.

use crate::command::import::folder::{FOLDER as IMPORTED, adopted};
use crate::harness::{Repository, Sample, Text, committed, put, root};
use std::fs;
use std::path::PathBuf;

/// A repository with which nothing is wrong, its files that matter, and in how many ways each is garbled.
struct Sound {
    root: PathBuf,
    /// What keeps it on the disk.
    repository: Repository,
    files: Vec<String>,
    ways: usize,
}

impl Sound {
    fn of(folder: &str, beside: &[(&str, String)]) -> Self {
        let repository = Repository::new(folder);
        for (name, text) in beside {
            repository.write(name, text);
        }
        let own = ["peering.yaml", "peering.seed.age", "kubeconfig.age"]
            .map(|name| format!("{folder}/{name}"));
        let files = own
            .into_iter()
            .chain(beside.iter().map(|(name, _)| (*name).to_owned()))
            .collect();
        Self {
            root: repository.root(),
            repository,
            files,
            ways: 48,
        }
    }

    /// Examples, each in a folder of its own.
    fn of_examples(names: &[&str]) -> Self {
        let repository = Repository::new("peerings/first");
        fs::remove_dir_all(repository.root().join("peerings")).expect("removed");
        let mut files = Vec::new();
        for name in names {
            for entry in fs::read_dir(root().join("examples").join(name)).expect("an example") {
                let path = entry.expect("a file").path();
                let file = path.file_name().and_then(|it| it.to_str()).expect("a name");
                if file == "peering.yaml" || file.ends_with(".age") {
                    let place = format!("peerings/{}/{file}", name.replace('/', "-"));
                    repository.write(&place, fs::read(&path).expect("a file"));
                    files.push(place);
                }
            }
        }
        files.sort();
        repository.commit();
        Self {
            root: repository.root(),
            repository,
            files,
            ways: 8,
        }
    }

    /// What `import` makes of two live clusters.
    fn imported() -> Self {
        let (place, _) = adopted();
        let names = [
            "peering.yaml",
            "application-consumer.yaml",
            "application-provider.yaml",
        ];
        let files = names.map(ToOwned::to_owned).into();
        Self {
            root: place.root().join(IMPORTED),
            repository: place,
            files,
            ways: 16,
        }
    }

    /// What is wrong, what is judged, and what is not.
    fn verdict(&self) -> String {
        let words = ["validate", ".", "--format", "json"];
        let run = self.repository.command(&words).within(&self.root);
        run.run().stdout
    }
}

/// With two Applications, with a set, an imported one, and each example.
fn repositories() -> Vec<Sound> {
    let of = |name: &str| committed(&format!("argocd-app/{name}.yaml"));
    let written = [
        ("apps/consumer.yaml", of("consumer")),
        ("apps/provider.yaml", of("provider")),
    ];
    let both = [(
        "apps.yaml",
        format!("{}---\n{}", of("consumer"), of("provider")),
    )];
    let set = [("set.yaml", of("applicationset"))];
    let mut all = vec![
        Sound::of("peerings/consumer-provider", &written),
        Sound::of("peerings/consumer-provider", &both),
        Sound::of("peerings/consumer/provider", &set),
        Sound::of_examples(&[
            "hub-and-spoke/spoke-1",
            "hub-and-spoke/spoke-2",
            "hub-and-spoke/spoke-3",
        ]),
    ];
    let folders = fs::read_dir(root().join("examples"))
        .expect("the examples")
        .map(|it| it.expect("one"));
    all.push(Sound::imported());
    let mut names: Vec<String> = folders
        .filter(|it| it.path().join("peering.yaml").is_file())
        .map(|it| it.file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    all.extend(names.iter().map(|name| Sound::of_examples(&[name])));
    all
}

/// Numbers that look like chance, the same ones in each run (Marsaglia's xorshift).
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).expect("a size")
    }
}

/// What can happen to a file.
fn garble(content: &[u8], kind: usize, chance: &mut Chance) -> Option<Vec<u8>> {
    let mut garbled = content.to_vec();
    match kind {
        0 => return None,
        1 => garbled.clear(),
        2 => {
            garbled = (0..content.len())
                .map(|_| u8::try_from(chance.next(256)).expect("a byte"))
                .collect();
        }
        3 => garbled.truncate(chance.next(content.len() / 3)),
        4 => garbled.insert(0, 0),
        5 => garbled = b"<<<<<<< HEAD\n".iter().chain(content).copied().collect(),
        6 => garbled.reverse(),
        _ => garbled = [b"\x1f\x8b\x08".as_slice(), content].concat(),
    }
    Some(garbled)
}

#[test]
fn no_file_is_garbled_in_silence() {
    let (mut sample, mut count) = (Sample::new(), 0);
    for sound in repositories() {
        let before = sound.verdict();
        before.lacks("\"error\"").lacks("\"asked\": true");
        let ways = sound.ways;
        let cases: Vec<_> = sound
            .files
            .iter()
            .flat_map(|file| (0..ways).map(move |number| (file, number)))
            .collect();
        count += cases.len();
        for (file, number) in cases.into_iter().filter(|_| sample.takes()) {
            let path = sound.root.join(file);
            let content = fs::read(&path).expect("a file");
            let mut chance = Chance(0x9e37_79b9_7f4a_7c15 + number as u64);
            match garble(&content, number % 8, &mut chance) {
                Some(garbled) => fs::write(&path, garbled).expect("written"),
                None => fs::remove_file(&path).expect("removed"),
            }
            let after = sound.verdict();
            assert!(after != before, "{file}, {number}: {after}");
            put(&path, content);
        }
    }
    assert!(count >= 1_000, "{count} cases");
}

/// What of an Application decides nothing that is judged, line by line.
const UNJUDGED: [&str; 21] = [
    "apiVersion",
    "selfHeal",
    "retry:",
    "limit:",
    "backoff:",
    "duration:",
    "factor:",
    "maxDuration:",
    "  namespace: argocd",
    "namespace: liqo-tenant",
    "annotations:",
    // of a project, only `default` is a note
    "project: peering-",
    "manifest-generate-paths",
    "refresh:",
    "targetRevision: refs",
    "name: consumer-provider-",
    // with `keysExchange` only, which `custody::authenticate` has
    "RespectIgnoreDifferences",
    "ignoreDifferences:",
    "group: authentication.liqo.io",
    "kind: Identity",
    "jsonPointers:",
];

/// No line of an Application is garbled in silence either, but for those.
#[test]
fn no_line_of_an_application_is_garbled_in_silence() {
    let sound = &repositories()[0];
    let (before, mut silent) = (sound.verdict(), Vec::new());
    for role in ["consumer", "provider"] {
        let file = format!("apps/{role}.yaml");
        let text = committed(&format!("argocd-app/{role}.yaml"));
        let lines: Vec<&str> = text.lines().collect();
        let matters = |line: &str| {
            !line.trim_start().starts_with('#') && !UNJUDGED.iter().any(|it| line.contains(it))
        };
        for at in (0..lines.len()).filter(|at| matters(lines[*at])) {
            let with = |line: Option<String>| {
                let before = lines[..at].iter().map(|it| (*it).to_owned());
                let after = lines[at + 1..].iter().map(|it| (*it).to_owned());
                before
                    .chain(line)
                    .chain(after)
                    .collect::<Vec<_>>()
                    .join("\n")
            };
            let (key, value) = lines[at].split_once(": ").unwrap_or((lines[at], ""));
            let garbled = if value.is_empty() {
                format!("{key}x:")
            } else {
                format!("{key}: x{value}")
            };
            // the parameter `cluster` may be missing
            let removed = (!lines[at - 1].contains("name: cluster")).then(|| with(None));
            for text in removed.into_iter().chain([with(Some(garbled))]) {
                put(sound.root.join(&file), &text);
                if sound.verdict() == before {
                    silent.push(format!("{file}: {}", lines[at]));
                }
            }
        }
        put(sound.root.join(&file), &text);
    }
    assert!(silent.is_empty(), "garbled in silence: {silent:#?}");
}
