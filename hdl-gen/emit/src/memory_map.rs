//! Memory map of memory-mapped ends, as constants of Verilog and C, and a table of Python.

use crate::part::ModuleGroup;
use crate::{EmitError, File};
use askama::Template;
use turnpike_base::names::Names;
use turnpike_ends::{Ends, Subordinate};
use turnpike_fabric::plan::FabricPlan;

#[derive(Template)]
#[template(path = "memory_map/verilog.vh.askama", escape = "none")]
struct VerilogFile<'a> {
    heading: Vec<String>,
    prefix: &'a str,
    /// Bits of addresses.
    bits: u32,
    ranges: &'a [Range<'a>],
}

#[derive(Template)]
#[template(path = "memory_map/c.h.askama", escape = "none")]
struct CFile<'a> {
    heading: Vec<String>,
    prefix: &'a str,
    ranges: &'a [Range<'a>],
}

#[derive(Template)]
#[template(path = "memory_map/python.py.askama", escape = "none")]
struct PythonFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    ends: Vec<End<'a>>,
}

/// Range of a subordinate.
struct Range<'a> {
    /// Name of the subordinate.
    end: &'a str,
    /// Protocol of the subordinate, and its bits of data.
    title: &'static str,
    data: u32,
    /// Beginning of the names of its constants.
    constant: String,
    /// First and last address, hexadecimal behind `0x`.
    first: String,
    last: String,
    /// Bytes of the range, where 64 bits hold the number.
    size: Option<String>,
}

/// Subordinate as a row of a table.
struct End<'a> {
    name: &'a str,
    protocol: &'static str,
    port: String,
    data: u32,
    ranges: Vec<(String, String)>,
}

fn hex(address: u64) -> String {
    format!("{address:#010x}")
}

/// Ranges of all subordinates. The first of each has the constants of its name, the others those with a
/// number, which is another where a subordinate is called so.
fn ranges<'a>(
    prefix: &str,
    ends: &'a [Subordinate],
    part: impl Fn(&str) -> String,
) -> Vec<Range<'a>> {
    let mut names = Names::default();
    let mut constant = |end: &Subordinate, number: usize| {
        let name = format!("{prefix}_{}", part(&end.name).to_ascii_uppercase());
        names.identifier(&if number == 0 { name } else { format!("{name}_{number}") })
    };
    let firsts: Vec<String> = ends.iter().map(|end| constant(end, 0)).collect();
    let mut all = Vec::new();
    for (end, first) in ends.iter().zip(firsts) {
        for (number, range) in end.ranges.iter().enumerate() {
            all.push(Range {
                end: &end.name,
                title: end.protocol.facts().title,
                data: end.data_width,
                constant: if number == 0 { first.clone() } else { constant(end, number) },
                first: hex(range.first),
                last: hex(range.last),
                size: (range.last - range.first).checked_add(1).map(hex),
            });
        }
    }
    all
}

/// Name of the file that Verilog includes.
pub(crate) fn verilog_name(fabric: &str) -> String {
    format!("{fabric}_memory_map.vh")
}

/// The files of the memory map of a plan with ends.
pub(crate) fn files(
    plan: &FabricPlan,
    ends: &Ends,
    own: &ModuleGroup,
) -> Result<Vec<File>, EmitError> {
    let name = plan.name.as_str();
    let stem = format!("{name}_memory_map");
    let prefix = name.to_ascii_uppercase();
    let heading = |language| {
        own.heading(&stem, &[format!("Addresses that the subordinates answer, for {language}.")])
    };
    let all = ranges(&prefix, &ends.subordinates, |name| plan.end_part(name));
    let rows = ends.subordinates.iter().map(|end| End {
        name: &end.name,
        protocol: end.protocol.facts().name,
        port: plan.end_port(&ends.subordinate_port(end)),
        data: end.data_width,
        ranges: end.ranges.iter().map(|range| (hex(range.first), hex(range.last))).collect(),
    });
    let rows = rows.collect();
    let (prefix, ranges, bits) = (prefix.as_str(), all.as_slice(), ends.address_bits);
    let verilog = VerilogFile { heading: heading("Verilog"), prefix, bits, ranges }.render()?;
    let c = CFile { heading: heading("C and C++"), prefix, ranges }.render()?;
    let python = PythonFile { heading: heading("Python"), name, ends: rows }.render()?;
    Ok(vec![
        File { name: verilog_name(name), contents: verilog },
        File { name: format!("{stem}.h"), contents: c },
        File { name: format!("{stem}.py"), contents: python },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A subordinate whose name is that of another's second range.
    #[test]
    fn constants_are_told_apart() {
        let list = "name,protocol,role,range\ncpu,axi4,manager,\n\
             uart,apb,subordinate,0..0xfff 0x2000..0x2fff\nuart_1,apb,subordinate,0x1000..0x1fff\n";
        let ends = Ends::parse(list).unwrap();
        let all = ranges("SOC", &ends.subordinates, str::to_owned);
        let names: Vec<&str> = all.iter().map(|range| range.constant.as_str()).collect();
        assert_eq!(names, ["SOC_UART", "SOC_UART_1_2", "SOC_UART_1"]);
        assert_eq!(all[1].first, "0x00002000");
    }
}
