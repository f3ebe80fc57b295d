mod leaks;
mod mistakes;
mod page;
mod screens;
mod secrets;
mod width;
