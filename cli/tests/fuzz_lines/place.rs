//! Places of values in a line: the command, and the topology with its size.

use turnpike_network::topology::{self, Size, TopologyKind};

/// Context of the values of a line.
pub struct Place {
    pub command: String,
    pub kind: &'static TopologyKind,
    pub size: Size,
}

/// Whether an option is a parameter of a size.
pub fn is_size(option: &str) -> bool {
    topology::parameters().iter().any(|parameter| parameter.option == option)
}

impl Place {
    /// The value of an option that its size is made of.
    pub fn option(&self, name: &str) -> Option<String> {
        let words = self.size.to_string();
        let mut words = words.split(' ');
        words.find(|word| word.strip_prefix("--") == Some(name))?;
        words.next().map(str::to_owned)
    }
}
