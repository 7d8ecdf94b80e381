//! Which files hold secrets. By name and place alone: nothing is opened.

use hookbox_pack::Severity;
use hookbox_pack::{glob, spell};

/// What a file that holds secrets is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Secret {
    pub kind: &'static str,
    pub severity: Severity,
}

/// What to do instead of reading it.
pub(crate) fn instead(kind: &str) -> &'static str {
    match kind {
        "environment file" => {
            "for the names of the variables read `.env.example`, or ask the user; a program may load the file itself"
        }
        "private key" => "let the program use the key by its path (`ssh -i`); the public half (`.pub`) may be read",
        "shell history" => "ask the user what was run",
        "environment of a process" => "ask the user for the one variable that is needed",
        "Terraform state" => "use `terraform state list` or `terraform output NAME`",
        _ => "let the tool that owns it use it, or ask the user for the one value that is not secret",
    }
}

const fn row(glob: &'static str, kind: &'static str, severity: Severity) -> (&'static str, Secret) {
    (glob, Secret { kind, severity })
}

use Severity::{Ask, Block, Strict};

/// By the end of the path: one or more last parts, in lower case.
const FILES: &[(&str, Secret)] = &[
    row(".envrc", "environment file", Block),
    row("*.pem", "private key", Block),
    row("*.key", "private key", Block),
    row("*.ppk", "private key", Block),
    row("*.p8", "private key", Block),
    row("id_rsa*", "private key", Block),
    row("id_dsa*", "private key", Block),
    row("id_ecdsa*", "private key", Block),
    row("id_ed25519*", "private key", Block),
    row("id_xmss*", "private key", Block),
    row("ssh_host_*_key", "private key", Block),
    row("*.p12", "key store", Block),
    row("*.pfx", "key store", Block),
    row("*.jks", "key store", Block),
    row("*.keystore", "key store", Block),
    row("*.kdbx", "password store", Block),
    row("*.keychain*", "password store", Block),
    row("*.keytab", "key store", Block),
    row("master.key", "private key", Block),
    row(".netrc", "credentials file", Block),
    row("_netrc", "credentials file", Block),
    row(".pypirc", "credentials file", Block),
    row(".git-credentials", "credentials file", Block),
    row(".pgpass", "credentials file", Block),
    row(".my.cnf", "credentials file", Block),
    row(".mylogin.cnf", "credentials file", Block),
    row(".s3cfg", "credentials file", Block),
    row(".boto", "credentials file", Block),
    row(".htpasswd", "credentials file", Block),
    row(".vault-token", "credentials file", Block),
    row(".vault_pass*", "credentials file", Block),
    row(".dockercfg", "credentials file", Block),
    row(".docker/config.json", "credentials file", Block),
    row(".kube/config", "credentials file", Block),
    row("kubeconfig", "credentials file", Block),
    row("*.kubeconfig", "credentials file", Block),
    row("credentials.json", "credentials file", Block),
    row("credentials.toml", "credentials file", Block),
    row("credentials.y*ml", "credentials file", Block),
    row("credentials.ini", "credentials file", Block),
    row("credentials.xml", "credentials file", Block),
    row("client_secret*.json", "credentials file", Block),
    row("*service-account*.json", "service account key", Block),
    row("*service_account*.json", "service account key", Block),
    row("*serviceaccount*.json", "service account key", Block),
    row("*firebase-adminsdk*.json", "service account key", Block),
    row("gcp-key*.json", "service account key", Block),
    row("application_default_credentials.json", "credentials file", Block),
    row("secrets.y*ml", "secrets file", Block),
    row("secrets.json", "secrets file", Block),
    row("secrets.toml", "secrets file", Block),
    row("secrets.ini", "secrets file", Block),
    row("secrets.env", "secrets file", Block),
    row("secrets.properties", "secrets file", Block),
    row("secrets.txt", "secrets file", Block),
    row(".secrets", "secrets file", Block),
    row("secret.y*ml", "secrets file", Strict),
    row("secret.json", "secrets file", Block),
    row("passwords.txt", "secrets file", Block),
    row("*.tfstate", "Terraform state", Block),
    row("*.tfstate.*", "Terraform state", Block),
    row("*.tfvars", "Terraform variables", Block),
    row("*.tfvars.json", "Terraform variables", Block),
    row("wallet.dat", "wallet", Block),
    row("login data", "browser store", Block),
    row("logins.json", "browser store", Block),
    row("key4.db", "browser store", Block),
    row("cookies.sqlite", "browser store", Block),
    row(".bash_history", "shell history", Ask),
    row(".zsh_history", "shell history", Ask),
    row(".zhistory", "shell history", Ask),
    row(".sh_history", "shell history", Ask),
    row("fish_history", "shell history", Ask),
    row("consolehost_history.txt", "shell history", Ask),
    row(".python_history", "shell history", Ask),
    row(".node_repl_history", "shell history", Ask),
    row(".psql_history", "shell history", Ask),
    row(".mysql_history", "shell history", Ask),
    row(".rediscli_history", "shell history", Ask),
    row("wp-config.php", "configuration with passwords", Strict),
    row("local.settings.json", "configuration with passwords", Strict),
];

/// By a folder anywhere in the path, and everything in it; in lower case.
const FOLDERS: &[(&str, Secret)] = &[
    row("/.ssh", "SSH folder", Block),
    row("/.gnupg", "GnuPG folder", Block),
    row("/.aws", "cloud credentials", Block),
    row("/.azure", "cloud credentials", Block),
    row("/.config/gcloud", "cloud credentials", Block),
    row("/.oci", "cloud credentials", Block),
    row("/.password-store", "password store", Block),
    row("/.local/share/keyrings", "password store", Block),
    row("/library/keychains", "password store", Block),
    row("/.config/op", "password store", Block),
    row("/.config/bitwarden cli", "password store", Block),
    row("/.config/sops", "key store", Block),
    row("/.config/rclone", "credentials file", Block),
    row("/.config/containers/auth.json", "credentials file", Block),
    row("/.config/gh/hosts.yml", "credentials file", Block),
    row("/.config/glab-cli", "credentials file", Block),
    row("/.config/hub", "credentials file", Block),
    row("/.config/git/credentials", "credentials file", Block),
    row("/.config/doctl", "credentials file", Block),
    row("/.config/github-copilot", "credentials file", Block),
    row("/.config/solana/id.json", "wallet", Block),
    row("/.config/google-chrome", "browser store", Block),
    row("/.config/chromium", "browser store", Block),
    row("/.mozilla/firefox", "browser store", Block),
    row("/library/application support/google/chrome", "browser store", Block),
    row("/library/application support/firefox", "browser store", Block),
    row("/appdata/local/google/chrome/user data", "browser store", Block),
    row("/.cargo/credentials", "credentials file", Block),
    row("/.cargo/credentials.toml", "credentials file", Block),
    row("/.gem/credentials", "credentials file", Block),
    row("/.terraform.d/credentials.tfrc.json", "credentials file", Block),
    row("/.huggingface", "credentials file", Block),
    row("/.cache/huggingface/token", "credentials file", Block),
    row("/.claude/.credentials.json", "credentials file", Block),
    row("/.codex/auth.json", "credentials file", Block),
    row("/.gemini/oauth_creds.json", "credentials file", Block),
    row("/.fly", "credentials file", Block),
    row("/.m2/settings.xml", "credentials file", Ask),
    row("/.ivy2/.credentials", "credentials file", Block),
    row("/.bitcoin", "wallet", Block),
    row("/.ethereum/keystore", "wallet", Block),
    row("/etc/shadow", "system passwords", Block),
    row("/etc/shadow-", "system passwords", Block),
    row("/etc/gshadow", "system passwords", Block),
    row("/etc/security/opasswd", "system passwords", Block),
    row("/etc/sudoers", "system passwords", Ask),
    row("/etc/ssl/private", "private key", Block),
    row("/etc/letsencrypt/live", "private key", Block),
    row("/etc/letsencrypt/archive", "private key", Block),
    row("/etc/wireguard", "private key", Block),
    row("/etc/openvpn", "private key", Ask),
    row("/etc/kubernetes/pki", "private key", Block),
    row("/etc/kubernetes/admin.conf", "credentials file", Block),
    row("/run/secrets", "mounted secrets", Block),
    row("/var/run/secrets", "mounted secrets", Block),
    row("/.secrets", "secrets folder", Block),
];

/// Only in a home folder: projects keep a harmless file of the same name.
const IN_HOME: &[(&str, Secret)] = &[
    row("/.npmrc", "credentials file", Block),
    row("/.yarnrc.yml", "credentials file", Ask),
    row("/.claude.json", "credentials file", Ask),
    row("/.gradle/gradle.properties", "credentials file", Ask),
    row("/.composer/auth.json", "credentials file", Block),
    row("/.config/composer/auth.json", "credentials file", Block),
    row("/.nuget/nuget/nuget.config", "credentials file", Ask),
    row("/.terraformrc", "credentials file", Ask),
    row("/.config/heroku", "credentials file", Ask),
];

/// Names that a shell glob or a search glob may mean: one for each kind that people look for.
const WANTED: [&str; 22] = [
    ".env",
    ".env.local",
    ".env.production",
    "prod.env",
    "server.pem",
    "server.key",
    "id_rsa",
    "id_ed25519",
    "cert.p12",
    "cert.pfx",
    "app.keystore",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    "credentials.json",
    "secrets.yaml",
    "secrets.yml",
    "terraform.tfstate",
    "prod.tfvars",
    ".bash_history",
    ".pgpass",
];

/// What the file of this absolute path holds, if it is a secret. `home`: the user's.
pub(crate) fn secret(path: &str, home: &str) -> Option<Secret> {
    let path = spell::folded(path);
    let name = spell::name(&path);
    if harmless(name, &path) {
        return None;
    }
    if environment_file(name) {
        return Some(Secret {
            kind: "environment file",
            severity: Block,
        });
    }
    if let Some(rest) = path.strip_prefix("/proc/")
        && let Some((_, what)) = rest.split_once('/')
        && (matches!(what, "environ" | "mem" | "auxv") || what.ends_with("/environ"))
    {
        return Some(Secret {
            kind: "environment of a process",
            severity: Block,
        });
    }
    let in_home = IN_HOME.iter().find(|(place, _)| {
        path.strip_suffix(place).is_some_and(|folder| is_home(folder, home)) || path.contains(&format!("{place}/"))
    });
    let by_folder = FOLDERS.iter().find(|(folder, _)| holds(&path, folder));
    let by_name = FILES.iter().find(|(pattern, _)| match pattern.contains('/') {
        true => path.ends_with(&format!("/{pattern}")),
        false => simple(pattern, name),
    });
    in_home.or(by_folder).or(by_name).map(|(_, secret)| *secret)
}

fn is_home(folder: &str, home: &str) -> bool {
    let homes = folder == spell::folded(home) || folder == "/root";
    homes
        || folder
            .rsplit_once('/')
            .is_some_and(|(parent, _)| matches!(parent, "/home" | "/users" | "/c/users"))
}

/// Whether a folder of the table is in the path. `/etc/…` only where it begins.
fn holds(path: &str, folder: &str) -> bool {
    if folder.starts_with("/etc/") || folder.starts_with("/run/") || folder.starts_with("/var/") {
        return spell::inside(path, folder);
    }
    let mut rest = path;
    while let Some(at) = rest.find(folder) {
        let after = &rest[at + folder.len()..];
        if after.is_empty() || after.starts_with('/') {
            return true;
        }
        rest = after;
    }
    false
}

/// `*` alone, at an end or inside, against one name: cheaper than a whole glob.
fn simple(pattern: &str, name: &str) -> bool {
    hookbox_pack::words::wild(pattern, name)
}

/// `.env`, `.env.local`, `prod.env`, `.env-backup`.
fn environment_file(name: &str) -> bool {
    let Some(at) = name.find(".env") else { return false };
    let after = &name[at + 4..];
    after.is_empty() || (at == 0 && after.starts_with(['.', '-', '_', '~']))
}

/// Templates, public halves, program text and documents: named like secrets, meant to be read.
fn harmless(name: &str, path: &str) -> bool {
    const TEMPLATES: [&str; 12] = [
        "example", "sample", "template", "dist", "tmpl", "tpl", "schema", "defaults", "example2", "examples", "vault",
        "spec",
    ];
    const PUBLIC: [&str; 12] = [
        "cacert.pem",
        "ca.pem",
        "ca-cert.pem",
        "ca-bundle.pem",
        "cert.pem",
        "chain.pem",
        "fullchain.pem",
        "certificate.pem",
        "public.pem",
        "pubkey.pem",
        "known_hosts",
        "known_hosts.old",
    ];
    const TEXT: [&str; 18] = [
        "rs", "go", "py", "ts", "tsx", "js", "mjs", "cjs", "jsx", "rb", "java", "kt", "c", "h", "cpp", "md", "mdx",
        "nix",
    ];
    let parts: Vec<&str> = name.split(['.', '-', '_']).collect();
    if parts.iter().any(|part| TEMPLATES.contains(part)) && !path.contains("/.ssh/") {
        return true;
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if matches!(extension, "pub" | "crt" | "cer" | "csr" | "enc" | "sops") || PUBLIC.contains(&name) {
        return true;
    }
    if TEXT.contains(&extension) && !path.contains("/.ssh/") {
        return true;
    }
    // Certificates that come with the system or a language.
    name.ends_with(".pem")
        && (path.starts_with("/etc/ssl/certs/") || path.contains("/certifi/") || path.contains("/ca-certificates/"))
}

/// Whether a glob could mean a secret file. `dotted`: the glob is a shell's, where a leading dot must be written.
pub(crate) fn glob_names_secret(pattern: &str, dotted: bool) -> Option<Secret> {
    let folded = spell::folded(pattern);
    for pattern in glob::braces(&folded) {
        let last = spell::name(&pattern);
        if !last.contains(['*', '?', '[']) {
            if let Some(secret) = secret(&format!("/{last}"), "") {
                return Some(secret);
            }
            continue;
        }
        if last.starts_with('!') || harmless(&last.replace(['*', '?'], ""), &pattern) {
            continue;
        }
        let literals = glob::literals(last);
        for name in WANTED {
            if dotted && name.starts_with('.') && !last.starts_with(['.', '[']) {
                continue;
            }
            let ending = name.rsplit_once('.').map_or(0, |(_, extension)| extension.len() + 1);
            // A glob that is mostly open means everything, and so nothing in particular.
            let telling = literals * 2 >= name.len()
                || (literals >= ending && ending > 3 && !name.ends_with("json") && !name.contains("secrets."));
            if (telling || (last.starts_with('.') && dotted)) && glob::matches(last, name) {
                return secret(&format!("/{name}"), "");
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(path: &str) -> Option<&'static str> {
        secret(path, "/home/user").map(|secret| secret.kind)
    }

    #[test]
    fn secrets_by_name_and_place() {
        for path in [
            "/srv/demo/.env",
            "/srv/demo/.env.production",
            "/srv/demo/.ENV",
            "/srv/demo/deploy/prod.env",
            "/srv/demo/.envrc",
            "/home/user/.ssh/id_rsa",
            "/home/user/.ssh/config",
            "/root/.ssh/work",
            "/srv/demo/tls/server.pem",
            "/srv/demo/server.key",
            "/home/user/.aws/credentials",
            "/home/user/.npmrc",
            "/home/user/.netrc",
            "/home/user/.docker/config.json",
            "/home/user/.kube/config",
            "/home/user/.gnupg/private-keys-v1.d/x",
            "/srv/demo/app.jks",
            "/srv/demo/my-service-account.json",
            "/srv/demo/terraform.tfstate",
            "/srv/demo/terraform.tfstate.backup",
            "/srv/demo/prod.tfvars",
            "/srv/demo/credentials.json",
            "/srv/demo/config/secrets.yml",
            "/etc/shadow",
            "/proc/self/environ",
            "/proc/123/environ",
            "/proc/1/task/1/environ",
            "/run/secrets/db",
            "/home/user/.bash_history",
            "/home/user/.config/gh/hosts.yml",
            "/home/user/.claude/.credentials.json",
            "/users/ann/.npmrc",
            "/home/user/.ssh",
            "/home/user/.config/google-chrome/Default/Login Data",
            "/home/user/.password-store/x.gpg",
        ] {
            assert!(kind(path).is_some(), "{path}");
        }
    }

    #[test]
    fn templates_code_and_public_halves_are_no_secrets() {
        for path in [
            "/srv/demo/.env.example",
            "/srv/demo/.env.sample",
            "/srv/demo/.env.template",
            "/srv/demo/.env.dist",
            "/srv/demo/example.env",
            "/home/user/.ssh/id_rsa.pub",
            "/home/user/.ssh/known_hosts",
            "/srv/demo/src/secrets.rs",
            "/srv/demo/src/env.ts",
            "/srv/demo/.npmrc",
            "/srv/demo/.env.ts",
            "/srv/demo/prod.tfvars.example",
            "/srv/demo/environment.py",
            "/srv/demo/docs/secrets.md",
            "/etc/passwd",
            "/srv/demo/tokens.json",
            "/srv/demo/package.json",
            "/etc/ssl/certs/ca.pem",
            "/srv/demo/config/credentials.yml.enc",
            "/srv/demo/.environment",
            "/srv/demo/config.json",
            "/srv/demo/keyboard.md",
            "/proc/cpuinfo",
            "/proc/self/status",
            "/srv/demo/.sshd-notes",
            "/srv/demo/.envoy.yaml",
        ] {
            assert_eq!(kind(path), None, "{path}");
        }
    }

    #[test]
    fn globs_that_mean_secrets() {
        for pattern in [
            ".env*",
            ".e*",
            ".en?",
            ".[e]nv",
            ".*",
            "**/.env*",
            "{.env.local,zzz.ts}",
            "*.pem",
            "id_*",
            "config/.env",
            "id_[re]*",
        ] {
            assert!(glob_names_secret(pattern, true).is_some(), "{pattern}");
        }
        for pattern in [
            "*",
            "*.ts",
            "*.json",
            "src/**/*.rs",
            "**/*",
            "*.{ts,tsx}",
            "*.y*ml",
            "{a,b}",
            "*.md",
            "README*",
            ".github/*",
        ] {
            assert_eq!(glob_names_secret(pattern, true), None, "{pattern}");
        }
        assert!(glob_names_secret("*.env", false).is_some() && glob_names_secret("*env*", false).is_some());
        assert!(glob_names_secret("*", false).is_none() && glob_names_secret("**/*.js", false).is_none());
    }
}
