//! Whether a run may end before its time, as what it measures is saturated for sure.

/// Parts of the measurement after which it is looked at. Few: each is one more chance to be wrong.
const PARTS: [u64; 4] = [8, 4, 2, 1];

/// Looks at a run after an eighth, a quarter, a half and all of its cycles. It ends early where two looks
/// one after the other find it saturated; at its end one does, which has all of it.
#[derive(Debug, Default)]
pub(super) struct EarlyEnd {
    /// Whether the last look found it saturated.
    suspected: bool,
}

impl EarlyEnd {
    /// Whether to end, after so many of the `cycles` that are measured.
    pub fn is_due(
        &mut self,
        measured: u64,
        cycles: u64,
        is_saturated: impl FnOnce() -> bool,
    ) -> bool {
        if !PARTS.iter().any(|part| measured == cycles / part) {
            return false;
        }
        let saturated = is_saturated();
        let before = std::mem::replace(&mut self.suspected, saturated);
        saturated && (before || measured == cycles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycle at which a run ends that looks saturated to these looks, of 800 cycles.
    fn end(looks: [bool; 4]) -> Option<u64> {
        let (mut early, mut looks) = (EarlyEnd::default(), looks.into_iter());
        (1..=800).find(|&measured| early.is_due(measured, 800, || looks.next().unwrap()))
    }

    #[test]
    fn two_looks_one_after_the_other() {
        assert_eq!(end([true, true, true, true]), Some(200));
        assert_eq!(end([false, true, true, true]), Some(400));
        assert_eq!(end([true, false, true, false]), None);
        assert_eq!(end([true, false, false, true]), Some(800));
        assert_eq!(end([false; 4]), None);
    }
}
