"""Triggers that make tables append-only."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, text

from qe_desktop.project.store.tables.schema import UPDATABLE, metadata

_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def append_only_tables() -> list[str]:
    """Names of the append-only tables."""
    return [table.name for table in metadata.sorted_tables if table.name not in UPDATABLE]


def make_append_only(connection: Connection, tables: Sequence[str] | None = None) -> None:
    """Create triggers that reject updates and deletions (default: in all tables except `meta`)."""
    tables = append_only_tables() if tables is None else tables
    if connection.dialect.name == "sqlite":
        for table in tables:
            for act in ("UPDATE", "DELETE"):
                connection.execute(
                    text(
                        f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} BEGIN "
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
        for act in ("update", "delete"):
            connection.execute(text(f"DROP TRIGGER {table}_no_{act}"))
    else:
        connection.execute(text(f"DROP TRIGGER {table}_only_added ON {table}"))
