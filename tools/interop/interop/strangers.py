"""Other clients of the management interface: what they see of Terraform's work, and what Terraform makes of theirs."""

from __future__ import annotations

import json
import re
from typing import Any

from interop import data
from interop.cases import LEAF_EU, text_of
from interop.clients import PythonClient, RustClient
from interop.people import only
from interop.processes import ADMIN, Terraform
from interop.readers import connection
from interop.stage import TABLES, Stage


def listed(stage: Stage, configurations: list[Terraform]) -> None:
    """What Terraform has in its states is what others list, and nothing else."""
    resources = [resource for terraform in configurations for resource in terraform.resources()]
    python, rust = PythonClient(connection(stage.uri, ADMIN)), RustClient(connection(stage.uri, ADMIN))
    for table in TABLES:
        here = [(r["type"], r["values"]) for r in resources if r["values"]["table"] == table]
        for kind, resource_type in (("TABLE", "paimon_permission"), ("COLUMN", "paimon_column_permission")):
            state = [
                {
                    "access": values["access"],
                    "principal": values["principal"],
                    "expire_time": values["expire_time"],
                    "column_names": sorted(values.get("column_names") or []) or None,
                    "excluded_column_names": sorted(values.get("excluded_column_names") or []) or None,
                }
                for of_type, values in here
                if of_type == resource_type
            ]
            for client in (python, rust):
                stage.report.check(
                    f"{kind} permissions [{table}]: {len(state)}",
                    by_text(client.permissions(kind, table)),
                    by_text(state),
                    client.name,
                )
        state = [(v.get("on_column"), v["principal"], v.get("predicate") or v["transform"]) for t, v in here if "policy" in t]
        stage.report.check(f"policies [{table}]: {len(state)}", by_text(rust.policies(table)), by_text(state), rust.name)


def made_by_others(stage: Stage) -> None:
    """Others make and lose permissions and policies; Terraform takes over what is left, changes and destroys it."""
    stage.report.section("What other clients made")
    python, rust = PythonClient(connection(stage.uri, ADMIN)), RustClient(connection(stage.uri, ADMIN))
    table = data.APPEND
    before = (
        by_text(python.permissions("TABLE", table)),
        by_text(python.permissions("COLUMN", table)),
        by_text(rust.policies(table)),
    )
    predicate = text_of(LEAF_EU)
    python.grant("TABLE", table, "user:granted", expire_time="2031-01-01T00:00:00Z")
    rust.grant("COLUMN", table, "user:granted_columns", ["id", "region"])
    rust.create_filter(table, "user:foreign", predicate)
    rust.create_mask(table, "email", "user:foreign", '{"name": "CONCAT", "inputs": ["hidden"]}')
    # And what is gone again, so that each of the six calls is made.
    rust.grant("TABLE", table, "user:revoked")
    python.grant("COLUMN", table, "user:revoked", ["id"])
    rust.create_filter(table, "user:revoked", predicate)
    stage.report.check(
        "granted by paimon-rust, listed",
        [p["principal"] for p in python.permissions("TABLE", table) if p["principal"] == "user:revoked"],
        ["user:revoked"],
        python.name,
    )
    stage.report.check(
        "granted by pypaimon, listed",
        [p["column_names"] for p in rust.permissions("COLUMN", table) if p["principal"] == "user:revoked"],
        [["id"]],
        rust.name,
    )
    python.revoke("TABLE", table, "user:revoked")
    rust.revoke("COLUMN", table, "user:revoked")
    rust.drop_filter(table, "user:revoked")
    left = [*python.permissions("TABLE", table), *rust.permissions("COLUMN", table)]
    stage.report.check("revoked", [p for p in left if p["principal"] == "user:revoked"], [], "both")
    stage.report.check("dropped", [p for p in rust.policies(table) if p[1] == "user:revoked"], [], rust.name)

    everything = data.literals_of(table)
    some = [{**row, "email": "hidden"} for row in everything if row["region"] == "EU"]
    stage.see("restricted by paimon-rust", "foreign-token", table, None, lambda _: some, restricted=True)
    terraform = stage.terraform("foreign")
    said = terraform.apply()
    stage.report.check("imported", summary(said), "4 imported, 0 added, 0 changed, 0 destroyed", "Terraform")
    stage.report.check("planned again", "No changes." in terraform.plan(), True, "Terraform")
    stage.see("imported, unchanged", "foreign-token", table, None, lambda _: some, restricted=True)

    terraform.variables(region="US", hidden="gone", expire_time="2020-01-01T00:00:00Z", columns=["id", "email"])
    stage.report.check("changed", summary(terraform.apply()), "2 added, 2 changed, 2 destroyed", "Terraform")
    others = [{**row, "email": "gone"} for row in everything if row["region"] == "US"]
    stage.see("changed by Terraform", "foreign-token", table, None, lambda _: others, restricted=True)
    stage.see("permission that Terraform has ended", "granted-token", table, None, lambda _: None)
    columns = ("id", "email")
    stage.see(
        "columns that Terraform has changed",
        "granted_columns-token",
        table,
        columns,
        lambda r: None if r == "paimon-rust" else only(everything, columns),
    )
    terraform.destroy()
    after = by_text(rust.permissions("TABLE", table)), by_text(rust.permissions("COLUMN", table)), by_text(rust.policies(table))
    stage.report.check("destroyed: the listings are as before", after == before, True, "both")
    stage.see("destroyed: every row again", "foreign-token", table, None, lambda _: everything)
    stage.see("destroyed: no column any more", "granted_columns-token", table, columns, lambda _: None)


def by_text(rows: list[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def summary(said: str) -> str:
    """The counts of an apply."""
    found = re.search(r"Resources: (.*)\.", said)
    return found[1] if found else said.strip()[-300:]
