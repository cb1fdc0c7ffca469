//! A wire between two terminals: a kind of fabric, in one file.

use schemars::JsonSchema;
use serde::Serialize;
use turnpike_cli::commands::generate::Generated;
use turnpike_cli::commands::synth::{FabricPart, SynthOptions, Synthesised, Whole as WholeDesign};
use turnpike_cli::kinds::{AnyFabric, Identity, KindOptions, Reported, Switched};
use turnpike_emit::formal::Proofs;
use turnpike_emit::manifest::{Fields, Latency, NoFields, Terminal};
use turnpike_emit::origin::Origin;
use turnpike_emit::whole::{Folder, Whole};
use turnpike_emit::{EmitError, File, ModuleGroup, Vlnv};
use turnpike_fabric::board::Board;
use turnpike_kind::Fabric;
use turnpike_netlist::{Design, ModuleBuilder, RtlError};
use turnpike_sim_bench::verify::{Check, CheckVerdict};
use turnpike_sim_rtl::dut::Dut;

/// A wire, of so many bits.
pub struct Wire {
    name: String,
    width: u32,
}

/// The line in the list of kinds.
pub fn wire(
    options: &KindOptions,
    name: Option<&str>,
    _: Switched<'_>,
) -> anyhow::Result<Option<Box<dyn AnyFabric>>> {
    let fabric = &options.fabric;
    let is_wire = fabric.network.unrouted.topology == "wire";
    Ok(is_wire.then(|| Box::new(Wire::new(fabric.size.width, name)) as Box<dyn AnyFabric>))
}

impl Wire {
    /// A wire of so many bits.
    pub fn new(width: u32, name: Option<&str>) -> Self {
        let name = name.map_or_else(|| format!("wire_{width}"), str::to_owned);
        Self { name, width }
    }

    /// Every value at one end, and what comes of it at the other.
    fn passes(&self) -> Result<String, String> {
        let mut dut = Dut::new(&self.design().map_err(|error| error.to_string())?);
        let (into, out) = (dut.port("s_axis_tdata"), dut.port("m_axis_tdata"));
        for value in 0..1 << self.width.min(8) {
            dut.set(into, value);
            dut.settle();
            let came = dut.get(out);
            if came != value {
                return Err(format!("{value} becomes {came}"));
            }
        }
        Ok("every value of the low bits".to_owned())
    }
}

const TESTBENCH: &str = "`resetall
`timescale 1ns / 1ps
`default_nettype none

module NAME_tb;
  reg s_valid;
  reg [WIDTH-1:0] s_data;
  wire m_valid;
  wire [WIDTH-1:0] m_data;

  NAME dut (
    .s_axis_tvalid(s_valid),
    .s_axis_tdata(s_data),
    .m_axis_tvalid(m_valid),
    .m_axis_tdata(m_data)
  );

  initial begin
    s_valid = 1'b1;
    s_data = {WIDTH{1'b1}};
    #1;
    if (m_valid && m_data == s_data) $display(\"PASS: a word\");
    else $display(\"FAIL\");
    $finish;
  end
endmodule

`resetall
";

#[derive(Serialize)]
struct Parameters {
    width: u32,
}

impl Fabric for Wire {
    fn kind(&self) -> &'static str {
        "wire"
    }
    fn name(&self) -> &str {
        &self.name
    }
    fn canonical(&self) -> String {
        format!("wire --width {}", self.width)
    }
    fn origin(&self) -> Origin {
        Origin::new(self.canonical())
    }
    fn terminals(&self) -> u32 {
        2
    }
    fn design(&self) -> Result<Design, RtlError> {
        let mut m = ModuleBuilder::new(self.name.as_str());
        m.about("A wire from terminal 0 to terminal 1.");
        for (signal, width) in [("tvalid", 1), ("tdata", self.width)] {
            let from = m.input(format!("s_axis_{signal}"), width);
            let to = m.output(format!("m_axis_{signal}"), width);
            m.assign(to, from);
        }
        Design::new(&m.finish()?)
    }
    fn folder(&self, _: Option<&Board>, vlnv: &Vlnv) -> Result<Folder, EmitError> {
        let design = self.design()?;
        let own = ModuleGroup::new(self.canonical(), None, design.modules().to_vec());
        let heading = own.heading(&format!("{}_tb", self.name), &["A word from end to end."]);
        let heading: String = heading.iter().map(|line| format!("// {line}\n")).collect();
        let body = TESTBENCH.replace("NAME", &self.name);
        let whole = Whole {
            what: "Wire",
            design: &design,
            network: &design,
            own: &own,
            testbench: heading + &body.replace("WIDTH", &self.width.to_string()),
            data: Vec::new(),
            given: Vec::new(),
            selftest: None,
            proofs: Proofs::default(),
            terminals: None,
            ends: None,
            cocotb: None,
            fields: Fields {
                kind: self.kind(),
                topology: "wire".to_owned(),
                network: NoFields {},
                parameters: Parameters { width: self.width },
                terminal: Terminal {
                    count: 2,
                    address_bits: 1,
                    protocol: "valid",
                    ..Terminal::default()
                },
                transport: NoFields {},
                latency: Latency { zero_load_longest_cycles: Some(0), ..Latency::default() },
                hardware: NoFields {},
                delivery: Some("Every word arrives at once.".to_owned()),
                rules: Vec::new(),
            },
        };
        whole.folder(vlnv)
    }
    fn has_selftest(&self) -> bool {
        false
    }
    fn checks(&self) -> Vec<&'static str> {
        vec!["values"]
    }
    fn check(&self, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
        begin("values");
        let (verdict, figure) = match self.passes() {
            Ok(figure) => (CheckVerdict::Holds, figure),
            Err(figure) => (CheckVerdict::Fails, figure),
        };
        vec![Check { check: "values", verdict, figure }]
    }
}

impl Reported for Wire {
    type Head = Identity;
    fn head(&self) -> Identity {
        Identity::of(self)
    }
}

/// Figures of a wire that was written.
#[derive(Serialize, JsonSchema)]
pub struct WireFigures {
    wires: u32,
}

impl Generated for Wire {
    type Figures = WireFigures;
    fn figures(&self, _: &[File], _: Option<&Board>) -> WireFigures {
        WireFigures { wires: self.width + 1 }
    }
    fn text(&self, figures: &WireFigures) -> String {
        format!("  {} wires\n", figures.wires)
    }
}

impl Synthesised for Wire {
    type Head = Identity;
    type Figures<'a> = WholeDesign<'a>;
    fn part(&self, _: &SynthOptions) -> anyhow::Result<FabricPart> {
        Ok(FabricPart::Fabric)
    }
    fn head(&self, _: FabricPart) -> Identity {
        Identity::of(self)
    }
}
