//! Memory-mapped ends in a manifest.

use serde::Serialize;
use turnpike_ends::{AddressRange, Ends};
use turnpike_fabric::plan::{ENDS_FILE, FabricPlan};

/// Ends of a fabric's terminals.
#[derive(Serialize)]
pub struct EndsField<'a> {
    /// File of the folder that gives them.
    file: &'static str,
    /// Bits of data of a word of the network.
    data_width: u32,
    /// Bits of addresses.
    address_bits: u32,
    managers: Vec<ManagerField<'a>>,
    subordinates: Vec<SubordinateField<'a>>,
}

/// Terminal that issues transactions.
#[derive(Serialize)]
struct ManagerField<'a> {
    name: &'a str,
    protocol: &'static str,
    /// Beginning of the names of its ports.
    ports: String,
    /// Bits of data of its port.
    data_width: u32,
    id_width: u32,
    /// Most reads, and most writes, in flight.
    outstanding: u32,
    /// Beats of its longest write.
    burst: u32,
    /// Beats of reads that its reorder buffer holds, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    reorder: Option<u32>,
    /// Subordinates that it reaches.
    reach: Vec<&'a str>,
}

/// Terminal that answers transactions.
#[derive(Serialize)]
struct SubordinateField<'a> {
    name: &'a str,
    protocol: &'static str,
    /// Beginning of the names of its ports.
    ports: String,
    /// Bits of data of its port.
    data_width: u32,
    /// Most reads, and most writes, in flight.
    outstanding: u32,
    ranges: Vec<RangeField>,
}

/// Addresses from the first to the last, hexadecimal.
#[derive(Serialize)]
struct RangeField {
    first: String,
    last: String,
}

impl From<&AddressRange> for RangeField {
    fn from(range: &AddressRange) -> Self {
        let [first, last] = [range.first, range.last].map(|address| format!("{address:#x}"));
        Self { first, last }
    }
}

impl<'a> EndsField<'a> {
    /// Ends of a plan.
    pub fn of(plan: &FabricPlan, ends: &'a Ends) -> Self {
        let managers = ends.managers.iter().map(|end| ManagerField {
            name: &end.name,
            protocol: end.protocol.facts().name,
            ports: plan.end_port(&ends.manager_port(end)),
            data_width: end.data_width,
            id_width: end.id_width,
            outstanding: end.outstanding,
            burst: end.burst,
            reorder: end.reorder,
            reach: ends.reached(end).collect(),
        });
        let subordinates = ends.subordinates.iter().map(|end| SubordinateField {
            name: &end.name,
            protocol: end.protocol.facts().name,
            ports: plan.end_port(&ends.subordinate_port(end)),
            data_width: end.data_width,
            outstanding: end.outstanding,
            ranges: end.ranges.iter().map(RangeField::from).collect(),
        });
        Self {
            file: ENDS_FILE,
            data_width: ends.data_width,
            address_bits: ends.address_bits,
            managers: managers.collect(),
            subordinates: subordinates.collect(),
        }
    }
}
