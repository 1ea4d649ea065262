"""The cases: Terraform applies them, and each reader reads as the user of each."""

from __future__ import annotations

import concurrent.futures
import re

from interop import data, limits
from interop.cases import Case
from interop.people import principal_of, readers_of, shards_of
from interop.processes import Terraform, remarks
from interop.readers import Answer, Reader, Refusal, Row
from interop.report import same
from interop.stage import TABLES, Promises, Stage, is_mask, told_apart

Remarks = dict[str, list[tuple[str, str, str]]]


def apply(stage: Stage, cases: dict[str, Case]) -> tuple[list[Terraform], Remarks]:
    """Applies all cases at once, and gives what the provider says of the engines by the key of the policy."""
    shards = []
    for number, of_shard in enumerate(shards_of(cases)):
        filters, masks = {}, {}
        for name, case in of_shard.items():
            for table in case.tables:
                for i, sql in enumerate(case.filters):
                    filters[f"{name}/{table}/{i}"] = {"table": table, "principal": principal_of(name, i), "sql": sql}
                for column, sql in case.masks:
                    masks[f"{name}/{table}/{column}"] = {
                        "table": table,
                        "principal": principal_of(name),
                        "column": column,
                        "sql": sql,
                    }
        shard = stage.terraform("cases", f"cases-{number}")
        variables(shard, number, stage, filters, masks)
        shards.append(shard)
    running = [shard.start("apply", "-input=false", "-auto-approve", "-json") for shard in shards]
    said = [Terraform.finish(process) for process in running]
    for shard in shards:
        for resource in shard.resources():
            if "policy" in resource["type"]:
                stage.definitions[resource["index"]] = resource["values"].get("predicate") or resource["values"]["transform"]
    return shards, {key: found for text in said for key, found in remarks(text).items()}


def variables(shard: Terraform, number: int, stage: Stage, filters: dict, masks: dict) -> None:
    shard.variables(
        engines=[reader.engine for reader in stage.readers],
        filters=filters,
        masks=masks,
        readers={"principal": readers_of(number), "tables": TABLES},
    )


def read(stage: Stage, cases: dict[str, Case], warned: Remarks) -> None:
    """Each reader goes at its own pace, and beside them the provider's functions say what is promised."""
    stage.report.section("What Terraform applied")
    definitions = dict(stage.definitions)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        promises = pool.submit(Promises, stage, definitions, "promise")
        reads = {reader.name: pool.submit(_answers, stage, cases, reader) for reader in stage.readers}
    for name, case in cases.items():
        for table in case.tables:
            keys = [key for key in definitions if key.startswith(f"{name}/{table}/")]
            cells, differences = {}, []
            for reader in stage.readers:
                got = reads[reader.name].result().get((name, table))
                if got is None:
                    continue
                want = promises.result().rows(keys, table, case.columns, reader.name)
                told = [remark for key in keys for remark in _told(case, key, reader, warned)]
                cells[reader.name], problem = judge(stage, case, reader, got, want, told)
                if problem:
                    differences.append(f"{reader.name} {reader.version}: {told_apart(got, want)}\n{problem}")
            stage.report.add(f"{case.title} [{table}]", cells, differences)


def _answers(stage: Stage, cases: dict[str, Case], reader: Reader) -> dict[tuple[str, str], Answer]:
    """A reader that refuses whatever has a policy is asked about fewer: those on both tables, which have all kinds of them."""
    return {
        (name, table): reader.read(stage.uri, name, table, case.columns)
        for name, case in cases.items()
        for table in case.tables
        if not reader.refuses_policies or (len(case.tables) > 1 and table == data.APPEND)
    }


def _told(case: Case, key: str, reader: Reader, warned: Remarks) -> list[tuple[str, str]]:
    return [
        (verdict, text) for engine, verdict, text in warned.get(key, []) if engine == reader.engine and _applies(case, key, text)
    ]


def _applies(case: Case, key: str, text: str) -> bool:
    """A warning about queries that leave out a column is about no others, and one about a mask not about queries without it."""
    if case.guarded and "the first NULL fails" in text:
        return False
    if case.columns is None:
        return "queries that do not select that column" not in text
    if is_mask(key) and key.split("/")[2] not in case.columns and "has a policy" not in text:
        return False
    unselected = re.search(r"reads (\w+); queries that do not select", text)
    return unselected is None or unselected[1] not in case.columns


def judge(
    stage: Stage, case: Case, reader: Reader, got: Answer, want: list[Row] | None, told: list[tuple[str, str]]
) -> tuple[str, str]:
    """What a reader did, and what is wrong with that. The provider's warnings are the expectation."""
    verdicts = {verdict for verdict, _ in told}
    if isinstance(got, Refusal):
        outcome = f"refuses: {got.error}"
    elif want is not None and same(got, want):
        outcome = "as promised"
    else:
        outcome = "opens" if "opens" in verdicts else "differs"
    stage.outcomes[case.title, reader.name] = outcome
    apart = told_apart(got, want)
    if outcome in ("differs", "opens"):
        stage.apart[case.title, reader.name] = apart
    expected = next(
        (verdict for verdict in ("refuses", "opens", "differs") if verdict in verdicts),
        "as promised" if want is not None else "refuses",
    )
    warning = "; ".join(text for _, text in told) or "no warning"
    if expected != outcome.split(":")[0]:
        return outcome, f"the provider says: {expected} ({warning})"
    return outcome, limits.problem(reader.name, case.title, [text for verdict, text in told if verdict == expected], got, apart)
