//! What a tool does, told from the names of its arguments: for MCP tools, and for tools that no table names yet.

use super::paths::Paths;
use crate::event::{Action, Command, FileWrite, Search};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// Argument names that hold a shell command, of any agent or server.
pub(crate) const COMMAND: &[&str] = &[
    "command",
    "cmd",
    "command_line",
    "commandLine",
    "CommandLine",
    "shell_command",
    "shellCommand",
    "bash_command",
    "commands",
];
/// Argument names that hold the folder in which a command runs.
const FOLDER: &[&str] = &[
    "workdir",
    "working_directory",
    "workingDirectory",
    "working_dir",
    "cwd",
    "Cwd",
    "dir_path",
    "directory",
];
/// Argument names that hold the path of a file or folder.
pub(crate) const PATH: &[&str] = &[
    "file_path",
    "path",
    "filePath",
    "filepath",
    "file",
    "filename",
    "fileName",
    "file_name",
    "notebook_path",
    "absolute_path",
    "absolutePath",
    "AbsolutePath",
    "TargetFile",
    "target_file",
    "targetFile",
    "dirPath",
    "dir_path",
    "directory",
    "dir",
    "DirectoryPath",
    "SearchDirectory",
    "SearchPath",
    "root",
    "paths",
    "files",
    "file_paths",
    "filePaths",
    "relative_path",
    "relativePath",
    "relative_workspace_path",
    "directory_path",
    "folder",
    "operations",
    // Items of a list of edits.
    "replacements",
];
/// Argument names that hold what a file will contain, or the new part of it.
pub(crate) const CONTENT: &[&str] = &[
    "content",
    "contents",
    "new_string",
    "newString",
    "new_str",
    "new_source",
    "newCode",
    "file_text",
    "CodeContent",
    "ReplacementContent",
    "code_edit",
    "edits",
    "replacements",
    "ReplacementChunks",
    "new_text",
    "newText",
    "code",
    "insert_text",
    "replacement",
    "file_content",
];
/// Names that hold a file's content only where the tool says that it writes: they hold much else.
const CONTENT_OF_A_WRITER: &[&str] = &["text", "data", "body", "value"];
/// Argument names that hold an address.
pub(crate) const URL: &[&str] = &["url", "uri", "urls", "Url", "URL", "href", "endpoint"];
/// Argument names that hold what is searched for.
pub(crate) const PATTERN: &[&str] = &["pattern", "query", "Query", "regex", "Pattern", "search"];
/// Argument names that hold which files are searched.
pub(crate) const GLOB: &[&str] = &[
    "glob",
    "glob_pattern",
    "include",
    "include_pattern",
    "includePattern",
    "Includes",
    "file_pattern",
    "filePattern",
];

/// Words of a tool's name that say that it changes the file it is given.
const WRITES: &[&str] = &[
    "write",
    "create",
    "edit",
    "update",
    "append",
    "save",
    "put",
    "insert",
    "replace",
    "patch",
    "apply",
    "modify",
    "set",
    "overwrite",
    "add",
    "touch",
    "mkdir",
    "make",
    "upload",
    "export",
    "str",
    "chmod",
    "truncate",
    "store",
    "generate",
    "download",
    "rename",
    "format",
];
const DELETES: &[&str] = &["delete", "remove", "unlink", "rm", "rmdir", "trash", "erase", "destroy"];
const SEARCHES: &[&str] = &["search", "grep", "glob", "find", "list", "ls", "tree"];

/// The actions that the arguments of the tool `name` speak of. What cannot be told is left out.
pub(crate) fn actions(name: &str, input: &Map<String, Value>, paths: &Paths) -> Vec<Action> {
    let mut out: Vec<Action> = Vec::new();
    out.extend(command(input).map(|text| {
        Action::Run(Command {
            text: in_folder(input, text, paths),
            shell: shell_of(name, input),
        })
    }));
    let words = words(name);
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let content = content(input);
    let written = || content.clone().or_else(|| contents(input, CONTENT_OF_A_WRITER));
    let files = strings(input, PATH);
    if says(DELETES) {
        out.extend(files.iter().map(|path| Action::Delete(paths.absolute(path))));
    } else if says(WRITES) || (content.is_some() && !says(SEARCHES)) {
        out.extend(files.iter().map(|path| {
            Action::Write(FileWrite {
                path: paths.absolute(path),
                content: written(),
            })
        }));
    } else if says(SEARCHES) {
        out.extend(search(input, paths));
    } else {
        out.extend(files.iter().map(|path| Action::Read(paths.absolute(path))));
    }
    // Two-sided tools: move, copy, rename.
    for (from, to) in [
        ("source", "destination"),
        ("src", "dst"),
        ("src", "dest"),
        ("from", "to"),
        ("old_path", "new_path"),
        ("oldPath", "newPath"),
    ] {
        if let (Some(Value::String(from)), Some(Value::String(to))) = (input.get(from), input.get(to)) {
            let moves = says(&["move", "rename", "mv"]);
            // `from` and `to` are also dates and people; only a tool that says so moves files.
            if moves || says(&["copy", "cp", "link", "symlink"]) {
                out.push(if moves {
                    Action::Delete(paths.absolute(from))
                } else {
                    Action::Read(paths.absolute(from))
                });
                out.push(Action::Write(FileWrite {
                    path: paths.absolute(to),
                    content: None,
                }));
            }
        }
    }
    for address in strings(input, URL) {
        out.push(if address.starts_with("file:") {
            Action::Read(paths.absolute(&address))
        } else {
            Action::Fetch(address)
        });
    }
    out
}

/// The command of a call: a text, or a list of words, which is quoted and joined; `args` beside it are part of it.
pub(crate) fn command(input: &Map<String, Value>) -> Option<String> {
    let texts: Vec<String> = COMMAND
        .iter()
        .filter_map(|name| input.get(*name))
        .filter_map(command_text)
        .collect();
    let mut text = texts.join("\n");
    // An empty command is one: it runs nothing.
    if texts.is_empty() {
        return None;
    }
    if let Some(Value::Array(words)) = input.get("args") {
        for word in words.iter().filter_map(scalar) {
            text.push(' ');
            text.push_str(&quoted(&word));
        }
    }
    Some(text)
}

/// The command with the folder that the call names for it: relative paths in it mean that folder.
pub(crate) fn in_folder(input: &Map<String, Value>, text: String, paths: &Paths<'_>) -> String {
    let folder = FOLDER
        .iter()
        .find_map(|name| input.get(*name)?.as_str())
        .filter(|folder| !folder.is_empty());
    match folder.map(|folder| paths.absolute(folder)) {
        Some(folder) if folder != paths.cwd => format!("cd {} && {text}", quoted(&folder)),
        _ => text,
    }
}

fn command_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Vec<String> = words.iter().filter_map(scalar).collect();
            // `["bash", "-lc", "…"]` is a list of words; `["ls -l", "pwd"]` cannot be told from one and is judged as both.
            let commands = words.iter().filter(|word| word.contains(' ')).cloned();
            let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            let whole: Vec<String> = if words.iter().all(|word| word.contains(' ')) {
                commands.collect()
            } else {
                vec![line]
            };
            (!words.is_empty()).then(|| whole.join("\n"))
        }
        _ => None,
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn shell_of(name: &str, input: &Map<String, Value>) -> String {
    let told = ["shell", "shell_type", "interpreter"]
        .iter()
        .find_map(|key| input.get(*key)?.as_str())
        .unwrap_or(name)
        .to_ascii_lowercase();
    let shell = match () {
        () if told.contains("powershell") || told.contains("pwsh") => "powershell",
        () if told == "cmd" || told.ends_with("cmd.exe") => "cmd",
        () => "bash",
    };
    shell.into()
}

/// What the call searches for and where; none where it names neither.
pub(crate) fn search(input: &Map<String, Value>, paths: &Paths) -> Option<Action> {
    let text = |names| strings(input, names).into_iter().next();
    let (pattern, path, glob) = (text(PATTERN), text(PATH), text(GLOB));
    if pattern.is_none() && path.is_none() && glob.is_none() {
        return None;
    }
    let path = path.map(|path| paths.absolute(&path));
    Some(Action::Search(Search {
        pattern: pattern.unwrap_or_default(),
        path,
        glob,
    }))
}

/// The new content of a file: a text, or the new sides of a list of edits.
pub(crate) fn content(input: &Map<String, Value>) -> Option<Arc<str>> {
    contents(input, CONTENT)
}

fn contents(input: &Map<String, Value>, names: &[&str]) -> Option<Arc<str>> {
    // Most often there is one, and it may be large: it is copied once.
    let mut found: Vec<Cow<'_, str>> = Vec::new();
    for value in names.iter().filter_map(|name| input.get(*name)) {
        match value {
            Value::String(text) => found.push(text.into()),
            Value::Array(edits) => found.extend(edits.iter().filter_map(|edit| match edit {
                Value::Object(edit) => content(edit).map(|text| text.to_string().into()),
                Value::String(text) => Some(text.into()),
                _ => None,
            })),
            Value::Object(_) => found.push(value.to_string().into()),
            _ => {}
        }
    }
    match found.len() {
        0 | 1 => found.pop().map(Arc::from),
        _ => Some(found.join("\n").into()),
    }
}

/// Every text under these names, in lists too, each once.
pub(crate) fn strings(input: &Map<String, Value>, names: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        if !text.is_empty() && !found.iter().any(|known| known == text) {
            found.push(text.into());
        }
    };
    for value in names.iter().filter_map(|name| input.get(*name)) {
        match value {
            Value::String(text) => add(text),
            Value::Array(list) => {
                for item in list {
                    match item {
                        Value::String(text) => add(text),
                        Value::Object(item) => strings(item, names).iter().for_each(|text| add(text)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The words of a tool's name, in lower case: `fileSystem.write_file` → file, system, write, file.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && previous.is_lowercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    words.retain(|word| !word.is_empty());
    words
}
