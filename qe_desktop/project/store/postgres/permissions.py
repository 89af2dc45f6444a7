"""Who may do what in a project on PostgreSQL: the database itself keeps raters apart (row-level security).

A rater reads the campaigns that he takes part in, their texts, his own screens and his own ratings, and adds ratings of
his own; of the others he sees how far they are, and nothing else. The role that owns the tables sees all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, inspect, text

from qe_desktop.project.store.postgres.progress_functions import IS_HANDLED, LAST_VALUE, PROGRESS, WITHDRAWN
from qe_desktop.project.store.tables.schema import POSTGRESQL_SCHEMA, metadata

_MINE = "rater = CAST(current_user AS text)"
_MY_CAMPAIGNS = f"SELECT s.campaign FROM screens s WHERE s.{_MINE}"
_MY_OUTPUTS = (
    "SELECT s.campaign, o.uid FROM screens s, LATERAL json_array_elements_text(CAST(s.outputs AS json)) AS o(uid)"
    f" WHERE s.{_MINE}"
)
_OWN_EVENT = (
    f"{_MINE} AND ((screen = '' AND campaign IN ({_MY_CAMPAIGNS})) OR EXISTS (SELECT FROM screens s"
    f" WHERE s.uid = rating_events.screen AND s.campaign = rating_events.campaign AND s.{_MINE}))"
)

READABLE_COLUMNS: dict[str, tuple[str, str]] = {
    "meta": ("key, value", "true"),
    "campaigns": ("uid, public, needs, at, takes", f"uid IN ({_MY_CAMPAIGNS})"),
    "passages": ("campaign, segment, source, reference, document", f"campaign IN ({_MY_CAMPAIGNS})"),
    "outputs": ("campaign, uid, segment, text", f"(campaign, uid) IN ({_MY_OUTPUTS})"),
    "screens": ("campaign, uid, rater, position, segment, outputs, training", _MINE),
    "rating_events": (
        'seq, uid, campaign, screen, rater, at, field, value, seconds, action, refers, "window", tx',
        _MINE,
    ),
}
"""What a rater may read: the columns, and which rows. The place of an output in the design would give systems away."""

_UNCOUNTED = ("value", "seconds", "at", "refers")
_ADDED = 'uid, campaign, screen, rater, at, field, value, seconds, action, refers, "window"'


def revoke_public_rights(connection: Connection) -> None:
    """Close all tables to everybody but their owner, and make what raters will be let in by."""
    _run(connection, f"REVOKE ALL ON SCHEMA {POSTGRESQL_SCHEMA} FROM PUBLIC")
    revoke_tables(connection, [table.name for table in metadata.sorted_tables])
    create_policies(connection)
    _run(
        connection, "ALTER TABLE rating_events ALTER tx SET DEFAULT CAST(CAST(pg_current_xact_id() AS text) AS bigint)"
    )
    _run(connection, "CREATE INDEX rating_events_by_tx ON rating_events (tx)")


def revoke_tables(connection: Connection, names: Sequence[str]) -> None:
    """Close tables to everybody but the role that is connected, which owns them."""
    owner = quote_identifier(connection, connection.execute(text("SELECT current_user")).scalar_one())
    everything = f"TO {owner} USING (true) WITH CHECK (true)"
    for name in names:
        _run(connection, f"REVOKE ALL ON {name} FROM PUBLIC")
        _run(connection, f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
        # without FORCE the owner would be let off, and so would a mistake in a function that runs as the owner
        _run(connection, f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
        _run(connection, f"CREATE POLICY owner_sees_all ON {name} {everything}")


def create_policies(connection: Connection) -> None:
    """Say what rows a rater may read, add and have counted, and keep what others wrote out of the server's plans.

    What is so already is left alone: to change it, the server would have to wait for everybody who reads.
    """
    for name, (_, rows) in READABLE_COLUMNS.items():
        ensure_policy(connection, "rater_reads", name, f"FOR SELECT TO PUBLIC USING ({rows})")
    ensure_policy(connection, "rater_adds", "rating_events", f"FOR INSERT TO PUBLIC WITH CHECK ({_OWN_EVENT})")
    counted = text(
        "SELECT attname FROM pg_attribute WHERE attrelid = CAST('rating_events' AS regclass)"
        " AND attname = ANY (:names) AND attstattarget IS DISTINCT FROM 0"
    )
    for column in connection.execute(counted, {"names": list(_UNCOUNTED)}).scalars().all():
        # EXPLAIN estimates from the values of all rows, whoever may see them
        _run(connection, f"ALTER TABLE rating_events ALTER {column} SET STATISTICS 0")
    for function in (LAST_VALUE, WITHDRAWN, IS_HANDLED, PROGRESS):
        # the driver takes a single % for a parameter
        _run(connection, function.replace("%", "%%"))
    _run(connection, f"REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {POSTGRESQL_SCHEMA} FROM PUBLIC")


_POLICY = text(
    "SELECT obj_description(p.oid, 'pg_policy') AS remark, md5(concat_ws('|', p.polcmd, p.polroles,"
    " pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))) AS held"
    " FROM pg_policy p WHERE p.polrelid = CAST(:table AS regclass) AND p.polname = :name"
)


def ensure_policy(connection: Connection, name: str, table: str, rule: str) -> bool:
    """See to it that a policy says this; whether it had to be made anew.

    A remark at the policy holds what it was made from and what the server made of that, for the server does not give
    its own words back.
    """
    made_of = hashlib.sha256(rule.encode()).hexdigest()[:32]
    asked = {"table": table, "name": name}
    found = connection.execute(_POLICY, asked).first()
    if found is not None and found.remark == f"{made_of} {found.held}":
        return False
    _run(connection, f"DROP POLICY IF EXISTS {name} ON {table}")
    _run(connection, f"CREATE POLICY {name} ON {table} {rule}")
    held = connection.execute(_POLICY, asked).one().held
    _run(connection, f"COMMENT ON POLICY {name} ON {table} IS '{made_of} {held}'")
    return True


def granted_raters(connection: Connection) -> list[str]:
    """The roles that may add ratings, but for the owner."""
    found = connection.execute(
        text(
            "SELECT DISTINCT r.rolname FROM pg_attribute a, LATERAL aclexplode(a.attacl) AS given"
            " JOIN pg_roles r ON r.oid = given.grantee"
            " WHERE a.attrelid = CAST('rating_events' AS regclass) AND given.privilege_type = 'INSERT'"
            " AND r.rolname <> current_user ORDER BY r.rolname"
        )
    )
    return list(found.scalars())


def grant_rater(connection: Connection, rater: str) -> None:
    """Give a role the rights of a rater, and no others. What it had before in the project is taken away first."""
    role = quote_identifier(connection, rater)
    _run(connection, f"REVOKE ALL ON ALL TABLES IN SCHEMA {POSTGRESQL_SCHEMA} FROM {role}")
    tables = inspect(connection)
    for name in metadata.tables.keys() & set(tables.get_table_names(POSTGRESQL_SCHEMA)):
        # rights to single columns are not taken away with those to the table; an older project lacks some columns
        there = tables.get_columns(name, schema=POSTGRESQL_SCHEMA)
        columns = ", ".join(quote_identifier(connection, column["name"]) for column in there)
        _run(connection, f"REVOKE ALL ({columns}) ON {name} FROM {role}")
    _run(connection, f"REVOKE ALL ON ALL SEQUENCES IN SCHEMA {POSTGRESQL_SCHEMA} FROM {role}")
    _run(connection, f"REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {POSTGRESQL_SCHEMA} FROM {role}")
    _run(connection, f"REVOKE ALL ON SCHEMA {POSTGRESQL_SCHEMA} FROM {role}")
    _run(connection, f"GRANT USAGE ON SCHEMA {POSTGRESQL_SCHEMA} TO {role}")
    for name, (columns, _) in READABLE_COLUMNS.items():
        _run(connection, f"GRANT SELECT ({columns}) ON {name} TO {role}")
    _run(connection, f"GRANT INSERT ({_ADDED}) ON rating_events TO {role}")
    _run(connection, f"GRANT EXECUTE ON FUNCTION progress(text) TO {role}")


def quote_identifier(connection: Connection, name: str) -> str:
    """A name as SQL takes it, whatever is in it."""
    return connection.dialect.identifier_preparer.quote_identifier(name)


def _run(connection: Connection, statement: str) -> None:
    connection.exec_driver_sql(statement)
