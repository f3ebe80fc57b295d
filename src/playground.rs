//! The playground's program: one question on standard input, one answer on standard output.

fn main() -> std::process::ExitCode {
    argocd_peering::run_playground()
}
