#!/usr/bin/env python3
"""Runs the scenarios with the real clients and prints the table.

usage: run.py HOOKBOX [--clients a,b] [--only TEXT] [--cache FOLDER] [--keep FOLDER] [--jobs N]

The entry is made by `hookbox init` in a fresh home. Exit code 1 where a cell differs from what scenarios.py says. Standard library only.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from clients import CLIENTS, PROMPT
from model import FINAL, Model
from scenarios import BLOCKED, RAN, SCENARIOS, SILENT, wanted

# Seconds after which a run is taken to stand still; the slowest takes ten on a machine that has nothing else to do.
LONGEST = 400
# In the place of the entry's 60 s where hookbox is made to hang, and of the 57 s after which the entry's shell ends it.
SHORT, SHORTER = 8, 2


def alone():
    """Moves this process into a network of its own, with nothing in it but loopback, where the kernel allows it."""
    if os.environ.get("HOOKBOX_AGENTS_ALONE"):
        import fcntl
        import socket
        import struct

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
            fcntl.ioctl(link, 0x8914, struct.pack("16sH14s", b"lo", 0x1 | 0x40, b""))
        return True
    if subprocess.run(["unshare", "-n", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return False
    os.environ["HOOKBOX_AGENTS_ALONE"] = "1"
    os.execvp("unshare", ["unshare", "-n", sys.executable, *sys.argv])


def one(client, scenario, hookbox, cache, folder):
    """Runs one cell and says what was seen."""
    run = folder / f"{client.name}-{scenario.name.replace(' ', '-')}"
    shutil.rmtree(run, ignore_errors=True)
    for name in ("home/.cache", "work", "tmp", "bin"):
        (run / name).mkdir(parents=True)
    # Preparing the pack takes a development build many seconds, and gives the same in every home.
    prepared = folder / "prepared"
    prepared.mkdir(exist_ok=True)
    (run / "home/.cache/hookbox").symlink_to(prepared)
    program = run / "bin/hookbox"
    shutil.copy(hookbox, program)
    with Model(scenario.commands) as model:
        arguments, environment = client.command(run, model, cache)
        if scenario.config:
            config = pathlib.Path(environment.get("XDG_CONFIG_HOME", run / "home/.config")) / "hookbox/hooks.json"
            config.parent.mkdir(parents=True)
            config.write_text(json.dumps({"onFailure": "block", **scenario.config}))
        set_up = subprocess.run([program, "init", "--agent", client.agent], env=environment, cwd=run / "work", capture_output=True, text=True)
        if set_up.returncode != 0:
            return f"init failed: {set_up.stderr.strip()}", run
        replace(program, scenario.program, run, client)
        with open(run / "stdout", "wb") as stdout, open(run / "stderr", "wb") as stderr:
            process = subprocess.Popen(arguments, env=environment, cwd=run / "work", stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True)
            try:
                code = process.wait(LONGEST)
            except subprocess.TimeoutExpired:
                code = None
            try:
                # Its own session and nothing else.
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        (run / "requests.json").write_text(json.dumps(model.requests, indent=1))
        return seen(scenario, model, run, code), run


def replace(program, by, run, client):
    """Puts something else in hookbox's place, and a short timeout into the entry so that a test can wait for it."""
    if by is None:
        return
    program.unlink()
    if by != "missing":
        program.write_text(by)
        program.chmod(0o755)
    if "-STOP" in by:
        for file in (run / "home").rglob("*"):
            if file.is_file() and not file.is_symlink() and file.suffix in (".json", ".js") and "run --agent" in file.read_text(errors="replace"):
                text = file.read_text()
                text = re.sub(r'("timeout(?:Sec)?": )60\b', rf"\g<1>{SHORT}", text)
                text = text.replace("60000", str(SHORT * 1000)).replace("-s KILL 57 ", f"-s KILL {SHORTER} ")
                file.write_text(text)
        config = run / "home/.codex/config.toml"
        if client.name == "codex" and config.exists():
            retrust(config, run / "home/.codex/hooks.json")


def retrust(config, hooks):
    """Codex trusts a hook by its hash, and the timeout is part of it."""
    import hashlib

    for event, groups in json.loads(hooks.read_text())["hooks"].items():
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
        for index, group in enumerate(groups):
            handler = {"async": False, **group["hooks"][0]}
            identity = json.dumps({"event_name": snake, "hooks": [handler]}, sort_keys=True, separators=(",", ":"))
            digest = hashlib.sha256(identity.encode()).hexdigest()
            text = config.read_text()
            key = re.escape(f'{hooks}:{snake}:{index}:0"]')
            config.write_text(re.sub(rf'({key}\ntrusted_hash = ")[^"]*', rf"\g<1>sha256:{digest}", text))


def seen(scenario, model, run, code):
    """What happened, in the words of scenarios.py."""
    ran, rewritten = (run / "work/ran").exists(), (run / "work/rewritten").exists()
    heard = any(model.heard(text) for text in scenario.says.split("|") if text)
    if code is None:
        return "stood still" + (", ran" if ran else "")
    if scenario.name == "prompt stopped":
        return "ran" if ran else "asked the model" if model.heard(PROMPT) else "stopped"
    if scenario.name == "stop goes on once":
        turns = len(model.turns())
        return "went on once" if heard and turns == 2 else f"{turns} turns" + (", heard" if heard else "")
    if scenario.name.startswith("stop, "):
        # Who goes on is told why.
        return "went on" if heard else "stopped"
    if not any(offered for offered in model.turns()):
        return "the model was not asked"
    if rewritten:
        return "ran both" if ran else "rewritten"
    if ran:
        return "ran, context heard" if heard else RAN
    return BLOCKED if heard else SILENT


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hookbox", type=pathlib.Path)
    parser.add_argument("--clients", default=",".join(CLIENTS))
    parser.add_argument("--only", default="")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "hookbox-agents")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path, help="write the table into this file too")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    args = parser.parse_args()
    clients = [CLIENTS[name] for name in args.clients.split(",")]
    if not os.environ.get("HOOKBOX_AGENTS_ALONE"):
        installed = []
        for client in clients:
            try:
                client.install(args.cache)
                installed.append(client)
            except (OSError, subprocess.CalledProcessError) as error:
                said = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip().splitlines()
                print(f"SKIPPED: {client.name}: {client.package} cannot be installed here: {error}", *said[-3:], sep="\n    ", flush=True)
        if not installed:
            return 2
        sys.argv += ["--clients", ",".join(client.name for client in installed)]
        clients = installed
    if not alone():
        print("no network namespace: the clients could reach the network", file=sys.stderr)
    folder = args.keep or pathlib.Path(tempfile.mkdtemp(prefix="hookbox-agents-"))
    folder.mkdir(parents=True, exist_ok=True)
    scenarios = [scenario for scenario in SCENARIOS if args.only in scenario.name]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        cells = {(s.name, c.name): pool.submit(one, c, s, args.hookbox.resolve(), args.cache, folder) for s in scenarios for c in clients}
        table = {}
        for (scenario, client), future in cells.items():
            table[scenario, client] = future.result()
            print(f"{client}: {scenario}: {table[scenario, client][0]}", file=sys.stderr, flush=True)
    wrong = 0
    lines = ["| |" + "|".join(f" {client.title} " for client in clients) + "|", "|---|" + "---|" * len(clients)]
    for scenario in scenarios:
        row = []
        for client in clients:
            text, run = table[scenario.name, client.name]
            want = wanted(scenario, client.name)
            if text != want:
                wrong += 1
                text = f"**{text}** (wanted: {want}; {run})"
            elif text != scenario.expect:
                text += " (its limit)"
            row.append(f" {text} ")
        lines.append(f"| {scenario.name} |" + "|".join(row) + "|")
    print("\n".join(lines))
    if args.table:
        args.table.write_text("\n".join(lines) + "\n")
    if not args.keep and not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"\n{len(table) - wrong} of {len(table)} cells as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
