mod leaks;
mod mistakes;
mod pages;
mod screens;
mod secrets;
mod width;
