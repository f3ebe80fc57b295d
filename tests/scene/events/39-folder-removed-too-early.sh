# The folder is removed from Git while both Applications are being deleted. The way out of docs/teardown.md: the folder comes back. Once
# more with the finalizers of the hook taken off.
. "$EVENTS/words"
. "$EVENTS/removal"
for way in restore finalizers; do
    begin
    zero; delete_ $PA; confirm_ $PA; sleep 5; git rm -r --quiet $F; commit "Removed too early" >/dev/null; hard $PA; delete_ $CA; confirm_ $CA
    until_ "$CA is gone" 120 is_gone $CA; sleep 15; apps $PA; doctor
    zero; echo "== $way"
    if [ $way = restore ]; then
        revert >/dev/null; hard $PA
    else
        $A patch application $PA --type=json -p "$($A get application $PA -o json | jq -c '[{op: "replace", path: "/metadata/finalizers", value: [.metadata.finalizers[] | select(startswith("pre-delete") | not)]}]')"
    fi
    until_ "$PA is gone" 240 is_gone $PA || apps; left; without_summaries; [ $way = restore ] || revert >/dev/null
done
