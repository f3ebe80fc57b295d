# The branch main becomes trunk, and main is deleted.
. "$EVENTS/words"
before=$(written) server=$(git remote get-url origin | sed 's#https://git.example.org#/srv/git#')
git branch --quiet --move main trunk; git push --quiet origin trunk; git -C "$server" symbolic-ref HEAD refs/heads/trunk; git push --quiet origin --delete main; git branch --quiet --set-upstream-to origin/trunk
zero; say "there is no main"; refresh; sleep 10; apps; doctor; wrote "$before"
argocd-peering validate peerings | grep -A6 -iE 'revision|branch' | head -12
sed -i 's#targetRevision: .*#targetRevision: refs/heads/trunk#' $F/application-*.yaml
git add --all && git commit --quiet --message "The branch is trunk" && git push --quiet origin trunk; commit=$(git rev-parse HEAD)
zero; $A apply -f $F/application-consumer.yaml -f $F/application-provider.yaml; wait_synced 60 "$commit" $CA $PA || { hard $CA; hard $PA; wait_synced 30 "$commit" $CA $PA; } ||
    { for app in $CA $PA; do argocd app sync $app 2>&1 | tail -3 | cut -c1-300; done; wait_synced 30 "$commit" $CA $PA; } ||
    { for app in $CA $PA; do $A annotate application $app argocd.argoproj.io/manifest-generate-paths-; done; wait_synced 60 "$commit" $CA $PA; $A apply -f $F/application-consumer.yaml -f $F/application-provider.yaml; }
wrote "$before"; whole >/dev/null && say "it is whole"; doctor
echo "== back"
git push --quiet origin trunk:main; git -C "$server" symbolic-ref HEAD refs/heads/main; git branch --quiet --move trunk main; git branch --quiet --set-upstream-to origin/main
sed -i 's#targetRevision: .*#targetRevision: refs/heads/main#' $F/application-*.yaml; commit=$(commit "The branch is main"); git push --quiet origin --delete trunk
zero; $A apply -f $F/application-consumer.yaml -f $F/application-provider.yaml; wait_synced 120 "$commit" $CA $PA; doctor
