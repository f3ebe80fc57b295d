# The repository moves to another URL, first without a word to the sealed files, then as docs/howto/move-a-folder.md says.
. "$EVENTS/words"
IDENTITY=~/.config/argocd-peering/identity.txt OLD=$(git remote get-url origin) NEW=https://git.example.org/net/fleet.git
[ "$OLD" = "$NEW" ] && NEW=https://git.example.org/net/peerings.git
folder() { echo "/srv/git/net/$(basename "$1" .git).git"; }
before=$(written) commit=$(git rev-parse HEAD)
rm -rf "$(folder "$NEW")" && mv "$(folder "$OLD")" "$(folder "$NEW")"; zero; say "the repository has another URL"
refresh; sleep 10; apps; doctor; wrote "$before"
echo "== the Applications have the new URL, and the sealed files do not"
git remote set-url origin $NEW
$A get secret peerings -o json | jq --arg url "$(base64 -w0 <<<"$NEW" )" 'del(.metadata.resourceVersion, .metadata.uid) | .metadata.name = "moved" | .data.url = ($url | @base64d | rtrimstr("\n") | @base64)' | $A apply -f - >/dev/null
point() { sed -i "s#repoURL: .*#repoURL: $NEW#" $F/application-*.yaml; $A apply -f $F/application-consumer.yaml -f $F/application-provider.yaml; }
for project in peering-consumer peering-provider; do $A get appproject $project -o jsonpath='{.spec.sourceRepos}{"\n"}'; done
zero; point; refresh; sleep 10; apps; doctor
for project in peering-consumer peering-provider; do $A patch appproject $project --type=merge -p "{\"spec\":{\"sourceRepos\":[\"$NEW\"]}}"; done
zero; refresh; sleep 10; apps; doctor; wrote "$before"
say "the next commit"; port=$(grep -oE 'nodePort: [0-9]+' $F/peering.yaml | grep -oE '[0-9]+'); sed -i "s/nodePort: $port/nodePort: $((port + 1))/" $F/peering.yaml
commit "Another port" >/dev/null; refresh; sleep 5; apps; doctor; wrote "$before"
echo "== sealed for the new one"
for file in $F/*.age; do
    reseal() { argocd-peering reseal "$file" --identity-file $IDENTITY --recipient "$(age-keygen -y $IDENTITY)" --repo $NEW "$@" 2>&1 </dev/null; }
    reseal --expect "$(reseal | grep -oE 'sha256:[0-9a-f]+' | tail -1)" | head -1 | cut -c1-200
done
argocd-peering validate peerings --identity-file $IDENTITY | tail -3
commit=$(commit "Sealed for the new repository"); zero; refresh; wait_synced 120 "$commit" $CA $PA; wrote "$before"; whole >/dev/null && say "it is whole"; doctor
