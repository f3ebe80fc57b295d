mod announcement;
mod caller;
mod contract;
mod parameters;
mod projects;
