"""Callers who log in with keys, as to Alibaba Cloud DLF: pypaimon signs each request in each way, and the catalog checks."""

from __future__ import annotations

from typing import Any

from interop import data
from interop.clients import PythonClient
from interop.processes import WAREHOUSE
from interop.readers import PyPaimon, Refusal
from interop.report import same
from interop.stage import Stage

# pypaimon takes "default" for a choice by the host, and for this one chooses it.
ALGORITHMS = ("default", "openapi", "openapi-v4")

KEYS: dict[str, dict[str, str]] = {
    "signer": {"access_key_id": "signer-id", "access_key_secret": "signer-secret"},
    "temporary": {
        "access_key_id": "temporary-id",
        "access_key_secret": "temporary-secret",
        "security_token": "temporary/token==",
    },
}


def principals() -> list[dict[str, Any]]:
    """They may manage access and, as stewards, read everything."""
    return [{"name": f"user:{name}", "dlf": keys, "groups": ["role:steward"], "manages": True} for name, keys in KEYS.items()]


def connection(uri: str, algorithm: str, keys: dict[str, str]) -> dict[str, str]:
    options = {f"dlf.{name.replace('_', '-')}": value for name, value in keys.items()}
    return {
        "metastore": "rest",
        "uri": uri,
        "warehouse": WAREHOUSE,
        "token.provider": "dlf",
        "dlf.region": "cn-hangzhou",
        "dlf.signing-algorithm": algorithm,
        **options,
    }


def sign(stage: Stage) -> None:
    """A read and the three calls on permissions with each algorithm; with keys that are not right, none."""
    stage.report.section("Signed requests")
    reader = next(reader for reader in stage.readers if isinstance(reader, PyPaimon))
    everything = data.literals_of(data.APPEND)
    for algorithm in ALGORITHMS:
        for name, keys in KEYS.items():
            options = connection(stage.uri, algorithm, keys)
            got = reader.read_by(options, data.APPEND, None)
            outcome = "every row" if same(got, everything) else str(got)
            stage.report.check(f"{algorithm}: {name} reads", outcome, "every row", reader.name)
            listed = _granted_and_revoked(options)
            stage.report.check(f"{algorithm}: {name} grants and revokes", listed, (True, False), reader.name)
        for wrong, value in {"access_key_id": "stranger", "access_key_secret": "stolen", "security_token": "over"}.items():
            options = connection(stage.uri, algorithm, {**KEYS["temporary"], wrong: value})
            got = reader.read_by(options, data.APPEND, None)
            outcome = got.error if isinstance(got, Refusal) else f"{len(got)} rows"
            stage.report.check(f"{algorithm}: wrong {wrong}", outcome, "NotAuthorizedException", reader.name)


def _granted_and_revoked(options: dict[str, str]) -> tuple[bool, bool]:
    """Whether a permission is listed after its grant, and after it is revoked."""
    client, principal = PythonClient(options), "user:revoked"

    def listed() -> bool:
        return any(p["principal"] == principal for p in client.permissions("COLUMN", data.APPEND))

    client.grant("COLUMN", data.APPEND, principal, ["id", "region"])
    granted = listed()
    client.revoke("COLUMN", data.APPEND, principal)
    return granted, listed()
