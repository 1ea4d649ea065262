"""The tables: one row type with a column of every type that a policy can compare, as an append and as a primary-key table."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
from typing import Any

import numpy

DATABASE = "sales"
APPEND, KEYED = "orders", "orders_pk"

# Name and type as Paimon spells it.
COLUMNS: dict[str, str] = {
    "id": "INT NOT NULL",
    "region": "STRING",
    "email": "STRING",
    "sku": "STRING NOT NULL",
    "code": "CHAR(4)",
    "label": "VARCHAR(10)",
    "vip": "BOOLEAN",
    "tiny": "TINYINT",
    "small": "SMALLINT",
    "qty": "INT",
    "big": "BIGINT",
    "ratio": "FLOAT",
    "score": "DOUBLE",
    "amount": "DECIMAL(10, 2)",
    "created": "DATE",
    "due": "DATE",
    "tod": "TIME(3)",
    "ts": "TIMESTAMP(6)",
    "ts3": "TIMESTAMP(3)",
    "seen": "TIMESTAMP(6) WITH LOCAL TIME ZONE",
    "raw": "BYTES",
    "tags": "ARRAY<STRING>",
}

_D, _utc = decimal.Decimal, dt.timezone.utc

# Rows 1 to 5 differ in every column; row 6 is NULL wherever it may be. Row 3 has what LIKE takes for a pattern, row 4 what
# is longer in UTF-8 than in characters.
ROWS: dict[str, list[Any]] = {
    "id": [1, 2, 3, 4, 5, 6],
    "region": ["EU", "US", "EU", "APAC", "Ελλάς", None],
    "email": ["ann@x.eu", "bob@y.us", "cyd_z@x.eu", "dän%o@z.jp", "eve'\\o@x.eu", None],
    "sku": ["a-1", "b-2", "c-3", "d-4", "e-5", "f-6"],
    "code": ["ab", "abc", "abcd", "b", "zz", None],
    "label": ["red", "green", "blue", "Red", "", None],
    "vip": [True, False, True, False, False, None],
    "tiny": [-128, -1, 0, 1, 127, None],
    "small": [-32768, -1, 0, 1, 32767, None],
    "qty": [-(2**31), -1, 0, 1, 2**31 - 1, None],
    "big": [-(2**63), -1, 0, 2**53 + 1, 2**63 - 1, None],
    "ratio": [-1.5, -0.5, 0.25, 0.5, 1e10, None],
    "score": [-1.5, 2.0, 2.5, 1e-7, 1e15, None],
    "amount": [_D("10.00"), _D("99.99"), _D("100.00"), _D("-250.50"), _D("99999999.99"), None],
    "created": [
        dt.date(2026, 1, 1),
        dt.date(2026, 1, 15),
        dt.date(2026, 2, 1),
        dt.date(1969, 12, 31),
        dt.date(2024, 2, 29),
        None,
    ],
    "due": [dt.date(2026, 1, 31), dt.date(2026, 2, 15), None, dt.date(1970, 1, 1), dt.date(2024, 12, 30), None],
    "tod": [dt.time(0, 0), dt.time(12, 34, 56, 789000), dt.time(1, 2, 3), dt.time(23, 59, 59, 999000), dt.time(6, 0), None],
    "ts": [
        dt.datetime(2026, 1, 1),
        dt.datetime(2026, 1, 15, 12, 34, 56, 789123),
        dt.datetime(2026, 2, 1, 1, 2, 3),
        dt.datetime(1969, 12, 31, 23, 59, 59, 999999),
        dt.datetime(2024, 2, 29, 6, 0),
        None,
    ],
    "ts3": [
        dt.datetime(2026, 1, 1),
        dt.datetime(2026, 1, 15, 12, 34, 56, 789000),
        dt.datetime(2026, 2, 1, 1, 2, 3),
        dt.datetime(1969, 12, 31, 23, 59, 59, 999000),
        dt.datetime(2024, 2, 29, 6, 0),
        None,
    ],
    "seen": [
        dt.datetime(2026, 1, 1, tzinfo=_utc),
        dt.datetime(2026, 1, 15, 12, 34, 56, 789123, tzinfo=_utc),
        dt.datetime(2026, 2, 1, 1, 2, 3, tzinfo=_utc),
        dt.datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=_utc),
        dt.datetime(2024, 2, 29, 6, 0, tzinfo=_utc),
        None,
    ],
    "raw": [b"", b"\x00", b"\xff\x00", b"abc", b"\x80", None],
    "tags": [["a"], ["a", "b"], [], ["c", None], ["d"], None],
}

# The upsert of the primary-key table: order 2 moves to the EU.
UPSERT = {"id": 2, "region": "EU"}


def rows_of(table: str) -> list[dict[str, Any]]:
    """The final rows of a table, as Python has them."""
    rows = [dict(zip(ROWS, values)) for values in zip(*ROWS.values())]
    if table == KEYED:
        for row in rows:
            if row["id"] == UPSERT["id"]:
                row.update(UPSERT)
    return rows


def literal(value: Any, column_type: str) -> Any:
    """A value as the provider's functions write it, so that what readers return can be compared with it."""
    kind = column_type.split("(")[0].split()[0]
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, list):
        return [literal(item, "STRING") for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, dt.datetime):
        text = value.astimezone(_utc).replace(tzinfo=None) if value.tzinfo else value
        return _seconds(text.isoformat()) + ("Z" if "LOCAL" in column_type else "")
    if isinstance(value, dt.time):
        return _seconds(value.isoformat())
    if isinstance(value, dt.date):
        return value.isoformat()
    if kind == "FLOAT":
        return shortest(value)
    return value


def shortest(value: float) -> float:
    """The number with the fewest digits that is this one in 32 bits, whichever the reader has printed."""
    return float(str(numpy.float32(value)))


def _seconds(text: str) -> str:
    """Without zeros at the end of the fraction."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def literals_of(table: str) -> list[dict[str, Any]]:
    return [{name: literal(value, COLUMNS[name]) for name, value in row.items()} for row in rows_of(table)]
