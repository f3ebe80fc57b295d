mod documentation;
mod help;
