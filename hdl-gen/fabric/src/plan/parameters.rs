//! Parameters that a user sets besides topology and routing.

use super::{MuxStyle, Pipeline, PlanError, PortStyle, QueueStyle, ResetStyle};
use turnpike_base::range;
use turnpike_network::description::MOST_DELAY;
use turnpike_network::routing::DEFAULT_SEED;

/// Size of a queue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct QueueSize {
    /// Flits that it holds.
    pub depth: u32,
    /// Flits that may be on the way to it when it says whether it has room: a flit comes as many
    /// cycles after the queue was ready.
    pub in_flight: u32,
}

/// Parameters that a user sets besides topology and routing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// `tdata` width in bits, 1 to 1024.
    pub width: u32,
    /// Flits that a queue holds, 2 to 1024.
    pub depth: u32,
    /// Whether `tid` carries the source's address to the sink.
    pub source_id: bool,
    /// `tuser` width in bits, 0 (no `tuser`) to 1024.
    pub user_width: u32,
    /// Whether there is a `tkeep` (a bit per byte of `tdata`).
    pub keep: bool,
    /// Registers on the way through a switch.
    pub pipeline: Pipeline,
    /// Registers on each channel between switches, forward and back, 0 to [`MOST_DELAY`].
    pub link_registers: u32,
    /// Storage of the queues.
    pub queue: QueueStyle,
    /// Structure of the crossbar's multiplexers.
    pub mux: MuxStyle,
    /// Form of the terminals' streams in the port list.
    pub ports: PortStyle,
    /// The reset of the whole network.
    pub reset: ResetStyle,
    /// The seed of what packets draw; of no account where they draw nothing.
    pub draw_seed: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            width: 32,
            depth: 4,
            source_id: false,
            user_width: 0,
            keep: false,
            pipeline: Pipeline::default(),
            link_registers: 0,
            queue: QueueStyle::default(),
            mux: MuxStyle::default(),
            ports: PortStyle::default(),
            reset: ResetStyle::default(),
            draw_seed: DEFAULT_SEED,
        }
    }
}

impl Parameters {
    /// Checks every range.
    ///
    /// # Errors
    /// [`PlanError`] names the field and the range.
    pub fn check(&self) -> Result<(), PlanError> {
        range::check("width", self.width, 1, 1024)?;
        range::check("depth", self.depth, 2, 1024)?;
        range::check("link_registers", self.link_registers, 0, MOST_DELAY)?;
        let Self { depth, pipeline, queue, link_registers, .. } = *self;
        let (low, high) = (pipeline.least_depth(), queue.most_depth());
        if !(low..=high).contains(&depth) {
            return Err(PlanError::Depth { depth, pipeline, queue, low, high });
        }
        if let Some(on_a_link) = self.too_deep(link_registers) {
            let most = (high - depth) / 2;
            return Err(PlanError::LinkRegisters {
                link_registers,
                depth,
                queue,
                on_a_link,
                high,
                most,
            });
        }
        range::check("user_width", self.user_width, 0, 1024)?;
        if self.keep && !self.width.is_multiple_of(8) {
            return Err(PlanError::Keep(self.width));
        }
        Ok(())
    }

    /// Flits that a queue at the end of a channel with so many registers would hold, where these are
    /// too many for its style. A memory has room for what is on the longest link.
    pub(super) fn too_deep(&self, registers: u32) -> Option<u32> {
        let on_a_link = self.queue_size(registers).depth;
        let is_bounded = self.queue != QueueStyle::Ram;
        Some(on_a_link).filter(|&depth| is_bounded && depth > self.queue.most_depth())
    }

    /// Every way to build switches of this size, these parameters' own among them: same
    /// routes, another timing or make.
    pub fn builds(&self) -> Vec<Self> {
        let mut builds = Vec::new();
        for &pipeline in Pipeline::ALL {
            for &queue in QueueStyle::ALL {
                for &mux in MuxStyle::ALL {
                    builds.push(Self { pipeline, queue, mux, ..*self });
                }
            }
        }
        builds.retain(|parameters| parameters.check().is_ok());
        builds
    }

    /// Size of the queue at the end of a channel with so many registers, forward and back: room
    /// for what is on the way, beside `depth`. 0 for an injection queue.
    pub fn queue_size(&self, delay: u32) -> QueueSize {
        let on_the_link = 2 * delay;
        QueueSize {
            depth: self.depth + on_the_link,
            in_flight: self.pipeline.in_flight() + on_the_link,
        }
    }

    /// Width of `tkeep`; 0 where there is none.
    pub fn keep_width(&self) -> u32 {
        if self.keep { self.width / 8 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_out_of_range_are_named() {
        let base = Parameters::default();
        for (parameters, text) in [
            (Parameters { width: 0, ..Parameters::default() }, "width 0"),
            (Parameters { width: 1025, ..Parameters::default() }, "width 1025"),
            (Parameters { depth: 1, ..Parameters::default() }, "depth 1"),
            (Parameters { depth: 9, queue: QueueStyle::Shift, ..Parameters::default() }, "2 to 8"),
            (Parameters { depth: 2, pipeline: Pipeline::Output, ..base }, "3 to 1024"),
            (Parameters { link_registers: 65, ..base }, "link_registers 65"),
            (Parameters { link_registers: 3, queue: QueueStyle::Shift, ..base }, "0 to 2"),
            (Parameters { width: 12, keep: true, ..Parameters::default() }, "multiple of 8"),
        ] {
            let error = parameters.check().unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}
