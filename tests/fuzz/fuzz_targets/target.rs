#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    argocd_peering_fuzz::target(env!("CARGO_BIN_NAME")).run(data);
});
