"""Row-level security that isolates raters on PostgreSQL, and SQL functions that compute the progress of raters.

Raters can read the campaigns in which they take part, the texts of these campaigns, and their own screens and ratings.
They can add ratings. They can read the progress of other raters, but no other data of theirs. The owner of the tables
can read everything.

The SQL functions process events as `qe_desktop.answers.event_history` and `ratings.rater_progress` do, and skip the
events of withdrawn imports (`rating_table.withdrawn_imports`). A test compares the SQL and Python implementations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, inspect, text

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

    A comment on the policy stores two hashes: one of `rule`, and one of the definition as normalized by the server.
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


LAST_VALUE = r"""
CREATE OR REPLACE FUNCTION last_value(fields text[], vals text[], wanted text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT vals[place] FROM generate_subscripts(fields, 1) AS place WHERE fields[place] = wanted
    ORDER BY place DESC LIMIT 1
$$
"""

WITHDRAWN = r"""
CREATE OR REPLACE FUNCTION withdrawn() RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = qe_desktop, pg_temp AS $$
    SELECT last.name FROM (
        SELECT DISTINCT ON (name) regexp_replace(s.sha256, '^[^:]*:[^:]*:', '') AS name, s.sha256
        FROM rating_sets s WHERE s.sha256 LIKE '%:%' ORDER BY name, s.seq DESC
    ) AS last WHERE last.sha256 LIKE 'withdrawn:%'
$$
"""

IS_HANDLED = r"""
CREATE OR REPLACE FUNCTION is_handled(campaign_uid text, screen_uid text, rater_name text, needs text[])
RETURNS boolean LANGUAGE plpgsql STABLE SET search_path = qe_desktop, pg_temp AS $$
DECLARE
    e record;
    place int;
    skip text := '""';
    uids text[] := '{}'; fields text[] := '{}'; vals text[] := '{}';
    gone text[] := '{}'; gone_fields text[] := '{}'; gone_vals text[] := '{}';
BEGIN
    FOR e IN
        SELECT v.uid, v.field, v.value, v.action, v.refers FROM rating_events v
        WHERE v.campaign = campaign_uid AND v.rater = rater_name AND v.screen = screen_uid
            AND (v.action <> 'rate' OR v.field NOT IN ('comment', 'reveal', 'seen', 'profile'))
            AND v."window" NOT IN (SELECT withdrawn())
        ORDER BY v.at, v.uid COLLATE "C"
    LOOP
        IF e.action = 'undo' THEN
            place := array_position(uids, e.refers);
            IF place IS NOT NULL THEN
                gone := array_append(gone, uids[place]);
                gone_fields := array_append(gone_fields, fields[place]);
                gone_vals := array_append(gone_vals, vals[place]);
                uids := uids[:place - 1] || uids[place + 1:];
                fields := fields[:place - 1] || fields[place + 1:];
                vals := vals[:place - 1] || vals[place + 1:];
            END IF;
        ELSIF e.action = 'redo' THEN
            place := array_position(gone, e.refers);
            IF place IS NOT NULL THEN
                uids := array_append(uids, gone[place]);
                fields := array_append(fields, gone_fields[place]);
                vals := array_append(vals, gone_vals[place]);
                gone := gone[:place - 1] || gone[place + 1:];
                gone_fields := gone_fields[:place - 1] || gone_fields[place + 1:];
                gone_vals := gone_vals[:place - 1] || gone_vals[place + 1:];
            END IF;
        ELSIF e.field = 'skip' THEN
            IF coalesce(e.value, '""') <> skip THEN
                uids := array_append(uids, e.uid);
                fields := array_append(fields, e.field);
                vals := array_append(vals, coalesce(e.value, '""'));
            END IF;
        ELSIF skip <> '""' OR e.value IS DISTINCT FROM last_value(fields, vals, e.field) THEN
            uids := array_append(uids, e.uid);
            fields := array_append(fields, e.field);
            vals := array_append(vals, e.value);
        END IF;
        skip := CASE WHEN fields[cardinality(fields)] = 'skip' THEN vals[cardinality(vals)] ELSE '""' END;
    END LOOP;
    IF skip <> '""' THEN
        RETURN true;
    END IF;
    RETURN NOT EXISTS (
        SELECT FROM unnest(needs) AS need, LATERAL (SELECT last_value(fields, vals, need) AS value) AS latest
        WHERE latest.value IS NULL OR latest.value = '""'
            OR (need = 'ranks' AND (latest.value NOT LIKE '[%' OR latest.value ~ '[[,]0[],]'))
    );
END $$
"""

PROGRESS = r"""
CREATE OR REPLACE FUNCTION progress(campaign_uid text) RETURNS TABLE (rater text, done bigint, total bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = qe_desktop, pg_temp AS $$
    WITH needed AS (
        SELECT ARRAY(SELECT json_array_elements_text(CAST(c.needs AS json))) AS fields
        FROM campaigns c WHERE c.uid = campaign_uid
    ), real_screens AS MATERIALIZED (
        SELECT s.rater, s.uid FROM screens s
        WHERE s.campaign = campaign_uid AND NOT s.training
            AND (pg_has_role(session_user, (
                SELECT t.tableowner FROM pg_tables t WHERE t.schemaname = 'qe_desktop' AND t.tablename = 'meta'
            ), 'USAGE') OR EXISTS (
                SELECT FROM screens own WHERE own.campaign = campaign_uid AND own.rater = CAST(session_user AS text)
            ))
    ), judged AS (
        SELECT v.rater, v.screen, v.field, v.value, v.at, v.uid COLLATE "C" AS uid,
            bool_or(v.action <> 'rate') OVER (PARTITION BY v.rater, v.screen) AS has_undo
        FROM rating_events v JOIN real_screens s ON s.uid = v.screen AND s.rater = v.rater
        WHERE v.campaign = campaign_uid
            AND (v.action <> 'rate' OR v.field NOT IN ('comment', 'reveal', 'seen', 'profile'))
            AND v."window" NOT IN (SELECT withdrawn())
    ), last_of_field AS (
        SELECT DISTINCT ON (j.rater, j.screen, j.field) j.* FROM judged j
        ORDER BY j.rater, j.screen, j.field, j.at DESC, j.uid DESC
    ), state AS (
        SELECT l.rater, l.screen, bool_or(l.has_undo) AS has_undo,
            (array_agg(l.field ORDER BY l.at DESC, l.uid DESC))[1] = 'skip'
                AND bool_or(l.field = 'skip' AND l.value <> '""') AS skipped,
            count(*) FILTER (
                WHERE l.field = ANY ((SELECT fields FROM needed)::text[]) AND l.value IS NOT NULL AND l.value <> '""'
                AND (l.field <> 'ranks' OR (l.value LIKE '[%' AND l.value !~ '[[,]0[],]'))
            ) = (SELECT cardinality(fields) FROM needed) AS complete
        FROM last_of_field l GROUP BY l.rater, l.screen
    ), handled AS MATERIALIZED (
        -- screens with undo or redo events are replayed step by step; elsewhere, the last value of a field applies
        SELECT s.rater, s.screen FROM state s
        WHERE CASE
            WHEN s.has_undo THEN is_handled(campaign_uid, s.screen, s.rater, (SELECT fields FROM needed))
            ELSE s.skipped OR s.complete
        END
    )
    -- no joins above: without statistics, the planner expects few rows and chooses slow nested loops
    SELECT r.rater, count(*) FILTER (WHERE (r.rater, r.uid) IN (SELECT h.rater, h.screen FROM handled h)), count(*)
    FROM real_screens r GROUP BY r.rater
$$
"""
