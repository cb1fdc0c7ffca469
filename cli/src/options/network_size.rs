//! The size of a network, by the options that its topology takes.

use super::{TopologyFileOptions, values};
use crate::words;
use anyhow::bail;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use turnpike_network::topology::parameter::{DIM, Parameter, Sort, Value};
use turnpike_network::topology::{self, Clos, Range, Shape, Size};

/// The options of which each topology takes its own.
#[derive(Args, Clone, Debug, Default)]
pub struct NetworkSize {
    /// Values of the parameters of topologies.
    #[command(flatten)]
    pub values: SizeValues,
    /// Terminals at each switch that has one: 1, 2, 4, 8 or 16 (default: 1)
    #[arg(long, value_name = "C", allow_hyphen_values = true, value_parser = values::whole)]
    pub concentration: Option<u32>,
    /// Format of the topology's file, where it is one.
    #[command(flatten)]
    pub file: TopologyFileOptions,
}

/// Values of the parameters of topologies, an option each, made of the list of topologies.
#[derive(Clone, Debug, Default)]
pub struct SizeValues {
    /// The numbers that were given, by option.
    numbers: BTreeMap<&'static str, u32>,
    /// The value of `--shape`.
    pub shape: Option<ShapeOption>,
}

impl SizeValues {
    /// The number of a parameter, where it was given.
    pub fn number(&self, parameter: &Parameter) -> Option<u32> {
        self.numbers.get(parameter.option).copied()
    }

    /// The values with another number of a parameter; `None` takes it away.
    #[must_use]
    pub fn with(mut self, parameter: &'static Parameter, number: Option<u32>) -> Self {
        match number {
            Some(number) => self.numbers.insert(parameter.option, number),
            None => self.numbers.remove(parameter.option),
        };
        self
    }

    /// The parameters that were given.
    pub fn given(&self) -> impl Iterator<Item = &'static Parameter> {
        let given = |parameter: &&Parameter| match parameter.sort {
            Sort::Number => self.number(parameter).is_some(),
            Sort::Sides | Sort::Clos => self.shape.is_some(),
        };
        topology::parameters().into_iter().filter(given)
    }

    /// Names of the options.
    pub fn options() -> impl Iterator<Item = &'static str> {
        topology::parameters().into_iter().map(|parameter| parameter.option)
    }

    /// The option of a parameter.
    fn arg(parameter: &Parameter) -> Arg {
        let arg = Arg::new(parameter.option)
            .long(parameter.option)
            .value_name(parameter.placeholder)
            .help(parameter.help)
            .allow_hyphen_values(true);
        match parameter.sort {
            Sort::Number => arg.value_parser(values::whole),
            Sort::Sides | Sort::Clos => arg.value_parser(ShapeOption::from_str),
        }
    }
}

impl Args for SizeValues {
    fn augment_args(command: Command) -> Command {
        command.args(topology::parameters().into_iter().map(Self::arg))
    }
    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SizeValues {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut values = Self::default();
        values.update_from_arg_matches(matches)?;
        Ok(values)
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for Parameter { option, sort, .. } in topology::parameters() {
            match sort {
                // An option of this name that takes other values is another's.
                Sort::Number => {
                    let number = matches.try_get_one::<u32>(option).ok().flatten();
                    self.numbers.extend(number.map(|&number| (*option, number)));
                }
                Sort::Sides | Sort::Clos => self.shape = matches.get_one(option).copied(),
            }
        }
        Ok(())
    }
}

/// [`SizeValues`] without `--dim`, for a command whose own takes a range.
#[derive(Clone, Debug, Default)]
pub struct SizeValuesBesideDim(pub SizeValues);

impl Args for SizeValuesBesideDim {
    fn augment_args(command: Command) -> Command {
        let others =
            topology::parameters().into_iter().filter(|parameter| parameter.key != DIM.key);
        command.args(others.map(SizeValues::arg))
    }
    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SizeValuesBesideDim {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        SizeValues::from_arg_matches(matches).map(Self)
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// The value of `--shape`.
#[derive(Clone, Copy, Debug)]
pub enum ShapeOption {
    /// Sides, with an x between.
    Sides(Shape),
    /// Numbers with a comma between: M,N,R of a Clos network, or sides, as a list of a
    /// configuration has them. One of them at least.
    List {
        /// Numbers as sides, where they are such.
        sides: Option<Shape>,
        /// Numbers as M,N,R, where they are such.
        clos: Option<Clos>,
    },
}

impl FromStr for ShapeOption {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        if !text.contains(',') {
            return Ok(Self::Sides(text.parse()?));
        }
        let sides: Option<Shape> = text.replace(',', "x").parse().ok();
        let clos = text.parse::<Clos>();
        match (sides, clos) {
            (None, Err(error)) => Err(error.into()),
            (sides, clos) => Ok(Self::List { sides, clos: clos.ok() }),
        }
    }
}

impl ShapeOption {
    /// The sides, where it says any.
    pub fn sides(self) -> Option<Shape> {
        match self {
            Self::Sides(sides) => Some(sides),
            Self::List { sides, .. } => sides,
        }
    }

    /// M,N,R of a Clos network, where it says them.
    pub fn clos(self) -> Option<Clos> {
        match self {
            Self::Sides(_) => None,
            Self::List { clos, .. } => clos,
        }
    }
}

/// Words on the command line.
impl fmt::Display for ShapeOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.clos(), self.sides()) {
            (Some(clos), _) => clos.fmt(f),
            (None, Some(sides)) => sides.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

impl NetworkSize {
    /// The size, of the topology of this name.
    ///
    /// # Errors
    /// An unknown topology; an option that it takes and was not given, or one that it does not.
    pub fn size(&self, topology: &str) -> anyhow::Result<Size> {
        let kind = topology::find(topology)?;
        let (name, sizes, options) = (kind.name, kind.sizes, words::size::options(kind.sizes));
        let takes = |parameter: &Parameter| {
            let mut choices = sizes.ranges().filter(Range::is_choice);
            choices.any(|range| range.parameter.option == parameter.option)
        };
        if let Some(parameter) = self.values.given().find(|parameter| !takes(parameter)) {
            bail!("{name} takes {options}; leave --{} out", parameter.option);
        }
        let shape = self.values.shape;
        let size = sizes.of_values(|parameter| match parameter.sort {
            Sort::Number => self.values.number(parameter).map(Value::Number),
            Sort::Sides => shape.and_then(ShapeOption::sides).map(Value::Sides),
            Sort::Clos => shape.and_then(ShapeOption::clos).map(Value::Clos),
        });
        match (size, shape) {
            (Some(size), _) => Ok(size),
            // Three numbers in a row that are no Clos network: which of them is wrong.
            (None, Some(ShapeOption::List { sides: Some(list), clos: None })) => {
                let clos: Clos = list.to_string().replace('x', ",").parse()?;
                Ok(clos.into())
            }
            (None, Some(shape)) => bail!("{name} takes {options}, not --shape {shape}"),
            (None, None) => bail!("the size is missing: {name} takes {options}"),
        }
    }
}
