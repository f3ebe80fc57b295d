//! The program.

fn main() -> std::process::ExitCode {
    argocd_peering::run_program()
}
