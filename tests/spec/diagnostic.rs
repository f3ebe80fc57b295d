mod leaks;
mod mistakes;
mod page;
pub(crate) mod screens;
mod secrets;
mod width;
