//! Reasons for a refusal, one row for each: the message and the help are in one place.

/// Declares an error whose reasons are rows: `Reason(field: Type) error("message") help "the help";`. The message has the syntax of
/// `thiserror`. The help can use the fields by their names. If it is not a constant text, the enum names its type: `-> Option<String>`.
macro_rules! reasons {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident { $($rows:tt)* }
    ) => {
        $crate::diagnostic::reasons! {
            $(#[$meta])*
            $visibility enum $name -> &'static str { $($rows)* }
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
