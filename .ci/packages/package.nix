# A package of Nix: pkgs.callPackage ./argocd-peering.nix { }
{ lib, stdenvNoCC, fetchurl, installShellFiles }:

let
  version = "@VERSION@";
  archives = {
    x86_64-linux = { name = "linux-amd64"; sha256 = "@SHA256_LINUX_AMD64@"; };
    aarch64-linux = { name = "linux-arm64"; sha256 = "@SHA256_LINUX_ARM64@"; };
    x86_64-darwin = { name = "darwin-amd64"; sha256 = "@SHA256_DARWIN_AMD64@"; };
    aarch64-darwin = { name = "darwin-arm64"; sha256 = "@SHA256_DARWIN_ARM64@"; };
  };
  system = stdenvNoCC.hostPlatform.system;
  archive = archives.${system} or (throw "argocd-peering: there is no release for ${system}");
in
stdenvNoCC.mkDerivation {
  pname = "argocd-peering";
  inherit version;
  src = fetchurl {
    url = "@DOWNLOAD@/argocd-peering-${version}-${archive.name}.tar.gz";
    inherit (archive) sha256;
  };
  nativeBuildInputs = [ installShellFiles ];
  installPhase = ''
    runHook preInstall
    install -D argocd-peering $out/bin/argocd-peering
    for shell in bash zsh fish; do
      $out/bin/argocd-peering completions $shell > argocd-peering.$shell
    done
    $out/bin/argocd-peering man > argocd-peering.1
    installShellCompletion argocd-peering.{bash,zsh,fish}
    installManPage argocd-peering.1
    runHook postInstall
  '';
  meta = {
    description = "Turns one description of a Liqo peering into the manifests of both clusters";
    homepage = "@REPOSITORY@";
    license = lib.licenses.asl20;
    platforms = builtins.attrNames archives;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
    mainProgram = "argocd-peering";
  };
}
