"""What is known of the pinned releases: how they refuse, and what they answer where they do not keep a promise.

Whether a reader refuses or differs is said by the provider's warnings; this is how. A new release that does better, or worse,
does not fit here any more, and so it is seen.
"""

from __future__ import annotations

from interop.readers import Answer, Refusal

# The readers for which CAST makes NULL of NULL. The others fail, and so do the provider's functions.
CASTS_NULL = {"pypaimon"}

# The exceptions of a refusal, by a part of the warning. Any other one is a reader that failed for a reason of its own.
REFUSALS: dict[str, dict[str, set[str]]] = {
    "pypaimon": {
        "there the name is unknown": {"ValueError"},
        "queries that do not select that column fail": {"ValueError"},
        "the first text that does not convert fails": {"ArrowInvalid"},
        "the first value that is not UTF-8 fails": {"UnicodeDecodeError"},
        "there no such CAST exists": {"ArrowNotImplementedError"},
    },
    "java": {
        "there the name is unknown": {"InvalidTypeIdException", "IllegalArgumentException"},
        "there no such literal can be read": {"ClassCastException", "UnsupportedOperationException"},
        "the first NULL fails": {"NullPointerException"},
        "queries that do not select that column fail": {"IllegalArgumentException"},
    },
    "paimon-rust": {"it reads no table that has one": {"NotImplementedError"}},
}

_DOUBLE_AS_TEXT = (
    'row 2 has email "2", promised "2.0"; row 4 has email "1e-7", promised "1.0E-7"; row 5 has email "1e+15", promised "1.0E15"'
)
_FLOAT_AS_TEXT = 'row 5 has email "1e+10", promised "1.0E10"'
_TOO_LONG = 'row 5 has label "eve\'\\\\o@x.eu", promised "eve\'\\\\o@x.e"'

_TIME_AS_TEXT = "; ".join(
    f'row {i} has email "{t}.000", promised "{t}.0"' for i, t in ((1, "00:00:00"), (3, "01:02:03"), (5, "06:00:00"))
)
_INSTANTS = (
    ("2026-01-01 00:00:00.000000", "2026-01-01 05:30:00.000000"),
    ("2026-01-15 12:34:56.789123", "2026-01-15 18:04:56.789123"),
    ("2026-02-01 01:02:03.000000", "2026-02-01 06:32:03.000000"),
    ("1969-12-31 23:59:59.999999", "1970-01-01 05:29:59.999999"),
    ("2024-02-29 06:00:00.000000", "2024-02-29 11:30:00.000000"),
)
_INSTANT_AS_TEXT = "; ".join(f'row {i} has email "{utc}Z", promised "{utc}"' for i, (utc, _) in enumerate(_INSTANTS, 1))
_INSTANT_IN_INDIA = "; ".join(f'row {i} has email "{local}", promised "{utc}"' for i, (utc, local) in enumerate(_INSTANTS, 1))
_SECONDS = ((1, 1767225600), (2, 1768480496), (3, 1769907723), (4, 0), (5, 1709186400))
_MICROS, _MILLIS = (
    "; ".join(f"row {i} has big {count}, promised {seconds}" for (i, seconds), count in zip(_SECONDS, counts))
    for counts in (
        (1767225600000000, 1768480496789123, 1769907723000000, -1, 1709186400000000),
        (1767225600000, 1768480496789, 1769907723000, -1, 1709186400000),
    )
)
_WRAPS = "row 5 has qty -2147483648, promised 2147483647"
_ZERO = 'row 5 has amount "0.00", promised null'
_BEFORE_1970 = 'row 4 has created "1969-12-31", promised "1970-01-01"'
_ROUNDS = 'row 4 has ts3 "1970-01-01T00:00:00", promised "1969-12-31T23:59:59.999"'

# What they answer instead, by reader and case, where the provider warns that they differ.
DIFFERS = {
    ("java", "email LIKE '%\\\\o@%'"): "row 5 is missing",
    ("pypaimon", "mask of email: CAST(ratio AS STRING)"): _FLOAT_AS_TEXT,
    ("pypaimon", "ratio IS NOT NULL, mask of email: CAST(ratio AS STRING)"): _FLOAT_AS_TEXT,
    ("pypaimon", "mask of email: CAST(score AS STRING)"): _DOUBLE_AS_TEXT,
    ("pypaimon", "score IS NOT NULL, mask of email: CAST(score AS STRING)"): _DOUBLE_AS_TEXT,
    ("pypaimon", "mask of email: CONCAT()"): "; ".join(f'row {i} has email null, promised ""' for i in range(1, 7)),
    ("pypaimon", "mask of code: CAST(sku AS CHAR(4))"): "; ".join(
        f'row {i} has code "{sku}", promised "{sku} "' for i, sku in enumerate(("a-1", "b-2", "c-3", "d-4", "e-5", "f-6"), 1)
    ),
    ("pypaimon", "mask of label: CAST(email AS VARCHAR(10))"): _TOO_LONG,
    ("pypaimon", "email IS NOT NULL, mask of label: CAST(email AS VARCHAR(10))"): _TOO_LONG,
    ("pypaimon", "mask of email: CAST(tod AS STRING)"): _TIME_AS_TEXT,
    ("pypaimon", "tod IS NOT NULL, mask of email: CAST(tod AS STRING)"): _TIME_AS_TEXT,
    ("pypaimon", "mask of email: CAST(seen AS STRING)"): _INSTANT_AS_TEXT,
    ("pypaimon", "seen IS NOT NULL, mask of email: CAST(seen AS STRING)"): _INSTANT_AS_TEXT,
    ("pypaimon", "mask of qty: CAST(score AS INT)"): _WRAPS,
    ("pypaimon", "score IS NOT NULL, mask of qty: CAST(score AS INT)"): _WRAPS,
    ("pypaimon", "mask of big: CAST(ts AS BIGINT)"): _MICROS,
    ("pypaimon", "ts IS NOT NULL, mask of big: CAST(ts AS BIGINT)"): _MICROS,
    ("pypaimon", "mask of big: CAST(ts3 AS BIGINT)"): _MILLIS,
    ("pypaimon", "ts3 IS NOT NULL, mask of big: CAST(ts3 AS BIGINT)"): _MILLIS,
    ("pypaimon", "mask of amount: CAST(score AS DECIMAL(10, 2))"): _ZERO,
    ("pypaimon", "score IS NOT NULL, mask of amount: CAST(score AS DECIMAL(10, 2))"): _ZERO,
    ("pypaimon", "mask of created: CAST(ts AS DATE)"): _BEFORE_1970,
    ("pypaimon", "ts IS NOT NULL, mask of created: CAST(ts AS DATE)"): _BEFORE_1970,
    ("pypaimon", "mask of ts3: CAST(ts AS TIMESTAMP(3))"): _ROUNDS,
    ("pypaimon", "ts IS NOT NULL, mask of ts3: CAST(ts AS TIMESTAMP(3))"): _ROUNDS,
    ("java", "seen IS NOT NULL, mask of email: CAST(seen AS STRING)"): _INSTANT_IN_INDIA,
    ("java", "ts IS NOT NULL, mask of tod: CAST(ts AS TIME(3))"): 'row 4 has tod -1, promised "23:59:59.999"',
}


def problem(reader: str, title: str, reasons: list[str], got: Answer, apart: str) -> str:
    """What is not known of an answer that is one of the kind that was announced."""
    if isinstance(got, Refusal):
        known = {
            error for part, errors in REFUSALS[reader].items() if any(part in reason for reason in reasons) for error in errors
        }
        return "" if got.error in known else f"it is known to refuse by {' or '.join(sorted(known)) or 'nothing'}"
    known_answer = DIFFERS.get((reader, title), "as promised")
    return "" if apart == known_answer else f"known: {known_answer}"


# How they say that the catalog has refused, and that they read no table with a policy.
FORBIDDEN = {
    "pypaimon": ("TableNoPermissionException", ""),
    "java": ("ForbiddenException", ""),
    "paimon-rust": ("ValueError", "Forbidden: You may not read"),
}
RESTRICTED = {"paimon-rust": ("NotImplementedError", "query-auth.enabled")}

# What readers make of rules that no catalog should hand out. EVERYTHING is every row with the raw values: the reader fails open.
EVERYTHING, LEAKS, AS_PROMISED = "lets everything through", "shows the raw value", "as promised"
LAX: dict[str, dict[str, str]] = {
    "pypaimon": {
        "filter: AND of nothing": "refuses: IndexError",
        "filter: region = 'EU' OR nothing": "refuses: IndexError",
        "filter: empty text": "refuses: ValueError",
        "filter: null": "refuses: AttributeError",
        "filter: broken JSON": "refuses: JSONDecodeError",
        "filter: unknown function": "refuses: ValueError",
        "filter: unknown transform": "refuses: ValueError",
        "filter: unknown column": "refuses: ValueError",
        "filter: number for a STRING": "refuses: ArrowNotImplementedError",
        "filter: text for an INT": "refuses: ArrowNotImplementedError",
        "filter: literal missing": "refuses: IndexError",
        "filter: DECIMAL as a number": "sees rows [3]",
        "filter: DECIMAL too fine": "refuses: ArrowInvalid",
        "filter: DATE as an array": "sees rows [2]",
        "filter: DATE as a day number": "refuses: ArrowNotImplementedError",
        "filter: TIMESTAMP as an array": "sees rows [2]",
        "filter: TIMESTAMP as an array without seconds": "sees rows [1]",
        "mask: empty text": "refuses: ValueError",
        "mask: null": "refuses: ValueError",
        "mask: unknown transform": "refuses: ValueError",
        "mask: unknown column read": "refuses: ValueError",
        "mask: on an unknown column": "refuses: ValueError",
        "mask: reads a masked column": "refuses: ValueError",
        "mask: text on an INT": "refuses: ArrowInvalid",
    },
    "java": {
        "filter: AND of nothing": EVERYTHING,
        "filter: region = 'EU' OR nothing": "sees rows [1, 3]",
        "filter: empty text": EVERYTHING,
        "filter: null": EVERYTHING,
        "filter: broken JSON": "refuses: JsonEOFException",
        "filter: unknown function": "refuses: IllegalArgumentException",
        "filter: unknown transform": "refuses: InvalidTypeIdException",
        "filter: unknown column": "refuses: RuntimeException",
        "filter: text for an INT": "refuses: ClassCastException",
        "filter: literal missing": "refuses: IndexOutOfBoundsException",
        "filter: DECIMAL as a number": "refuses: ClassCastException",
        "filter: DECIMAL too fine": "refuses: ClassCastException",
        "filter: DECIMAL without fraction": "refuses: ClassCastException",
        "filter: DATE as an array": "refuses: UnsupportedOperationException",
        "filter: DATE as a day number": "refuses: UnsupportedOperationException",
        "filter: TIMESTAMP as an array": "refuses: UnsupportedOperationException",
        "filter: TIMESTAMP as an array without seconds": "refuses: UnsupportedOperationException",
        "filter: TIMESTAMP without seconds": "refuses: UnsupportedOperationException",
        "filter: TIMESTAMP with nanoseconds": "refuses: UnsupportedOperationException",
        "mask: empty text": EVERYTHING,
        "mask: null": EVERYTHING,
        "mask: unknown transform": "refuses: InvalidTypeIdException",
        "mask: unknown column read": "refuses: IllegalArgumentException",
        "mask: on an unknown column": EVERYTHING,
        "mask: reads a masked column": LEAKS,
        "mask: text on an INT": "refuses: ClassCastException",
    },
}


def lax(reader: str, title: str) -> str:
    """What a reader does with such a rule."""
    return LAX[reader].get(title, AS_PROMISED) if reader in LAX else f"refuses: {RESTRICTED[reader][0]}"
