//! Order of grants: the queue that was granted longest ago goes first.

use crate::terminals::Bits;

/// Grants of one (output, VC) to the queues of its switch, each numbered by the ones before.
#[derive(Debug)]
pub(super) struct Recency<'a> {
    /// The number of the last grant.
    last: &'a mut u16,
    /// By queue: the number of its last grant. No two are alike.
    granted: &'a mut [u16],
}

impl<'a> Recency<'a> {
    /// Number of numbers that are kept for so many queues.
    pub fn numbers(queues: usize) -> usize {
        queues + 1
    }

    /// From the numbers that are kept, at least one.
    #[inline(always)]
    pub fn of(numbers: &'a mut [u16]) -> Option<Self> {
        let (last, granted) = numbers.split_first_mut()?;
        Some(Self { last, granted })
    }

    /// Resets the order as if each queue had been granted once, the first one first.
    pub fn reset(&mut self) {
        (0..).zip(&mut *self.granted).for_each(|(number, granted)| *granted = number);
        *self.last = self.granted.len() as u16;
    }

    /// Grants the queue of `asking`, as bits, that was granted longest ago, and returns it. There
    /// is one.
    #[inline(always)]
    pub fn grant(&mut self, asking: u64) -> u8 {
        let queue = match asking & asking.wrapping_sub(1) {
            0 => asking.trailing_zeros(),
            _ => Bits(asking).min_by_key(|&q| self.granted[q as usize]).unwrap_or(0),
        };
        if *self.last == u16::MAX {
            self.number_anew();
        }
        *self.last += 1;
        self.granted[queue as usize] = *self.last;
        queue as u8
    }

    /// Numbers the grants anew from 0, in their order.
    #[cold]
    fn number_anew(&mut self) {
        let mut order: Vec<usize> = (0..self.granted.len()).collect();
        order.sort_by_key(|&queue| self.granted[queue]);
        (0..).zip(order).for_each(|(number, queue)| self.granted[queue] = number);
        *self.last = self.granted.len() as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::random::Random;

    /// Grants are those of a list in which the queue that is granted becomes the last, beyond the
    /// highest number.
    #[test]
    fn grants_are_those_of_a_list() {
        let mut random = Random::new(1);
        for queues in [1u32, 2, 6, 64] {
            let mut numbers = vec![0; Recency::numbers(queues as usize)];
            let mut recency = Recency::of(&mut numbers).unwrap();
            recency.reset();
            let mut list: Vec<u32> = (0..queues).collect();
            for _ in 0..150_000 {
                let asking = (0..3).fold(0, |mask, _| mask | 1u64 << random.below(queues));
                let at = list.iter().position(|&queue| asking >> queue & 1 == 1).unwrap();
                let first = list.remove(at);
                list.push(first);
                assert_eq!(u32::from(recency.grant(asking)), first);
            }
        }
    }
}
