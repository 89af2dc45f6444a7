"""Setup of a project on a server: tables, privileges and raters' roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.database import Database, make_engine
from qe_desktop.project.store.location import Location
from qe_desktop.project.store.project_creation import make_tables
from qe_desktop.project.store.project_opening import open_database
from qe_desktop.project.store.server_permissions import create_policies, grant_rater, quote_identifier
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.migrations import ddl_transaction

RATER_TIMEOUTS = {"idle_in_transaction_session_timeout": "60s", "statement_timeout": "60s"}
"""Default timeouts of raters' connections."""
MAX_RATER_CONNECTIONS = 20
"""Connection limit of a rater's role; each window of the program uses up to 8 connections."""
_INSUFFICIENT_PRIVILEGE = "42501"
NewPassword = Callable[[str], str]
"""Function that returns the password of a role to be created; the password is not stored."""
_INHERITED_ROLES = "pg_roles x WHERE pg_has_role(r.oid, x.oid, 'MEMBER')"
"""SQL fragment that selects, as `x`, the role `r` itself and every role of which `r` is a member."""
_CAN_READ_ALL = (
    "x.rolsuper OR x.rolbypassrls OR x.rolreplication OR x.rolname IN"
    " ('pg_read_all_data', 'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')"
    # before PostgreSQL 16, a role with CREATEROLE could assume any role that is not a superuser
    " OR (x.rolcreaterole AND CAST(current_setting('server_version_num') AS integer) < 160000)"
)


def prepare_server(location: Location, *, owner: str, raters: Sequence[str], new_password: NewPassword) -> list[str]:
    """Create the project and missing roles if needed, and grant access to raters; return a report, one line per action.

    `owner` will own a project that is created (default: the connected role). Raises QeError if `location` is a file, if
    the server cannot be reached, if required privileges are missing, or if a rater's role could read everything, could
    rate as another rater or cannot log in.
    """
    if location.path is not None:
        raise QeError(
            tr("a file cannot isolate raters: its users can read everything in it"),
            hint=tr("Use a PostgreSQL server."),
            place=location.place,
        )
    report: list[str] = []
    with closing(Database(location, make_engine(location))) as database:
        with database.reading() as connection:
            exists = inspect(connection).has_table("meta", schema=schema.POSTGRESQL_SCHEMA)
        with ddl_transaction(database) as connection:
            owner = _switch_to_owner(connection, owner, location, report, new_password)
            if not exists:
                connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {schema.POSTGRESQL_SCHEMA}"))
                make_tables(connection, person=owner, title="")
                report.append(tr("created the project; owner: {owner}", owner=owner))
    with closing(open_database(location)) as database:
        database.require_owner(tr("only the owner of the project can add raters"))
        with ddl_transaction(database) as connection:
            create_policies(connection)
            for rater in raters:
                _grant_access(connection, rater, location, report, new_password)
    return report


def _switch_to_owner(
    connection: Connection, owner: str, location: Location, report: list[str], new_password: NewPassword
) -> str:
    """Switch to the owner's role in this transaction, creating it if it is missing; return its name."""
    current = str(connection.execute(text("SELECT current_user")).scalar_one())
    if owner in ("", current):
        return current
    if _make_role(connection, owner, new_password):
        report.append(tr("created the role {role}", role=owner))
    role = quote_identifier(connection, owner)
    if not connection.execute(text("SELECT pg_has_role(:owner, 'USAGE')"), {"owner": owner}).scalar_one():
        connection.exec_driver_sql(f"GRANT {role} TO {quote_identifier(connection, current)}")
    database = quote_identifier(connection, str(connection.execute(text("SELECT current_database()")).scalar_one()))
    connection.exec_driver_sql(f"GRANT CREATE ON DATABASE {database} TO {role}")
    connection.exec_driver_sql(f"SET LOCAL ROLE {role}")
    return owner


def _make_role(connection: Connection, name: str, new_password: NewPassword, *, limited: bool = False) -> bool:
    """Create a login role if it is missing; return whether it was created.

    `limited` restricts the number of connections. Only a SCRAM verifier of the password is sent, so the server cannot
    log the password. Raises QeError if a role is missing and the current role may not create it.
    """
    if connection.execute(text("SELECT 1 FROM pg_roles WHERE rolname = :name"), {"name": name}).first() is not None:
        return False
    can_create_roles = text("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    if not connection.execute(can_create_roles).scalar_one():
        raise QeError(
            tr("the role {role} does not exist, and your role cannot create it", role=name),
            hint=tr("Ask the server administrator to create it, then run the command again."),
        )
    driver = connection.connection.dbapi_connection
    assert driver is not None
    secret: bytes = driver.pgconn.encrypt_password(new_password(name).encode(), name.encode(), b"scram-sha-256")
    verifier = secret.decode("ascii").replace("'", "''")
    connection.exec_driver_sql(
        f"CREATE ROLE {quote_identifier(connection, name)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS"
        f" CONNECTION LIMIT {MAX_RATER_CONNECTIONS if limited else -1}"
        f" PASSWORD '{verifier}'"
    )
    return True


def _grant_access(
    connection: Connection, rater: str, location: Location, report: list[str], new_password: NewPassword
) -> None:
    is_new = _make_role(connection, rater, new_password, limited=True)
    privileges = connection.execute(
        text(
            f"SELECT EXISTS (SELECT FROM {_INHERITED_ROLES} AND ({_CAN_READ_ALL})) AS sees_all, r.rolcanlogin AS login,"
            f" EXISTS (SELECT FROM {_INHERITED_ROLES} AND x.oid <> r.oid"
            " AND has_any_column_privilege(x.oid, CAST(:events AS text), 'INSERT')) AS another,"
            " pg_has_role(r.oid, (SELECT t.tableowner FROM pg_tables t"
            " WHERE t.schemaname = :schema AND t.tablename = 'meta')::name, 'MEMBER') AS owner"
            " FROM pg_roles r WHERE r.rolname = :name"
        ),
        {"name": rater, "schema": schema.POSTGRESQL_SCHEMA, "events": f"{schema.POSTGRESQL_SCHEMA}.rating_events"},
    ).one()
    if privileges.sees_all or privileges.owner:
        raise QeError(
            tr(
                "{rater} could read everything: this role, or one that it can assume, owns the project or has "
                "privileges such as SUPERUSER, BYPASSRLS or pg_read_all_data",
                rater=rater,
            ),
            hint=tr("Use a separate role for this rater."),
            place=location.place,
        )
    if privileges.another:
        raise QeError(
            tr("{rater} could rate as another rater: the role can assume that rater's role", rater=rater),
            hint=tr("Use a separate role for this rater."),
            place=location.place,
        )
    if not privileges.login:
        message = tr("the role {role} cannot log in", role=rater)
        statement = f"ALTER ROLE {quote_identifier(connection, rater)} LOGIN"
        raise QeError(
            message, hint=tr("Run this SQL statement: {statement}", statement=statement), place=location.place
        )
    database = quote_identifier(connection, str(connection.execute(text("SELECT current_database()")).scalar_one()))
    connection.exec_driver_sql(f"GRANT CONNECT ON DATABASE {database} TO {quote_identifier(connection, rater)}")
    grant_rater(connection, rater)
    _set_limits(connection, rater, database)
    if is_new:
        report.append(tr("created the role {rater} and granted access as a rater", rater=rater))
    else:
        report.append(tr("granted {rater} access as a rater", rater=rater))


def _set_limits(connection: Connection, rater: str, database: str) -> None:
    """Set timeouts and a connection limit for a rater's role, if permitted.

    Raters can override the timeouts, so schema changes have a lock timeout (`ddl_transaction`). An existing connection
    limit is kept.
    """
    role = quote_identifier(connection, rater)
    statements = [
        f"ALTER ROLE {role} IN DATABASE {database} SET {name} = '{value}'" for name, value in RATER_TIMEOUTS.items()
    ]
    unlimited = text("SELECT rolconnlimit < 0 FROM pg_roles WHERE rolname = :name")
    if connection.execute(unlimited, {"name": rater}).scalar_one():
        statements.append(f"ALTER ROLE {role} CONNECTION LIMIT {MAX_RATER_CONNECTIONS}")
    for statement in statements:
        try:
            with connection.begin_nested():
                connection.exec_driver_sql(statement)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", "") != _INSUFFICIENT_PRIVILEGE:
                raise
