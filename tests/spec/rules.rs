mod fleet;
mod values;
