//! Maps of the document.

/// Declares maps of the document: for each the struct, how its fields are read, and its JSON Schema. The only list of
/// its fields. A field is one line:
///
/// ```text
/// /// What it is, for people: the schema's description.
/// "key" => field: required Type;
/// "key" => field: optional Type;               an Option<Type>
/// "key" => field: default Type = value;        a Type; the schema has the default
/// "key" => field: or_empty Type;               a Type; left out, it is empty
/// ```
///
/// It begins with `ours` where the field is this program's own and not one of the object that repeats the record. It may
/// go on, in this order, with `, since "1.2"` (the first Liqo release that has it), `, missing "advice"` (where
/// it is missing or empty), `, also ["word"]` (what people write for it), `, schema { "minItems": 1 }` (more of its
/// schema). A record's name is followed by `checked` and the name of a rule for all its fields together, and by `schema` and more of its
/// schema.
macro_rules! records {
    ($(
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:path),*)])?
        $name:ident $(checked $check:ident)? $(schema $record_schema:tt)? {
            $(
                $(#[doc = $field_doc:literal])*
                $($ours:ident)? $key:literal => $field:ident: $kind:ident $content:ty $(= $default:expr)?
                    $(, since $since:literal)? $(, missing $missing:expr)? $(, also $also:expr)? $(, schema $schema:tt)?;
            )*
        }
    )+) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        $(#[derive($($derive),*)])?
        pub struct $name {
            $( $(#[doc = $field_doc])* pub $field: $crate::document::records!(@type $kind $content), )*
        }

        impl $name {
            /// The names of its fields, in the order of the documentation.
            pub const FIELDS: &'static [&'static str] = &[$($key),*];
        }

        impl $crate::document::Decode for $name {
            fn decode(node: &$crate::input::yaml::Node, decoder: &mut $crate::document::Decoder) -> Option<Self> {
                #[allow(unused_mut, reason = "without fields")]
                let mut fields = $crate::document::RecordFields::from_node(Self::FIELDS, node, decoder)?;
                $(
                    let $field = {
                        static FIELD: $crate::document::Field = $crate::document::Field {
                            $(since: Some($since),)?
                            $(missing: Some($missing),)?
                            $(also: &$also,)?
                            ..$crate::document::Field::new($key)
                        };
                        $crate::document::records!(@take $kind fields, decoder, $content $(, $default)?)
                    };
                )*
                fields.finish(decoder)?;
                let record = Self { $( $field: $crate::document::records!(@value $kind $field), )* };
                $( decoder.valid(node, $check(&record))?; )?
                Some(record)
            }
        }

        impl $crate::document::Record for $name {
            const OBJECT_FIELDS: &'static [&'static str] =
                &[$( $crate::document::records!(@name $($ours)? $key) ),*];

            #[allow(unused_variables, reason = "without a default")]
            fn default_of(field: &str) -> Option<serde_json::Value> {
                $($( if field == $key { return serde_json::to_value($default).ok(); } )?)*
                $($( if field == $key { return serde_json::json!($schema).get("default").cloned(); } )?)*
                None
            }
        }

        /// Written as a list: first `null`, which no other list has, then the names and values of the fields in their order, without those
        /// that are marked `ours`.
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #[allow(unused_mut, reason = "without fields")]
                let mut fields = serializer.serialize_seq(None)?;
                serde::ser::SerializeSeq::serialize_element(&mut fields, &())?;
                $( $crate::document::records!(@emit $($ours)? fields, $key, &self.$field); )*
                serde::ser::SerializeSeq::end(fields)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn schema_id() -> std::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($name)).into()
            }

            #[allow(unused_variables, reason = "without fields")]
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let schema = $crate::document::record_schema(&[$($doc),*], vec![$({
                    let field = generator.subschema_for::<$content>();
                    $( let field = $crate::document::extended(field, serde_json::json!({ "default": $default })); )?
                    $( let field = $crate::document::extended(field, serde_json::json!($schema)); )?
                    ($key, stringify!($kind) == "required", &[$($field_doc),*], field)
                }),*]);
                $( let schema = $crate::document::extended(schema, serde_json::json!($record_schema)); )?
                schema
            }
        }
    )+};
    (@name ours $key:literal) => { "" };
    (@name $key:literal) => { $key };
    (@emit ours $fields:ident, $key:literal, $value:expr) => {};
    (@emit $fields:ident, $key:literal, $value:expr) => {
        serde::ser::SerializeSeq::serialize_element(&mut $fields, $key)?;
        serde::ser::SerializeSeq::serialize_element(&mut $fields, $value)?
    };
    (@type optional $content:ty) => { Option<$content> };
    (@type $kind:ident $content:ty) => { $content };
    (@take required $fields:ident, $decoder:ident, $content:ty) => { $fields.required::<$content>(&FIELD, $decoder) };
    (@take optional $fields:ident, $decoder:ident, $content:ty) => { $fields.optional::<$content>(&FIELD, $decoder) };
    (@take default $fields:ident, $decoder:ident, $content:ty, $default:expr) => {
        $fields.optional::<$content>(&FIELD, $decoder).unwrap_or_else(|| $default)
    };
    (@take or_empty $fields:ident, $decoder:ident, $content:ty) => {
        $fields.optional::<$content>(&FIELD, $decoder).unwrap_or_default()
    };
    (@value required $field:ident) => { $field? };
    (@value $kind:ident $field:ident) => { $field };
}
pub(crate) use records;

/// What a record's declaration says of the object that repeats the record.
pub(crate) trait Record {
    /// The names of the fields, in order. The name is empty for a field that is `ours`, since the object does not have
    /// it.
    const OBJECT_FIELDS: &'static [&'static str];

    /// The value of a field that is left out.
    fn default_of(field: &str) -> Option<serde_json::Value>;
}
