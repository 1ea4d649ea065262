"""The tables of the page "Engines", from what a run with all readers has seen."""

from __future__ import annotations

import datetime as dt
import json
import pathlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interop.data import APPEND, COLUMNS

if TYPE_CHECKING:
    from interop.scenario import Scenario

TEMPLATE, PAGE = "templates/guides/engines.md.tmpl", "docs/guides/engines.md"
# paimon-rust has no column: it reads no table with a policy, so every cell would say the same.
READERS = ("pypaimon", "java")

Cells = dict[str, dict[str, str]]
"""Outcomes by reader and by what they are about."""


def write(root: pathlib.Path, scenario: Scenario) -> bool:
    """Writes the template and the page, which is the same text."""
    text = _filled((root / TEMPLATE).read_text(), scenario)
    for name in (TEMPLATE, PAGE):
        (root / name).write_text(text)
    print(f"{TEMPLATE} and {PAGE} are written")
    return False


def is_stale(root: pathlib.Path, scenario: Scenario) -> bool:
    """Whether the page says anything else, but for the day."""
    text = (root / TEMPLATE).read_text()
    stale = _undated(text) != _undated(_filled(text, scenario))
    if stale:
        print(
            f"DIFFERENCE  {TEMPLATE} is not what was seen: run tools/interop/run.py --java --write-page and look at what has changed"
        )
    return stale


def _undated(text: str) -> str:
    return re.sub(r"\d{4}-\d{2}-\d{2}, with", "with", text)


def _filled(text: str, scenario: Scenario) -> str:
    for name, content in _parts(scenario).items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, rest = text.split(begin)
        text = before + begin + "\n" + content + "\n\n" + end + rest.split(end)[1]
    return text


def _parts(scenario: Scenario) -> dict[str, str]:
    versions = {reader.name: reader.version for reader in scenario.stage.readers}
    rust = [outcome for (_, reader), outcome in scenario.stage.outcomes.items() if reader == "paimon-rust"]
    refused = all(outcome.startswith("refuses") for outcome in rust)
    tried = len({title for title, _ in scenario.stage.outcomes})
    return {
        "versions": f"Last run {dt.date.today()}, with pypaimon {versions['pypaimon']}, Java Paimon {versions['java']} (`paimon-bundle`) and paimon-rust "
        f"{versions['paimon-rust']}: {tried} rules. paimon-rust {'refused' if refused else 'did not refuse'} all {len(rust)} that it was given, so the tables "
        "are about the other two.",
        "filters": _table("Function", versions, _by_function(scenario)),
        "transforms": _table("Transform", versions, _by_transform(scenario, masks=False)),
        "masks": _table("Transform", versions, _by_transform(scenario, masks=True)),
        "casts": _table("CAST", versions, _casts(scenario), casts=True),
        "differences": _differences(scenario),
        "refused": _lax(scenario, versions),
    }


def _kind(column: str) -> str:
    kind = re.sub(r"\(.*?\)|<.*>| NOT NULL", "", COLUMNS[column])
    return "TIMESTAMP_LTZ" if "LOCAL" in kind else kind


def _rules(scenario: Scenario) -> Iterator[tuple[str, str, Any]]:
    """Title, column that is masked or nothing, and the rule, of each case that is one rule and selects everything."""
    for name, case in scenario.cases.items():
        if case.columns is None and len(case.filters) + len(case.masks) == 1:
            place = case.masks[0][0] if case.masks else "0"
            yield case.title, place if case.masks else "", json.loads(scenario.stage.definitions[f"{name}/{APPEND}/{place}"])


def _note(table: dict[str, Cells], row: str, about: str, scenario: Scenario, title: str) -> None:
    for reader in READERS:
        outcome = scenario.stage.outcomes[title, reader].split(":")[0]
        said = table.setdefault(row, {r: {} for r in READERS})[reader]
        # The worst of several cases about the same.
        order = ["as promised", "refuses", "differs", "opens"]
        said[about] = max(said.get(about, outcome), outcome, key=order.index)


def _by_function(scenario: Scenario) -> dict[str, Cells]:
    table: dict[str, Cells] = {}
    for title, masked, rule in _rules(scenario):
        if not masked and rule["kind"] == "LEAF" and rule["transform"]["name"] == "FIELD_REF":
            about = _kind(rule["transform"]["fieldRef"]["name"]) + (
                ", escaped" if rule["function"] == "LIKE" and "\\" in rule["literals"][0] else ""
            )
            _note(table, rule["function"], about, scenario, title)
        elif not masked:
            row = rule["function"] if rule["kind"] == "COMPOUND" or rule["transform"]["name"] == "NULL" else ""
            # A compound with what a reader refuses by itself says nothing of AND and OR.
            if row and "CAST(" not in title and not re.search(r"amount|created|ts ", title):
                _note(table, row, "", scenario, title)
    return table


def _by_transform(scenario: Scenario, masks: bool) -> dict[str, Cells]:
    table: dict[str, Cells] = {}
    for title, masked, rule in _rules(scenario):
        transform = rule if masked else rule.get("transform", {})
        name = transform.get("name")
        if bool(masked) == masks and name and name != "CAST" and (masks or name not in ("FIELD_REF", "NULL")):
            field = transform.get("fieldRef")
            about = _kind(field["name"]) if field else "of nothing" if transform.get("inputs") == [] else ""
            _note(table, name, about, scenario, title)
    return table


def _casts(scenario: Scenario) -> dict[str, Cells]:
    """Masks with CAST, on all rows and on those without NULL."""
    table: dict[str, Cells] = {}
    for name, case in scenario.cases.items():
        if (
            case.columns is None
            and len(case.masks) == 1
            and case.masks[0][1].startswith("CAST(")
            and (case.guarded or not case.filters)
        ):
            rule = json.loads(scenario.stage.definitions[f"{name}/{APPEND}/{case.masks[0][0]}"])
            source = rule["fieldRef"]["name"]
            nullable = "NOT NULL" not in COLUMNS[source]
            target = re.sub(r" NOT NULL", "", rule["type"]).replace("TIMESTAMP(6) WITH LOCAL TIME ZONE", "TIMESTAMP_LTZ(6)")
            kind = re.sub(r" NOT NULL", "", COLUMNS[source]).replace("TIMESTAMP(6) WITH LOCAL TIME ZONE", "TIMESTAMP_LTZ(6)")
            about = "all rows" if nullable and not case.guarded else "no NULL"
            _note(table, f"{kind} to {target}", about, scenario, case.title)
    return table


_WORDS = {"refuses": "refuses", "differs": "**differs**", "opens": "**opens**"}


def _cell(outcomes: dict[str, str]) -> str:
    kinds = list(dict.fromkeys(outcomes.values()))
    if len(kinds) == 1:
        return _WORDS.get(kinds[0], "yes")
    parts = ["yes"] if "as promised" in kinds else []
    for kind in ("refuses", "differs", "opens"):
        about = sorted((what for what, outcome in outcomes.items() if outcome == kind), key=_place)
        if about:
            parts.append(f"{_WORDS[kind]} {', '.join(about)}")
    return "; ".join(parts)


def _place(about: str) -> int:
    """Types in the order of the columns, then what is no type."""
    kinds = list(dict.fromkeys(_kind(column) for column in COLUMNS))
    return kinds.index(about) if about in kinds else len(kinds)


def _cast_cell(outcomes: dict[str, str]) -> str:
    every, without = outcomes.get("all rows"), outcomes.get("no NULL")
    if every == "refuses" and without and without != "refuses":
        return f"fails on NULL, else {_WORDS.get(without, 'yes')}"
    return _WORDS.get(without or every or "", "yes")


def _table(first: str, versions: dict[str, str], table: dict[str, Cells], casts: bool = False) -> str:
    lines = [f"| {first} | pypaimon {versions['pypaimon']} | Java {versions['java']} |", "| --- | --- | --- |"]
    for row, cells in table.items():
        cell = _cast_cell if casts else _cell
        lines.append(f"| `{row}` | " + " | ".join(cell(cells[reader]) for reader in READERS) + " |")
    return "\n".join(lines)


def _differences(scenario: Scenario) -> str:
    """What is not as promised, one line for a mask that is tried with and without NULL."""
    found = scenario.stage.apart
    lines = ["| Rule | Reader | For example |", "| --- | --- | --- |"]
    for (title, reader), apart in found.items():
        if "IS NOT NULL, mask" in title and (title.split(", ", 1)[1], reader) in found:
            continue
        lines.append(f"| {_code(title)} | {reader} | {_example(apart)} |")
    return "\n".join(lines)


def _example(apart: str) -> str:
    """The last row of a difference, with words for the person who reads it."""
    last = apart.split("; ")[-1]
    if match := re.fullmatch(r"row \d+ has \w+ (.*), promised (.*)", last):
        return f"{_code(match[1])} for {_code(match[2])}"
    return "a row is missing" if last.endswith("is missing") else "a row is seen"


def _code(text: str) -> str:
    text = text.replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _lax(scenario: Scenario, versions: dict[str, str]) -> str:
    lines = [f"| Rule | plan | pypaimon {versions['pypaimon']} | Java {versions['java']} |", "| --- | --- | --- | --- |"]
    for case in scenario.lax.values():
        cells = [scenario.stage.outcomes[case.title, reader] for reader in READERS]
        bold = [
            f"**{cell}**" if cell in ("lets everything through", "shows the raw value") else cell.split(":")[0] for cell in cells
        ]
        lines.append(f"| {case.title} | {'takes it' if case.planned else 'refuses'} | {' | '.join(bold)} |")
    return "\n".join(lines)
