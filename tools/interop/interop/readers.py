"""Paimon's readers, each as the caller with a token: rows as the provider's functions write them, or a refusal."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
import subprocess
from typing import Any, Protocol

from interop.data import COLUMNS, DATABASE, literal
from interop.processes import WAREHOUSE, clean_environment

Row = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Refusal:
    """A read that failed: the name of the exception, and what it says."""

    error: str
    text: str = dataclasses.field(compare=False)

    def __str__(self) -> str:
        return f"refuses: {self.error}"


Answer = list[Row] | Refusal


def connection(uri: str, token: str) -> dict[str, str]:
    return {"metastore": "rest", "uri": uri, "warehouse": WAREHOUSE, "token.provider": "bear", "token": token}


class Reader(Protocol):
    name: str
    engine: str  # as the provider's argument engines calls it
    package: str
    version: str
    refuses_policies: bool  # of any kind

    def read(self, uri: str, token: str, table: str, columns: tuple[str, ...] | None) -> Answer: ...

    def close(self) -> None: ...


def _rows(batches: list[Row]) -> list[Row]:
    return [{name: literal(value, COLUMNS.get(name, "STRING")) for name, value in row.items()} for row in batches]


def _installed(package: str, version: str) -> str:
    found = importlib.metadata.version(package)
    if found != version:
        raise SystemExit(f"{package} {found} is installed, {version} is pinned")
    return found


class PyPaimon:
    name, engine, package = "pypaimon", "pypaimon-2.1", "pypaimon"
    refuses_policies = False

    def __init__(self, version: str) -> None:
        self.version = _installed(self.package, version)

    def read(self, uri: str, token: str, table: str, columns: tuple[str, ...] | None) -> Answer:
        return self.read_by(connection(uri, token), table, columns)

    def read_by(self, options: dict[str, str], table: str, columns: tuple[str, ...] | None) -> Answer:
        from pypaimon import CatalogFactory

        try:
            builder = CatalogFactory.create(options).get_table(f"{DATABASE}.{table}").new_read_builder()
            if columns:
                builder = builder.with_projection(list(columns))
            splits = builder.new_scan().plan().splits()
            return _rows(builder.new_read().to_arrow(splits).to_pylist())
        except Exception as error:  # whatever it is, it is what the reader says
            return Refusal(type(error).__name__, str(error))

    def close(self) -> None:
        """Nothing is open."""


class PaimonRust:
    name, engine, package = "paimon-rust", "rust-0.4", "pypaimon-rust"
    refuses_policies = True

    def __init__(self, version: str) -> None:
        self.version = _installed(self.package, version)

    def read(self, uri: str, token: str, table: str, columns: tuple[str, ...] | None) -> Answer:
        from pypaimon_rust.datafusion import PaimonCatalog

        try:
            builder = PaimonCatalog(connection(uri, token)).get_table(f"{DATABASE}.{table}").new_read_builder()
            if columns:
                builder = builder.with_projection(list(columns))
            splits = builder.new_scan().plan().splits()
            return _rows([row for batch in builder.new_read().read(splits) for row in batch.to_pylist()])
        except Exception as error:
            return Refusal(type(error).__name__, str(error))

    def close(self) -> None:
        """Nothing is open."""


class Java:
    """One virtual machine for all reads."""

    name, engine, package = "java", "java-1.4", "org.apache.paimon:paimon-bundle"
    refuses_policies = False

    def __init__(self, version: str, classpath: str) -> None:
        self.version = version
        self._process = subprocess.Popen(
            # Not UTC: what depends on where one is shows.
            [
                "java",
                "-Duser.timezone=Asia/Kolkata",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classpath,
                "interop.Read",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=clean_environment(),
        )

    def read(self, uri: str, token: str, table: str, columns: tuple[str, ...] | None) -> Answer:
        self._process.stdin.write("\t".join((uri, WAREHOUSE, token, f"{DATABASE}.{table}", ",".join(columns or ()))) + "\n")
        self._process.stdin.flush()
        rows: list[Row] = []
        for line in self._process.stdout:
            if line.startswith("{"):
                rows += _rows([json.loads(line)])
            elif line.startswith("END"):
                return rows
            elif line.startswith("FAILED "):
                error, _, text = line[len("FAILED ") :].rstrip("\n").partition(": ")
                return Refusal(error, text)
        raise SystemExit("the Java reader ended")

    def close(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
