#!/usr/bin/env python3
"""Holds the provider and the dev catalog against Paimon's own software: make interop, make interop-java.

It needs Python 3.10 or newer, Go, and Terraform or OpenTofu on PATH; with --java also JDK 11 or newer and Maven. The first run
makes a virtual environment in a cache outside the tree. Exit status: 0 when everything is as promised, 1 on any difference, 3
when the package index cannot be reached.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
UNREACHABLE = 3


def cache() -> pathlib.Path:
    """The cache of all tools of this repository."""
    own = os.environ.get("PAIMON_TOOLS_CACHE")
    return (
        pathlib.Path(own)
        if own
        else pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "terraform-provider-paimon"
    )


def made_once(name: str, sources: list[pathlib.Path], salt: str, make) -> pathlib.Path:
    """A folder in the cache that is made once for the content of the sources; a half one is made again."""
    content = hashlib.sha256(salt.encode())
    for source in sources:
        content.update(source.read_bytes())
    folder = cache() / f"{name}-{content.hexdigest()[:12]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            (folder / "complete").touch()
    return folder


def virtual_environment() -> pathlib.Path:
    """The Python of the virtual environment with the pinned clients."""
    requirements = HERE / "requirements.txt"

    def make(folder: pathlib.Path) -> None:
        print(f"installing {' and '.join(pins())} into {folder} (once)", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        command = [
            folder / "bin" / "python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
            "-r",
            requirements,
        ]
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if result.returncode:
            print(result.stderr[-2000:], file=sys.stderr)
            # An index that knows no version at all is not the index, or was not asked.
            unreachable = re.search(
                r"ConnectionError|Timeout|ProxyError|name resolution|timed out|from versions: none", result.stderr
            )
            sys.exit(UNREACHABLE if unreachable else 1)

    return made_once("interop", [requirements], sys.version, make) / "bin" / "python"


def pins() -> dict[str, str]:
    """The clients and their versions."""
    lines = (HERE / "requirements.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if "==" in line)


def java_classpath() -> str:
    """The class path of the Java reader and of what it needs."""
    pom = HERE / "pom.xml"

    def make(folder: pathlib.Path) -> None:
        print(f"building the Java reader into {folder} (once)", file=sys.stderr, flush=True)
        folder.mkdir()
        subprocess.run(
            [
                "mvn",
                "--quiet",
                "--batch-mode",
                "--file",
                pom,
                f"-Dinterop.build={folder}",
                "compile",
                "dependency:build-classpath",
                f"-Dmdep.outputFile={folder}/classpath",
            ],
            check=True,
            stdout=sys.stderr,
        )

    def built() -> tuple[pathlib.Path, str]:
        folder = made_once("interop-java", [pom, *sorted(HERE.glob("java/**/*.java"))], "", make)
        return folder, (folder / "classpath").read_text().strip()

    folder, libraries = built()
    if not all(pathlib.Path(jar).exists() for jar in libraries.split(":")):
        # Maven's repository was cleared in the meantime.
        (folder / "complete").unlink()
        folder, libraries = built()
    return f"{folder}/classes:{libraries}"


def java_version() -> str:
    return re.search(r"<paimon.version>(.*)</paimon.version>", (HERE / "pom.xml").read_text())[1]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--java", action="store_true", help="read with Java too")
    parser.add_argument("--prepare", action="store_true", help="make the virtual environment, and nothing else")
    parser.add_argument(
        "--write-page", action="store_true", help="write the page of the documentation from what is seen; with --java"
    )
    parser.add_argument("--break", dest="breakage", metavar="NAME", help="a fault of the dev catalog, which has to be seen")
    return parser.parse_args()


def main() -> int:
    if sys.version_info < (3, 10):
        sys.exit("this takes Python 3.10 or newer")
    given = arguments()
    python = virtual_environment()
    if given.prepare:
        return 0
    if pathlib.Path(sys.prefix) != python.parent.parent:
        # No signal is for one of the two alone: this process becomes the other.
        os.execv(python, [python, "-B", __file__, *sys.argv[1:]])
    return hold(given)


def hold(given: argparse.Namespace) -> int:
    """The run itself, in the virtual environment."""
    import logging
    import signal
    import warnings

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    # A signal ends the run the way an error does, with everything that it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    from interop import page
    from interop.processes import TerraformError, build, stop_all
    from interop.readers import Java, PaimonRust, PyPaimon
    from interop.scenario import Scenario

    cli = shutil.which("terraform") or shutil.which("tofu")
    if not cli:
        sys.exit("neither terraform nor tofu is on PATH")
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:5.1f} s  {text}", flush=True)

    versions = pins()
    with tempfile.TemporaryDirectory(prefix="paimon-interop-") as folder:
        work = pathlib.Path(folder)
        say("the provider and the dev catalog are built")
        build(ROOT, cache(), work / "bin")
        readers = [PyPaimon(versions["pypaimon"]), PaimonRust(versions["pypaimon-rust"])]
        if given.java:
            readers.append(Java(java_version(), java_classpath()))
        scenario = Scenario(readers, cli, work / "bin", work, say)
        failed = ""
        try:
            scenario.run(given.breakage)
        except TerraformError as error:
            failed = str(error)
        finally:
            stop_all()
            for reader in readers:
                reader.close()
    print(scenario.report.text())
    print()
    for text in (
        scenario.report.failures(),
        failed and f"DIFFERENCE  Terraform failed\n{failed[max(failed.find('Error:'), 0) :][:3000]}",
    ):
        if text:
            print(text)
    stale = False
    if given.java and not failed and not given.breakage:
        stale = page.write(ROOT, scenario) if given.write_page else page.is_stale(ROOT, scenario)
    names = ", ".join(f"{reader.name} {reader.version}" for reader in readers)
    differences = scenario.report.differences + bool(failed) + stale
    print(f"{names}: {scenario.report.checks} outcomes, {differences} differences, {time.monotonic() - began:.0f} s")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
