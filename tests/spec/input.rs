mod files;
mod text;
