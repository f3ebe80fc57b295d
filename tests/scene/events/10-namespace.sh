# A namespace that the AppProject does not have; the project is corrected; the namespace is taken out. docs/howto/add-a-namespace.md.
. "$EVENTS/words"
sed -i 's/^      - name: demo/      - { name: shop, create: true, clusters: thisPeer }\n&/' $F/peering.yaml
commit=$(commit "shop is offloaded"); zero; refresh; sleep 25; apps $CA; doctor
$A patch appproject peering-consumer --type=json -p '[{"op":"add","path":"/spec/destinations/-","value":{"name":"consumer","namespace":"shop"}},
  {"op":"add","path":"/spec/clusterResourceWhitelist/-","value":{"group":"","kind":"Namespace","name":"shop"}}]'
zero; wait_synced 400 "$commit" $CA $PA; until_ "shop is offloaded" 100 $P get namespace shop-consumer
echo "== and taken out"
commit=$(revert); zero; refresh; sleep 20; apps $CA; doctor
zero; argocd app confirm-deletion $CA; wait_synced 200 "$commit" $CA $PA; until_ "it is whole" 60 whole
