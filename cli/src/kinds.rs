//! Fabric of any kind that a command line asks for: its options, made once into a fabric, and its
//! head in reports.

use crate::Report;
use crate::busses::{BusOptions, FunnelFabric};
use crate::circuits::CircuitOptions;
use crate::commands::analyze::deadlock;
use crate::commands::bsp::{self, BspOptions};
use crate::commands::generate::{self, GenerateOptions, Generated};
use crate::commands::synth::{self, SynthOptions, Synthesised};
use crate::commands::verify::{self, VerifyOptions};
use crate::format::indent;
use crate::memory;
use crate::options::FabricOptions;
use crate::progress::Progress;
use crate::slotted;
use anyhow::bail;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::BusPlan;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_emit::Vlnv;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::{Analysis, Configuration};
use turnpike_flow::target::Target;
use turnpike_kind::Fabric;
use turnpike_sim_network::reference::Reference;
use turnpike_slotted::SlottedPlan;

/// Options of a fabric of any kind.
#[derive(Args, Clone, Debug)]
pub struct KindOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// The kind of fabric, and what circuit fabrics take.
    #[command(flatten)]
    pub circuit: CircuitOptions,
    /// Options of bus fabrics.
    #[command(flatten)]
    pub bus: BusOptions,
    /// Options of split&hash fabrics.
    #[command(flatten)]
    pub funnels: FunnelFabric,
    /// Kinds of fabric that the options may name.
    #[arg(skip = KINDS)]
    pub kinds: &'static [Kind],
}

/// Planning of a switched fabric: commands ask unlike things of it.
pub type Switched<'a> = &'a dyn Fn(&FabricOptions) -> anyhow::Result<FabricPlan>;

/// Kind of fabric: the fabric that the options name, under a name of the user's where one is given;
/// `None` where they name one of another kind.
pub type Kind =
    fn(&KindOptions, Option<&str>, Switched<'_>) -> anyhow::Result<Option<Box<dyn AnyFabric>>>;

/// Every kind. A new one is a line here; the last takes what the others leave.
pub const KINDS: &[Kind] = &[
    |options, name, _| boxed(options.bus.plan(&options.funnels, &options.fabric, name)?),
    |options, name, _| boxed(options.circuit.plan(&options.fabric, name)?),
    |options, name, switched| boxed(slotted::plan(options, name, switched)?),
    |options, _, switched| boxed(Some(switched(&options.fabric)?)),
];

fn boxed<F: AnyFabric + 'static>(plan: Option<F>) -> anyhow::Result<Option<Box<dyn AnyFabric>>> {
    Ok(plan.map(|plan| Box::new(plan) as Box<dyn AnyFabric>))
}

impl KindOptions {
    /// The fabric that the options name, under a name of the user's where one is given.
    ///
    /// # Errors
    /// Options of other kinds; unknown names; numbers out of range.
    pub fn fabric(
        &self,
        name: Option<&str>,
        switched: Switched<'_>,
    ) -> anyhow::Result<Box<dyn AnyFabric>> {
        for kind in self.kinds {
            if let Some(fabric) = kind(self, name, switched)? {
                return Ok(fabric);
            }
        }
        bail!("no kind of fabric has a topology '{}'", self.fabric.network.unrouted.topology)
    }
}

/// Fabric of any kind, and what the commands that take any kind do with it.
pub trait AnyFabric {
    /// Writes the fabric's folder.
    ///
    /// # Errors
    /// As [`generate::run`].
    fn generate(&self, _: &GenerateOptions, _: &Vlnv, _: Progress) -> anyhow::Result<Report>;
    /// Checks or proves the fabric.
    ///
    /// # Errors
    /// As [`verify::run`].
    fn verify(&self, options: &VerifyOptions) -> anyhow::Result<Report>;
    /// Measures area and clock, over so many placements.
    ///
    /// # Errors
    /// As [`synth::run`].
    fn synth(&self, options: &SynthOptions, target: Target, seeds: u32) -> anyhow::Result<Report>;
    /// Measures supersteps.
    ///
    /// # Errors
    /// As [`bsp::run`].
    fn bsp(&self, options: &BspOptions) -> anyhow::Result<Report>;
}

impl<F: Reported + Generated + Synthesised> AnyFabric for F {
    fn generate(
        &self,
        options: &GenerateOptions,
        vlnv: &Vlnv,
        progress: Progress,
    ) -> anyhow::Result<Report> {
        generate::write(options, self, vlnv, progress)
    }
    fn verify(&self, options: &VerifyOptions) -> anyhow::Result<Report> {
        verify::verify(options, self)
    }
    fn synth(&self, options: &SynthOptions, target: Target, seeds: u32) -> anyhow::Result<Report> {
        synth::measure(options, self, target, seeds)
    }
    fn bsp(&self, options: &BspOptions) -> anyhow::Result<Report> {
        Reported::bsp(self, options)
    }
}

/// Name and configuration of a fabric, at the head of a report.
#[derive(Serialize, JsonSchema)]
pub struct Identity {
    /// Name of the fabric.
    fabric: String,
    /// The words after `turnpike generate` that make the fabric.
    configuration: String,
}

impl Identity {
    /// Name and configuration of a fabric.
    pub fn of(fabric: &dyn Fabric) -> Self {
        Self { fabric: fabric.name().to_owned(), configuration: fabric.canonical() }
    }
}

/// Fabric in the reports of commands that take any kind.
pub trait Reported: Fabric {
    /// Head of the reports.
    type Head: Serialize + JsonSchema;
    /// Version of the fields of the reports of `verify`.
    const VERIFY_VERSION: u32 = 1;

    /// The head of a report on this fabric.
    fn head(&self) -> Self::Head;
    /// Whether the fabric is small enough to be built.
    ///
    /// # Errors
    /// The bound that it passes.
    fn check_rtl(&self) -> anyhow::Result<()> {
        Ok(())
    }
    /// Whether the models that check the fabric find room in memory.
    ///
    /// # Errors
    /// The memory that is needed, and what there is.
    fn check_memory(&self) -> anyhow::Result<()> {
        Ok(())
    }
    /// Measures supersteps on the fabric, where its kind has any.
    ///
    /// # Errors
    /// As [`bsp::run`].
    fn bsp(&self, _: &BspOptions) -> anyhow::Result<Report> {
        bail!("a fabric of kind {} has no supersteps; use a switched or a circuit one", self.kind())
    }
    /// Section in the text of `verify` between the checks and their verdict.
    fn remark(&self) -> String {
        String::new()
    }
}

impl Reported for FabricPlan {
    type Head = Configuration;
    const VERIFY_VERSION: u32 = 2;

    fn head(&self) -> Configuration {
        Configuration::of(self)
    }
    fn check_rtl(&self) -> anyhow::Result<()> {
        Ok(FabricPlan::check_rtl(self)?)
    }
    fn bsp(&self, options: &BspOptions) -> anyhow::Result<Report> {
        bsp::measure(options, self)
    }
    /// Section on the cycle of a fabric that can deadlock; empty for others.
    fn remark(&self) -> String {
        if self.is_deadlock_free() {
            return String::new();
        }
        format!("\nDeadlock\n{}", indent(&deadlock::section(&Analysis::of(self))))
    }
    fn check_memory(&self) -> anyhow::Result<()> {
        let what = format!("the reference router of {}", self.name);
        memory::check(&what, Reference::bytes(self), "use a lower --dim or --depth")
    }
}

impl Reported for CircuitPlan {
    type Head = Identity;
    fn head(&self) -> Identity {
        Identity::of(self)
    }
    fn bsp(&self, options: &BspOptions) -> anyhow::Result<Report> {
        bsp::measure(options, self)
    }
}

impl Reported for SlottedPlan {
    type Head = Identity;
    fn head(&self) -> Identity {
        Identity::of(self)
    }
}

impl Reported for BusPlan {
    type Head = Identity;
    fn head(&self) -> Identity {
        Identity::of(self)
    }
}
