//! Relative links in the documents lead somewhere.

use std::fs;
use std::path::Path;

#[test]
fn relative_links_resolve() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut documents = vec![root.join("README.md"), root.join("CHANGELOG.md")];
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        documents.extend(path.extension().is_some_and(|e| e == "md").then_some(path));
    }
    let link = regex::Regex::new(r"\]\(([^)#\s]+)(#[^)]*)?\)").unwrap();
    let mut links = 0;
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        for found in link.captures_iter(&text) {
            if found[1].contains("://") {
                continue;
            }
            let target = document.parent().unwrap().join(&found[1]);
            assert!(target.exists(), "{}: {} leads nowhere", document.display(), &found[1]);
            links += 1;
        }
    }
    assert!(links > 10, "{links} links: is the pattern right?");
}
