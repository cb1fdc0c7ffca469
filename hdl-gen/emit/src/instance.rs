//! Instance of a fabric, for a module around it to include: wires by the names of the ports.

use crate::part::ModuleGroup;
use crate::verilog::range;
use crate::{EmitError, File};
use askama::Template;
use turnpike_netlist::{CLOCK, Module};

#[derive(Template)]
#[template(path = "instance.vh.askama", escape = "none")]
struct InstanceFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    /// Name of the instance, unlike that of any port.
    instance: &'a str,
    wires: Vec<Wire<'a>>,
    /// Names of the ports, in order.
    ports: Vec<&'a str>,
}

/// Wire by the name of a port.
struct Wire<'a> {
    /// Range of its bits, where it is a vector: `[31:0]`.
    range: String,
    name: &'a str,
}

/// Name of the file that Verilog includes.
pub(crate) fn name(fabric: &str) -> String {
    format!("{fabric}_instance.vh")
}

/// The file of a fabric whose top module has these clocks beside that of the network.
pub(crate) fn file(top: &Module, others: &[String], own: &ModuleGroup) -> Result<File, EmitError> {
    // Where clocks and resets are nets, they are among the ports.
    let implicit = [Some(CLOCK), top.reset_name()].into_iter().flatten();
    let implicit: Vec<&str> = implicit.filter(|_| top.clocked).collect();
    let is_given = |name: &str| {
        name == CLOCK || top.reset_name() == Some(name) || others.iter().any(|clock| clock == name)
    };
    let nets = || top.ports().map(|(_, info)| (info.name.as_str(), range(info)));
    let ports: Vec<&str> =
        implicit.into_iter().chain(top.ports().map(|(_, info)| &*info.name)).collect();
    let columns = nets().map(|(_, range)| range.len()).max().unwrap_or(0);
    let wires = nets()
        .filter(|(name, _)| !is_given(name))
        .map(|(name, range)| Wire { range: format!("{range:>columns$}"), name });
    let given: Vec<&str> = ports.iter().copied().filter(|name| is_given(name)).collect();
    let around = match given.as_slice() {
        [] => "a module".to_owned(),
        given => format!("a module that has {}", given.join(", ")),
    };
    let about = [
        "An instance of the fabric, and a wire by the name of each of its ports: for the body of"
            .to_owned(),
        format!("{around}, to be included before the wires are used."),
    ];
    let stem = format!("{}_instance", top.name);
    // A clock has its name from the user.
    let mut instance = stem.clone();
    while ports.contains(&instance.as_str()) {
        instance.push('_');
    }
    let contents = InstanceFile {
        heading: own.heading(&stem, &about),
        name: &top.name,
        instance: &instance,
        wires: wires.collect(),
        ports,
    }
    .render()?;
    Ok(File { name: name(&top.name), contents })
}
