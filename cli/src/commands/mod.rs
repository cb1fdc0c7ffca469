//! The commands, one file each. A new one is a file, a line in [`Command`] and one in [`run`].

pub mod analyze;
pub mod audit;
pub mod bsp;
pub mod compare;
pub mod completions;
pub mod design;
pub mod explore;
pub mod export;
pub mod generate;
pub mod groups;
pub mod init;
pub mod job;
pub mod list;
pub mod man;
pub mod place;
pub mod report;
pub mod route;
pub mod schedule;
pub mod schema;
pub mod search;
pub mod simulate;
pub mod sweep;
pub mod synth;
pub mod tables;
pub mod verify;
pub mod worst;

use crate::Report;
use clap::Subcommand;

/// Every command.
#[derive(Subcommand)]
pub enum Command {
    /// List topologies and routing relations
    List(list::ListOptions),
    /// Write a first system file: network, terminals, message classes and flows, with comments
    Init(init::InitOptions),
    /// Write a fabric: Verilog, testbench, manifest, build files
    Generate(generate::GenerateOptions),
    /// Report every figure of a fabric: crossbar, queues, deadlock, load
    Analyze(analyze::AnalyzeOptions),
    /// Put the relations of a topology side by side
    Compare(compare::CompareOptions),
    /// Run traffic through a fabric: latency, throughput, queues
    Simulate(simulate::SimulateOptions),
    /// Measure latency and throughput over the offered load, for several relations and patterns
    Sweep(sweep::SweepOptions),
    /// Write a page on a fabric: its loads, crossbars, routes, curves, area and clock, deadlock
    Report(report::ReportOptions),
    /// Measure g and L of a fabric: cycles of a superstep with h words for each terminal
    Bsp(bsp::BspOptions),
    /// Run messages that wait for one another, such as a collective operation: cycles to the last delivery
    Job(job::JobOptions),
    /// Check a fabric: routes, turns, deadlock, crossbar, RTL, starvation
    Verify(verify::VerifyOptions),
    /// Measure a switch or a fabric: area and clock, by Yosys and nextpnr
    Synth(synth::SynthOptions),
    /// Show the route from one node to another, switch by switch
    Route(route::RouteOptions),
    /// Find when words go so that none meet: settings of a network of circuits, or a time table
    Schedule(schedule::ScheduleOptions),
    /// Write a topology as a file, for changes or for other programs
    Export(export::ExportOptions),
    /// Certify that a network that somebody else made cannot deadlock, or show how it does
    Audit(audit::AuditOptions),
    /// Find the permutation that loads some channel most, exactly
    Worst(worst::WorstOptions),
    /// Find routes for flows: the least load, multiplexers or queues that a network can have for them
    Design(design::DesignOptions),
    /// Find networks for flows, and which of them are worth building: the least area, cycles, and most head room
    Explore(explore::ExploreOptions),
    /// Find places for terminals on a network: the least bandwidth times channels
    Place(place::PlaceOptions),
    /// Find a relation whose crossbars meet bounds, or prove that there is none
    Search(search::SearchOptions),
    /// Print a paper's tables, computed, beside its own figures
    Tables(tables::TablesOptions),
    /// Print the fields of the reports, or their JSON Schema
    Schema(schema::SchemaOptions),
    /// Print a script that completes command lines in a shell
    Completions(completions::CompletionsOptions),
    /// Print a manual page, in roff
    Man(man::ManOptions),
}

/// Runs a command.
///
/// # Errors
/// Wrong usage, or a failure: exit code 2.
pub fn run(command: Command) -> anyhow::Result<Report> {
    match command {
        Command::List(options) => list::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Init(options) => init::run(&options),
        Command::Generate(options) => generate::run(&options),
        Command::Analyze(options) => analyze::run(&options),
        Command::Audit(options) => audit::run(&options),
        Command::Bsp(options) => bsp::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Design(options) => design::run(&options),
        Command::Completions(options) => completions::run(&options),
        Command::Man(options) => man::run(&options),
        Command::Explore(options) => explore::run(&options),
        Command::Job(options) => job::run(&options),
        Command::Place(options) => place::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Route(options) => route::run(&options),
        Command::Schedule(options) => schedule::run(&options),
        Command::Schema(options) => schema::run(&options),
        Command::Search(options) => search::run(&options),
        Command::Simulate(options) => simulate::run(&options),
        Command::Sweep(options) => sweep::run(&options),
        Command::Synth(options) => synth::run(&options),
        Command::Tables(options) => tables::run(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Worst(options) => worst::run(&options),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};
    use turnpike_network::topology::parameter::DIM;

    /// Parses `line` with the options of one command alone.
    fn parse<T: Args + FromArgMatches>(line: &str) -> Result<T, clap::Error> {
        let command = T::augment_args(Command::new("turnpike").no_binary_name(true));
        command.clone().debug_assert();
        T::from_arg_matches(&command.try_get_matches_from(line.split(' '))?)
    }

    #[test]
    fn options_of_generate() {
        use super::generate::GenerateOptions;
        let options: GenerateOptions =
            parse("hypercube --dim 4 --keep --width 64 --out x --name my").unwrap();
        let plan = options.plan(&options.fabric.fabric).unwrap();
        assert_eq!((&*plan.name, plan.parameters.width, plan.parameters.keep), ("my", 64, true));
        assert_eq!(options.folder(&plan.name).to_str(), Some("x"));
        for (line, text) in [
            ("hypercube --dim 11", "limited to dimension 10"),
            ("hypercube --dim 4 --routing rotation --vcs 1", "--allow-deadlock"),
            ("hypercube --dim 4 --name wire", "keyword"),
            ("hypercube --dim 4 --name a-b", "identifier"),
            ("hypercube --dim 4 --depth 1", "2 to 1024"),
        ] {
            let options: GenerateOptions = parse(line).unwrap();
            let error = options.plan(&options.fabric.fabric).unwrap_err().to_string();
            assert!(error.contains(text), "{line}: {error}");
        }
        let line = "hypercube --dim 4 --routing rotation --vcs 1 --allow-deadlock";
        let options: GenerateOptions = parse(line).unwrap();
        assert!(!options.plan(&options.fabric.fabric).unwrap().is_deadlock_free());
    }

    #[test]
    fn options_of_simulate() {
        use super::simulate::{Engine, SimulateOptions};
        let line = "hypercube --dim 4 --traffic bit-reversal --load 0.3 --engine rtl";
        let options: SimulateOptions = parse(line).unwrap();
        assert_eq!((&*options.traffic, options.engine), ("bit-reversal", Engine::Rtl));
        assert!(options.details.draws_self_addressed());
        for (line, draws) in [
            ("hypercube --dim 4 --no-self-addressed", false),
            ("hypercube --dim 4 --self-addressed=false", false),
            ("hypercube --dim 4 --self-addressed", true),
        ] {
            let options: SimulateOptions = parse(line).unwrap();
            assert_eq!(options.details.draws_self_addressed(), draws, "{line}");
        }
        for bad in [
            "--load 1.5",
            "--load nan",
            "--packet-length 0",
            "--traffic unifrom",
            "--self-addressed --no-self-addressed",
        ] {
            assert!(parse::<SimulateOptions>(&format!("hypercube --dim 4 {bad}")).is_err());
        }
    }

    #[test]
    fn options_of_verify() {
        let options: super::verify::VerifyOptions = parse("hypercube --dim 3").unwrap();
        assert_eq!(options.fabric.fabric.network.unrouted.size.values.number(&DIM), Some(3));
    }
}
