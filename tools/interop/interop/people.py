"""Who calls: the people of the guides, and a user for each case."""

from __future__ import annotations

from typing import Any

from interop import data, signers
from interop.cases import Case
from interop.clients import append, probe
from interop.processes import ADMIN, Terraform
from interop.readers import Row
from interop.stage import TABLES, Promises, Stage

LOADER = "loader-token"

# Terraform writes its whole state after each resource, so a few smaller configurations are faster than a large one. The first
# has the cases on both tables, and is the one that is destroyed before the end.
SHARDS = 4

# The people of the guides: who they are is in the seed, what they may see in terraform/access.
PEOPLE = {
    "analyst": ["role:analyst", "group:eu"],
    "steward": ["role:steward"],
    "nobody": [],
    "some_columns": [],
    "most_columns": [],
    "expired": [],
    "expired_columns": [],
    "foreign": ["role:steward"],
    "granted": [],
    "granted_columns": [],
    "revoked": [],
}


def seed(all_cases: dict[str, Case]) -> dict[str, Any]:
    """Who may call. The loader may do everything with tables; who may read is Terraform's business."""
    principals: list[dict[str, Any]] = [
        {"name": "user:admin", "token": ADMIN, "manages": True},
        {"name": "user:loader", "token": LOADER},
        *signers.principals(),
        *({"name": f"user:{name}", "token": f"{name}-token", "groups": groups} for name, groups in PEOPLE.items()),
    ]
    for number, shard in enumerate(shards_of(all_cases)):
        for name, case in shard.items():
            roles = [principal_of(name, i) for i in range(1, len(case.filters))]
            principals.append({"name": f"user:{name}", "token": name, "groups": [readers_of(number), *roles]})
    return {
        "principals": principals,
        "permissions": [{"resource": {"type": "CATALOG_ALL"}, "access": "ALL", "principal": "user:loader"}],
    }


def shards_of(all_cases: dict[str, Case]) -> list[dict[str, Case]]:
    on_both = {name: case for name, case in all_cases.items() if len(case.tables) > 1}
    others = [name for name in all_cases if name not in on_both]
    return [on_both, *({name: all_cases[name] for name in others[number :: SHARDS - 1]} for number in range(SHARDS - 1))]


def readers_of(shard: int) -> str:
    """The principal that all cases of a shard are members of."""
    return f"role:cases{shard}"


def principal_of(case: str, filter_number: int = 0) -> str:
    """The first filter of a case is the user's own, a second one that of a role."""
    return f"role:{case}-{filter_number}" if filter_number else f"user:{case}"


def guided(stage: Stage) -> Terraform:
    """Applies what terraform/access gives them, and reads as each."""
    terraform = stage.terraform("access")
    terraform.apply()
    texts = {}
    for resource in terraform.resources():
        values = resource["values"]
        if "policy" in resource["type"]:
            texts[f"{values['principal']}/{values['table']}/{values.get('on_column', 'rows')}"] = (
                values.get("predicate") or values["transform"]
            )
    promises = Promises(stage, texts, "promise-access")
    stage.report.section("Callers")
    for table in TABLES:
        _read_as_each(stage, table, promises, [key for key in texts if f"/{table}/" in key])
    _what_no_policy_does(stage)
    return terraform


def _what_no_policy_does(stage: Stage) -> None:
    """The two honest lines of the documentation."""
    stage.report.section("What no policy does")
    found = probe(stage.uri, "analyst-token", data.APPEND, "email", "cyd_z@x.eu")
    stage.report.check("a mask stops no probing by WHERE", [row["email"] for row in found], ["***@EU"], "pypaimon")
    refused = append(stage.uri, "analyst-token", data.KEYED)
    stage.report.check("a restricted loader cannot write a keyed table", refused, "TableNoPermissionException", "pypaimon")


def _read_as_each(stage: Stage, table: str, promises: Promises, of_analysts: list[str]) -> None:
    everything = data.literals_of(table)
    some, most = ("id", "region"), tuple(column for column in data.COLUMNS if column not in ("amount", "email"))

    def see(title: str, who: str, columns: tuple[str, ...] | None, want: list[Row] | None) -> None:
        # paimon-rust asks for every column whatever is selected.
        stage.see(title, f"{who}-token", table, columns, lambda reader: None if columns and reader == "paimon-rust" else want)

    def see_restricted(title: str, columns: tuple[str, ...] | None) -> None:
        stage.see(
            title,
            "analyst-token",
            table,
            columns,
            lambda reader: promises.rows(of_analysts, table, columns, reader) or [],
            restricted=True,
        )

    see_restricted("analyst: two filters, two masks", None)
    see_restricted("analyst: some columns", ("region", "email"))
    see("steward: everything", "steward", None, everything)
    see("nobody: nothing", "nobody", None, None)
    see("allowed columns, selected", "some_columns", some, only(everything, some))
    see("allowed columns, everything selected", "some_columns", None, None)
    see("excluded columns, not selected", "most_columns", most, only(everything, most))
    see("excluded columns, everything selected", "most_columns", None, None)
    see("permission that is over", "expired", None, None)
    see("column range that is over", "expired_columns", None, everything)


def only(rows: list[Row], columns: tuple[str, ...]) -> list[Row]:
    return [{column: row[column] for column in columns} for row in rows]
