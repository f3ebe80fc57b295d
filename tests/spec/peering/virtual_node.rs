//! What Liqo's webhook changes in a VirtualNode once, when it is created (liqo `pkg/webhooks/virtualnode`), must not be
//! what the stream sets.

use crate::harness::checkout::{Checkout, edited};
use crate::harness::objects::{documents, only};

/// The annotations that the stream keeps from being reflected, for what a document says of its virtual node.
fn kept(written: &str) -> Option<Vec<String>> {
    let slice = "      - { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }\n";
    let node = format!(
        "      - {{ createVirtualNode: false, resources: {{ cpu: \"1\", memory: 1Gi, pods: 9 }} }}\n    virtualNodes: [{{ resourceSlice: provider, {written} }}]\n"
    );
    let outcome = Checkout::of(edited(slice, &node)).local("consumer").run();
    let objects = documents(outcome.stream());
    let patch = &only(&objects, "VirtualNode")["spec"]["offloadingPatch"];
    assert_eq!(patch.get("labelsNotReflected").is_some(), written.contains("labelsNotReflected"), "{patch}");
    let list = patch.get("annotationsNotReflected")?.as_array().expect("a list");
    Some(list.iter().map(|it| it.as_str().expect("a text").to_owned()).collect())
}

#[test]
fn a_list_is_complete_when_it_comes_to_liqos_webhook() {
    assert_eq!(kept("offloadingPatch: { runtimeClassName: nvidia }"), None, "it is Liqo's");
    let mine = "annotationsNotReflected: [example.org/mine, cloud.google.com/neg-status]";
    let list = kept(&format!("offloadingPatch: {{ {mine}, labelsNotReflected: [a] }}")).expect("a list");
    assert_eq!(list[..2], ["example.org/mine", "cloud.google.com/neg-status"]);
    assert_eq!(list.len(), 12, "eleven of Liqo's, one of which was written: {list:?}");
    assert_eq!(list[2], "cloud.google.com/neg");
    assert_eq!(list[11], "loadbalancer.openstack.org/load-balancer-id");
    let again = kept(&format!("offloadingPatch: {{ annotationsNotReflected: [{}] }}", list.join(", ")));
    assert_eq!(again, Some(list), "and nothing is added to it");
    // Liqo's own, by its name
    let named = "vkOptionsTemplateRef: { name: virtual-kubelet-default }";
    assert_eq!(kept(&format!("{named}, offloadingPatch: {{ {mine} }}")).map(|it| it.len()), Some(12));
    // another's are not known
    let other = "vkOptionsTemplateRef: { name: gpu }";
    assert_eq!(kept(&format!("{other}, offloadingPatch: {{ {mine} }}")).map(|it| it.len()), Some(2));
}
