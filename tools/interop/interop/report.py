"""What came out, and the table of it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from interop.readers import Answer, Refusal, Row


def ordered(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True, ensure_ascii=False))


def same(one: Answer, other: Answer) -> bool:
    """Rows in any order. Numbers are compared as numbers, but true is not 1."""
    if isinstance(one, Refusal) or isinstance(other, Refusal):
        return one == other
    return json.dumps([_plain(row) for row in ordered(one)]) == json.dumps([_plain(row) for row in ordered(other)])


def _plain(row: Row) -> dict[str, Any]:
    return {
        name: float(value)
        if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53)
        else value
        for name, value in sorted(row.items())
    }


@dataclasses.dataclass
class Line:
    """One line of the table."""

    title: str
    cells: dict[str, str]  # by reader
    differences: list[str]


class Report:
    """Collects lines in sections."""

    def __init__(self) -> None:
        self.sections: dict[str, list[Line]] = {}
        self._section = ""

    def section(self, title: str) -> None:
        self._section = title
        self.sections[title] = []

    def add(self, title: str, cells: dict[str, str], differences: list[str]) -> None:
        self.sections[self._section].append(Line(title, cells, differences))

    def check(self, title: str, got: Any, want: Any, who: str = "") -> None:
        """For what is not a read: a listing, a state, a plan."""
        difference = [] if got == want else [f"got  {_shown(got)}\nwant {_shown(want)}"]
        self.add(title, {who: "differs" if difference else "as expected"}, difference)

    @property
    def differences(self) -> int:
        return sum(bool(line.differences) for lines in self.sections.values() for line in lines)

    @property
    def checks(self) -> int:
        return sum(len(line.cells) for lines in self.sections.values() for line in lines)

    def text(self) -> str:
        out: list[str] = []
        for section, lines in self.sections.items():
            if not lines:
                continue
            readers = list(dict.fromkeys(reader for line in lines for reader in line.cells))
            title_width = min(64, max(len(section), *(len(line.title) for line in lines)))
            widths = {r: max(len(r), *(len(line.cells.get(r, "")) for line in lines)) for r in readers}
            out.append("")
            out.append("  ".join([section.ljust(title_width), *(r.ljust(widths[r]) for r in readers)]).rstrip())
            out.append("  ".join(["-" * title_width, *("-" * widths[r] for r in readers)]).rstrip())
            for line in lines:
                title = line.title if len(line.title) <= title_width else line.title[: title_width - 1] + "…"
                out.append(
                    "  ".join([title.ljust(title_width), *(line.cells.get(r, "").ljust(widths[r]) for r in readers)]).rstrip()
                )
        return "\n".join(out)

    def failures(self) -> str:
        out = []
        for section, lines in self.sections.items():
            for line in lines:
                for difference in line.differences:
                    out.append(f"DIFFERENCE  {section}: {line.title}\n    " + difference.replace("\n", "\n    "))
        return "\n".join(out)


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return text if len(text) <= 1500 else text[:1500] + " …"
