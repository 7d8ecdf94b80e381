//! Programs and where they take files: one row per family. What needs more than a row is in `touch.rs`.

use crate::touch::Access;

/// What a program does with its operands.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Operands are no files.
    None,
    /// Every operand.
    All(Access),
    /// The first operand is a pattern or a program, unless one of these options gave it; the rest are files.
    After(&'static [&'static str], Access),
    /// Every operand is shown and may be changed: editors.
    Edit,
    /// The first operand one way, the others another.
    FirstThen(Access, Access),
    /// Sources, then one target (or `-t TARGET`).
    Into { moves: bool },
}

/// One family of programs.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub names: &'static [&'static str],
    /// Short options that take a value.
    pub short: &'static str,
    /// Long options that take a value in the next word (`-word` too).
    pub long: &'static [&'static str],
    pub shape: Shape,
    /// Options whose value is a file.
    pub files: &'static [(&'static str, Access)],
    /// Whether `host:path` is another machine's.
    pub remote: bool,
}

const ROW: Spec = Spec {
    names: &[],
    short: "",
    long: &[],
    shape: Shape::None,
    files: &[],
    remote: false,
};

use Access::{Change, Copy, Delete, Make, Read, Send, Write};

/// The table.
pub const FILES: &[Spec] = &[
    Spec {
        names: &[
            "cat", "tac", "bat", "batcat", "nl", "rev", "fold", "fmt", "expand", "unexpand", "zcat", "bzcat", "xzcat",
            "zstdcat", "gzcat", "mdcat", "glow", "type",
        ],
        shape: Shape::All(Read),
        ..ROW
    },
    Spec {
        names: &["less", "more", "most", "pg", "view", "zless", "zmore"],
        short: "pPtTkKoO",
        shape: Shape::All(Read),
        ..ROW
    },
    Spec {
        names: &["head", "tail"],
        short: "ncs",
        long: &["lines", "bytes", "pid"],
        shape: Shape::All(Read),
        ..ROW
    },
    Spec {
        names: &["xxd", "hexyl", "hexdump", "hd", "strings"],
        short: "lscgonefj",
        long: &["length", "skip", "format", "bytes"],
        shape: Shape::All(Read),
        ..ROW
    },
    Spec {
        names: &["od"],
        short: "ANjtSw",
        long: &["address-radix", "format", "skip-bytes", "read-bytes", "width"],
        shape: Shape::All(Read),
        ..ROW
    },
    Spec {
        names: &["base64", "base32", "basenc", "uuencode", "ascii85"],
        short: "wio",
        long: &["wrap", "input", "output"],
        shape: Shape::All(Read),
        files: &[("i", Read), ("input", Read), ("o", Write), ("output", Write)],
        ..ROW
    },
    Spec {
        names: &["cut", "paste", "column", "join", "comm", "pr"],
        short: "dfcbst12ojlNHWRTi",
        long: &[
            "delimiter",
            "fields",
            "characters",
            "bytes",
            "output-delimiter",
            "table-columns",
            "separator",
        ],
        shape: Shape::All(Read),
        ..ROW
    },
    Spec {
        names: &["sort"],
        short: "koStT",
        long: &["key", "output", "buffer-size", "field-separator", "temporary-directory"],
        shape: Shape::All(Read),
        files: &[("o", Write), ("output", Write)],
        ..ROW
    },
    Spec {
        names: &["uniq"],
        short: "fsw",
        shape: Shape::FirstThen(Read, Write),
        ..ROW
    },
    Spec {
        names: &[
            "diff",
            "sdiff",
            "diff3",
            "colordiff",
            "delta",
            "vimdiff",
            "wdiff",
            "icdiff",
        ],
        short: "UCxXIFWw",
        long: &["exclude", "unified", "label", "color"],
        shape: Shape::All(Read),
        ..ROW
    },
    Spec {
        names: &["split", "csplit"],
        short: "blnaC",
        long: &["bytes", "lines", "number"],
        shape: Shape::FirstThen(Copy, Write),
        ..ROW
    },
    Spec {
        names: &[
            "shuf",
            "look",
            "envsubst",
            "m4",
            "pygmentize",
            "highlight",
            "source-highlight",
        ],
        short: "niolfO",
        shape: Shape::All(Read),
        ..ROW
    },
    Spec {
        names: &["iconv"],
        short: "fto",
        shape: Shape::All(Read),
        files: &[("o", Write)],
        ..ROW
    },
    Spec {
        names: &["source", "."],
        shape: Shape::FirstThen(Read, Make),
        ..ROW
    },
    Spec {
        names: &["grep", "egrep", "fgrep", "zgrep", "rgrep", "ugrep"],
        short: "efmABCdD",
        long: &[
            "regexp",
            "file",
            "max-count",
            "after-context",
            "before-context",
            "context",
            "include",
            "exclude",
            "exclude-dir",
            "exclude-from",
            "label",
            "color",
            "colour",
        ],
        shape: Shape::After(&["e", "regexp", "f", "file"], Read),
        files: &[("f", Read), ("file", Read), ("include", Read)],
        ..ROW
    },
    Spec {
        names: &["rg", "ripgrep", "ag", "ack"],
        short: "efgmABCtTjMEr",
        long: &[
            "regexp",
            "file",
            "glob",
            "iglob",
            "max-count",
            "after-context",
            "before-context",
            "context",
            "type",
            "type-not",
            "threads",
            "replace",
            "sort",
            "color",
            "max-depth",
        ],
        shape: Shape::After(&["e", "regexp", "f", "file", "files"], Read),
        files: &[
            ("f", Read),
            ("file", Read),
            ("g", Read),
            ("glob", Read),
            ("iglob", Read),
        ],
        ..ROW
    },
    Spec {
        names: &["select-string", "sls"],
        long: &["Path", "Pattern", "LiteralPath", "path", "pattern", "literalpath"],
        shape: Shape::After(&["Pattern", "pattern"], Read),
        files: &[
            ("Path", Read),
            ("path", Read),
            ("LiteralPath", Read),
            ("literalpath", Read),
        ],
        ..ROW
    },
    Spec {
        names: &[
            "jq",
            "yq",
            "gojq",
            "jaq",
            "gron",
            "xq",
            "dasel",
            "fx",
            "jello",
            "xmllint",
            "xmlstarlet",
        ],
        short: "fL",
        long: &["from-file", "arg", "argjson", "slurpfile", "rawfile", "indent"],
        shape: Shape::After(&["f", "from-file", "xpath"], Read),
        ..ROW
    },
    Spec {
        names: &[
            "vim", "vi", "nvim", "nano", "pico", "emacs", "ed", "ex", "micro", "hx", "helix", "kak", "joe", "gedit",
            "notepad",
        ],
        short: "cuSTi",
        shape: Shape::Edit,
        files: &[],
        ..ROW
    },
    Spec {
        names: &[
            "code", "subl", "open", "xdg-open", "start", "pbcopy", "xclip", "wl-copy", "clip", "lp", "lpr", "catdoc",
            "pandoc",
        ],
        short: "ofta",
        shape: Shape::All(Read),
        files: &[("o", Write)],
        ..ROW
    },
    Spec {
        names: &["get-content", "gc", "import-csv", "import-clixml", "format-hex"],
        long: &[
            "Path",
            "path",
            "LiteralPath",
            "literalpath",
            "TotalCount",
            "Tail",
            "Encoding",
            "Delimiter",
        ],
        shape: Shape::All(Read),
        files: &[
            ("Path", Read),
            ("path", Read),
            ("LiteralPath", Read),
            ("literalpath", Read),
        ],
        ..ROW
    },
    Spec {
        names: &[
            "set-content",
            "sc",
            "add-content",
            "ac",
            "out-file",
            "tee-object",
            "export-csv",
        ],
        long: &[
            "Path",
            "path",
            "FilePath",
            "filepath",
            "LiteralPath",
            "literalpath",
            "Value",
            "value",
            "Encoding",
            "InputObject",
        ],
        shape: Shape::FirstThen(Write, Make),
        files: &[
            ("Path", Write),
            ("path", Write),
            ("FilePath", Write),
            ("filepath", Write),
            ("LiteralPath", Write),
            ("literalpath", Write),
        ],
        ..ROW
    },
    Spec {
        names: &["copy-item", "copy", "xcopy", "robocopy", "cpi"],
        long: &["Path", "path", "Destination", "destination", "LiteralPath"],
        shape: Shape::Into { moves: false },
        files: &[("Path", Copy), ("path", Copy), ("LiteralPath", Copy)],
        ..ROW
    },
    Spec {
        names: &["move-item", "move", "ren", "rename-item", "mi"],
        long: &["Path", "path", "Destination", "destination", "LiteralPath"],
        shape: Shape::Into { moves: true },
        files: &[("Path", Copy), ("path", Copy), ("LiteralPath", Copy)],
        ..ROW
    },
    Spec {
        names: &["remove-item", "del", "erase", "rd", "ri"],
        long: &["Path", "path", "LiteralPath", "literalpath", "Include", "Exclude"],
        shape: Shape::All(Delete),
        files: &[
            ("Path", Delete),
            ("path", Delete),
            ("LiteralPath", Delete),
            ("literalpath", Delete),
        ],
        ..ROW
    },
    Spec {
        names: &["new-item", "ni", "md"],
        long: &["Path", "path", "ItemType", "itemtype", "Name", "Value"],
        shape: Shape::All(Make),
        files: &[("Path", Make), ("path", Make)],
        ..ROW
    },
    Spec {
        names: &["cp", "gcp", "ln", "link", "gln"],
        short: "tS",
        long: &["target-directory", "suffix"],
        shape: Shape::Into { moves: false },
        ..ROW
    },
    Spec {
        names: &["install", "ginstall"],
        short: "tmogS",
        long: &["target-directory", "mode", "owner", "group"],
        shape: Shape::Into { moves: false },
        ..ROW
    },
    Spec {
        names: &["mv", "gmv"],
        short: "tS",
        long: &["target-directory", "suffix"],
        shape: Shape::Into { moves: true },
        ..ROW
    },
    Spec {
        names: &["scp"],
        short: "cFiJlloPSX",
        shape: Shape::Into { moves: false },
        remote: true,
        ..ROW
    },
    Spec {
        names: &["rsync"],
        short: "efBTM",
        long: &[
            "rsh",
            "filter",
            "exclude",
            "include",
            "exclude-from",
            "include-from",
            "files-from",
            "log-file",
            "password-file",
            "rsync-path",
            "bwlimit",
            "chown",
            "port",
            "timeout",
            "backup-dir",
            "compare-dest",
            "copy-dest",
            "link-dest",
            "temp-dir",
            "max-size",
            "min-size",
        ],
        shape: Shape::Into { moves: false },
        remote: true,
        ..ROW
    },
    Spec {
        names: &["croc", "magic-wormhole", "wormhole", "transfer", "ffsend", "0x0"],
        short: "",
        shape: Shape::All(Send),
        ..ROW
    },
    Spec {
        names: &["sftp", "ftp", "lftp", "ncftpput", "curlftpfs", "tftp"],
        short: "bBcFilloPRsSXu",
        shape: Shape::All(Send),
        ..ROW
    },
    Spec {
        names: &["mail", "mailx", "mutt", "sendmail", "swaks", "msmtp"],
        short: "acbsrq",
        long: &["attach", "body"],
        shape: Shape::None,
        files: &[("a", Send), ("attach", Send), ("body", Send)],
        ..ROW
    },
    Spec {
        names: &["zip"],
        short: "xitnbP",
        shape: Shape::FirstThen(Write, Copy),
        ..ROW
    },
    Spec {
        names: &["rar", "ar"],
        shape: Shape::All(Copy),
        ..ROW
    },
    Spec {
        names: &[
            "gzip", "bzip2", "xz", "zstd", "lz4", "lzma", "pigz", "brotli", "compress", "age", "gpg", "gpg2", "enc",
            "ccrypt",
        ],
        short: "So0123456789ruR",
        long: &["output", "recipient", "identity"],
        shape: Shape::All(Copy),
        files: &[("o", Write), ("output", Write)],
        ..ROW
    },
    Spec {
        names: &["gunzip", "bunzip2", "unxz", "unzstd", "gunzip2"],
        short: "So",
        shape: Shape::All(Change),
        files: &[("o", Write)],
        ..ROW
    },
    Spec {
        names: &["tee", "sponge", "gtee"],
        shape: Shape::All(Write),
        ..ROW
    },
    Spec {
        names: &["truncate", "fallocate"],
        short: "srol",
        long: &["size", "reference", "length"],
        shape: Shape::All(Write),
        ..ROW
    },
    Spec {
        names: &["touch", "mkdir", "mkfifo", "mknod"],
        short: "rdtm",
        long: &["reference", "date", "mode"],
        shape: Shape::All(Make),
        ..ROW
    },
    Spec {
        names: &[
            "chown", "chgrp", "chattr", "setfacl", "xattr", "chflags", "icacls", "takeown",
        ],
        short: "mx",
        long: &["reference"],
        shape: Shape::After(&["reference", "m"], Change),
        ..ROW
    },
    Spec {
        names: &[
            "rm",
            "unlink",
            "shred",
            "rmdir",
            "srm",
            "trash",
            "trash-put",
            "gio",
            "wipe",
            "grm",
        ],
        short: "ns",
        shape: Shape::All(Delete),
        ..ROW
    },
    Spec {
        names: &["patch"],
        short: "pdiorF",
        long: &["directory", "input", "output"],
        shape: Shape::FirstThen(Write, Read),
        files: &[("o", Write), ("output", Write), ("d", Write), ("directory", Write)],
        ..ROW
    },
    Spec {
        names: &["xargs", "parallel"],
        short: "aIPnLdEs",
        long: &["arg-file", "max-args"],
        shape: Shape::None,
        files: &[("a", Read), ("arg-file", Read)],
        ..ROW
    },
    Spec {
        names: &["ssh-keygen"],
        short: "bCfNtPTOIMnrsVzYSD",
        shape: Shape::None,
        files: &[("f", Make)],
        ..ROW
    },
    Spec {
        names: &["sqlite3", "duckdb"],
        short: "cs",
        shape: Shape::FirstThen(Read, Make),
        ..ROW
    },
    Spec {
        names: &["nc", "ncat", "netcat", "socat"],
        shape: Shape::None,
        ..ROW
    },
];
