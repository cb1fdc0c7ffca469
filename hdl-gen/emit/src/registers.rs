//! Register map of a fabric's counters in SystemRDL 2.0 (Accellera, 2018), of which other tools make headers,
//! pages and models.

use crate::part::ModuleGroup;
use crate::terminals::{TerminalEntry, TerminalMap};
use crate::{EmitError, File};
use askama::Template;
use turnpike_fabric::plan::counters::{
    Access, CounterField, CounterRegister, PORT_REGISTERS, REGISTERS, WATCHDOG,
};

#[derive(Template)]
#[template(path = "counters.rdl.askama", escape = "none")]
struct RegisterFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    registers: &'a [CounterRegister],
    port_registers: &'a [CounterRegister],
    /// Streams that are counted at: the beginning of the names of the ports, and the byte address.
    ports: Vec<(&'a str, u32)>,
    watchdog: u32,
}

impl RegisterFile<'_> {
    /// Rights of software and of the hardware to a field.
    fn access(&self, field: &CounterField) -> &'static str {
        match field.access {
            Access::Read => "sw = r; hw = w;",
            Access::ReadWrite => "sw = rw; hw = r;",
            Access::Pulse => "sw = w; hw = r; singlepulse;",
        }
    }

    /// Value of a field after a reset, where software can rely on one.
    fn reset(&self, register: &CounterRegister, field: &CounterField) -> Option<u32> {
        match field.access {
            Access::Read => None,
            Access::Pulse => Some(0),
            Access::ReadWrite if register == &WATCHDOG => Some(self.watchdog),
            Access::ReadWrite => Some(0),
        }
    }
}

/// The register map, where the fabric has counters.
pub(crate) fn file(
    name: &str,
    map: &TerminalMap,
    own: &ModuleGroup,
) -> Result<Option<File>, EmitError> {
    let Some(watchdog) = map.watchdog else { return Ok(None) };
    let stem = format!("{name}_counters");
    let streams = map.terminals.iter().flat_map(TerminalEntry::streams);
    let mut ports: Vec<(&str, u32)> =
        streams.filter_map(|stream| Some((stream.ports.as_str(), stream.counters?))).collect();
    ports.sort_by_key(|(_, offset)| *offset);
    let file = RegisterFile {
        heading: own.heading(&stem, &["Registers of the counters on s_axil_*, in SystemRDL."]),
        name,
        registers: &REGISTERS,
        port_registers: &PORT_REGISTERS,
        ports,
        watchdog,
    };
    Ok(Some(File { name: format!("{stem}.rdl"), contents: file.render()? }))
}
