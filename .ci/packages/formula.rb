# A formula of Homebrew, for a tap: Formula/argocd-peering.rb
class ArgocdPeering < Formula
  desc "Turns one description of a Liqo peering into the manifests of both clusters"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "@DOWNLOAD@/argocd-peering-@VERSION@-darwin-arm64.tar.gz"
      sha256 "@SHA256_DARWIN_ARM64@"
    end
    on_intel do
      url "@DOWNLOAD@/argocd-peering-@VERSION@-darwin-amd64.tar.gz"
      sha256 "@SHA256_DARWIN_AMD64@"
    end
  end
  on_linux do
    on_arm do
      url "@DOWNLOAD@/argocd-peering-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256_LINUX_ARM64@"
    end
    on_intel do
      url "@DOWNLOAD@/argocd-peering-@VERSION@-linux-amd64.tar.gz"
      sha256 "@SHA256_LINUX_AMD64@"
    end
  end

  def install
    bin.install "argocd-peering"
    generate_completions_from_executable(bin/"argocd-peering", "completions")
    (man1/"argocd-peering.1").write Utils.safe_popen_read(bin/"argocd-peering", "man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/argocd-peering --version")
  end
end
