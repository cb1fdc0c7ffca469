//! Names that users give, as Verilog identifiers.

/// A name that cannot stand in Verilog.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NameError {
    /// Not an identifier.
    #[error(
        "'{0}' is not a Verilog identifier: use a letter or underscore, then letters, digits \
         and underscores, at most {MAX_LENGTH} in all"
    )]
    Identifier(String),
    /// A reserved word.
    #[error("'{0}' is a keyword of {1}; choose another name, such as '{0}_fabric'")]
    Keyword(String, &'static str),
}

/// Longest fabric name: leaves room for the suffixes of modules and files.
pub const MAX_LENGTH: usize = 64;

/// Checks that `name` can be a module's name in Verilog-2005 and in SystemVerilog, and a
/// file's name on any system.
///
/// # Errors
/// [`NameError`] says which rule it breaks.
pub fn check_identifier(name: &str) -> Result<(), NameError> {
    let mut bytes = name.bytes();
    let head = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    if !head || name.len() > MAX_LENGTH || !bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err(NameError::Identifier(name.to_owned()));
    }
    if VERILOG_KEYWORDS.contains(&name) {
        return Err(NameError::Keyword(name.to_owned(), "Verilog-2005"));
    }
    if SYSTEMVERILOG_KEYWORDS.contains(&name) {
        return Err(NameError::Keyword(name.to_owned(), "SystemVerilog"));
    }
    Ok(())
}

/// IEEE 1364-2005, annex B.
const VERILOG_KEYWORDS: &[&str] = &[
    "always",
    "and",
    "assign",
    "automatic",
    "begin",
    "buf",
    "bufif0",
    "bufif1",
    "case",
    "casex",
    "casez",
    "cell",
    "cmos",
    "config",
    "deassign",
    "default",
    "defparam",
    "design",
    "disable",
    "edge",
    "else",
    "end",
    "endcase",
    "endconfig",
    "endfunction",
    "endgenerate",
    "endmodule",
    "endprimitive",
    "endspecify",
    "endtable",
    "endtask",
    "event",
    "for",
    "force",
    "forever",
    "fork",
    "function",
    "generate",
    "genvar",
    "highz0",
    "highz1",
    "if",
    "ifnone",
    "incdir",
    "include",
    "initial",
    "inout",
    "input",
    "instance",
    "integer",
    "join",
    "large",
    "liblist",
    "library",
    "localparam",
    "macromodule",
    "medium",
    "module",
    "nand",
    "negedge",
    "nmos",
    "nor",
    "noshowcancelled",
    "not",
    "notif0",
    "notif1",
    "or",
    "output",
    "parameter",
    "pmos",
    "posedge",
    "primitive",
    "pull0",
    "pull1",
    "pulldown",
    "pullup",
    "pulsestyle_ondetect",
    "pulsestyle_onevent",
    "rcmos",
    "real",
    "realtime",
    "reg",
    "release",
    "repeat",
    "rnmos",
    "rpmos",
    "rtran",
    "rtranif0",
    "rtranif1",
    "scalared",
    "showcancelled",
    "signed",
    "small",
    "specify",
    "specparam",
    "strong0",
    "strong1",
    "supply0",
    "supply1",
    "table",
    "task",
    "time",
    "tran",
    "tranif0",
    "tranif1",
    "tri",
    "tri0",
    "tri1",
    "triand",
    "trior",
    "trireg",
    "unsigned",
    "use",
    "uwire",
    "vectored",
    "wait",
    "wand",
    "weak0",
    "weak1",
    "while",
    "wire",
    "wor",
    "xnor",
    "xor",
];

/// IEEE 1800-2017, annex B, beyond Verilog's.
const SYSTEMVERILOG_KEYWORDS: &[&str] = &[
    "accept_on",
    "alias",
    "always_comb",
    "always_ff",
    "always_latch",
    "assert",
    "assume",
    "before",
    "bind",
    "bins",
    "binsof",
    "bit",
    "break",
    "byte",
    "chandle",
    "checker",
    "class",
    "clocking",
    "const",
    "constraint",
    "context",
    "continue",
    "cover",
    "covergroup",
    "coverpoint",
    "cross",
    "dist",
    "do",
    "endchecker",
    "endclass",
    "endclocking",
    "endgroup",
    "endinterface",
    "endpackage",
    "endprogram",
    "endproperty",
    "endsequence",
    "enum",
    "eventually",
    "expect",
    "export",
    "extends",
    "extern",
    "final",
    "first_match",
    "foreach",
    "forkjoin",
    "global",
    "iff",
    "ignore_bins",
    "illegal_bins",
    "implements",
    "implies",
    "import",
    "inside",
    "int",
    "interconnect",
    "interface",
    "intersect",
    "join_any",
    "join_none",
    "let",
    "local",
    "logic",
    "longint",
    "matches",
    "modport",
    "nettype",
    "new",
    "nexttime",
    "null",
    "package",
    "packed",
    "priority",
    "program",
    "property",
    "protected",
    "pure",
    "rand",
    "randc",
    "randcase",
    "randsequence",
    "ref",
    "reject_on",
    "restrict",
    "return",
    "s_always",
    "s_eventually",
    "s_nexttime",
    "s_until",
    "s_until_with",
    "sequence",
    "shortint",
    "shortreal",
    "soft",
    "solve",
    "static",
    "string",
    "strong",
    "struct",
    "super",
    "sync_accept_on",
    "sync_reject_on",
    "tagged",
    "this",
    "throughout",
    "timeprecision",
    "timeunit",
    "type",
    "typedef",
    "union",
    "unique",
    "unique0",
    "until",
    "until_with",
    "untyped",
    "var",
    "virtual",
    "void",
    "wait_order",
    "weak",
    "wildcard",
    "with",
    "within",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for good in ["cube", "_x9", "hypercube_4_rotation"] {
            assert_eq!(check_identifier(good), Ok(()));
        }
        for bad in ["", "9x", "a-b", "a b", "é", "a/b", "../x", &"x".repeat(65)] {
            assert!(matches!(check_identifier(bad), Err(NameError::Identifier(_))), "{bad}");
        }
        for keyword in ["module", "wire", "logic", "interface"] {
            assert!(matches!(check_identifier(keyword), Err(NameError::Keyword(..))));
        }
    }
}
