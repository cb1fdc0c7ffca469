//! Report of nextpnr: the utilization of the device, the clock, the critical path.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A report that is not as it should be.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("cannot read the report of nextpnr: {0}")]
pub struct ReportError(String);

/// Utilization of a device, by resource.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Utilization {
    /// By the device's name for the resource.
    pub resources: BTreeMap<String, Resource>,
}

/// One resource of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resource {
    /// Number that the design needs.
    pub used: u64,
    /// Number that the device has.
    pub available: u64,
}

impl Utilization {
    /// The resource that the design needs most of beyond what there is.
    pub fn excess(&self) -> Option<(&str, Resource)> {
        let over = self.resources.iter().filter(|(_, r)| r.used > r.available && r.available > 0);
        let share = |r: &Resource| r.used as f64 / r.available as f64;
        let worst = over.max_by(|(_, a), (_, b)| share(a).total_cmp(&share(b)));
        worst.map(|(name, resource)| (name.as_str(), *resource))
    }
}

/// One run of place and route.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Placement {
    /// The placer's seed.
    pub seed: u32,
    /// The clock that the routed design can have, in MHz.
    pub mhz: f64,
    /// Path that limits the clock.
    pub critical_path: CriticalPath,
}

/// The longest path from register to register.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CriticalPath {
    /// Cell in which the path starts.
    pub from: String,
    /// Cell in which the path ends.
    pub to: String,
    /// Look-up tables and other logic on the path.
    pub levels: u32,
    /// Delay of the path, in nanoseconds.
    pub ns: f64,
    /// Delay of the path's cells, registers included, in nanoseconds.
    pub logic_ns: f64,
    /// Delay of the path's wires, in nanoseconds.
    pub routing_ns: f64,
}

/// Reads how full the device is.
///
/// # Errors
/// [`ReportError`].
pub fn utilization(report: &str) -> Result<Utilization, ReportError> {
    let report = parse(report)?;
    let resources = object(&report, "utilization")?;
    let read = |(name, value): (&String, &Value)| {
        let number = |key: &str| value[key].as_u64();
        let found = number("used").zip(number("available"));
        let wrong = || ReportError(format!("`{name}` has no numbers"));
        let (used, available) = found.ok_or_else(wrong)?;
        Ok((name.clone(), Resource { used, available }))
    };
    let cells = resources.iter().filter(|(name, _)| !name.starts_with('$'));
    Ok(Utilization { resources: cells.map(read).collect::<Result<_, ReportError>>()? })
}

/// Reads the clock and the critical path of a design: those of its slowest clock, where it has
/// several. Paths from one clock to another are not among them.
///
/// # Errors
/// [`ReportError`].
pub fn placement(report: &str, seed: u32) -> Result<Placement, ReportError> {
    let report = parse(report)?;
    let clocks = object(&report, "fmax")?;
    let rates = clocks.iter().filter_map(|(name, clock)| Some((name, clock["achieved"].as_f64()?)));
    let slowest = rates.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, mhz)| *mhz > 0.0);
    let (clock, mhz) = slowest.ok_or_else(|| ReportError("no clock".to_owned()))?;
    let paths = report["critical_paths"].as_array().map_or(&[][..], Vec::as_slice);
    // Paths from and to pins are there as well; their ends are called `<async>`, those of others by
    // edge and clock.
    let of_clock = |end: &str| end.split_once(' ').is_some_and(|(_, of)| of == clock);
    let clocked =
        |path: &&Value| ["from", "to"].iter().all(|end| path[*end].as_str().is_some_and(of_clock));
    let path = paths.iter().find(clocked).and_then(|path| path["path"].as_array());
    let steps = path.filter(|steps| !steps.is_empty());
    let steps = steps.ok_or_else(|| ReportError("no critical path".to_owned()))?;
    let cell =
        |step: &Value, end: &str| step[end]["cell"].as_str().map(str::to_owned).unwrap_or_default();
    let mut critical = CriticalPath {
        from: cell(&steps[0], "from"),
        to: cell(&steps[steps.len() - 1], "to"),
        levels: 0,
        ns: 0.0,
        logic_ns: 0.0,
        routing_ns: 0.0,
    };
    for step in steps {
        let wrong = || ReportError("a step of the critical path has no delay".to_owned());
        let delay = step["delay"].as_f64().ok_or_else(wrong)?;
        critical.ns += delay;
        match step["type"].as_str() {
            Some("routing") => critical.routing_ns += delay,
            kind => {
                critical.logic_ns += delay;
                critical.levels += u32::from(kind == Some("logic"));
            }
        }
    }
    for sum in [&mut critical.ns, &mut critical.logic_ns, &mut critical.routing_ns] {
        *sum = rounded(*sum);
    }
    let mhz = rounded(mhz);
    if ![mhz, critical.ns, critical.logic_ns, critical.routing_ns].iter().all(|x| x.is_finite()) {
        return Err(ReportError("figures beyond all bounds".to_owned()));
    }
    Ok(Placement { seed, mhz, critical_path: critical })
}

/// To three places: the placer's single precision tells no more, and what is kept in the cache
/// is read back as it was.
fn rounded(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

fn parse(text: &str) -> Result<Value, ReportError> {
    serde_json::from_str(text).map_err(|error| ReportError(error.to_string()))
}

fn object<'a>(
    report: &'a Value,
    name: &str,
) -> Result<&'a serde_json::Map<String, Value>, ReportError> {
    report[name].as_object().ok_or_else(|| ReportError(format!("no object `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
      "critical_paths": [
        {"from": "<async>", "to": "posedge clk", "path": [{"delay": 9.0, "type": "routing",
          "from": {"cell": "pin"}, "to": {"cell": "a"}}]},
        {"from": "posedge clk$SB_IO_IN_$glb_clk", "to": "posedge clk$SB_IO_IN_$glb_clk", "path": [
          {"delay": 1.5, "type": "clk-to-q", "from": {"cell": "a"}, "to": {"cell": "a"}},
          {"delay": 2.0, "type": "routing", "from": {"cell": "a"}, "to": {"cell": "b"}},
          {"delay": 0.5, "type": "logic", "from": {"cell": "b"}, "to": {"cell": "b"}},
          {"delay": 1.0, "type": "routing", "from": {"cell": "b"}, "to": {"cell": "c"}},
          {"delay": 0.25, "type": "setup", "from": {"cell": "c"}, "to": {"cell": "c"}}]}],
      "fmax": {"clk$SB_IO_IN_$glb_clk": {"achieved": 190.5, "constraint": 12.0}},
      "utilization": {"$scopeinfo": {"available": 0, "used": 13},
        "ICESTORM_LC": {"available": 7680, "used": 7681},
        "ICESTORM_RAM": {"available": 32, "used": 64}, "SB_IO": {"available": 256, "used": 4}}}"#;

    #[test]
    fn clock_and_path_are_read() {
        let found = placement(REPORT, 3).unwrap();
        assert_eq!((found.seed, found.mhz), (3, 190.5));
        let path = found.critical_path;
        assert_eq!((&*path.from, &*path.to, path.levels), ("a", "c", 1));
        assert_eq!((path.ns, path.logic_ns, path.routing_ns), (5.25, 2.25, 3.0));
    }

    /// The slowest of several clocks counts, with a path of its own.
    #[test]
    fn the_slowest_clock_is_read() {
        let step = |cell| {
            format!(
                r#"{{"delay": 1.0, "type": "clk-to-q", "from": {{"cell": "{cell}"}}, "to": {{"cell": "{cell}"}}}}"#
            )
        };
        let path = |from, to, cell| {
            let step = step(cell);
            format!(r#"{{"from": "posedge {from}", "to": "posedge {to}", "path": [{step}]}}"#)
        };
        let paths = [path("b", "a", "x"), path("a", "a", "y"), path("b", "b", "z")].join(", ");
        let fmax = r#"{"a": {"achieved": 150.0}, "b": {"achieved": 90.0}}"#;
        let report = format!(r#"{{"critical_paths": [{paths}], "fmax": {fmax}}}"#);
        let found = placement(&report, 1).unwrap();
        assert_eq!((found.mhz, &*found.critical_path.from), (90.0, "z"));
    }

    #[test]
    fn the_worst_excess_is_named() {
        let found = utilization(REPORT).unwrap();
        assert_eq!(found.resources["ICESTORM_LC"].used, 7681);
        assert_eq!(found.excess(), Some(("ICESTORM_RAM", Resource { used: 64, available: 32 })));
        assert_eq!(Utilization::default().excess(), None);
    }

    #[test]
    fn a_report_without_the_figures_is_refused() {
        for text in ["", "{}", r#"{"fmax": {}, "critical_paths": []}"#] {
            assert!(placement(text, 1).is_err(), "{text}");
        }
        let error = placement(r#"{"fmax": {"c": {"achieved": 1.0}}}"#, 1).unwrap_err();
        assert!(error.to_string().contains("no critical path"), "{error}");
        assert!(utilization(r#"{"utilization": {"A": {"used": 1}}}"#).is_err());
    }
}
