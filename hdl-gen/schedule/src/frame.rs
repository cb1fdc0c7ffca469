//! Frames of slots in which flows have the bandwidths that they ask for.

/// One word in each slot, in billionths: the unit of bandwidths here.
pub const WHOLE: u64 = 1_000_000_000;
/// Most slots of a frame that is looked for.
pub const MOST_SLOTS: u32 = 1024;

/// The fewest words in a frame of so many slots that are no less than a bandwidth, at most [`WHOLE`].
pub fn words(bandwidth: u64, slots: u32) -> u32 {
    (bandwidth.min(WHOLE) * u64::from(slots)).div_ceil(WHOLE) as u32
}

/// Slots of the shortest frame in which every flow has its bandwidth, and no link more words than there
/// are slots. A link is a list of flows, by their places in `bandwidths`.
///
/// # Errors
/// A link that has more words than slots in a frame of [`MOST_SLOTS`], as it has in every shorter one or
/// others have.
pub fn shortest(bandwidths: &[u64], links: &[Vec<usize>]) -> Result<u32, usize> {
    let fits = |link: usize, slots: u32| {
        let all = links[link].iter().map(|&flow| u64::from(words(bandwidths[flow], slots)));
        all.sum::<u64>() <= u64::from(slots)
    };
    // What the last frame was too short for is tried first.
    let mut tight = 0;
    for slots in 1..=MOST_SLOTS {
        let order = (tight..links.len()).chain(0..tight.min(links.len()));
        match order.into_iter().find(|&link| !fits(link, slots)) {
            None => return Ok(slots),
            Some(link) => tight = link,
        }
    }
    Err(tight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frames_known_by_hand() {
        let of = |bandwidths: &[u64]| shortest(bandwidths, &[(0..bandwidths.len()).collect()]);
        let tenth = WHOLE / 10;
        assert_eq!(of(&[5 * tenth, 5 * tenth]), Ok(2));
        assert_eq!(of(&[3 * tenth, 7 * tenth]), Ok(10));
        assert_eq!(of(&[WHOLE / 3, WHOLE / 3, WHOLE / 3]), Ok(3));
        assert_eq!(of(&[WHOLE]), Ok(1));
        // Thirds that come to more than the whole.
        assert_eq!(of(&[WHOLE / 3 + 1, WHOLE / 3, WHOLE / 3]), Err(0));
        assert_eq!(shortest(&[], &[]), Ok(1));
        // Flows that share nothing.
        assert_eq!(shortest(&[3 * tenth, 7 * tenth], &[vec![0], vec![1]]), Ok(1));
        assert_eq!([words(tenth, 10), words(tenth, 11), words(WHOLE, 7)], [1, 2, 7]);
    }

    proptest! {
        /// Every flow has its bandwidth in the frame that is found, no link is over, and in no shorter
        /// frame that is so.
        #[test]
        fn no_shorter_frame_holds_the_flows(
            bandwidths in prop::collection::vec(1..=WHOLE / 4, 1..6),
            links in prop::collection::vec(prop::collection::vec(0..5usize, 1..5), 1..5),
        ) {
            let last = bandwidths.len() - 1;
            let links: Vec<Vec<usize>> = links
                .into_iter()
                .map(|link| {
                    let mut link: Vec<usize> = link.into_iter().map(|at| at.min(last)).collect();
                    link.dedup();
                    link
                })
                .collect();
            let holds = |slots: u32| links.iter().all(|link| {
                let least = |at: &usize| {
                    (1..=slots).find(|&n| u64::from(n) * WHOLE >= bandwidths[*at] * u64::from(slots))
                };
                let all = link.iter().map(|at| least(at).unwrap()).sum::<u32>();
                all <= slots
            });
            match shortest(&bandwidths, &links) {
                Ok(slots) => {
                    prop_assert!(holds(slots));
                    prop_assert!((1..slots).all(|fewer| !holds(fewer)));
                }
                Err(_) => prop_assert!((1..=MOST_SLOTS).all(|slots| !holds(slots))),
            }
        }
    }
}
