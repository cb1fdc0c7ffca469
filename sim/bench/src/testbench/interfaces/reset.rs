//! Resets of the bench.

use super::Bench;
use crate::testbench::ticks::Ticks;
use turnpike_base::hash::hash;
use turnpike_sim_rtl::dut::Dut;

/// Cycles of the slowest clock within which a reset ends, at most.
const RESET_CYCLES: u64 = 64;
/// Cycles within which one reset follows another.
const SOON: u64 = 48;

impl Bench<'_> {
    /// A reset, until every clock has been under it and is no longer.
    pub(super) fn reset(&self, dut: &mut Dut, ticks: &mut Ticks) -> Result<(), String> {
        self.be_silent(dut);
        let wait = |dut: &mut Dut, ticks: &mut Ticks, edges: u64| {
            let mut left = edges;
            while left > 0 {
                let has = ticks.coming();
                left -= u64::from(has[0]);
                ticks.edge(dut, &has);
            }
        };
        ticks.set_reset(dut, true);
        wait(dut, ticks, self.work.reset_edges);
        if ticks.count() == 1 {
            self.check_silent(dut)?;
            ticks.set_reset(dut, false);
            return Ok(());
        }
        // One more soon after, when the clocks have not all gone on, or words are on the way.
        ticks.set_reset(dut, false);
        self.sources.iter().for_each(|source| dut.set(source.valid.port, 1));
        self.sinks.iter().for_each(|sink| dut.set(sink.ready.port, 1));
        wait(dut, ticks, hash(self.work.seed, &[2]) % SOON);
        ticks.set_reset(dut, true);
        wait(dut, ticks, 1);
        self.be_silent(dut);
        ticks.set_reset(dut, false);
        // The network goes on while all others are under reset.
        let mut goes_on = vec![false; ticks.count()];
        let mut waits = RESET_CYCLES * ticks.slowest() * ticks.count() as u64;
        while goes_on.contains(&false) {
            waits = waits.checked_sub(1).ok_or("a reset does not end in every clock")?;
            let all: Vec<bool> = (0..ticks.count()).map(|at| ticks.is_reset(dut, at)).collect();
            if all.iter().all(|is_reset| *is_reset) {
                self.check_silent(dut)?;
                self.be_silent(dut);
            }
            goes_on[0] |= !all[0];
            for (at, is_reset) in all.into_iter().enumerate().skip(1) {
                goes_on[at] |= goes_on[0] && !is_reset;
            }
            let has = ticks.coming();
            ticks.edge(dut, &has);
        }
        Ok(())
    }

    /// Offers and takes nothing.
    fn be_silent(&self, dut: &mut Dut) {
        self.sources.iter().for_each(|source| dut.set(source.valid.port, 0));
        self.sinks.iter().for_each(|sink| dut.set(sink.ready.port, 0));
    }

    /// Whether nothing is offered or taken under reset.
    fn check_silent(&self, dut: &mut Dut) -> Result<(), String> {
        self.sources.iter().for_each(|source| dut.set(source.valid.port, 1));
        self.sinks.iter().for_each(|sink| dut.set(sink.ready.port, 1));
        dut.settle();
        let sources = self.sources.iter().map(|source| (source.terminal, source.ready));
        let sinks = self.sinks.iter().map(|sink| (sink.terminal, sink.valid));
        match sources.chain(sinks).find(|(_, signal)| dut.get(signal.port) != 0) {
            Some((terminal, _)) => {
                let at = self.plan.topology().terminal_label(terminal);
                Err(format!("{at}: a word is offered or taken under reset"))
            }
            None => Ok(()),
        }
    }
}
