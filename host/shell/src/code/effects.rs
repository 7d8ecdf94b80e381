//! The functions that matter, and what a call of each does. One row a function.

use super::Language;

/// What a call does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// A shell runs the first argument; a list is an argument vector.
    Shell,
    /// The arguments are an argument vector: `spawn("rm", ["-rf", "x"])`.
    Program,
    /// As `Program`, after as many arguments that say how.
    ProgramAfter(usize),
    /// Files are deleted, with all that is in them.
    DeleteAll,
    /// Files are deleted; with all that is in them where an option says `recursive`.
    Delete,
    RemoveFolder,
    Read,
    Write,
    /// The second argument says whether it is read or written.
    Open,
    Move,
    Duplicate,
    Mode,
    Truncate,
    Fetch,
    /// The argument is code of the same language.
    Code,
    /// What it calls cannot be told.
    Dynamic,
}

use Effect::{
    Code, Delete, DeleteAll, Duplicate, Dynamic, Fetch, Mode, Move, Open, Program, ProgramAfter, Read, RemoveFolder,
    Shell, Truncate, Write,
};

/// Names with a dot are known by it or, imported, by their last part; names that begin with `*.` by their last part alone.
const PYTHON: &[(&str, Effect)] = &[
    ("*.system", Shell),
    ("*.popen", Shell),
    ("*.getoutput", Shell),
    ("*.getstatusoutput", Shell),
    ("*.check_output", Shell),
    ("*.check_call", Shell),
    ("*.Popen", Shell),
    ("subprocess.run", Shell),
    ("subprocess.call", Shell),
    ("sp.run", Shell),
    ("sp.call", Shell),
    ("*.create_subprocess_shell", Shell),
    ("*.create_subprocess_exec", Program),
    ("pty.spawn", Shell),
    ("os.startfile", Shell),
    ("*.execv", ProgramAfter(1)),
    ("*.execve", ProgramAfter(1)),
    ("*.execvp", ProgramAfter(1)),
    ("*.execvpe", ProgramAfter(1)),
    ("*.execl", ProgramAfter(1)),
    ("*.execlp", ProgramAfter(1)),
    ("*.execle", ProgramAfter(1)),
    ("*.spawnl", ProgramAfter(2)),
    ("*.spawnlp", ProgramAfter(2)),
    ("*.spawnv", ProgramAfter(2)),
    ("*.spawnvp", ProgramAfter(2)),
    ("*.posix_spawn", ProgramAfter(1)),
    ("*.posix_spawnp", ProgramAfter(1)),
    ("*.rmtree", DeleteAll),
    ("os.remove", Delete),
    ("*.unlink", Delete),
    ("os.rmdir", RemoveFolder),
    ("os.removedirs", RemoveFolder),
    ("*.rmdir", RemoveFolder),
    ("open", Open),
    ("io.open", Open),
    ("codecs.open", Open),
    ("os.open", Open),
    ("*.read_text", Read),
    ("*.read_bytes", Read),
    ("*.write_text", Write),
    ("*.write_bytes", Write),
    ("*.touch", Write),
    ("os.rename", Move),
    ("os.replace", Move),
    ("shutil.move", Move),
    ("shutil.copy", Duplicate),
    ("shutil.copy2", Duplicate),
    ("shutil.copyfile", Duplicate),
    ("shutil.copytree", Duplicate),
    ("os.link", Duplicate),
    ("os.symlink", Duplicate),
    ("os.chmod", Mode),
    ("os.truncate", Truncate),
    ("*.urlopen", Fetch),
    ("*.urlretrieve", Fetch),
    ("requests.get", Fetch),
    ("requests.post", Fetch),
    ("requests.put", Fetch),
    ("requests.delete", Fetch),
    ("requests.patch", Fetch),
    ("httpx.get", Fetch),
    ("httpx.post", Fetch),
    ("exec", Code),
    ("eval", Code),
    ("compile", Code),
    ("getattr", Dynamic),
    ("globals", Dynamic),
    ("*.__dict__", Dynamic),
    ("*.__getattribute__", Dynamic),
];

const JAVASCRIPT: &[(&str, Effect)] = &[
    ("*.execSync", Shell),
    ("child_process.exec", Shell),
    ("cp.exec", Shell),
    ("*.execa", Program),
    ("*.execaCommand", Shell),
    ("*.spawn", Program),
    ("*.spawnSync", Program),
    ("*.execFile", Program),
    ("*.execFileSync", Program),
    ("*.fork", Program),
    ("Deno.Command", Program),
    ("Deno.run", Program),
    ("*.rmSync", Delete),
    ("fs.rm", Delete),
    ("fsp.rm", Delete),
    ("promises.rm", Delete),
    ("*.rmdirSync", Delete),
    ("*.rmdir", Delete),
    ("*.unlinkSync", Delete),
    ("*.unlink", Delete),
    ("Deno.remove", Delete),
    ("Deno.removeSync", Delete),
    ("*.rimraf", DeleteAll),
    ("rimraf.sync", DeleteAll),
    ("*.removeSync", DeleteAll),
    ("fs.remove", DeleteAll),
    ("*.emptyDirSync", DeleteAll),
    ("*.readFileSync", Read),
    ("*.readFile", Read),
    ("*.createReadStream", Read),
    ("*.readTextFile", Read),
    ("*.readTextFileSync", Read),
    ("Bun.file", Read),
    ("*.writeFileSync", Write),
    ("*.writeFile", Write),
    ("*.appendFileSync", Write),
    ("*.appendFile", Write),
    ("*.createWriteStream", Write),
    ("*.writeTextFile", Write),
    ("Bun.write", Write),
    ("*.renameSync", Move),
    ("fs.rename", Move),
    ("*.copyFileSync", Duplicate),
    ("*.copyFile", Duplicate),
    ("*.cpSync", Duplicate),
    ("*.symlinkSync", Duplicate),
    ("*.chmodSync", Mode),
    ("*.truncateSync", Truncate),
    ("fetch", Fetch),
    ("http.get", Fetch),
    ("https.get", Fetch),
    ("http.request", Fetch),
    ("https.request", Fetch),
    ("axios.get", Fetch),
    ("axios.post", Fetch),
    ("axios", Fetch),
    ("eval", Code),
    ("Function", Code),
    ("vm.runInThisContext", Code),
];

const RUBY: &[(&str, Effect)] = &[
    ("*.system", Shell),
    ("*.exec", Shell),
    ("*.spawn", Shell),
    ("*.popen", Shell),
    ("*.capture2", Shell),
    ("*.capture2e", Shell),
    ("*.capture3", Shell),
    ("*.popen3", Shell),
    ("*.rm_rf", DeleteAll),
    ("*.rm_r", DeleteAll),
    ("*.remove_dir", DeleteAll),
    ("*.remove_entry", DeleteAll),
    ("*.remove_entry_secure", DeleteAll),
    ("*.rmtree", DeleteAll),
    ("FileUtils.rm", Delete),
    ("FileUtils.rm_f", Delete),
    ("File.delete", Delete),
    ("File.unlink", Delete),
    ("*.unlink", Delete),
    ("Dir.rmdir", RemoveFolder),
    ("Dir.delete", RemoveFolder),
    ("Dir.unlink", RemoveFolder),
    ("File.read", Read),
    ("IO.read", Read),
    ("File.readlines", Read),
    ("IO.readlines", Read),
    ("File.foreach", Read),
    ("File.binread", Read),
    ("File.open", Open),
    ("File.new", Open),
    ("open", Open),
    ("File.write", Write),
    ("IO.write", Write),
    ("IO.binwrite", Write),
    ("File.rename", Move),
    ("FileUtils.mv", Move),
    ("FileUtils.cp", Duplicate),
    ("FileUtils.cp_r", Duplicate),
    ("FileUtils.ln_s", Duplicate),
    ("File.chmod", Mode),
    ("FileUtils.chmod", Mode),
    ("FileUtils.chmod_R", Mode),
    ("File.truncate", Truncate),
    ("Net.HTTP.get", Fetch),
    ("URI.open", Fetch),
    ("eval", Code),
    ("instance_eval", Code),
    ("*.send", Dynamic),
    ("*.public_send", Dynamic),
    ("*.__send__", Dynamic),
];

const PERL: &[(&str, Effect)] = &[
    ("system", Shell),
    ("exec", Shell),
    ("readpipe", Shell),
    ("*.rmtree", DeleteAll),
    ("*.remove_tree", DeleteAll),
    ("unlink", Delete),
    ("rmdir", RemoveFolder),
    ("open", Open),
    ("rename", Move),
    ("symlink", Duplicate),
    ("link", Duplicate),
    ("copy", Duplicate),
    ("move", Move),
    ("chmod", Mode),
    ("truncate", Truncate),
    ("eval", Code),
    ("get", Fetch),
    ("getprint", Fetch),
    ("getstore", Fetch),
];

const PHP: &[(&str, Effect)] = &[
    ("system", Shell),
    ("exec", Shell),
    ("shell_exec", Shell),
    ("passthru", Shell),
    ("popen", Shell),
    ("proc_open", Shell),
    ("pcntl_exec", Program),
    ("unlink", Delete),
    ("rmdir", RemoveFolder),
    ("file_get_contents", Read),
    ("readfile", Read),
    ("file", Read),
    ("fopen", Open),
    ("file_put_contents", Write),
    ("rename", Move),
    ("copy", Duplicate),
    ("symlink", Duplicate),
    ("chmod", Mode),
    ("eval", Code),
    ("assert", Code),
    ("call_user_func", Dynamic),
    ("call_user_func_array", Dynamic),
    ("curl_init", Fetch),
];

const AWK: &[(&str, Effect)] = &[("system", Shell)];

const LUA: &[(&str, Effect)] = &[
    ("os.execute", Shell),
    ("io.popen", Shell),
    ("os.remove", Delete),
    ("io.open", Open),
    ("io.lines", Read),
    ("os.rename", Move),
    ("load", Code),
    ("loadstring", Code),
    ("dofile", Dynamic),
];

const OTHER: &[(&str, Effect)] = &[
    ("system", Shell),
    ("*.system2", Program),
    ("shell", Shell),
    ("run", Shell),
    ("unlink", DeleteAll),
    ("file.remove", Delete),
    ("rm", DeleteAll),
    ("readLines", Read),
    ("read", Read),
    ("*.execute", Shell),
    ("*.exec", Shell),
    ("eval", Code),
    ("*.deleteDir", DeleteAll),
    ("*.delete", Delete),
];

/// What calling `name` does.
pub(super) fn effect(language: Language, name: &str) -> Option<Effect> {
    let table = match language {
        Language::Python => PYTHON,
        Language::JavaScript => JAVASCRIPT,
        Language::Ruby => RUBY,
        Language::Perl => PERL,
        Language::Php => PHP,
        Language::Awk => AWK,
        Language::Lua => LUA,
        Language::Other => OTHER,
    };
    let name = name.trim_start_matches('@');
    let last = name.rsplit('.').next().unwrap_or(name);
    let found = table.iter().find(|(row, _)| match row.rsplit_once('.') {
        Some(("*", row_last)) => last == row_last,
        // By its whole name, behind something else, or imported.
        Some((module, row_last)) => {
            last == row_last
                && (name == last
                    || name
                        .strip_suffix(row_last)
                        .and_then(|rest| rest.strip_suffix('.'))
                        .is_some_and(|before| {
                            before == module || before.ends_with(&format!(".{module}")) || before.is_empty()
                        }))
        }
        None => {
            name == *row
                || name.strip_prefix('.') == Some(row)
                || name.strip_prefix("Kernel.") == Some(row)
                || name.strip_prefix("CORE.") == Some(row)
                || name.strip_prefix("globalThis.") == Some(row)
                || name.strip_prefix("builtins.") == Some(row)
                || name.strip_prefix("__builtins__.") == Some(row)
        }
    });
    found.map(|(_, effect)| *effect)
}
