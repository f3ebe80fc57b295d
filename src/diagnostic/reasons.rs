//! Why something is refused, a row a reason: the message and the way out stand together.

/// Declares an error whose reasons are rows: `Reason(fields) error("message") help "the way out";`. The message is as `thiserror`
/// takes it. Where the way out is not a constant text, the enum names its type, `-> Option<String>`, and each field has a name in
/// its row, by which the way out has it: `Reason(kind: Kind)`.
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
        $visibility enum $name {
            $(
                $(#[$doc])*
                #[error $message]
                $reason $( ( $($field),+ ) )? $( { $( $(#[$field_doc])* $field_name: $field_type ),+ } )?,
            )*
        }

        impl $name {
            $visibility const fn help(&self) -> &'static str {
                match self {
                    $( Self::$reason { .. } => $help, )*
                }
            }
        }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident -> $help_type:ty {
            $(
                $(#[$doc:meta])*
                $reason:ident $( ( $( $(#[$field_doc:meta])* $field:ident: $type:ty ),+ ) )?
                    $( { $( $(#[$named_doc:meta])* $named:ident: $named_type:ty ),+ $(,)? } )?
                    error $message:tt help $help:expr;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        $visibility enum $name {
            $(
                $(#[$doc])*
                #[error $message]
                $reason $( ( $( $(#[$field_doc])* $type ),+ ) )? $( { $( $(#[$named_doc])* $named: $named_type ),+ } )?,
            )*
        }

        impl $name {
            #[allow(unused_variables, reason = "a way out needs few of the fields")]
            $visibility fn help(&self) -> $help_type {
                match self {
                    $( Self::$reason $( ( $($field),+ ) )? $( { $($named),+ } )? => $help, )*
                }
            }
        }
    };
}
pub(crate) use reasons;
