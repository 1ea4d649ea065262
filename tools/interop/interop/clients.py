"""Other people's clients of the management interface: pypaimon for permissions, pypaimon-rust for permissions and policies."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pypaimon import CatalogFactory, Schema
from pypaimon.management.list_permissions_request import ListPermissionsRequest
from pypaimon.management.permission_assignment import PermissionAssignment
from pypaimon.management.permission_columns import PermissionColumns
from pypaimon.management.permission_resource import PermissionResource
from pypaimon.schema.data_types import ArrayType, AtomicType, DataField, DataType, PyarrowFieldParser
from pypaimon_rust.datafusion import SQLContext

from interop.data import APPEND, COLUMNS, DATABASE, KEYED, ROWS, UPSERT
from interop.readers import connection

# Small, so that listings have pages.
PAGE = 50


def _paimon_type(text: str) -> DataType:
    if text.startswith("ARRAY<"):
        return ArrayType(True, _paimon_type(text[len("ARRAY<") : -1]))
    return AtomicType(text.removesuffix(" NOT NULL"), nullable=not text.endswith(" NOT NULL"))


def create_and_fill(uri: str, token: str) -> None:
    """Creates both tables through the catalog and writes them; the keyed one in two commits, the second an upsert."""
    catalog = CatalogFactory.create(connection(uri, token))
    catalog.create_database(DATABASE, True)
    fields = [DataField(number, name, _paimon_type(text)) for number, (name, text) in enumerate(COLUMNS.items())]
    schema = PyarrowFieldParser.from_paimon_schema(fields)
    everything = pa.Table.from_pydict(ROWS, schema=schema)
    for table, keys, options in ((APPEND, [], {}), (KEYED, ["id"], {"bucket": "1"})):
        name = f"{DATABASE}.{table}"
        catalog.create_table(
            name, Schema(fields=fields, primary_keys=keys, options={"query-auth.enabled": "true", **options}), False
        )
        _write(catalog.get_table(name), everything)
        if keys:
            at = ROWS["id"].index(UPSERT["id"])
            _write(
                catalog.get_table(name), pa.Table.from_pydict({c: [UPSERT.get(c, v[at])] for c, v in ROWS.items()}, schema=schema)
            )


def probe(uri: str, token: str, table: str, column: str, value: Any) -> list[dict[str, Any]]:
    """What pypaimon shows where a column has a value, by the reader's own condition."""
    builder = CatalogFactory.create(connection(uri, token)).get_table(f"{DATABASE}.{table}").new_read_builder()
    builder = builder.with_filter(builder.new_predicate_builder().equal(column, value))
    return builder.new_read().to_arrow(builder.new_scan().plan().splits()).to_pylist()


def append(uri: str, token: str, table: str) -> str:
    """Writes the rows once more with pypaimon, and gives the name of the exception or nothing."""
    written = CatalogFactory.create(connection(uri, token)).get_table(f"{DATABASE}.{table}")
    try:
        _write(written, pa.Table.from_pydict(ROWS, schema=PyarrowFieldParser.from_paimon_schema(written.fields)))
    except Exception as error:
        return type(error).__name__
    return ""


def _write(table: Any, rows: pa.Table) -> None:
    builder = table.new_batch_write_builder()
    writer, commit = builder.new_write(), builder.new_commit()
    writer.write_arrow(rows)
    commit.commit(writer.prepare_commit())
    writer.close()
    commit.close()


Permission = dict[str, Any]
"""access, principal, expire_time, column_names, excluded_column_names; None and not empty where there is none."""


class PythonClient:
    """pypaimon, which knows the three calls on permissions."""

    name = "pypaimon"

    def __init__(self, options: dict[str, str]) -> None:
        self._management = CatalogFactory.create(options).permission_management()

    def grant(
        self, kind: str, table: str, principal: str, columns: list[str] | None = None, expire_time: str | None = None
    ) -> None:
        resource = PermissionResource(kind, database=DATABASE, table=table)
        self._management.grant_permission(
            PermissionAssignment(
                resource,
                "SELECT",
                principal,
                columns=PermissionColumns(column_names=columns) if columns else None,
                expire_time=expire_time,
            )
        )

    def revoke(self, kind: str, table: str, principal: str) -> None:
        self._management.revoke_permission(PermissionResource(kind, database=DATABASE, table=table), "SELECT", principal)

    def permissions(self, kind: str, table: str) -> list[Permission]:
        request, found = ListPermissionsRequest(kind, DATABASE, table, max_results=PAGE), []
        while True:
            page = self._management.list_permissions(request)
            for element in page.elements:
                row = element.to_dict()
                columns = row.get("columns") or {}
                found.append(
                    _permission(
                        row.get("access"),
                        row.get("principal"),
                        row.get("expireTime"),
                        columns.get("columnNames"),
                        columns.get("excludedColumnNames"),
                    )
                )
            if not page.next_page_token:
                return found
            request = request.with_page_token(page.next_page_token)


class RustClient:
    """pypaimon-rust, whose SQL procedures are all six calls."""

    name = "paimon-rust"

    def __init__(self, options: dict[str, str]) -> None:
        self._context = SQLContext()
        self._context.register_catalog("paimon", options, "")
        self._context.set_current_catalog("paimon")

    def _call(self, procedure: str, **arguments: Any) -> list[dict[str, Any]]:
        def quoted(value: Any) -> str:
            return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"

        given = ", ".join(f"{name} => {quoted(value)}" for name, value in arguments.items() if value is not None)
        return [row for batch in self._context.sql(f"CALL sys.{procedure}({given})") for row in batch.to_pylist()]

    def _pages(self, procedure: str, **arguments: Any) -> list[dict[str, Any]]:
        found, token = [], None
        while True:
            rows = self._call(procedure, **arguments, max_results=PAGE, page_token=token)
            found += rows
            token = rows[-1].get("next_page_token") if rows else None
            if not token:
                return found

    def grant(
        self, kind: str, table: str, principal: str, columns: list[str] | None = None, expire_time: str | None = None
    ) -> None:
        self._call(
            "grant_permission",
            resource_type=kind,
            access="SELECT",
            principal=principal,
            database=DATABASE,
            table=table,
            column_names=",".join(columns) if columns else None,
            expire_time=expire_time,
        )

    def revoke(self, kind: str, table: str, principal: str) -> None:
        self._call("revoke_permission", resource_type=kind, access="SELECT", principal=principal, database=DATABASE, table=table)

    def permissions(self, kind: str, table: str) -> list[Permission]:
        return [
            _permission(
                row["access"],
                row["principal"],
                row["expire_time"],
                _list(row["column_names"]),
                _list(row["excluded_column_names"]),
            )
            for row in self._pages("list_permissions", resource_type=kind, database=DATABASE, table=table)
        ]

    def create_filter(self, table: str, principal: str, predicate: str) -> None:
        self._call(
            "create_policy",
            database=DATABASE,
            table=table,
            policy_type="ROW_FILTER",
            principal=principal,
            predicate_json=predicate,
        )

    def create_mask(self, table: str, column: str, principal: str, transform: str) -> None:
        self._call(
            "create_policy",
            database=DATABASE,
            table=table,
            policy_type="COLUMN_MASKING",
            principal=principal,
            on_column=column,
            transform_json=transform,
        )

    def drop_filter(self, table: str, principal: str) -> None:
        self._call("drop_policy", database=DATABASE, table=table, policy_type="ROW_FILTER", principal=principal)

    def policies(self, table: str) -> list[tuple[str | None, str, str]]:
        """Column or None, principal and definition."""
        return [
            (row["on_column"] or None, row["principal"], row["transform_json"] or row["predicate_json"])
            for row in self._pages("list_policies", database=DATABASE, table=table)
        ]


def _list(text: Any) -> list[str] | None:
    return text.split(",") if isinstance(text, str) else text


def _permission(access: Any, principal: Any, expire_time: Any, names: Any, excluded: Any) -> Permission:
    return {
        "access": access,
        "principal": principal,
        "expire_time": expire_time or None,
        "column_names": sorted(names) if names else None,
        "excluded_column_names": sorted(excluded) if excluded else None,
    }
