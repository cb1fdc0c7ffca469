//! Fabric of any kind that a command line asks for: its options, made once into a fabric, and its
//! head in reports.

use crate::busses::{BusOptions, FunnelFabric};
use crate::circuits::CircuitOptions;
use crate::memory;
use crate::options::FabricOptions;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::BusPlan;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Configuration;
use turnpike_kind::Fabric;
use turnpike_sim_network::reference::Reference;

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
}

/// Fabric of one of the kinds.
pub enum AnyFabric {
    /// Packets, in queues.
    Switched(FabricPlan),
    /// Circuits, set beforehand.
    Circuit(CircuitPlan),
    /// Shared media in time slots.
    Bus(BusPlan),
}

impl KindOptions {
    /// The fabric that the options name, under a name of the user's where one is given. `switched`
    /// plans a switched fabric: commands ask unlike things of it.
    ///
    /// # Errors
    /// Options of other kinds; unknown names; numbers out of range.
    pub fn fabric(
        &self,
        name: Option<&str>,
        switched: impl FnOnce(&FabricOptions) -> anyhow::Result<FabricPlan>,
    ) -> anyhow::Result<AnyFabric> {
        if let Some(plan) = self.bus.plan(&self.funnels, &self.fabric, &self.circuit, name)? {
            return Ok(AnyFabric::Bus(plan));
        }
        if let Some(plan) = self.circuit.plan(&self.fabric, name)? {
            return Ok(AnyFabric::Circuit(plan));
        }
        Ok(AnyFabric::Switched(switched(&self.fabric)?))
    }
}

/// Name and configuration of a fabric, at the head of a report.
#[derive(Serialize, JsonSchema)]
pub struct Identity {
    /// The name of the fabric.
    fabric: String,
    /// The words after `turnpike generate` that make the fabric.
    configuration: String,
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
    fn check_memory(&self) -> anyhow::Result<()> {
        let what = format!("the reference router of {}", self.name);
        memory::check(&what, Reference::bytes(self), "use a lower --dim or --depth")
    }
}

impl Reported for CircuitPlan {
    type Head = Identity;
    fn head(&self) -> Identity {
        identity(self)
    }
}

impl Reported for BusPlan {
    type Head = Identity;
    fn head(&self) -> Identity {
        identity(self)
    }
}

fn identity(fabric: &dyn Fabric) -> Identity {
    Identity { fabric: fabric.name().to_owned(), configuration: fabric.canonical() }
}
