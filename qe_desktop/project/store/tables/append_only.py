"""Triggers that make tables append-only."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, text

from qe_desktop.project.store.tables.schema import UPDATABLE_TABLES, metadata

_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def append_only_tables() -> list[str]:
    """Names of the append-only tables."""
    return [table.name for table in metadata.sorted_tables if table.name not in UPDATABLE_TABLES]


def make_append_only(connection: Connection, tables: Sequence[str] | None = None) -> None:
    """Create triggers that reject updates and deletions in `tables` (default: all tables except `meta`)."""
    tables = append_only_tables() if tables is None else tables
    if connection.dialect.name == "sqlite":
        for table in tables:
            for statement in ("UPDATE", "DELETE"):
                connection.execute(
                    text(
                        f"CREATE TRIGGER {table}_no_{statement.lower()} BEFORE {statement} ON {table} BEGIN "
                        f"SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
                    )
                )
        return
    connection.execute(text(_FUNCTION))
    for table in tables:
        connection.execute(
            text(
                f"CREATE TRIGGER {table}_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
            )
        )


def allow_changes(connection: Connection, table: str) -> None:
    """Drop the triggers that make a table append-only, for a migration."""
    if connection.dialect.name == "sqlite":
        for statement in ("update", "delete"):
            connection.execute(text(f"DROP TRIGGER {table}_no_{statement}"))
    else:
        connection.execute(text(f"DROP TRIGGER {table}_only_added ON {table}"))
