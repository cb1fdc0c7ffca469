//! Values that have names on the command line, in a list of each with its name.

/// The name of a value; empty where it is not in the list.
pub fn name<T: Copy + PartialEq>(all: &[(T, &'static str)], value: T) -> &'static str {
    all.iter().find(|(one, _)| *one == value).map_or("", |(_, name)| name)
}

/// The value of a name.
///
/// # Errors
/// The names there are.
pub fn parse<T: Copy>(all: &[(T, &str)], text: &str) -> Result<T, String> {
    all.iter().find(|(_, name)| *name == text).map(|(one, _)| *one).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|(_, name)| *name).collect();
        format!("there are: {}", names.join(", "))
    })
}
