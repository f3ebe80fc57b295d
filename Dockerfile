# The image of the Argo CD sidecar: one static binary and its plugin.yaml on an
# empty file system. argocd-cmp-server, which starts the binary, is mounted by
# the pod; see argocd-app/install/argocd-repo-server.yaml.

# Any image with Rust, a C linker and binutils does. A tag can be moved: to be
# sure of what builds your image, name it by its digest,
# `--build-arg RUST_IMAGE=docker.io/library/rust@sha256:…`.
ARG RUST_IMAGE=docker.io/library/rust:1.95-slim-bookworm

FROM ${RUST_IMAGE} AS builder
WORKDIR /build
# .dockerignore lets in only what the build reads.
COPY . .
# crt-static: the final image has no C library.
# --target, although it is the host: without it Cargo would give RUSTFLAGS
# to the procedural macros as well, and those cannot be linked statically.
# --remap-path-prefix: panics name source files, and the binary must not show
# where they were built, nor from which mirror the crates came.
RUN target=$(rustc -vV | sed -n 's/^host: //p') \
 && cargo fetch --locked --target "$target" \
 && remap=$(printf -- ' --remap-path-prefix=%s=' "$PWD/" "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/) \
 && RUSTFLAGS="-C target-feature=+crt-static$remap" \
    cargo build --profile image --locked --no-default-features --bin argocd-peering --target "$target" \
 && mv "target/$target/image/argocd-peering" /argocd-peering
# A binary that asks for a loader or a shared library would fail only in the
# pod, with "no such file or directory". The listing goes to a file first, so
# that a failing readelf fails the build too.
RUN readelf --program-headers --dynamic --wide /argocd-peering > /elf.txt \
 && if grep -E 'INTERP|NEEDED' /elf.txt; then echo "argocd-peering is not static" >&2; exit 1; fi

FROM scratch
LABEL org.opencontainers.image.title="argocd-peering" \
      org.opencontainers.image.description="Argo CD Config Management Plugin that generates both sides of a Liqo peering from one document" \
      org.opencontainers.image.licenses="Apache-2.0"
# The modes are set here, not taken from the checkout, whose umask may hide
# the file from user 999.
COPY --chmod=0444 plugin.yaml /home/argocd/cmp-server/config/plugin.yaml
COPY --chmod=0555 --from=builder /argocd-peering /usr/local/bin/argocd-peering
# Argo CD's own user: the repo-server must be able to write to the socket that
# the sidecar creates. A number, because the image has no /etc/passwd and
# runAsNonRoot accepts nothing else.
# With its group, which would be root's.
USER 999:999
# For a person's `docker run`; the sidecar's `command` replaces it.
ENTRYPOINT ["/usr/local/bin/argocd-peering"]
