"""What is tried: row filters and column masks in the SQL that people write, and rules that only a lax catalog hands out.

What is expected of a reader stands in no case. Rows and values are what the provider's functions promise; whether a reader
keeps the promise is what the provider's warnings say.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterator
from typing import Any

from interop.data import APPEND, COLUMNS, KEYED

BOTH = (APPEND, KEYED)


@dataclasses.dataclass(frozen=True)
class Case:
    """One rule or a few together, for one principal, on each of the tables."""

    title: str
    filters: tuple[str, ...] = ()  # SQL
    masks: tuple[tuple[str, str], ...] = ()  # column and SQL
    columns: tuple[str, ...] | None = None  # what the reader selects; None is everything
    tables: tuple[str, ...] = (APPEND,)
    # The filter leaves out the rows on which the mask would fail, which a warning about the mask alone cannot know.
    guarded: bool = False


# Three values of each type that is compared, in their order.
_VALUES = {
    "region": ("'APAC'", "'EU'", "'US'"),
    "sku": ("'a-1'", "'b-2'", "'e-5'"),
    "code": ("'ab'", "'abc'", "'zz'"),
    "label": ("''", "'blue'", "'red'"),
    "vip": ("FALSE", "FALSE", "TRUE"),
    "tiny": ("-128", "-1", "127"),
    "small": ("-32768", "-1", "32767"),
    "qty": ("-2147483648", "-1", "2147483647"),
    "big": ("-9223372036854775808", "9007199254740993", "9223372036854775807"),
    "ratio": ("-1.5", "0.25", "0.5"),
    "score": ("-1.5", "0.0000001", "2.5"),
    "amount": ("10.00", "99.99", "100.00"),
    "created": ("DATE '1969-12-31'", "DATE '2026-01-15'", "DATE '2026-02-01'"),
    "tod": ("TIME '00:00:00'", "TIME '12:34:56.789'", "TIME '23:59:59.999'"),
    "ts": ("TIMESTAMP '1969-12-31 23:59:59.999999'", "TIMESTAMP '2026-01-15 12:34:56.789123'", "TIMESTAMP '2026-02-01 01:02:03'"),
    "ts3": ("TIMESTAMP '1969-12-31 23:59:59.999'", "TIMESTAMP '2026-01-15 12:34:56.789'", "TIMESTAMP '2026-02-01 01:02:03'"),
    "seen": (
        "TIMESTAMP_LTZ '1969-12-31T23:59:59.999999Z'",
        "TIMESTAMP_LTZ '2026-01-15T12:34:56.789123Z'",
        "TIMESTAMP_LTZ '2026-02-01T01:02:03Z'",
    ),
}


def _comparisons() -> Iterator[Case]:
    """Every function that compares, on every type that can be compared."""
    for column, (low, middle, high) in _VALUES.items():
        for condition in (
            *(f"{{}} {operator} {middle}" for operator in ("=", "<>", "<", "<=", ">", ">=")),
            f"{{}} IN ({low}, {high})",
            f"{{}} NOT IN ({low}, {high})",
            f"{{}} BETWEEN {low} AND {middle}",
            f"{{}} NOT BETWEEN {low} AND {middle}",
        ):
            yield _filter(condition.format(column))
    for column in COLUMNS:
        yield _filter(f"{column} IS NULL")
        yield _filter(f"{column} IS NOT NULL")


def _texts() -> Iterator[Case]:
    """The functions on texts, on every type of text, with what escapes and what is more than one byte."""
    for column, start, end, inside in (
        ("region", "'E'", "'U'", "'P'"),
        ("sku", "'a'", "'1'", "'-'"),
        ("code", "'ab'", "'c'", "'b'"),
        ("label", "'re'", "'d'", "'l'"),
    ):
        yield _filter(f"STARTS_WITH({column}, {start})")
        yield _filter(f"ENDS_WITH({column}, {end})")
        yield _filter(f"CONTAINS({column}, {inside})")
        yield _filter(f"{column} LIKE '%{inside[1:-1]}%'")
    for condition in (
        "email LIKE '%@x.eu'",
        "email LIKE '___@x.eu'",
        "email LIKE 'a__@x%'",
        "email LIKE '%'",
        "email LIKE ''",
        "email LIKE 'ann@x.eu'",
        "email LIKE 'cyd\\_z%'",
        "email LIKE '%\\%o@%.jp'",
        "email LIKE '%\\\\o@%'",
        "email LIKE '_\\_%@_.eu'",
        "email LIKE 'd_n\\%o@z.jp'",
        "CONTAINS(email, '%')",
        "CONTAINS(email, '_')",
        "CONTAINS(email, '\\')",
        "CONTAINS(email, '''')",
        "STARTS_WITH(email, '')",
        "email = 'eve''\\o@x.eu'",
        "email = 'dän%o@z.jp'",
        "region = 'Ελλάς'",
        "region < 'Ω'",
        "region LIKE 'Ελλ__'",
    ):
        yield _filter(condition)
    yield _filter("region NOT LIKE '%U'")
    for condition in (
        "ARRAY_CONTAINS(tags, 'a')",
        "ARRAYS_OVERLAP(tags, ARRAY['b', 'd'])",
        "ARRAY_CONTAINS_ALL(tags, ARRAY['a', 'b'])",
    ):
        yield _filter(condition)


def _portable() -> Iterator[Case]:
    """What every reader is meant to do, on both tables; the keyed one merges its upsert before it filters."""
    for condition in (
        "region = 'EU'",
        "region <> 'EU'",
        "region IN ('EU', 'APAC')",
        "region NOT IN ('EU', 'APAC')",
        "region IN ()",
        "region NOT IN ()",
        "region IS NULL",
        "region IS NOT NULL",
        "id >= 3",
        "id BETWEEN 2 AND 4",
        "id NOT BETWEEN 2 AND 4",
        "id IN (2, 5, 7)",
        "big > 9007199254740992",
        "score < 2.5",
        "vip = TRUE",
        "TRUE",
        "FALSE",
        "region = 'EU' AND id > 1",
        "region = 'US' OR region IS NULL",
        "(region = 'EU' OR region = 'US') AND score < 3.0",
        "region = 'EU' OR (region = 'APAC' AND vip = FALSE) OR id = 6",
        "NOT (region = 'EU' OR id > 4)",
        "amount < 100.00",
        "created >= DATE '2026-01-15'",
        "ts = TIMESTAMP '2026-01-15 12:34:56.789123'",
    ):
        yield _filter(condition, tables=BOTH)
    # Neither filter alone shows the same rows.
    yield Case("region = 'EU' and, of a role, id >= 3", filters=("region = 'EU'", "id >= 3"), tables=BOTH)
    yield Case(
        "region IN ('EU', 'US') and, of a role, vip = FALSE", filters=("region IN ('EU', 'US')", "vip = FALSE"), tables=BOTH
    )
    yield _filter("region = 'EU'", columns=("id",), tables=BOTH)
    yield _filter("region = 'EU' AND score > 0.0", columns=("email",), tables=BOTH)
    yield _filter("id > 3", columns=("region",), tables=BOTH)


def _computed() -> Iterator[Case]:
    """Conditions on what a transform makes of a column."""
    for condition in (
        "UPPER(email) = 'ANN@X.EU'",
        "LOWER(label) = 'red'",
        "CONCAT(region, '-', email) = 'EU-ann@x.eu'",
        "CONCAT_WS('/', region, label) = 'US/green'",
        "CONCAT_WS('/', region, email) <> ''",
        "CAST(id AS BIGINT) > 3",
        "CAST(id AS STRING) = '3'",
        "CAST(qty AS STRING) = '-1'",
        "qty IS NOT NULL AND CAST(qty AS STRING) = '-1'",
        "CAST(created AS STRING) = '2026-01-15'",
        "created IS NOT NULL AND CAST(created AS STRING) >= '2026-01-15'",
        "created IS NULL OR CAST(created AS STRING) >= '2026-01-15'",
        "CAST(amount AS STRING) = '100.00'",
        "amount IS NOT NULL AND CAST(amount AS STRING) = '100.00'",
        "ts IS NOT NULL AND CAST(ts AS STRING) LIKE '2026-01-15 12:34:56.789%'",
        "vip IS NOT NULL AND CAST(vip AS STRING) = 'true'",
        "SUBSTRING(email, 1, 3) = 'bob'",
        "SUBSTRING(email, -2) = 'eu'",
        "TRIM(BOTH 'ae' FROM label) = 'blu'",
        "LENGTH(region) = 4",
        "BIT_LENGTH(region) > 16",
        "TRANSLATE(region, 'EU', 'eu') = 'eu'",
        "OVERLAY(email PLACING '#' FROM 1 FOR 3) = '#@x.eu'",
        "LPAD(region, 4, '*') = '**EU'",
        "RPAD(region, 4, '*') = 'US**'",
    ):
        yield _filter(condition)
    for part, date in itertools.product(_DATE_PARTS, ("created", "ts")):
        yield _filter(f"{part}({date}) > 1")
    for part in ("HOUR", "MINUTE", "SECOND"):
        yield _filter(f"{part}(ts) > 2")
    yield _filter("UPPER(email) = 'ANN@X.EU'", columns=("id",))
    yield _filter("YEAR(created) = 2026", columns=("id",))


_DATE_PARTS = (
    "YEAR",
    "MONTH",
    "DAY",
    "QUARTER",
    "DAY_OF_YEAR",
    "WEEKDAY",
    "ISO_DAY_OF_WEEK",
    "DAY_OF_WEEK",
    "WEEK",
    "YEAR_OF_WEEK",
)


def _masks() -> Iterator[Case]:
    for column, expression in (
        ("email", "CONCAT('****')"),
        ("email", "CONCAT('x-', region)"),
        ("email", "CONCAT(region, NULL)"),
        ("email", "CONCAT_WS('/', region, email)"),
        ("email", "CONCAT_WS(region, 'a', 'b')"),
        ("email", "UPPER(email)"),
        ("region", "LOWER(region)"),
        ("email", "region"),
        ("vip", "NULL"),
    ):
        yield _mask(column, expression, tables=BOTH)
    for column in COLUMNS:
        yield _mask("email", f"CAST({column} AS STRING)")
        # Java fails on the first NULL; without one it shows what it makes of the others.
        yield _without_null("email", f"CAST({column} AS STRING)", column)
        # A mask that masks nothing: the one that every type takes.
        yield _mask(column, column)
    for column, expression in (
        ("email", "CONCAT()"),
        ("email", "SUBSTRING(email, 1, 3)"),
        ("email", "SUBSTRING(email, 5)"),
        ("email", "SUBSTRING(email, -4)"),
        ("email", "SUBSTRING(email, id, 2)"),
        ("email", "TRIM(BOTH 'abcde' FROM email)"),
        ("email", "TRIM(LEADING 'a' FROM email)"),
        ("email", "TRIM(TRAILING 'ue' FROM email)"),
        ("email", "TRIM(BOTH FROM email)"),
        ("region", "LPAD(region, 3, '*')"),
        ("region", "RPAD(region, 5, '*')"),
        ("email", "OVERLAY(email PLACING '###' FROM 1 FOR 3)"),
        ("email", "OVERLAY(email PLACING '##' FROM 2)"),
        ("region", "TRANSLATE(region, 'EU', 'e')"),
        ("qty", "LENGTH(email)"),
        ("qty", "BIT_LENGTH(region)"),
        ("qty", "HOUR(ts)"),
        ("qty", "MINUTE(ts)"),
        ("qty", "SECOND(ts)"),
        ("due", "created"),
        ("due", "DATE_ADD(created, 7)"),
        ("due", "DATE_TRUNC(created, 'MONTH')"),
        ("qty", "DATE_DIFF(created, due)"),
        ("sku", "CAST(id AS STRING NOT NULL)"),
        ("code", "CAST(sku AS CHAR(4))"),
        ("tiny", "CAST(id AS TINYINT)"),
    ):
        yield _mask(column, expression)
    for column, source, column_type in (
        ("vip", "qty", "BOOLEAN"),
        ("small", "tiny", "SMALLINT"),
        ("tiny", "qty", "TINYINT"),
        ("qty", "score", "INT"),
        ("qty", "small", "INT"),
        ("qty", "amount", "INT"),
        ("big", "qty", "BIGINT"),
        ("qty", "ts", "INT"),
        ("big", "ts", "BIGINT"),
        ("big", "ts3", "BIGINT"),
        ("ratio", "score", "FLOAT"),
        ("ratio", "amount", "FLOAT"),
        ("score", "qty", "DOUBLE"),
        ("score", "ratio", "DOUBLE"),
        ("amount", "small", "DECIMAL(10, 2)"),
        ("amount", "score", "DECIMAL(10, 2)"),
        ("created", "ts", "DATE"),
        ("tod", "ts", "TIME(3)"),
        ("ts", "created", "TIMESTAMP(6)"),
        ("ts", "ts3", "TIMESTAMP(6)"),
        ("ts3", "ts", "TIMESTAMP(3)"),
        ("seen", "seen", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
        ("raw", "email", "BYTES"),
        ("label", "email", "VARCHAR(10)"),
    ):
        yield _mask(column, f"CAST({source} AS {column_type})")
        yield _without_null(column, f"CAST({source} AS {column_type})", source)
    for part, date in itertools.product(_DATE_PARTS, ("created", "ts")):
        yield _mask("qty", f"{part}({date})")
    # What is selected, and rules beside each other.
    yield _mask("email", "CONCAT('x-', region)", columns=("id", "email"))
    yield _mask("email", "CAST(id AS STRING)", columns=("email",))
    yield _mask("qty", "YEAR(created)", columns=("id", "qty"))
    yield _mask("email", "CONCAT('****')", columns=("id", "region"))
    yield Case(
        "email = 'bob@y.us', mask of email: CONCAT('****')", ("email = 'bob@y.us'",), (("email", "CONCAT('****')"),), tables=BOTH
    )
    yield Case(
        "region = 'EU', masks of region: CONCAT('?'), of vip: NULL",
        ("region = 'EU'",),
        (("region", "CONCAT('?')"), ("vip", "NULL")),
        tables=BOTH,
    )


def _filter(sql: str, **more: Any) -> Case:
    return Case(sql + _selected(more), filters=(sql,), **more)


def _mask(column: str, sql: str, **more: Any) -> Case:
    return Case(f"mask of {column}: {sql}{_selected(more)}", masks=((column, sql),), **more)


def _without_null(column: str, sql: str, source: str) -> Case:
    return Case(f"{source} IS NOT NULL, mask of {column}: {sql}", (f"{source} IS NOT NULL",), ((column, sql),), guarded=True)


def _selected(more: dict[str, Any]) -> str:
    return f", select {', '.join(more['columns'])}" if more.get("columns") else ""


def cases() -> dict[str, Case]:
    """All cases that Terraform applies, by the name of their principal. Cases that are met twice are tried once."""
    unique: dict[str, Case] = {}
    for case in itertools.chain(_portable(), _comparisons(), _texts(), _computed(), _masks()):
        unique.setdefault(case.title, case)
    return {f"case{number:03}": case for number, case in enumerate(unique.values(), 1)}


@dataclasses.dataclass(frozen=True)
class LaxCase:
    """What no plan lets through and the dev catalog never says. A reader that asks another catalog may meet it."""

    title: str
    filters: tuple[Any, ...] = ()  # JSON, or the text itself
    masks: tuple[tuple[str, Any], ...] = ()
    # The plan takes it; it is here since the dev catalog would hand it out in another spelling.
    planned: bool = False
    # To apply it is to show a raw value that another rule hides.
    leaks: bool = False

    def answer(self) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        if self.filters:
            answer["filter"] = [text_of(rule) for rule in self.filters]
        if self.masks:
            answer["columnMasking"] = {column: text_of(rule) for column, rule in self.masks}
        return answer


def text_of(rule: Any) -> str:
    return rule if isinstance(rule, str) else json.dumps(rule, separators=(",", ":"), ensure_ascii=False)


def _ref(name: str, column_type: str | None = None, index: int | None = None) -> dict[str, Any]:
    names = list(COLUMNS)
    return {
        "index": (names.index(name) if name in COLUMNS else 99) if index is None else index,
        "name": name,
        "type": column_type or COLUMNS.get(name, "STRING"),
    }


def _leaf(function: str, column: str, *literals: Any, **ref: Any) -> dict[str, Any]:
    return {
        "kind": "LEAF",
        "transform": {"name": "FIELD_REF", "fieldRef": _ref(column, **ref)},
        "function": function,
        "literals": list(literals),
    }


LEAF_EU = _leaf("EQUAL", "region", "EU")


def _text(name: str, *inputs: Any) -> dict[str, Any]:
    return {"name": name, "inputs": list(inputs)}


def lax_cases() -> dict[str, LaxCase]:
    nothing = {"kind": "COMPOUND", "function": "AND", "children": []}
    listed = [
        LaxCase("filter: AND of nothing", (nothing,)),
        LaxCase(
            "filter: region = 'EU' OR nothing",
            ({"kind": "COMPOUND", "function": "OR", "children": [_leaf("EQUAL", "region", "EU"), nothing]},),
        ),
        LaxCase("filter: empty text", ("",)),
        LaxCase("filter: null", ("null",)),
        LaxCase("filter: broken JSON", ("{",)),
        LaxCase("filter: unknown function", (_leaf("FANCY", "region", "EU"),)),
        LaxCase("filter: unknown transform", ({**_leaf("EQUAL", "region", "EU"), "transform": _text("FANCY", _ref("region"))},)),
        LaxCase("filter: unknown column", (_leaf("EQUAL", "nope", "EU"),)),
        LaxCase("filter: NOT_IN with a null", (_leaf("NOT_IN", "region", "EU", None),)),
        LaxCase("filter: number for a STRING", (_leaf("EQUAL", "region", 5),)),
        LaxCase("filter: text for an INT", (_leaf("EQUAL", "id", "3"),)),
        LaxCase("filter: literal missing", (_leaf("EQUAL", "region"),)),
        LaxCase("filter: literal too many", (_leaf("EQUAL", "region", "EU", "US"),)),
        LaxCase("filter: DECIMAL as a number", (_leaf("EQUAL", "amount", 100.00),)),
        LaxCase("filter: DECIMAL too fine", (_leaf("EQUAL", "amount", "100.001"),)),
        LaxCase("filter: DECIMAL without fraction", (_leaf("EQUAL", "amount", "100"),), planned=True),
        LaxCase("filter: DATE as an array", (_leaf("EQUAL", "created", [2026, 1, 15]),)),
        LaxCase("filter: DATE as a day number", (_leaf("EQUAL", "created", 20468),)),
        LaxCase("filter: TIMESTAMP as an array", (_leaf("EQUAL", "ts", [2026, 1, 15, 12, 34, 56, 789123000]),)),
        LaxCase("filter: TIMESTAMP as an array without seconds", (_leaf("EQUAL", "ts", [2026, 1, 1, 0, 0]),)),
        LaxCase("filter: TIMESTAMP without seconds", (_leaf("LESS_THAN", "ts", "2026-01-15T12:34"),), planned=True),
        LaxCase("filter: TIMESTAMP with nanoseconds", (_leaf("EQUAL", "ts", "2026-01-15T12:34:56.789123000"),), planned=True),
        LaxCase("filter: index of another column", (_leaf("EQUAL", "region", "EU", index=7),), planned=True),
        LaxCase("mask: empty text", masks=(("email", ""),)),
        LaxCase("mask: null", masks=(("email", "null"),)),
        LaxCase("mask: unknown transform", masks=(("email", _text("FANCY", _ref("email"))),)),
        LaxCase("mask: unknown column read", masks=(("email", _text("UPPER", _ref("nope"))),)),
        LaxCase("mask: on an unknown column", masks=(("nope", _text("UPPER", _ref("email"))),)),
        LaxCase(
            "mask: reads a masked column",
            masks=(("email", _text("UPPER", _ref("region"))), ("region", _text("CONCAT", "x"))),
            planned=True,
            leaks=True,
        ),
        LaxCase("mask: text on an INT", masks=(("qty", _text("UPPER", _ref("email"))),)),
        LaxCase("mask: NULL on a STRING", masks=(("email", {"name": "NULL"}),)),
        LaxCase("mask: NULL on a DECIMAL", masks=(("amount", {"name": "NULL"}),)),
    ]
    return {f"lax{number:02}": case for number, case in enumerate(listed, 1)}
