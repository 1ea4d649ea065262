"""What all acts of the scenario share: the catalog's address, the readers, the report and what policies promise."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Callable
from typing import Any

from interop import data, limits
from interop.processes import Terraform
from interop.readers import Answer, Reader, Refusal, Row
from interop.report import Report, same

HERE = pathlib.Path(__file__).resolve().parent.parent
TABLES = (data.APPEND, data.KEYED)


@dataclasses.dataclass
class Stage:
    """One run."""

    uri: str
    readers: list[Reader]
    report: Report
    cli: str
    binaries: pathlib.Path
    work: pathlib.Path
    # The texts of policies by key: who, table, and the column of a mask or anything else of a filter, with slashes.
    definitions: dict[str, str] = dataclasses.field(default_factory=dict)
    # For the page: what each reader did with a case, and where its answer was another one.
    outcomes: dict[tuple[str, str], str] = dataclasses.field(default_factory=dict)
    apart: dict[tuple[str, str], str] = dataclasses.field(default_factory=dict)

    def terraform(self, source: str, folder: str = "") -> Terraform:
        return Terraform(self.cli, HERE / "terraform" / source, self.work / (folder or source), self.binaries, self.uri)

    def see(
        self,
        title: str,
        token: str,
        table: str,
        columns: tuple[str, ...] | None,
        expected: Callable[[str], list[Row] | None],
        restricted: bool = False,
    ) -> None:
        """A read by each reader: these rows, or None for a refusal by the catalog. Some read nothing that a policy restricts."""
        cells, differences = {}, []
        for reader in self.readers:
            got, want = reader.read(self.uri, token, table, columns), expected(reader.name)
            if want is None or (restricted and reader.refuses_policies):
                error, part = (limits.FORBIDDEN if want is None else limits.RESTRICTED)[reader.name]
                good = isinstance(got, Refusal) and got.error == error and part in got.text
                wanted = f"refuses: {error}: … {part}"
            else:
                good, wanted = same(got, want), shown(want)
            cells[reader.name] = f"refuses: {got.error}" if isinstance(got, Refusal) else f"{len(got)} rows"
            if not good:
                differences.append(f"{reader.name} {reader.version}: {told_apart(got, want)}\nwant {wanted}")
        self.report.add(f"{title} [{table}]", cells, differences)


class Promises:
    """What the provider's functions make of policies, row by row: a bool or a value in a list, None where they fail."""

    def __init__(self, stage: Stage, definitions: dict[str, str], folder: str) -> None:
        self._definitions = definitions
        promise = stage.terraform("promise", folder)
        promise.variables(filters=self._tried(masks=False), masks=self._tried(masks=True))
        outputs = promise.planned_outputs()
        self._promised: dict[str, list[Any]] = {**outputs["shown"], **outputs["values"]}

    def _tried(self, masks: bool) -> dict[str, Any]:
        chosen = {}
        for key, definition in self._definitions.items():
            if is_mask(key) == masks:
                rows = data.literals_of(key.split("/")[1])
                chosen[key] = {
                    "json": definition,
                    "rows": [{column: row[column] for column in _columns_in(definition)} for row in rows],
                }
        return chosen

    def rows(self, keys: list[str], table: str, columns: tuple[str, ...] | None, reader: str) -> list[Row] | None:
        """The rows that policies together leave, masked; None when one of them promises nothing for a row that is shown."""
        shown_rows = []
        for number, row in enumerate(data.literals_of(table)):
            verdicts = [self._of(key, number, row, reader, False) for key in keys if not is_mask(key)]
            if None in verdicts:
                return None
            if not all(verdicts):
                continue
            seen = dict(row)
            for key in keys:
                if is_mask(key):
                    value = self._of(key, number, row, reader, [None])
                    if value is None:
                        return None
                    column = key.split("/")[2]
                    seen[column] = data.literal(value[0], data.COLUMNS[column])
            shown_rows.append({column: seen[column] for column in columns or seen})
        return shown_rows

    def _of(self, key: str, number: int, row: Row, reader: str, where_null: Any) -> Any:
        """The functions fail at the CAST of a NULL, as some readers do; to the others it is a NULL."""
        said, definition = self._promised[key][number], self._definitions[key]
        if said is None and reader in limits.CASTS_NULL and '"CAST"' in definition:
            read = [column for column in _columns_in(definition) if column != key.split("/")[2]] or _columns_in(definition)
            if all(row[column] is None for column in read):
                return where_null
        return said


def is_mask(key: str) -> bool:
    return key.split("/")[2] in data.COLUMNS


def _columns_in(definition: str) -> list[str]:
    """The columns that a definition names. One too many does no harm."""
    return [column for column in data.COLUMNS if f'"{column}"' in definition]


def told_apart(got: Answer, want: Answer | None) -> str:
    """How an answer differs from what was promised, by the id of the rows."""
    if isinstance(got, Refusal):
        return f"refuses: {got.error}: {got.text[:300]}"
    if not isinstance(want, list) or any("id" not in row for row in [*got, *want]):
        return "as promised" if want is not None and same(got, want) else f"{shown(got)}, promised: {shown(want)}"
    rows, promised = {row["id"]: row for row in got}, {row["id"]: row for row in want}
    apart = [f"row {key} is missing" for key in promised if key not in rows]
    for key, row in rows.items():
        if key not in promised:
            apart.append(f"row {key} is seen")
            continue
        apart += [
            f"row {key} has {c} {shown(v)}, promised {shown(promised[key].get(c))}"
            for c, v in row.items()
            if not same([{c: v}], [{c: promised[key].get(c)}])
        ]
    return "; ".join(apart) or "as promised"


def shown(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)[:600]
