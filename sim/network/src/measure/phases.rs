//! Phases of a run, one after the other, and how they end.

use super::early::EarlyEnd;
use super::record::Record;
use super::warm_up::Pilot;
use super::{Crossing, Phase, Run, WarmUp, WhenSaturated, Window};
use crate::report::Outcome;

/// Reason that a phase ended early.
pub(super) enum Stop {
    Deadlock,
    PacketLimit,
    Saturated,
}

impl Run<'_> {
    pub(super) fn phases(&mut self) -> Outcome {
        let measured = self.warm_up().and_then(|()| self.measure());
        if measured.is_ok() && self.ends() {
            return Outcome::NotDrained;
        }
        let outcome = match measured.and_then(|()| self.drain()) {
            Ok(true) => return Outcome::Drained,
            Ok(false) => Outcome::NotDrained,
            Err(Stop::PacketLimit) => Outcome::PacketLimit,
            Err(Stop::Deadlock) => return Outcome::Deadlocked,
            Err(Stop::Saturated) => return Outcome::Saturated,
        };
        match self.settle() {
            Err(Stop::Deadlock) => Outcome::Deadlocked,
            _ => outcome,
        }
    }

    /// Ends, for in every cycle but one a flit moves toward its end.
    fn settle(&mut self) -> Result<(), Stop> {
        while self.reference.flits() > 0 || !self.sources.are_between_packets() {
            self.step(Phase::Settle, None)?;
        }
        Ok(())
    }

    fn warm_up(&mut self) -> Result<(), Stop> {
        match self.config.warm_up {
            WarmUp::Cycles(cycles) => {
                for _ in 0..cycles {
                    self.step(Phase::WarmUp, Some(cycles))?;
                }
            }
            WarmUp::Detect => {
                let mut pilot = Pilot::new(self.reference.terminals());
                while !pilot.is_over() {
                    self.step(Phase::WarmUp, Some(pilot.limit()))?;
                    pilot.sample(self.in_system());
                }
                self.warm_up_found = Some(pilot.is_found());
            }
        }
        Ok(())
    }

    fn measure(&mut self) -> Result<(), Stop> {
        let start = self.counters();
        if self.observer.counts_crossings() {
            self.reference.count_crossings();
        }
        self.record = Record::from(self.reference.cycle());
        self.parts.start(self.reference.cycle());
        self.round_trips.iter_mut().for_each(|trips| trips.start(self.reference.cycle()));
        let mut result = Ok(());
        let mut early = EarlyEnd::default();
        let when = self.config.when_saturated;
        let ends_early = self.config.measure.filter(|_| when == WhenSaturated::Stops);
        let mut length = self.config.measure;
        loop {
            self.skip_idle(length);
            length = length.map(|cycles| self.longer(cycles));
            let more = match length {
                Some(cycles) => self.lengths[1] < cycles,
                None => self.in_system() > 0 || !self.traffic.is_exhausted(self.reference.cycle()),
            };
            if !more || result.is_err() {
                break;
            }
            result = self.step(Phase::Measure, length);
            let measured = self.lengths[1];
            if let (Ok(()), Some(cycles)) = (&result, ends_early)
                && early.is_due(measured, cycles, || self.record.is_saturated())
            {
                result = Err(Stop::Saturated);
            }
        }
        if self.observer.counts_crossings() {
            let crossings: Vec<Crossing> = self.reference.crossings().collect();
            self.observer.crossings(self.lengths[1], &crossings);
        }
        let end = self.counters();
        self.window = Window {
            released_flits: end.released_flits - start.released_flits,
            delivered_flits: end.delivered_flits - start.delivered_flits,
            flit_hops: end.flit_hops - start.flit_hops,
        };
        result
    }

    /// Length of a measurement that was to take so many cycles: longer where they are over, did not
    /// tell, and may be followed by more.
    fn longer(&self, cycles: u64) -> u64 {
        let most = self.config.until_told.unwrap_or(0);
        let over = self.lengths[1] >= cycles && cycles < most;
        let (terminals, precision) = (self.reference.terminals(), self.config.precision);
        match over && !self.record.can_tell(terminals, precision) {
            true => cycles.saturating_mul(2).min(most),
            false => cycles,
        }
    }

    /// Jumps to the next release where the network is empty until then. Traffic that knows it is
    /// no lasting load, so that no window of [`Record`] misses these cycles.
    fn skip_idle(&mut self, length: Option<u64>) {
        let Some(next) = self.traffic.next_release().filter(|_| self.in_system() == 0) else {
            return;
        };
        let now = self.reference.cycle();
        let idle = match length {
            Some(cycles) => next.saturating_sub(now).min(cycles - self.lengths[1]),
            None if self.traffic.is_exhausted(now) => return,
            None => next.saturating_sub(now),
        };
        self.reference.skip(idle);
        self.lengths[1] += idle;
    }

    /// Whether the run ends after its measurement, as it is saturated.
    fn ends(&self) -> bool {
        self.config.when_saturated == WhenSaturated::Ends
            && self.measured_delivered < self.measured_released
            && self.record.is_saturated()
    }

    /// Whether every measured packet was delivered.
    fn drain(&mut self) -> Result<bool, Stop> {
        while self.measured_delivered < self.measured_released {
            if self.lengths[2] == self.config.drain {
                return Ok(false);
            }
            self.step(Phase::Drain, Some(self.config.drain))?;
        }
        Ok(true)
    }
}
