//! Goals: options of the switches that are best for each, by the tables of docs/hardware.md.

use super::BuildOptions;
use clap::ValueEnum;
use std::fmt::{self, Display};
use turnpike_fabric::plan::{MuxStyle, Pipeline};

/// Goal that options of the switches are set for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Goal {
    /// The highest clock.
    Clock,
    /// The fewest LUTs.
    Area,
    /// The shortest time through an empty network.
    Latency,
    /// The most flits per second.
    Throughput,
}

/// Option of the switches with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    LinkRegisters(u32),
    Pipeline(Pipeline),
    Mux(MuxStyle),
}

/// The options that are best for each goal. docs/hardware.md, What a clock costs, has the figures.
pub const BEST: &[(Goal, &[Setting])] = &[
    (
        Goal::Clock,
        &[
            Setting::LinkRegisters(1),
            Setting::Pipeline(Pipeline::Grant),
            Setting::Mux(MuxStyle::Lut4),
        ],
    ),
    (
        Goal::Area,
        &[
            Setting::LinkRegisters(0),
            Setting::Pipeline(Pipeline::None),
            Setting::Mux(MuxStyle::Lut4),
        ],
    ),
    (
        Goal::Latency,
        &[
            Setting::LinkRegisters(0),
            Setting::Pipeline(Pipeline::None),
            Setting::Mux(MuxStyle::OneHot),
        ],
    ),
    (
        Goal::Throughput,
        &[
            Setting::LinkRegisters(0),
            Setting::Pipeline(Pipeline::GrantAhead),
            Setting::Mux(MuxStyle::Lut4),
        ],
    ),
];

impl Goal {
    /// Word of the goal on the command line.
    fn word(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// The options of the switches with those of the goal that are not given and that the fabric `takes`
    /// beside the others; and a line that says which these are.
    pub fn beside(
        self,
        given: BuildOptions,
        takes: impl Fn(&BuildOptions) -> bool,
    ) -> (BuildOptions, String) {
        let (mut build, mut set, mut left) = (given, Vec::new(), Vec::new());
        let best = BEST.iter().filter(|(goal, _)| *goal == self).flat_map(|(_, best)| *best);
        for setting in best.filter(|setting| !setting.is_given(&given)) {
            let with = setting.beside(build);
            if takes(&with) {
                build = with;
                set.push(setting.to_string());
            } else {
                left.push(setting.to_string());
            }
        }
        let set = if set.is_empty() { "nothing".to_owned() } else { set.join(" ") };
        let left = match left.is_empty() {
            true => String::new(),
            false => format!("; this fabric does not take {}", left.join(" or ")),
        };
        (build, format!("--for {} sets {set}{left}", self.word()))
    }
}

impl Setting {
    fn is_given(self, build: &BuildOptions) -> bool {
        match self {
            Self::LinkRegisters(_) => build.link_registers.is_some(),
            Self::Pipeline(_) => build.pipeline.is_some(),
            Self::Mux(_) => build.mux.is_some(),
        }
    }

    /// The options with this one.
    fn beside(self, build: BuildOptions) -> BuildOptions {
        match self {
            Self::LinkRegisters(registers) => {
                BuildOptions { link_registers: Some(registers), ..build }
            }
            Self::Pipeline(pipeline) => BuildOptions { pipeline: Some(pipeline), ..build },
            Self::Mux(mux) => BuildOptions { mux: Some(mux), ..build },
        }
    }
}

/// Words on the command line.
impl Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LinkRegisters(registers) => write!(f, "--link-registers {registers}"),
            Self::Pipeline(pipeline) => write!(f, "--pipeline {pipeline}"),
            Self::Mux(mux) => write!(f, "--mux {mux}"),
        }
    }
}
