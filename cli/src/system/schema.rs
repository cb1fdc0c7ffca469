//! JSON Schema of system files, made of their keys and of the options of the program.

use super::keys::{Holds, KEYS, Key, VERSION, VERSION_KEY};
use crate::config;
use crate::options::acts;
use clap::Command;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The schema, with the options of this program.
pub fn schema(program: &Command) -> Value {
    let mut options: BTreeMap<String, (bool, String)> = BTreeMap::new();
    for arg in program.get_subcommands().flat_map(Command::get_arguments) {
        let Some(key) = config::key_of(arg) else { continue };
        let heading = acts::rule(arg.get_id().as_str()).map_or("", |rule| rule.heading);
        let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
        options.entry(key).or_insert((super::OF_NETWORK.contains(&heading), about));
    }
    options.retain(|key, _| !["topology", "name"].contains(&key.as_str()));
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "System",
    });
    let Value::Object(keys) = object(KEYS, &options) else { return schema };
    schema.as_object_mut().expect("an object").extend(keys);
    schema
}

/// Schema of a table of these keys.
fn object(keys: &[Key], options: &BTreeMap<String, (bool, String)>) -> Value {
    let mut properties = Map::new();
    for key in keys {
        properties.insert(key.name.to_owned(), property(key, options));
    }
    let required: Vec<&str> =
        keys.iter().filter(|key| key.is_required).map(|key| key.name).collect();
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

fn property(key: &Key, options: &BTreeMap<String, (bool, String)>) -> Value {
    let mut value = match key.holds {
        Holds::Whole if key.name == VERSION_KEY => json!({ "const": VERSION }),
        Holds::Whole => json!({ "type": "integer", "minimum": 1 }),
        Holds::Decimal => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 }),
        Holds::Text => json!({ "type": "string" }),
        Holds::Texts => json!({ "type": ["string", "array"], "items": { "type": "string" } }),
        Holds::Tables(keys) => json!({ "type": "array", "items": object(keys, options) }),
        Holds::Table(keys, _) => {
            let mut table = object(keys, options);
            let of_network = key.name == "network";
            let properties = table["properties"].as_object_mut().expect("an object");
            for (name, (_, about)) in options.iter().filter(|(_, (own, _))| *own == of_network) {
                let types = ["string", "number", "boolean", "array"];
                properties.insert(name.clone(), json!({ "description": about, "type": types }));
            }
            table
        }
    };
    value["description"] = json!(key.about);
    value
}
