# Both Applications are deleted and confirmed, with no drain and a Pod at the provider, the folder in Git: the consumer's first, the
# provider's first, and both in the same second; three times each. docs/howto/take-down.md.
. "$EVENTS/words"
. "$EVENTS/removal"
for time in 1 2 3; do
    for order in "$CA $PA" "$PA $CA" both; do
        echo "== $time: ${order/both/in the same second}"
        begin; zero
        case $order in
        both) for app in $PA $CA; do { delete_ $app; confirm_ $app; } & done; wait ;;
        *) for app in $order; do delete_ $app; confirm_ $app; done ;;
        esac
        gone 120 || exit 1
        left; without_summaries; sleep 6; left
    done
done
