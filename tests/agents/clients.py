"""The real clients: what is installed, and how each is started without a person, a login or a network. Standard library only.

Each runs in a home of its own with a dummy key, update checks and telemetry off, and with 127.0.0.1 as the only address in its configuration;
where the kernel allows it (`unshare -n`), nothing else can be reached at all.
"""
import json
import os
import pathlib
import shutil
import subprocess

PROMPT = "please do the next step"


class Client:
    """One client: `package` from npm, `program` below node_modules, `node`: it is a script."""

    def __init__(self, name, agent, package, program, node, start, beside=()):
        self.name, self.agent, self.package, self.program, self.node, self.start, self.beside = name, agent, package, program, node, start, beside

    @property
    def title(self):
        """The name and the version."""
        return f"{self.name} {self.package.rsplit('@', 1)[1]}"

    def install(self, cache):
        """The program's path, installed into `cache` where it is not there yet."""
        folder = cache / self.name
        program = folder / "node_modules" / self.program
        for package, target in [(self.package, folder), *((package, cache / f"{self.name}-config") for package in self.beside)]:
            if not (target / "node_modules").exists():
                target.mkdir(parents=True, exist_ok=True)
                command = ["npm", "install", "--prefix", str(target), "--no-audit", "--no-fund", "--force", "--save-exact", package]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return program

    def command(self, run, model, cache):
        """(arguments, environment) of one run in the folder `run`, talking to `model`."""
        node = shutil.which("node") or "node"
        environment = {
            "HOME": str(run / "home"),
            "PATH": f"{os.path.dirname(node)}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "TMPDIR": str(run / "tmp"),
            "NO_PROXY": "127.0.0.1,localhost",
        }
        program = str(self.install(cache))
        arguments, more = self.start(run, model.url, cache)
        return ([node, program] if self.node else [program]) + arguments, {**environment, **more}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def merge_json(path, settings):
    """Adds to a JSON file that `hookbox init` may have written already."""
    known = json.loads(path.read_text()) if path.exists() else {}
    write(path, json.dumps({**settings, **known}, indent=2))


def codex(run, url, _):
    home = run / "home/.codex"
    known = (home / "config.toml").read_text() if (home / "config.toml").exists() else ""
    write(
        home / "config.toml",
        f"""model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[projects."{run}/work"]
trust_level = "trusted"
{known}""",
    )
    arguments = ["exec", "--skip-git-repo-check", "--json", "-C", f"{run}/work", "--dangerously-bypass-approvals-and-sandbox", "-c", "features.plugins=false", PROMPT]
    return arguments, {"CODEX_HOME": str(home), "FAKE_KEY": "dummy"}


def gemini(run, url, _):
    merge_json(
        # Not at home: `init` has to follow the variable, as the client does.
        run / "home/moved/.gemini/settings.json",
        {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        },
    )
    environment = {
        "GEMINI_CLI_HOME": f"{run}/home/moved",
        "GEMINI_CLI_NO_RELAUNCH": "true",
        "GEMINI_API_KEY": "dummy",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GOOGLE_GEMINI_BASE_URL": url,
    }
    return ["-p", PROMPT, "-o", "json", "--approval-mode=yolo", "--skip-trust", "-m", "gemini-2.5-flash"], environment


def claude(run, url, _):
    arguments = ["-p", PROMPT, "--output-format", "json", "--setting-sources", "user", "--strict-mcp-config", "--max-turns", "10"]
    arguments += ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"]
    environment = {
        "CLAUDE_CONFIG_DIR": f"{run}/home/.claude",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }
    return arguments, environment


def qwen(run, url, _):
    merge_json(
        run / "home/.qwen/settings.json",
        {
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "general": {"disableAutoUpdate": True},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        },
    )
    arguments = ["-p", PROMPT, "--auth-type", "openai", "--openai-base-url", f"{url}/v1", "--openai-api-key", "dummy", "-m", "fake"]
    return arguments + ["--approval-mode", "yolo", "--output-format", "json"], {"QWEN_HOME": f"{run}/home/.qwen", "QWEN_CODE_NO_RELAUNCH": "1"}


def copilot(run, url, cache):
    # It unpacks itself into this folder; every run would do it again.
    unpacked = cache / "copilot-unpacked"
    unpacked.mkdir(parents=True, exist_ok=True)
    (run / "home/.cache").mkdir(parents=True, exist_ok=True)
    (run / "home/.cache/copilot").symlink_to(unpacked)
    environment = {
        "COPILOT_HOME": f"{run}/home/.copilot",
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": "dummy",
        "COPILOT_MODEL": "fake",
    }
    return ["-p", PROMPT, "--allow-all-tools", "--output-format", "json", "--disable-builtin-mcps"], environment


def opencode(run, url, cache):
    # Without the modules of its plugins it asks the registry at start, for ever.
    config = run / "home/moved/opencode"
    config.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(cache / "opencode-config" / name, config)
    (config / "node_modules").symlink_to(cache / "opencode-config/node_modules")
    provider = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"{url}/v1", "apiKey": "dummy"}, "models": {"m": {"name": "m", "tool_call": True}}}
    settings = {"provider": {"fake": provider}, "model": "fake/m", "small_model": "fake/m", "autoupdate": False, "share": "disabled", "permission": {"bash": "allow", "edit": "allow"}}
    environment = {
        "OPENCODE_CONFIG_CONTENT": json.dumps(settings),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "XDG_CONFIG_HOME": f"{run}/home/moved",
        "XDG_DATA_HOME": f"{run}/home/.local/share",
        "XDG_CACHE_HOME": f"{run}/home/.cache",
        "XDG_STATE_HOME": f"{run}/home/.local/state",
    }
    return ["run", "-m", "fake/m", "--format", "json", PROMPT], environment


CLIENTS = {
    client.name: client
    for client in [
        Client("codex", "codex", "@openai/codex@0.171.0", "@openai/codex/bin/codex.js", True, codex),
        Client("gemini", "gemini", "@google/gemini-cli@0.61.0", ".bin/gemini", True, gemini),
        Client("claude", "claude-code", "@anthropic-ai/claude-code-linux-x64@2.1.332", "@anthropic-ai/claude-code-linux-x64/claude", False, claude),
        Client("qwen", "qwen", "@qwen-code/qwen-code@0.24.4", ".bin/qwen", True, qwen),
        Client("copilot", "copilot", "@github/copilot@1.0.102", ".bin/copilot", True, copilot),
        Client("opencode", "opencode", "opencode-ai@1.18.33", ".bin/opencode", False, opencode, ("@opencode-ai/plugin@1.18.33",)),
    ]
}
