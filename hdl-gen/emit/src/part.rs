//! Modules as files: Verilog under a heading.

use crate::{DIGEST, EmitError, File, VERSION, shortened, verilog};
use askama::Template;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use turnpike_netlist::{Design, Module};

#[derive(Template)]
#[template(path = "module.v.askama", escape = "none")]
struct ModuleFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    text: &'a verilog::ModuleText,
}

/// Modules of one configuration, with what stands at the head of their files.
pub struct ModuleGroup {
    pub(crate) configuration: String,
    /// Warning in every file, where there is one.
    warning: Option<&'static str>,
    /// Claim in the file of the top module, where there is one.
    claim: Option<String>,
    /// The top first.
    pub(crate) modules: Vec<Arc<Module>>,
    texts: Vec<verilog::ModuleText>,
    /// Over all of it.
    pub(crate) digest: String,
}

impl ModuleGroup {
    /// Modules of a configuration, with a warning at the head of every file where there is one.
    pub fn new(
        configuration: String,
        warning: Option<&'static str>,
        modules: Vec<Arc<Module>>,
    ) -> Self {
        let texts: Vec<_> = modules.iter().map(|m| verilog::module_text(m)).collect();
        let digest = digest(&configuration, &modules, &texts);
        Self { configuration, warning, claim: None, modules, texts, digest }
    }

    /// Modules with a claim at the head of the file of the top.
    pub(crate) fn with_claim(self, claim: Option<String>) -> Self {
        Self { claim, ..self }
    }

    /// Modules that stand beside these, with more words in their configuration.
    pub(crate) fn beside(&self, more: &str, modules: Vec<Arc<Module>>) -> Self {
        Self::new(self.configuration.clone() + more, self.warning, modules)
    }

    /// The modules, a file each.
    pub(crate) fn files(&self) -> Result<Vec<File>, EmitError> {
        let file = |(module, text): (&Arc<Module>, &verilog::ModuleText)| {
            let heading = self.heading(&module.name, &module.about);
            let contents = ModuleFile { heading, name: &module.name, text }.render()?;
            Ok(File { name: format!("{}.v", module.name), contents })
        };
        self.modules.iter().zip(&self.texts).map(file).collect()
    }

    /// The lines at the head of a Verilog file.
    pub fn heading(&self, name: &str, about: &[impl AsRef<str>]) -> Vec<String> {
        let mut lines = vec![name.to_owned()];
        lines.extend(about.iter().map(|line| line.as_ref().to_owned()));
        lines.push(String::new());
        lines.extend(wrap_words(&format!("Configuration: {}", self.configuration)));
        lines.extend(self.warning.map(str::to_owned));
        let claim = self.claim.iter().filter(|_| name == self.modules[0].name);
        lines.extend(claim.flat_map(|claim| wrap_words(claim)));
        lines.push(format!("Turnpike {VERSION}{DIGEST}"));
        lines
    }
}

/// The modules of a design as Verilog files alone, the top first: for proofs and tests of parts.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn verilog_files(design: &Design) -> Result<Vec<File>, EmitError> {
    let file = |module: &Arc<Module>| {
        let text = verilog::module_text(module);
        let heading = std::iter::once(module.name.clone()).chain(module.about.clone()).collect();
        let contents = ModuleFile { heading, name: &module.name, text: &text }.render()?;
        Ok(File { name: format!("{}.v", module.name), contents })
    };
    design.modules().iter().map(file).collect()
}

fn wrap_words(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + word.len() > 95 {
            lines.push(format!("  {word}"));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines
}

/// The digest in the manifest: over the configuration, the version and all of the hardware.
fn digest(configuration: &str, modules: &[Arc<Module>], texts: &[verilog::ModuleText]) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(b"\n");
    };
    add(VERSION);
    add(configuration);
    for (module, text) in modules.iter().zip(texts) {
        add(&module.name);
        text.ports.iter().chain(&text.body).for_each(|line| add(line));
    }
    shortened(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::wrap_words;
    use turnpike_base::delivery::{
        CONDITION, CONDITION_OF_CLASSES, CONDITION_OF_ENDS, CONDITION_OF_PRIORITIES,
        CONDITION_OF_PRIORITIES_IN_ORDER, claim_under,
    };

    /// Lines of emitted Verilog have 100 columns at most, and a comment begins with three.
    #[test]
    fn claims_fit_their_lines() {
        for condition in [
            CONDITION,
            CONDITION_OF_CLASSES,
            CONDITION_OF_ENDS,
            CONDITION_OF_PRIORITIES,
            CONDITION_OF_PRIORITIES_IN_ORDER,
        ] {
            let lines = wrap_words(&claim_under(condition));
            assert!(lines.iter().all(|line| line.len() <= 97), "{lines:?}");
        }
    }
}
