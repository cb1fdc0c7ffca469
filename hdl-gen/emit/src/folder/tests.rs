use super::*;

fn file(name: &str, contents: &str) -> File {
    File { name: name.into(), contents: contents.into() }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn own_output_is_replaced_and_stale_files_go() {
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("a/b/out");
    write(&folder, &[file("x.v", "1"), file("y.v", "2")], false).unwrap();
    write(&folder, &[file("x.v", "3")], false).unwrap();
    assert_eq!(names(&folder), [LIST, "x.v"]);
    assert_eq!(fs::read_to_string(folder.join("x.v")).unwrap(), "3");
    assert_eq!(names(folder.parent().unwrap()), ["out"], "no staging folder is left");
}

/// Two at once: the files of one of them are there at the end, and none of the other.
#[test]
fn two_that_write_at_once_leave_the_files_of_one() {
    let base = tempfile::tempdir().unwrap();
    for round in 0..30 {
        let folder = base.path().join(format!("out{round}"));
        let of = |name: &str| (0..8).map(|i| file(&format!("{name}{i}.v"), name)).collect();
        let sets: [Vec<File>; 2] = [of("a"), of("b")];
        let (start, to) = (&std::sync::Barrier::new(2), &folder);
        std::thread::scope(|scope| {
            for set in &sets {
                scope.spawn(move || {
                    start.wait();
                    write(to, set, false).unwrap();
                });
            }
        });
        let listed = |set: &Vec<File>| -> Vec<String> {
            [LIST.to_owned()].into_iter().chain(set.iter().map(|f| f.name.clone())).collect()
        };
        let found = names(&folder);
        assert!(sets.iter().any(|set| listed(set) == found), "round {round}: {found:?}");
        assert_eq!(read_list(&folder).unwrap().len(), 8, "round {round}");
    }
}

#[test]
fn foreign_and_edited_files_are_safe() {
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("out");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    for force in [false, true] {
        let error = write(&folder, &[file("x.v", "1")], force).unwrap_err();
        assert!(matches!(error, FolderError::Foreign(_)), "{error}");
        assert_eq!(names(&folder), ["notes.txt"]);
    }
    fs::remove_file(folder.join("notes.txt")).unwrap();
    write(&folder, &[file("x.v", "1")], false).unwrap();
    fs::write(folder.join("x.v"), "edited").unwrap();
    let error = write(&folder, &[file("x.v", "2")], false).unwrap_err();
    assert!(matches!(error, FolderError::Edited(_)), "{error}");
    assert_eq!(fs::read_to_string(folder.join("x.v")).unwrap(), "edited");
    write(&folder, &[file("x.v", "2")], true).unwrap();
    assert_eq!(fs::read_to_string(folder.join("x.v")).unwrap(), "2");
}

#[test]
fn folders_that_come_to_be_are_left_alone() {
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("out");
    let again = |force| write_around(&folder, &[file("x.v", "1")], force, &["runs"]);
    fs::create_dir_all(folder.join("runs")).unwrap();
    let error = again(true).unwrap_err();
    assert!(matches!(error, FolderError::Foreign(_)), "not ours yet: {error}");
    fs::remove_dir(folder.join("runs")).unwrap();
    again(false).unwrap();
    fs::create_dir(folder.join("runs")).unwrap();
    fs::write(folder.join("runs/a"), "kept").unwrap();
    again(false).unwrap();
    assert_eq!(fs::read_to_string(folder.join("runs/a")).unwrap(), "kept");
    let error = write(&folder, &[file("x.v", "1")], true).unwrap_err();
    assert!(matches!(error, FolderError::Foreign(_)), "{error}");
}

#[test]
fn two_files_of_one_name_are_refused_before_any_is_there() {
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("out");
    let error = write(&folder, &[file("x.v", "1"), file("y.v", "2"), file("x.v", "1")], false);
    assert!(matches!(error, Err(FolderError::Twice(_))), "{error:?}");
    assert!(!folder.exists());
}

#[test]
fn no_way_up_from_a_folder_that_is_not_there() {
    let base = tempfile::tempdir().unwrap();
    fs::write(base.path().join("Makefile"), "mine").unwrap();
    let error = write(&base.path().join("new/.."), &[file("Makefile", "1")], true);
    assert!(matches!(error, Err(FolderError::Upward(_))), "{error:?}");
    assert_eq!(names(base.path()), ["Makefile"]);
    assert_eq!(fs::read_to_string(base.path().join("Makefile")).unwrap(), "mine");
    // Up from a folder that is there is no trouble.
    fs::create_dir(base.path().join("a")).unwrap();
    write(&base.path().join("a/../b"), &[file("x.v", "1")], false).unwrap();
    assert_eq!(names(&base.path().join("b")), [LIST, "x.v"]);
}

#[test]
fn a_run_that_was_cut_short_can_be_run_again() {
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("out");
    write(&folder, &[file("x.v", "1"), file("stale.v", "2")], false).unwrap();
    let old = fs::read_to_string(folder.join(LIST)).unwrap();
    // As it is after the first file was moved: both lists, the old and one new file.
    let new = [file("x.v", "3"), file("y.v", "4")];
    let line = |f: &File| format!("{}  {}\n", digest(f.contents.as_bytes()), f.name);
    fs::write(folder.join(LIST), old + &line(&new[0]) + &line(&new[1])).unwrap();
    fs::write(folder.join("x.v"), "3").unwrap();
    write(&folder, &new, false).unwrap();
    assert_eq!(names(&folder), [LIST, "x.v", "y.v"]);
    assert_eq!(read_list(&folder).unwrap().len(), 2);
}

#[test]
fn a_file_is_not_a_folder() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("out");
    fs::write(&path, "x").unwrap();
    let error = write(&path, &[], true).unwrap_err();
    assert!(matches!(error, FolderError::NotAFolder(_)), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "x");
}

#[test]
fn nothing_is_left_where_the_parent_is_not_writable() {
    let base = tempfile::tempdir().unwrap();
    let blocker = base.path().join("file");
    fs::write(&blocker, "x").unwrap();
    let error = write(&blocker.join("sub/out"), &[file("x.v", "1")], false).unwrap_err();
    assert!(matches!(error, FolderError::Io { .. }), "{error}");
    assert_eq!(names(base.path()), ["file"]);
}
