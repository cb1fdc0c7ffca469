//! `turnpike generate`: its options.

use crate::options::FabricOptions;
use anyhow::bail;
use clap::{ArgAction, Args};
use std::path::PathBuf;
use turnpike_hdl_gen::plan::{FabricPlan, PlanError};
use turnpike_hdl_gen::{names, topology};

/// Options of `generate`.
#[derive(Args, Clone, Debug)]
pub struct GenerateOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// Name of the fabric: its module, and the prefix of its other modules and files
    #[arg(long, value_name = "IDENTIFIER")]
    pub name: Option<String>,
    /// The folder to write; `verilog-out/` and the name where left out
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files of an earlier run even where they were edited; never touches others
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub force: bool,
    /// Write the fabric even if it can deadlock; its files then say so
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub allow_deadlock: bool,
}

impl GenerateOptions {
    /// The fabric to write.
    ///
    /// # Errors
    /// Unknown names, numbers out of range, a size beyond RTL, or a fabric that can deadlock
    /// and was not allowed to.
    pub fn plan(&self) -> anyhow::Result<FabricPlan> {
        // Before the network, which may take long.
        if let Some(name) = &self.name {
            names::check_identifier(name)?;
        }
        let kind = topology::find(&self.fabric.network.topology)?;
        let dimension = self.fabric.network.dim;
        if dimension > kind.rtl_limit && dimension <= kind.dimensions.1 {
            let (topology, limit) = (kind.name, kind.rtl_limit);
            return Err(PlanError::RtlDimension { topology, dimension, limit }.into());
        }
        let plan = self.fabric.plan(self.name.as_deref())?;
        plan.check_rtl()?;
        if plan.network.certificate().is_none() && !self.allow_deadlock {
            bail!(
                "{} with at most {} virtual channel(s) can deadlock (`turnpike analyze` draws \
                 the cycle); leave --vcs out, or use --allow-deadlock",
                plan.name,
                plan.network.relation().vcs()
            );
        }
        Ok(plan)
    }

    /// The folder to write.
    pub fn folder(&self, plan: &FabricPlan) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from("verilog-out").join(&plan.name))
    }
}
