//! `shift` on networks of words: its virtual channels.

use turnpike_analysis::network::{Network, Wanted};
use turnpike_network::topology::Size;
use turnpike_network::topology::parameter::{ARITY, DIM};

fn network(topology: &str, arity: u32, length: u32) -> Network {
    let network =
        Network::wanted(&Wanted::new(topology, Size::of([(&ARITY, arity), (&DIM, length)])))
            .unwrap();
    assert!(network.certificate().is_some(), "{topology} {arity} {length}");
    network
}

/// Few virtual channels, where a packet crosses up to 9 channels; by dimension.
#[test]
fn virtual_channels_are_few() {
    let expected = [
        ("de-bruijn", 2, vec![1, 1, 2, 2, 3, 3, 3, 4, 4]),
        ("de-bruijn", 3, vec![1, 2, 2, 3]),
        ("de-bruijn", 8, vec![1, 2, 2]),
        ("kautz", 2, vec![1, 2, 2, 3, 3, 4, 4]),
        ("kautz", 3, vec![1, 2, 2, 3]),
    ];
    let found = expected.clone().map(|(topology, arity, vcs)| {
        let vcs = (1..).take(vcs.len()).map(|k| network(topology, arity, k).relation().vcs());
        (topology, arity, vcs.collect::<Vec<u8>>())
    });
    assert_eq!(found, expected);
}
