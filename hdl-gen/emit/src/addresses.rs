//! Address files: the terminals' addresses and ports as constants of Verilog, C and Python.

use crate::part::ModuleGroup;
use crate::terminals::{StreamPorts, TerminalEntry, TerminalMap};
use crate::{EmitError, File};
use askama::Template;
use turnpike_fabric::plan::counters::{PORT_REGISTERS, REGISTERS};

#[derive(Template)]
#[template(path = "addresses/verilog.vh.askama", escape = "none")]
struct VerilogFile<'a> {
    heading: Vec<String>,
    map: &'a TerminalMap,
}

#[derive(Template)]
#[template(path = "addresses/c.h.askama", escape = "none")]
struct CFile<'a> {
    heading: Vec<String>,
    map: &'a TerminalMap,
}

#[derive(Template)]
#[template(path = "addresses/python.py.askama", escape = "none")]
struct PythonFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    map: &'a TerminalMap,
}

impl PythonFile<'_> {
    /// A terminal's stream as a value.
    fn stream(&self, stream: &Option<StreamPorts>) -> String {
        match stream {
            None => "None".to_owned(),
            Some(StreamPorts { slice: Some(slice), .. }) => slice.to_string(),
            Some(StreamPorts { ports, .. }) => format!("\"{ports}\""),
        }
    }
}

impl TerminalMap {
    /// Constants of the widths that are not that of the network.
    fn widths(&self) -> Vec<(&str, u32)> {
        let widths = self.addresses.iter().filter_map(|constant| constant.width.as_ref());
        widths.map(|(name, bits)| (name.as_str(), *bits)).collect()
    }

    /// Constants of the byte addresses of counters: the registers of all ports, then those of each port, and
    /// those that every port has, from there.
    fn counters(&self) -> Vec<(String, u32)> {
        if self.watchdog.is_none() {
            return Vec::new();
        }
        let own = REGISTERS.iter().map(|register| (register.name.to_owned(), register.offset));
        let streams = self.terminals.iter().flat_map(TerminalEntry::streams);
        let ports = streams
            .filter_map(|stream| Some((stream.ports.to_ascii_uppercase(), stream.counters?)));
        let of_port = PORT_REGISTERS.iter();
        let of_port = of_port.map(|register| (format!("PORT_{}", register.name), register.offset));
        let all = own.chain(ports).chain(of_port);
        all.map(|(name, offset)| (format!("{}_COUNTERS_{name}_OFFSET", self.prefix), offset))
            .collect()
    }

    /// Constants of the slices of the ports, where all terminals share them.
    fn slices(&self) -> Vec<(&str, u32)> {
        let streams = self.terminals.iter().flat_map(TerminalEntry::streams);
        streams.filter_map(|stream| Some((stream.constant.as_deref()?, stream.slice?))).collect()
    }
}

/// Name of the file that Verilog includes.
pub(crate) fn verilog_name(fabric: &str) -> String {
    format!("{fabric}_addresses.vh")
}

/// The address files of a fabric.
pub(crate) fn files(
    name: &str,
    map: &TerminalMap,
    own: &ModuleGroup,
) -> Result<Vec<File>, EmitError> {
    let stem = format!("{name}_addresses");
    let heading = |language| {
        own.heading(&stem, &[format!("Addresses of the terminals on tdest, for {language}.")])
    };
    let verilog = VerilogFile { heading: heading("Verilog"), map }.render()?;
    let c = CFile { heading: heading("C and C++"), map }.render()?;
    let python = PythonFile { heading: heading("Python"), name, map }.render()?;
    Ok(vec![
        File { name: verilog_name(name), contents: verilog },
        File { name: format!("{stem}.h"), contents: c },
        File { name: format!("{stem}.py"), contents: python },
    ])
}
