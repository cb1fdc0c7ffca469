//! Occupancy: which channel is taken in which slot.

/// By channel a bit for each slot, twice in a row, so that the slots from any one on around the frame
/// stand side by side.
pub(super) struct Occupancy {
    frame: u32,
    /// Words of 64 bits for a channel.
    stride: usize,
    bits: Vec<u64>,
}

impl Occupancy {
    pub fn new(channels: u32, frame: u32) -> Self {
        // One more, so that a window may begin anywhere.
        let stride = (2 * frame as usize).div_ceil(64) + 1;
        Self { frame, stride, bits: vec![0; stride * channels as usize] }
    }

    /// Whether the channel is taken in slots `from` to `from` + 63, a bit for each.
    fn window(&self, channel: u32, from: u32) -> u64 {
        let at = self.stride * channel as usize + from as usize / 64;
        match from % 64 {
            0 => self.bits[at],
            shift => self.bits[at] >> shift | self.bits[at + 1] << (64 - shift),
        }
    }

    /// The first slot from `from` on in which a word can start, counted on to the frame's end.
    pub fn free(&self, route: &[u32], from: u32) -> Option<u32> {
        let begins = (from / 64 * 64..self.frame).step_by(64);
        begins.into_iter().find_map(|begin| {
            let beyond = |slot: u32| if slot >= 64 { 0 } else { u64::MAX << slot };
            let before = !beyond(from.saturating_sub(begin));
            let mut taken = before | beyond(self.frame - begin);
            for (place, &channel) in (0..).zip(route) {
                if taken == u64::MAX {
                    return None;
                }
                taken |= self.window(channel, begin + place % self.frame);
            }
            (taken != u64::MAX).then(|| begin + taken.trailing_ones())
        })
    }

    /// A word starts in this slot.
    pub fn take(&mut self, route: &[u32], start: u32) {
        for (place, &channel) in (0..).zip(route) {
            let slot = ((start + place % self.frame) % self.frame) as usize;
            for bit in [slot, slot + self.frame as usize] {
                self.bits[self.stride * channel as usize + bit / 64] |= 1 << (bit % 64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Against a set of places, for frames around the width of a word.
    #[test]
    fn free_slots_are_those_in_which_every_channel_is_free() {
        for frame in [1, 2, 3, 31, 63, 64, 65, 127, 128, 130] {
            let (mut occupancy, mut places) = (Occupancy::new(5, frame), HashSet::new());
            let mut state = u64::from(frame);
            for _ in 0..200 {
                // Knuth's multiplier: any numbers do.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (first, second) = ((state >> 33) % 5, (state >> 40) % 4);
                let route = [first as u32, ((first + 1 + second) % 5) as u32];
                let from = (state >> 48) as u32 % frame;
                let at = |start: u32, place: u32| (route[place as usize], (start + place) % frame);
                let is_free = |start: u32| (0..2).all(|place| !places.contains(&at(start, place)));
                let expected = (from..frame).find(|&start| is_free(start));
                assert_eq!(occupancy.free(&route, from), expected, "{frame}");
                if let Some(start) = expected {
                    occupancy.take(&route, start);
                    places.extend((0..2).map(|place| at(start, place)));
                }
            }
        }
    }
}
