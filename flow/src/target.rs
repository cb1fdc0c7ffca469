//! Targets of synthesis.

use crate::tool::{self, Tool};
use turnpike_base::nearest::Nearest;

/// A device or a cell library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Name of the target on the command line.
    pub name: &'static str,
    /// Description of the target, in a few words.
    pub summary: &'static str,
    /// Technology of the target.
    pub family: Family,
}

/// Technology of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Lattice iCE40, four-input LUTs.
    Ice40,
    /// Lattice ECP5, four-input LUTs alone: no wide multiplexers made of them, so that
    /// figures compare with those of the peers.
    Ecp5,
    /// Xilinx 7 series, six-input LUTs.
    Xilinx7,
    /// The standard cells of OSU for 0.18 um.
    Osu018,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "ice40-hx8k",
        summary: "Lattice iCE40 HX8K, place and route",
        family: Family::Ice40,
    },
    Target {
        name: "ecp5-85k",
        summary: "Lattice ECP5-85F, speed grade 6, place and route",
        family: Family::Ecp5,
    },
    Target {
        name: "xilinx7",
        summary: "Xilinx 7 series, synthesis alone",
        family: Family::Xilinx7,
    },
    Target {
        name: "osu018",
        summary: "OSU standard cells for 0.18 um, area alone",
        family: Family::Osu018,
    },
];

/// A target that there is not.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown target '{name}'{nearest} (there are: {known})")]
pub struct UnknownTarget {
    /// Name that was asked for.
    pub name: String,
    /// The known name that is near, if there is one.
    pub nearest: Nearest,
    /// All names, comma-separated.
    pub known: String,
}

/// The target of that name.
///
/// # Errors
/// [`UnknownTarget`] with the nearest name.
pub fn find(name: &str) -> Result<Target, UnknownTarget> {
    if let Some(target) = TARGETS.iter().find(|target| target.name == name) {
        return Ok(*target);
    }
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    let (nearest, known) = (Nearest::of(name, names.iter().copied()), names.join(", "));
    Err(UnknownTarget { name: name.to_owned(), nearest, known })
}

/// Whether modules are melted into one before they are mapped to cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hierarchy {
    /// All modules melted into one: the figures that count.
    Flat,
    /// Modules kept: the figures of each part by itself.
    Kept,
}

impl Family {
    /// The passes of Yosys that turn module `top` into cells; `liberty` is the library's file
    /// as a script names it, for standard cells.
    pub fn passes(self, top: &str, hierarchy: Hierarchy, liberty: &str) -> String {
        let flat = hierarchy == Hierarchy::Flat;
        let unless_flat = if flat { "" } else { " -noflatten" };
        let if_flat = if flat { " -flatten" } else { "" };
        let map = match self {
            Self::Ice40 => format!("synth_ice40{unless_flat} -top {top}\n"),
            Self::Ecp5 => format!("synth_ecp5 -nowidelut{unless_flat} -top {top}\n"),
            Self::Xilinx7 => format!("synth_xilinx -family xc7 -noiopad{if_flat} -top {top}\n"),
            Self::Osu018 => format!(
                "synth{if_flat} -top {top}\ndfflibmap -liberty {liberty}\n\
                 abc -liberty {liberty}\nopt_clean\n"
            ),
        };
        // Stages of multiplexers are mapped by themselves, as they ask; then they are counted
        // with what they stand in.
        let melt = match hierarchy {
            Hierarchy::Flat => "setattr -mod -unset keep_hierarchy *\nflatten\n",
            Hierarchy::Kept => {
                "setattr -mod -set keep_hierarchy 1 *\n\
                 setattr -mod -unset keep_hierarchy *_stage_*\nflatten\n"
            }
        };
        map + melt
    }

    /// The tool that places and routes; `None` where there is none.
    pub fn placer(self) -> Option<&'static Tool> {
        match self {
            Self::Ice40 => Some(&tool::NEXTPNR_ICE40),
            Self::Ecp5 => Some(&tool::NEXTPNR_ECP5),
            Self::Xilinx7 | Self::Osu018 => None,
        }
    }

    /// The placer's options: the device, and those that place best on the whole.
    pub fn placer_options(self) -> &'static [&'static str] {
        match self {
            Self::Ice40 => &["--hx8k", "--package", "ct256"],
            Self::Ecp5 => {
                &["--85k", "--package", "CABGA756", "--speed", "6", "--lpf-allow-unconstrained"]
            }
            Self::Xilinx7 | Self::Osu018 => &[],
        }
    }

    /// The resource of the placer's report that runs out first: look-up tables with what is
    /// packed beside them.
    pub fn logic_cell(self) -> Option<&'static str> {
        match self {
            Self::Ice40 => Some("ICESTORM_LC"),
            Self::Ecp5 => Some("TRELLIS_COMB"),
            Self::Xilinx7 | Self::Osu018 => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_target_comes_with_the_nearest() {
        assert_eq!(find("ecp5-85k").unwrap().family, Family::Ecp5);
        let error = find("ice40").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown target 'ice40'; did you mean 'ice40-hx8k'? (there are: ice40-hx8k, \
             ecp5-85k, xilinx7, osu018)"
        );
    }
}
