//! Enums whose variants are rows of a table, and the pages that rows have.

/// Declares an enum by its table: a variant a row, in their order, which `ALL` has; and `row`, what a variant has.
macro_rules! table {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident: $row:ty {
            $( $(#[$row_meta:meta])* $variant:ident = $value:expr; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        $visibility enum $name {
            $( $(#[$row_meta])* $variant, )*
        }

        #[allow(dead_code, reason = "not every table is iterated")]
        impl $name {
            /// All rows, in their order.
            $visibility const ALL: &'static [Self] = &[$(Self::$variant),*];

            const fn row(self) -> $row {
                match self {
                    $( Self::$variant => $value, )*
                }
            }
        }
    };
}
pub(crate) use table;

/// The page of this name. It does not compile without the page's file. The folder is that of the codes, or the one that is given first.
macro_rules! page {
    ($name:literal) => {
        $crate::diagnostic::page!("src/diagnostic/codes", $name)
    };
    ($folder:literal, $name:literal) => {
        $crate::diagnostic::Page {
            name: $name,
            text: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/",
                $folder,
                "/",
                $name,
                ".md"
            )),
            folder: $folder,
        }
    };
}
pub(crate) use page;
