//! Why something is refused, a row a reason: the message and the way out stand together.

/// Declares an error whose reasons are rows: `Reason(fields) error("message") help "the way out";`. The message is as `thiserror`
/// takes it. Where the way out depends on the fields, the error has a `match` of its own.
macro_rules! reasons {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $(
                $(#[$doc:meta])*
                $reason:ident $( ( $($field:ty),+ ) )? $( { $( $(#[$field_doc:meta])* $field_name:ident: $field_type:ty ),+ $(,)? } )?
                    error $message:tt help $help:expr;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        #[cfg_attr(not(feature = "workstation"), allow(dead_code, reason = "some commands are not in the image"))]
        #[allow(missing_docs, reason = "a field is named in the message")]
        $visibility enum $name {
            $(
                $(#[$doc])*
                #[error $message]
                $reason $( ( $($field),+ ) )? $( { $( $(#[$field_doc])* $field_name: $field_type ),+ } )?,
            )*
        }

        impl $name {
            /// The way out.
            #[cfg_attr(not(feature = "workstation"), allow(dead_code, reason = "some files are read by people only"))]
            $visibility const fn help(&self) -> &'static str {
                match self {
                    $( Self::$reason { .. } => $help, )*
                }
            }
        }
    };
}
pub(crate) use reasons;
