//! The awkward values, by what may stand in a field, and where each field's value goes.

/// RFC 1123 labels that are not all digits, as cluster IDs and gateways need.
pub(super) const IDS: &[&str] = &[
    "on",
    "off",
    "yes",
    "no",
    "y",
    "n",
    "true",
    "false",
    "null",
    "1e3",
    "0x10",
    "0o17",
    "0b1",
    "a1",
    "2001-01-01",
    "0x1f",
    "12e03",
    "nan",
    "inf",
    "e1",
];

/// RFC 1123 labels.
const LABELS: &[&str] =
    &["on", "017", "0", "1e3", "null", "2001-01-01", "true", "08", "0x10", "n", "12345678901234567890"];

/// RFC 1123 subdomains.
const NAMES: &[&str] =
    &["1.5", "0777", "yes", "1e3.5", "0.1", "2001-01-01", "1.e3", "false", "0x1.0", "10.42.0.0", "no"];

/// Subdomains that are not all digits.
const SECRETS: &[&str] = &["1.5", "on", "1e3", "null", "0x10", "2001-01-01", "y"];

/// Label values.
const CLASSES: &[&str] = &[
    "1_000",
    "On",
    "NO",
    "Null",
    "TRUE",
    "1e3",
    "0X1F",
    "1.5",
    "1E5",
    "2001-01-01",
    "Y",
    "0o17",
    "1__0",
    "017",
    "1_0.5",
];

/// Domain names whose last part is no number.
const ADDRESSES: &[&str] = &["on", "1e3", "0x10", "null", "0.1.on", "2001-01-01.y", "no"];

/// Qualified names; they become keys.
const RESOURCES: &[&str] =
    &["on", "1e3", "0x10", "null", "y", "example.com/on", "1.5/1.5", "017", "2001-01-01", "1_000"];

/// Quantities in their canonical form.
const QUANTITIES: &[&str] = &["1e3", "20", "1E", "128Gi", "5M", "2k", "15e6"];

/// One line of characters that can be seen.
const SUBJECTS: &[&str] = &[
    "on",
    "~",
    "0x10",
    "2001-01-01T00:00:00Z",
    "---",
    "a: b",
    "a #b",
    " leading",
    "trailing ",
    "\", \"kind\": \"Group",
    "{{ subject.name }}",
    "\\u0041",
    "é",
    "🍎",
    "oidc:https://id.example.org#1",
];

/// One line of printable characters, whatever they are.
const TEXTS: &[&str] = &[
    "on",
    "~",
    "null",
    "1_000",
    "1e3",
    "0x10",
    "017",
    "12:30:45",
    "2001-01-01",
    "2001-01-01T00:00:00Z",
    ".inf",
    "=",
    "<<",
    "---",
    "...",
    "-",
    "- a",
    "?",
    "? a",
    ": ",
    "a: b",
    ":",
    "#",
    "a #b",
    " ",
    " leading",
    "trailing ",
    "trailing   ",
    "\"",
    "'",
    "a\"b",
    "it's",
    "\\",
    "a\\",
    "\\n",
    "\\u0041",
    "\\\"",
    "\", \"kind\": \"Group",
    "[a]",
    "{a: b}",
    "{{ subject.name }}",
    "{% raw %}",
    "{# a #}",
    "${HOME}",
    "$(id)",
    "%YAML 1.1",
    "&a",
    "*a",
    "!a",
    "!!int 1",
    "|",
    ">-",
    "@a",
    "`a`",
    ",",
    "🍎",
    "é",
    "e\u{301}",
    "\u{a0}",
    "a\u{2028}b",
    "a\u{2029}b",
    "\u{feff}a",
    "a\u{fffe}b",
    "\u{ffff}",
    "\u{fffd}",
    "\u{200b}\u{202e}a",
    "\u{e000}",
    "\u{10ffff}",
    "oidc:https://id.example.org#1",
];

/// A field's values, and where the value must be: role, kind and place (RFC 6901).
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) values: &'static [&'static str],
    pub(super) places: &'static [(&'static str, &'static str, &'static str)],
}

const PEER: &str = "/metadata/labels/liqo.io~1remote-cluster-id";

pub(super) const FIELDS: &[Field] = &[
    Field {
        name: "consumer",
        values: IDS,
        places: &[
            ("provider", "Tenant", "/spec/clusterID"),
            ("provider", "Tenant", PEER),
            ("provider", "Namespace", PEER),
            ("provider", "GatewayServer", PEER),
            ("provider", "RoleBinding", PEER),
        ],
    },
    Field {
        name: "provider",
        values: IDS,
        places: &[
            ("consumer", "ResourceSlice", "/spec/providerClusterID"),
            ("consumer", "ResourceSlice", "/metadata/labels/liqo.io~1remoteID"),
            ("consumer", "Secret", PEER),
            ("consumer", "PublicKey", PEER),
            ("consumer", "Configuration", "/metadata/name"),
            (
                "consumer",
                "NamespaceOffloading",
                "/spec/clusterSelector/nodeSelectorTerms/0/matchExpressions/0/values/0",
            ),
        ],
    },
    Field {
        name: "liqo",
        values: LABELS,
        places: &[("consumer", "GatewayClient", "/spec/clientTemplateRef/namespace")],
    },
    Field {
        name: "tenantNamespace",
        values: &["off", "3e1", "0x2", "0o7"],
        places: &[
            ("consumer", "Namespace", "/metadata/name"),
            ("consumer", "Secret", "/metadata/namespace"),
            ("consumer", "ResourceSlice", "/metadata/namespace"),
        ],
    },
    Field { name: "client", values: IDS, places: &[("consumer", "GatewayClient", "/metadata/name")] },
    Field { name: "server", values: IDS, places: &[("provider", "GatewayServer", "/metadata/name")] },
    Field {
        name: "keySecret",
        values: SECRETS,
        places: &[
            ("consumer", "Secret", "/metadata/name"),
            ("consumer", "GatewayClient", "/spec/secretRef/name"),
        ],
    },
    Field { name: "publicKey", values: NAMES, places: &[("consumer", "PublicKey", "/metadata/name")] },
    Field {
        name: "identity",
        values: &["1.2", "yes", "007", "9e9"],
        places: &[("consumer", "Secret", "/metadata/name")],
    },
    Field {
        name: "configuration",
        values: NAMES,
        places: &[("provider", "Configuration", "/metadata/name")],
    },
    Field { name: "tenant", values: NAMES, places: &[("provider", "Tenant", "/metadata/name")] },
    Field { name: "roleBinding", values: NAMES, places: &[("provider", "RoleBinding", "/metadata/name")] },
    Field {
        name: "template",
        values: NAMES,
        places: &[("provider", "GatewayServer", "/spec/serverTemplateRef/name")],
    },
    Field {
        name: "templateNamespace",
        values: LABELS,
        places: &[("provider", "GatewayServer", "/spec/serverTemplateRef/namespace")],
    },
    Field {
        name: "address",
        values: ADDRESSES,
        places: &[("consumer", "GatewayClient", "/spec/endpoint/addresses/0")],
    },
    Field { name: "subject", values: SUBJECTS, places: &[("provider", "RoleBinding", "/subjects/0/name")] },
    Field {
        name: "annotation",
        values: TEXTS,
        places: &[
            ("consumer", "ResourceSlice", "/metadata/annotations/example.org~1text"),
            ("provider", "Tenant", "/metadata/annotations/example.org~1text"),
        ],
    },
    Field {
        name: "slice",
        values: &["017", "on", "1e3", "0x10"],
        places: &[("consumer", "ResourceSlice", "/metadata/name")],
    },
    Field { name: "class", values: CLASSES, places: &[("consumer", "ResourceSlice", "/spec/class")] },
    Field { name: "resource", values: RESOURCES, places: &[] },
    Field { name: "quantity", values: QUANTITIES, places: &[] },
    Field {
        name: "namespace",
        values: &["1", "y", "2e2", "nan", "0x3"],
        places: &[
            ("consumer", "Namespace", "/metadata/name"),
            ("consumer", "NamespaceOffloading", "/metadata/namespace"),
        ],
    },
    Field {
        name: "remoteNamespace",
        values: LABELS,
        places: &[("consumer", "NamespaceOffloading", "/spec/remoteNamespaceName")],
    },
];
