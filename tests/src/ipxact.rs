//! Readers of IP-XACT: ipyxact, and the schema of IEEE 1685-2014.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::process::{self, LIMIT};
use crate::sources::Sources;
use crate::tools::{Tool, helper, package};

/// Installed readers of IP-XACT, with slang for the module beside it.
#[derive(Clone, Debug)]
pub struct Ipxact {
    python: PathBuf,
    schema: PathBuf,
}

impl Tool for Ipxact {
    const NAME: &'static str = "ipyxact or the schema of IP-XACT";

    fn locate() -> Option<Self> {
        let python = package("ipyxact")?.python;
        package("lxml").and(package("pyslang"))?;
        let schema = package("pyEDAA")?.folder.join("IPXACT/Schema/ieee-1685-2014/index.xsd");
        schema.is_file().then_some(Self { python, schema })
    }
}

impl Ipxact {
    /// Contents of a component, and the ports of the module that it describes.
    ///
    /// # Panics
    /// Where the component cannot be read.
    pub fn read(&self, component: &Path, module: &Sources) -> Value {
        let mut command = Command::new(&self.python);
        command.arg("-B").arg(helper("ipxact.py")).arg(&self.schema).arg(component);
        let run = process::run(command.arg(&module.top).args(&module.files), LIMIT);
        assert!(run.success(), "{}: {}", component.display(), run.stderr);
        serde_json::from_str(&run.stdout).expect("JSON")
    }
}
