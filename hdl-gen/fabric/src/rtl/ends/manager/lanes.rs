//! Ports that are narrower than words of the network: in which part of a word a beat stands.

use super::{Builder, Waiting};
use crate::rtl::ends::burst::{Burst, bytes, mask, next};
use crate::rtl::registers::{at_index, is_at};
use turnpike_netlist::{Expr, Net, Register};

/// State of a burst: the low bits of its address, its size, and which of these bits change.
#[derive(Clone, Copy)]
struct State([Net; 3]);

/// Parts of words in which the beats of a burst stand.
pub(super) struct Walk {
    state: State,
    /// Part of the word in which the beat stands.
    pub lane: Net,
    after: Net,
}

impl Builder<'_> {
    /// Bits of an address within a word, where the port is narrower.
    fn within_word(&self) -> Option<u32> {
        let words = self.shape.layout.data / 8;
        (self.shape.data / 8 < words).then(|| words.ilog2())
    }

    /// State of a burst that waits to go.
    fn begins(&mut self, name: &str, of: &Waiting, bits: u32) -> [Expr; 3] {
        let most = (self.shape.data / 8).ilog2();
        let [len, size, burst] = ["len", "size", "burst"].map(|signal| of.field(signal));
        let of_burst = Burst { len, size, burst };
        let mask = mask(&mut self.m, &format!("{name}_changes"), &of_burst, most, bits, false);
        [of.field("addr").slice(0, bits), size.into(), mask.into()]
    }

    /// A burst that is followed, beat by beat; where the port is as wide as words, there is none.
    pub(super) fn walk(&mut self, name: &str) -> Option<Walk> {
        let bits = self.within_word()?;
        let most = (self.shape.data / 8).ilog2();
        let m = &mut self.m;
        let [at, mask] = ["at", "mask"].map(|what| m.reg(format!("{name}_{what}"), bits));
        let size = m.reg(format!("{name}_size_now"), 3);
        let bytes = m.define(format!("{name}_bytes"), bits, bytes(size, [most, most], bits));
        let [_, after] = next(m, name, at, bytes, mask);
        let lane = m.define(format!("{name}_lane"), bits - most, at.slice(most, bits - most));
        Some(Walk { state: State([at, size, mask]), lane, after })
    }

    /// Lets a burst begin, with a state, and go on.
    fn follow(&mut self, walk: &Walk, begins: Net, from: [Expr; 3], step: Expr) {
        let State([at, size, mask]) = walk.state;
        let [first, of_size, of_mask] = from;
        let load = |net, next| Register { net, reset: None, enable: Some(begins.into()), next };
        let next = Expr::from(begins).mux(first, walk.after);
        let enable = Some(Expr::from(begins) | step);
        self.m.registers(vec![
            Register { net: at, reset: None, enable, next },
            load(size, of_size),
            load(mask, of_mask),
        ]);
    }

    /// Follows the write whose beats go. What it needs is kept while its header waits for the beats before.
    pub(super) fn follow_write(
        &mut self,
        walk: &Walk,
        writes: &Waiting,
        [sent, begins]: [Net; 2],
        step: Expr,
    ) {
        let bits = walk.after.width;
        let from = self.begins("write", writes, bits);
        let m = &mut self.m;
        let place = m.reg("write_place", 2 * bits + 3);
        let next = Expr::concat(from);
        m.registers(vec![Register { net: place, reset: None, enable: Some(sent.into()), next }]);
        self.follow(walk, begins, parts(place, bits), step);
    }

    /// Follows the read that is answered: what it needs is kept by its tag.
    pub(super) fn follow_read(
        &mut self,
        walk: &Walk,
        reads: &Waiting,
        [begins, tag]: [Net; 2],
        step: Expr,
    ) {
        let bits = walk.after.width;
        let from = self.begins("read", reads, bits);
        let kept = Expr::concat(from);
        let width = 2 * bits + 3;
        let m = &mut self.m;
        let kept = m.define("read_place", width, kept);
        let entries: Vec<Net> = (0..self.shape.outstanding)
            .map(|entry| m.reg(format!("read_place{entry}"), width))
            .collect();
        let take = |(net, entry): (&Net, u32)| Register {
            net: *net,
            reset: None,
            enable: Some(Expr::from(reads.take) & is_at(reads.tag, entry)),
            next: kept.into(),
        };
        m.registers(entries.iter().zip(0..).map(take).collect());
        let found = m.define("read_place_of", width, at_index(tag, &entries));
        self.follow(walk, begins, parts(found, bits), step);
    }

    /// A beat of a port as a word: in all its parts, with strobes in the one in which it stands.
    pub(super) fn widened(&self, walk: Option<&Walk>, data: Net, strobes: Net) -> [Expr; 2] {
        let Some(Walk { lane, .. }) = walk else { return [data.into(), strobes.into()] };
        let parts = self.shape.layout.data / self.shape.data;
        let own = |part: u32| is_at(*lane, part).repeat(strobes.width) & strobes;
        [
            Expr::concat((0..parts).map(|_| Expr::from(data))),
            Expr::concat((0..parts).rev().map(own)),
        ]
    }

    /// The part of a word in which a beat stands.
    pub(super) fn narrowed(&self, walk: Option<&Walk>, word: Net) -> Expr {
        let (bits, all) = (self.shape.data, self.shape.layout.data);
        let Some(Walk { lane, .. }) = walk else { return word.slice(0, all) };
        let part = |part: u32| is_at(*lane, part).repeat(bits) & word.slice(part * bits, bits);
        Expr::any_of((0..all / bits).map(part))
    }
}

/// State of a burst out of one word: the bits of its address, its size, and which of these bits change.
fn parts(place: Net, bits: u32) -> [Expr; 3] {
    [place.slice(bits + 3, bits), place.slice(bits, 3), place.slice(0, bits)]
}
