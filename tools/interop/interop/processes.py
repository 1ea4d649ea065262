"""The dev catalog and Terraform as processes, with nothing of this machine's own settings in them."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

WAREHOUSE = "interop"
ADMIN = "admin-token"


def clean_environment(**more: str) -> dict[str, str]:
    """Settings for other catalogs and other configurations must not find their way in here."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAIMON_", "TF_"))}
    return {**kept, "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", **more}


def build(root: pathlib.Path, cache: pathlib.Path, into: pathlib.Path) -> None:
    """Builds the provider and the dev catalog. Go links again where nothing lies yet, so a copy of theirs is kept."""
    kept = cache / f"interop-bin-{hashlib.sha256(str(root).encode()).hexdigest()[:12]}"
    kept.mkdir(parents=True, exist_ok=True)
    with open(kept / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if subprocess.run(["go", "build", "-o", f"{kept}/", ".", "./tools/devcatalog"], cwd=root).returncode:
            raise SystemExit("the provider or the dev catalog does not build")
        shutil.copytree(kept, into)


@contextlib.contextmanager
def dev_catalog(binary: pathlib.Path, seed: dict[str, Any], work: pathlib.Path, breakage: str | None) -> Iterator[str]:
    """Serves a catalog and gives its address. YAML reads JSON, so the seed needs no library."""
    seed_file, tables = work / "seed.yaml", work / "tables"
    seed_file.write_text(json.dumps({"warehouse": WAREHOUSE, **seed}))
    tables.mkdir()
    command = [binary, "--listen", "127.0.0.1:0", "--seed", seed_file, "--table-root", tables]
    if breakage:
        command += ["--break", breakage]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment())
    try:
        address = process.stdout.readline().strip()
        if not address:
            raise SystemExit("the dev catalog did not start")
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


_running: set[subprocess.Popen[str]] = set()


def stop_all() -> None:
    """Ends the commands that still run when the scenario breaks off."""
    for process in list(_running):
        process.terminate()
    for process in list(_running):
        process.communicate()


class TerraformError(Exception):
    """A command that failed, with what it said."""


class Terraform:
    """One configuration in a folder of its own."""

    def __init__(self, cli: str, source: pathlib.Path, folder: pathlib.Path, provider: pathlib.Path, catalog: str) -> None:
        self._cli, self._folder = cli, folder
        shutil.copytree(source, folder)
        override = folder / "cli.tfrc"
        override.write_text(
            f'provider_installation {{\n  dev_overrides {{\n    "paimon-iac/paimon" = "{provider}"\n  }}\n  direct {{}}\n}}\n'
        )
        self._environment = clean_environment(
            TF_CLI_CONFIG_FILE=str(override), PAIMON_URI=catalog, PAIMON_WAREHOUSE=WAREHOUSE, PAIMON_TOKEN=ADMIN
        )

    def variables(self, **values: Any) -> None:
        (self._folder / "terraform.tfvars.json").write_text(json.dumps(values, ensure_ascii=False))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """For commands that run side by side; finish gives what they said."""
        process = subprocess.Popen(
            [self._cli, f"-chdir={self._folder}", *arguments, "-no-color"],
            env=self._environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        _running.add(process)
        return process

    @staticmethod
    def finish(process: subprocess.Popen[str], *accepted: int) -> str:
        said, _ = process.communicate()
        _running.discard(process)
        if process.returncode not in (accepted or (0,)):
            raise TerraformError(said.strip())
        return said

    def run(self, *arguments: str, accepted: tuple[int, ...] = (0,)) -> str:
        return self.finish(self.start(*arguments), *accepted)

    def apply(self, *arguments: str) -> str:
        return self.run("apply", "-input=false", "-auto-approve", *arguments)

    def destroy(self) -> str:
        return self.run("destroy", "-input=false", "-auto-approve")

    def plan(self, *arguments: str) -> str:
        return self.run("plan", "-input=false", *arguments)

    def resources(self) -> list[dict[str, Any]]:
        """The managed resources in the state, read from its file, since starting the CLI takes longer than all of them together."""
        state = json.loads((self._folder / "terraform.tfstate").read_text())
        return [
            {"type": resource["type"], "index": instance.get("index_key"), "values": instance["attributes"]}
            for resource in state["resources"]
            if resource["mode"] == "managed"
            for instance in resource["instances"]
        ]

    def planned_outputs(self) -> dict[str, Any]:
        """What a plan computes is enough where there is nothing to apply."""
        self.plan("-out=plan")
        plan = json.loads(self.run("show", "-json", "plan"))
        return {name: output["value"] for name, output in plan["planned_values"]["outputs"].items()}


def diagnostics(said: str) -> list[dict[str, Any]]:
    """The warnings and errors of a command with -json."""
    found = []
    for line in said.splitlines():
        with contextlib.suppress(ValueError):
            message = json.loads(line)
            if message.get("type") == "diagnostic":
                found.append(message["diagnostic"])
    return found


_REMARK = re.compile(
    r"^(?P<engines>[a-z0-9.\-, ]+?(?: and [a-z0-9.\-]+)?) (?P<verb>lets?|refuses?|answers?) (?:rows or values through|the read|differently): (?P<text>.*)$"
)
_VERDICTS = {"l": "opens", "r": "refuses", "a": "differs"}


def remarks(said: str) -> dict[str, list[tuple[str, str, str]]]:
    """What the provider says of each engine by the key of the policy: engine, verdict and text."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for diagnostic in diagnostics(said):
        key = re.search(r'\["(.*)"\]', diagnostic.get("address", ""))
        if not key:
            continue
        for line in diagnostic["detail"].splitlines():
            if match := _REMARK.match(line):
                for engine in re.split(r", | and ", match["engines"]):
                    remark = (engine, _VERDICTS[match["verb"][0]], match["text"])
                    # Plan and apply say the same.
                    if remark not in found.setdefault(key[1], []):
                        found[key[1]].append(remark)
    return found
