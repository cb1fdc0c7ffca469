//! The waveform of a circuit: every net of the hierarchy, in a VCD file.

use crate::dut::Dut;
use crate::eval::NetId;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::rc::Rc;
use vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, Writer};

/// Half a clock cycle, in picoseconds.
pub const HALF_CYCLE: u64 = 5_000;

/// Name of the circuit in the file.
const TOP: &str = "uut";

/// The file, which the writer of VCD keeps to itself and cannot flush.
#[derive(Clone)]
struct Shared(Rc<RefCell<BufWriter<File>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// Signal that a variable of the file shows.
#[derive(Clone, Copy, Debug)]
enum Shown {
    Clock,
    Reset,
    Net(NetId),
}

#[derive(Debug)]
struct Variable {
    code: IdCode,
    shown: Shown,
    /// The value written last, most significant bit first.
    value: Vec<Value>,
}

/// A VCD file that is being written.
pub struct Waveform {
    file: Shared,
    writer: Writer<Shared>,
    variables: Vec<Variable>,
    /// Half cycles since the file was begun.
    halves: u64,
}

impl std::fmt::Debug for Waveform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waveform").field("halves", &self.halves).finish_non_exhaustive()
    }
}

impl Waveform {
    /// A file with the circuit's hierarchy and no values yet; one that is there is emptied.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path, dut: &Dut) -> io::Result<Self> {
        let file = Shared(Rc::new(RefCell::new(BufWriter::new(File::create(path)?))));
        let writer = Writer::new(file.clone());
        let mut waveform = Self { file, writer, variables: Vec::new(), halves: 0 };
        waveform.writer.timescale(1, TimescaleUnit::PS)?;
        waveform.writer.add_module(TOP)?;
        waveform.add("clk", 1, Shown::Clock)?;
        if dut.evaluator().module().has_reset {
            waveform.add("rst", 1, Shown::Reset)?;
        }
        waveform.add_scope(dut, 0)?;
        waveform.writer.enddefinitions()?;
        Ok(waveform)
    }

    fn add(&mut self, name: &str, width: u32, shown: Shown) -> io::Result<()> {
        let code = self.writer.add_wire(width, name)?;
        self.variables.push(Variable { code, shown, value: Vec::new() });
        Ok(())
    }

    fn add_scope(&mut self, dut: &Dut, scope: usize) -> io::Result<()> {
        for (net, info) in dut.evaluator().nets(scope) {
            self.add(&info.name, info.width, Shown::Net(net))?;
        }
        for &child in &dut.evaluator().scopes()[scope].children {
            self.writer.add_module(&dut.evaluator().scopes()[child].name)?;
            self.add_scope(dut, child)?;
        }
        self.writer.upscope()
    }

    /// Writes what changed in half a cycle, in which the clock is `high`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn half_cycle(&mut self, high: bool, dut: &Dut) -> io::Result<()> {
        let begins = self.halves == 0;
        match begins {
            true => self.writer.begin(SimulationCommand::Dumpvars)?,
            false => self.writer.timestamp(self.halves * HALF_CYCLE)?,
        }
        let evaluator = dut.evaluator();
        for variable in &mut self.variables {
            let value: Vec<Value> = match variable.shown {
                Shown::Clock => vec![high.into()],
                Shown::Reset => vec![evaluator.reset().into()],
                Shown::Net(net) => {
                    let bit = |at| Value::from(evaluator.get_bits(net, at, 1) == 1);
                    (0..evaluator.width(net)).rev().map(bit).collect()
                }
            };
            if value != variable.value {
                match value[..] {
                    [bit] => self.writer.change_scalar(variable.code, bit)?,
                    _ => self.writer.change_vector(variable.code, &value)?,
                }
                variable.value = value;
            }
        }
        if begins {
            self.writer.end()?;
        }
        self.halves += 1;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.timestamp(self.halves * HALF_CYCLE)?;
        self.file.flush()
    }
}
