"""Privileges of a project on PostgreSQL: raters are isolated by row-level security.

Raters can read the campaigns in which they take part, the texts of these campaigns, and their own screens and ratings.
They can add ratings. Of other raters, they can read only the progress. The owner of the tables can read everything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, inspect, text

from qe_desktop.project.store.postgres.progress_functions import IS_HANDLED, LAST_VALUE, PROGRESS, WITHDRAWN
from qe_desktop.project.store.tables.schema import POSTGRESQL_SCHEMA, metadata

_IS_OWN_ROW = "rater = CAST(current_user AS text)"
_OWN_CAMPAIGNS = f"SELECT s.campaign FROM screens s WHERE s.{_IS_OWN_ROW}"
_OWN_OUTPUTS = (
    "SELECT s.campaign, o.uid FROM screens s, LATERAL json_array_elements_text(CAST(s.outputs AS json)) AS o(uid)"
    f" WHERE s.{_IS_OWN_ROW}"
)
_OWN_EVENT = (
    f"{_IS_OWN_ROW} AND ((screen = '' AND campaign IN ({_OWN_CAMPAIGNS})) OR EXISTS (SELECT FROM screens s"
    f" WHERE s.uid = rating_events.screen AND s.campaign = rating_events.campaign AND s.{_IS_OWN_ROW}))"
)

READABLE_COLUMNS: dict[str, tuple[str, str]] = {
    "meta": ("key, value", "true"),
    "campaigns": ("uid, public, needs, at, takes", f"uid IN ({_OWN_CAMPAIGNS})"),
    "passages": ("campaign, segment, source, reference, document", f"campaign IN ({_OWN_CAMPAIGNS})"),
    "outputs": ("campaign, uid, segment, text", f"(campaign, uid) IN ({_OWN_OUTPUTS})"),
    "screens": ("campaign, uid, rater, position, segment, outputs, training", _IS_OWN_ROW),
    "rating_events": (
        'seq, uid, campaign, screen, rater, at, field, value, seconds, action, refers, "window", tx',
        _IS_OWN_ROW,
    ),
}
"""For each table that raters may read: the readable columns, and the SQL condition that selects the readable rows.

The position of an output in the design is not readable, because it would reveal the system.
"""

_COLUMNS_WITHOUT_STATISTICS = ("value", "seconds", "at", "refers")
_INSERTABLE_COLUMNS = 'uid, campaign, screen, rater, at, field, value, seconds, action, refers, "window"'


def revoke_public_rights(connection: Connection) -> None:
    """Restrict access to all tables to their owner, and create the policies for raters.

    Each rating event is then stored with the id of its transaction.
    """
    _run(connection, f"REVOKE ALL ON SCHEMA {POSTGRESQL_SCHEMA} FROM PUBLIC")
    revoke_tables(connection, [table.name for table in metadata.sorted_tables])
    create_policies(connection)
    _run(
        connection, "ALTER TABLE rating_events ALTER tx SET DEFAULT CAST(CAST(pg_current_xact_id() AS text) AS bigint)"
    )
    _run(connection, "CREATE INDEX rating_events_by_tx ON rating_events (tx)")


def revoke_tables(connection: Connection, names: Sequence[str]) -> None:
    """Restrict access to tables to the connected role, which must own them."""
    owner = quote_identifier(connection, connection.execute(text("SELECT current_user")).scalar_one())
    everything = f"TO {owner} USING (true) WITH CHECK (true)"
    for name in names:
        _run(connection, f"REVOKE ALL ON {name} FROM PUBLIC")
        _run(connection, f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
        # without FORCE the policies would not apply to the owner and to functions that run as the owner
        _run(connection, f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
        _run(connection, f"CREATE POLICY owner_sees_all ON {name} {everything}")


def create_policies(connection: Connection) -> None:
    """Define which rows a rater may read, add and count, and keep values out of the planner's statistics.

    Unchanged policies are not replaced, because that would have to wait for all readers.
    """
    for name, (_, rows) in READABLE_COLUMNS.items():
        ensure_policy(connection, "rater_reads", name, f"FOR SELECT TO PUBLIC USING ({rows})")
    ensure_policy(connection, "rater_adds", "rating_events", f"FOR INSERT TO PUBLIC WITH CHECK ({_OWN_EVENT})")
    counted = text(
        "SELECT attname FROM pg_attribute WHERE attrelid = CAST('rating_events' AS regclass)"
        " AND attname = ANY (:names) AND attstattarget IS DISTINCT FROM 0"
    )
    for column in connection.execute(counted, {"names": list(_COLUMNS_WITHOUT_STATISTICS)}).scalars().all():
        # EXPLAIN estimates could reveal values of hidden rows
        _run(connection, f"ALTER TABLE rating_events ALTER {column} SET STATISTICS 0")
    for function in (LAST_VALUE, WITHDRAWN, IS_HANDLED, PROGRESS):
        # the driver interprets a single % as a parameter
        _run(connection, function.replace("%", "%%"))
    _run(connection, f"REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {POSTGRESQL_SCHEMA} FROM PUBLIC")


_POLICY = text(
    "SELECT obj_description(p.oid, 'pg_policy') AS remark, md5(concat_ws('|', p.polcmd, p.polroles,"
    " pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))) AS definition"
    " FROM pg_policy p WHERE p.polrelid = CAST(:table AS regclass) AND p.polname = :name"
)


def ensure_policy(connection: Connection, name: str, table: str, rule: str) -> bool:
    """Create or replace a policy unless it exists unchanged; return whether it was created or replaced.

    A comment on the policy stores two hashes: that of `rule`, and that of the definition as normalized by the server.
    """
    rule_hash = hashlib.sha256(rule.encode()).hexdigest()[:32]
    parameters = {"table": table, "name": name}
    policy = connection.execute(_POLICY, parameters).first()
    if policy is not None and policy.remark == f"{rule_hash} {policy.definition}":
        return False
    _run(connection, f"DROP POLICY IF EXISTS {name} ON {table}")
    _run(connection, f"CREATE POLICY {name} ON {table} {rule}")
    definition = connection.execute(_POLICY, parameters).one().definition
    _run(connection, f"COMMENT ON POLICY {name} ON {table} IS '{rule_hash} {definition}'")
    return True


def granted_raters(connection: Connection) -> list[str]:
    """Roles, other than the owner's, that may add ratings."""
    roles = connection.execute(
        text(
            "SELECT DISTINCT r.rolname FROM pg_attribute a, LATERAL aclexplode(a.attacl) AS given"
            " JOIN pg_roles r ON r.oid = given.grantee"
            " WHERE a.attrelid = CAST('rating_events' AS regclass) AND given.privilege_type = 'INSERT'"
            " AND r.rolname <> current_user ORDER BY r.rolname"
        )
    )
    return list(roles.scalars())


def grant_rater(connection: Connection, rater: str) -> None:
    """Grant a role exactly the privileges of a rater. Earlier privileges in the project are revoked first."""
    role = quote_identifier(connection, rater)
    _run(connection, f"REVOKE ALL ON ALL TABLES IN SCHEMA {POSTGRESQL_SCHEMA} FROM {role}")
    tables = inspect(connection)
    for name in metadata.tables.keys() & set(tables.get_table_names(POSTGRESQL_SCHEMA)):
        # an older project lacks some columns
        existing = tables.get_columns(name, schema=POSTGRESQL_SCHEMA)
        columns = ", ".join(quote_identifier(connection, column["name"]) for column in existing)
        _run(connection, f"REVOKE ALL ({columns}) ON {name} FROM {role}")
    _run(connection, f"REVOKE ALL ON ALL SEQUENCES IN SCHEMA {POSTGRESQL_SCHEMA} FROM {role}")
    _run(connection, f"REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {POSTGRESQL_SCHEMA} FROM {role}")
    _run(connection, f"REVOKE ALL ON SCHEMA {POSTGRESQL_SCHEMA} FROM {role}")
    _run(connection, f"GRANT USAGE ON SCHEMA {POSTGRESQL_SCHEMA} TO {role}")
    for name, (columns, _) in READABLE_COLUMNS.items():
        _run(connection, f"GRANT SELECT ({columns}) ON {name} TO {role}")
    _run(connection, f"GRANT INSERT ({_INSERTABLE_COLUMNS}) ON rating_events TO {role}")
    _run(connection, f"GRANT EXECUTE ON FUNCTION progress(text) TO {role}")


def quote_identifier(connection: Connection, name: str) -> str:
    """Quote an SQL identifier."""
    return connection.dialect.identifier_preparer.quote_identifier(name)


def _run(connection: Connection, statement: str) -> None:
    connection.exec_driver_sql(statement)
