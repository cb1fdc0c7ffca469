//! Pictures: `analyze --svg` and `generate --picture`.

use crate::common::{refused_in, run_in, tree};
use std::fs;
use std::path::Path;
use turnpike_flow::cache::digest;

const FABRIC: &str = "hypercube --dim 3 --routing rotation";

fn holds(folder: &Path, line: &str) -> String {
    let run = run_in(folder, line);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    run.stdout
}

/// Those of the fabric, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
    let files = tree(folder).into_iter();
    files.filter_map(|(path, bytes)| Some((name(&path), bytes?))).collect()
}

/// One file more, in the list with its digest; it goes when it is not asked for again.
#[test]
fn a_fabric_is_the_same_with_a_picture_and_without() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let generate = |option: &str| {
        holds(folder.path(), &format!("generate {FABRIC} --out out {option}"));
        files(&out)
    };
    let plain = generate("");
    let mut with = generate("--picture");
    let list = fs::read_to_string(out.join(".turnpike-files")).unwrap();
    let picture = out.join("hypercube_3_rotation.svg");
    let bytes = fs::read(&picture).unwrap();
    let line = format!("{}  hypercube_3_rotation.svg\n", digest(&bytes));
    assert!(list.contains(&line), "no {line} in {list}");
    let ours = |(name, _): &(String, Vec<u8>)| {
        name != ".turnpike-files" && name != "hypercube_3_rotation.svg"
    };
    let others = |files: &[(String, Vec<u8>)]| -> Vec<_> {
        files.iter().filter(|file| ours(file)).cloned().collect()
    };
    assert!(others(&plain) == others(&with), "a picture changes no other file");
    assert_eq!(with.len(), plain.len() + 1);
    // That of `analyze` is the same.
    holds(folder.path(), &format!("analyze {FABRIC} --svg own.svg"));
    assert!(fs::read(folder.path().join("own.svg")).unwrap() == bytes);
    assert!(generate("--picture") == with, "the same again");
    with = generate("");
    assert!(with == plain && !picture.exists());
}

#[test]
fn a_report_is_the_same_with_a_picture_and_without() {
    let folder = tempfile::tempdir().unwrap();
    for (line, code) in [(FABRIC.to_owned(), 0), (format!("{FABRIC} --vcs 1"), 1)] {
        let line = format!("analyze {line}");
        let plain = run_in(folder.path(), &line);
        let with = run_in(folder.path(), &format!("{line} --svg x.svg --force"));
        assert_eq!((plain.code, with.code), (code, code), "{line}");
        assert_eq!((&plain.stdout, &*with.stderr), (&with.stdout, ""), "{line}");
        let picture = fs::read_to_string(folder.path().join("x.svg")).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("class=\"cycle\""), "{line}");
        assert_eq!(picture.contains("Deadlock: "), code == 1, "{line}");
    }
}

#[test]
fn what_cannot_be_drawn_or_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    let large = ["a picture shows at most 1024 nodes"];
    refused_in(
        folder.path(),
        &[
            ("analyze hypercube --dim 20 --svg x.svg", &[large[0], "1048576"]),
            ("generate ccc --dim 8 --picture --out out", &[large[0], "2048"]),
            ("analyze hypercube --dim 2 --svg no/x.svg", &["no/x.svg", "there is no folder no"]),
            ("analyze hypercube --dim 2 --svg there", &["it is a folder", "network.svg"]),
            ("analyze hypercube --dim 2 --picture", &["--picture"]),
        ],
    );
}

/// The pictures in `docs/img/` are what the program draws today, by a command that a document
/// shows. A picture says in its title what it is of. `TURNPIKE_BLESS=1 cargo test -p turnpike --test
/// picture` draws them anew.
#[test]
fn the_pictures_of_the_documents_are_what_is_drawn() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let documents = documents(top);
    let folder = tempfile::tempdir().unwrap();
    let mut pictures = 0;
    for entry in fs::read_dir(top.join("docs/img")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let kept = fs::read_to_string(&path).unwrap();
        assert!(documents.contains(&format!("img/{name})")), "no document shows {name}");
        let Some(fabric) = kept.split("<title>").nth(1).and_then(|s| s.split("</title>").next())
        else {
            // Those of `compare` and `tables` (`tests/butterflies.rs`) are of several networks.
            let several = ["across.svg", "transpose.svg"].contains(&&*name);
            assert!(several, "{name} says not what it is of");
            continue;
        };
        let shown = documents.contains(&format!("turnpike analyze {fabric} --svg {name}"))
            || documents.contains(&format!(
                "turnpike analyze {} --svg {name}",
                fabric.split(" --routing").next().unwrap()
            ));
        assert!(shown, "no document shows `turnpike analyze {fabric} --svg {name}`");
        holds(folder.path(), &format!("analyze {fabric} --svg {name}"));
        let drawn = fs::read_to_string(folder.path().join(&name)).unwrap();
        if std::env::var_os("TURNPIKE_BLESS").is_some() {
            fs::write(&path, &drawn).unwrap();
        } else {
            assert!(kept == drawn, "{name}: TURNPIKE_BLESS=1 draws it anew:\n{drawn}");
        }
        pictures += 1;
    }
    assert!(pictures >= 3, "only {pictures} pictures");
}

/// README and every page of `docs/`, one after the other.
fn documents(top: &Path) -> String {
    let mut text = fs::read_to_string(top.join("README.md")).unwrap();
    for entry in fs::read_dir(top.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            text += &fs::read_to_string(path).unwrap();
        }
    }
    text
}
