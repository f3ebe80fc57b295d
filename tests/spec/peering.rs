mod coverage;
