# The repo-server's disk is full as a commit arrives; then the sidecar's. Both are memory here, of a limited size.
. "$EVENTS/words"
port() { sed -i "s/nodePort: [0-9]*/nodePort: $1/" $F/peering.yaml; commit "Node port $1"; }
limited() { # FOLDER: on a file system of its own, with what is in it
    mkdir -p /srv/limited && mount -t tmpfs -o mode=755,size=64m limited /srv/limited && cp -a "$1/." /srv/limited && chown 999:999 /srv/limited && mount --move /srv/limited "$1"
}
play() { # FOLDER NODEPORT
    before=$(written); dd if=/dev/zero of="$1/full" bs=1M 2>/dev/null; say "$1: $(df --output=avail "$1" | tail -1) left"
    commit=$(port "$2"); zero; refresh; sleep 20; apps; doctor; whole >/dev/null && say "the tunnel and the node stay"; wrote "$before"
    sleep 60; rm "$1/full"; zero; say "there is room again"
    until_ "Synced by itself: $CA $PA" 60 is_synced "$commit" $CA $PA || { hard $CA; hard $PA; wait_synced 30 "$commit" $CA $PA; } ||
        { away repo-server; sleep 2; back repo-server; sleep 5; hard $CA; hard $PA; wait_synced 30 "$commit" $CA $PA; } ||
        { away repo-server; rm -rf /srv/argocd/tmp/_argocd-repo; say "with an empty disk, as a new pod has it"; back repo-server; sleep 5; hard $CA; hard $PA; wait_synced 60 "$commit" $CA $PA; } || { commit=$(port $(($2 + 2))); refresh; wait_synced 60 "$commit" $CA $PA; }
    until_ "it is whole" 120 whole; doctor
}
mountpoint -q /srv/argocd/tmp || limited /srv/argocd/tmp; play /srv/argocd/tmp 30801
sidecar=/proc/$(pgrep --full argocd-cmp-server | head -1)/root
echo "== the sidecar's"; df "$sidecar/tmp" | tail -1; play "$sidecar/tmp" 30802
