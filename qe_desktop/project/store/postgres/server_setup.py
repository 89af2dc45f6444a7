"""Letting raters into a project on a server: one command makes the project, its rights and its roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.engine import make_engine
from qe_desktop.project.store.location import Location
from qe_desktop.project.store.postgres.ddl_lock import ddl_transaction
from qe_desktop.project.store.postgres.permissions import create_policies, grant_rater, quote_identifier
from qe_desktop.project.store.project_creation import make_tables
from qe_desktop.project.store.project_opening import open_database
from qe_desktop.project.store.tables import schema

LIMITS = {"idle_in_transaction_session_timeout": "60s", "statement_timeout": "60s"}
"""What holds for a rater's connections, unless their program says otherwise."""
RATER_CONNECTIONS = 20
"""How many connections a rater's role may have, so that none takes all of the server; a window has up to 8."""
_NOT_ALLOWED = "42501"
NewPassword = Callable[[str], str]
"""Asked for the password of a role that has to be made; what it returns is kept nowhere."""
_INHERITED_ROLES = "pg_roles x WHERE pg_has_role(r.oid, x.oid, 'MEMBER')"
"""The roles that a role `r` is, or can become."""
_SEES_ALL = (
    "x.rolsuper OR x.rolbypassrls OR x.rolreplication OR x.rolname IN"
    " ('pg_read_all_data', 'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')"
    # until PostgreSQL 16, whoever may make roles may take on any role but a superuser's
    " OR (x.rolcreaterole AND CAST(current_setting('server_version_num') AS integer) < 160000)"
)


def prepare_server(location: Location, *, owner: str, raters: Sequence[str], new_password: NewPassword) -> list[str]:
    """Make the project if there is none, the roles that are missing, and let the raters in; says what was done.

    `owner` is the role that the project will belong to (empty: the one that connects). QeError where the connected role
    may not do that, or where a rater's role could see everything anyway.
    """
    if location.path is not None:
        raise QeError(
            tr("a file cannot keep people apart: whoever has it can read all of it"),
            hint=tr("Keep the project on a PostgreSQL server."),
            place=location.place,
        )
    done: list[str] = []
    with closing(Database(location, make_engine(location))) as database:
        with database.reading() as connection:
            there = inspect(connection).has_table("meta", schema=schema.POSTGRESQL_SCHEMA)
        with ddl_transaction(database) as connection:
            owner = _become(connection, owner, location, done, new_password)
            if not there:
                connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {schema.POSTGRESQL_SCHEMA}"))
                make_tables(connection, person=owner, title="")
                done.append(tr("made the project; it belongs to {owner}", owner=owner))
    with closing(open_database(location)) as database:
        database.refuse_raters(tr("Who takes part only the owner of the project may see"))
        with ddl_transaction(database) as connection:
            create_policies(connection)
            for rater in raters:
                _let_in(connection, rater, location, done, new_password)
    return done


def _become(connection: Connection, owner: str, location: Location, done: list[str], new_password: NewPassword) -> str:
    """Act as the owner from here on in this transaction; its name."""
    current = str(connection.execute(text("SELECT current_user")).scalar_one())
    if owner in ("", current):
        return current
    if _make_role(connection, owner, new_password):
        done.append(tr("made the role {role}", role=owner))
    role = quote_identifier(connection, owner)
    if not connection.execute(text("SELECT pg_has_role(:owner, 'USAGE')"), {"owner": owner}).scalar_one():
        connection.exec_driver_sql(f"GRANT {role} TO {quote_identifier(connection, current)}")
    database = quote_identifier(connection, str(connection.execute(text("SELECT current_database()")).scalar_one()))
    connection.exec_driver_sql(f"GRANT CREATE ON DATABASE {database} TO {role}")
    connection.exec_driver_sql(f"SET LOCAL ROLE {role}")
    return owner


def _make_role(connection: Connection, name: str, new_password: NewPassword, *, limited: bool = False) -> bool:
    """Make a login role where there is none. The server is sent a SCRAM verifier, so the password is in no log.

    One that is `limited` may not take all connections of the server for itself.
    """
    if connection.execute(text("SELECT 1 FROM pg_roles WHERE rolname = :name"), {"name": name}).first() is not None:
        return False
    may = text("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    if not connection.execute(may).scalar_one():
        raise QeError(
            tr("there is no role {role}, and yours may not make it", role=name),
            hint=tr("Have whoever runs the server make the role, and run this again."),
        )
    driver = connection.connection.dbapi_connection
    assert driver is not None
    secret: bytes = driver.pgconn.encrypt_password(new_password(name).encode(), name.encode(), b"scram-sha-256")
    verifier = secret.decode("ascii").replace("'", "''")
    connection.exec_driver_sql(
        f"CREATE ROLE {quote_identifier(connection, name)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS"
        f" CONNECTION LIMIT {RATER_CONNECTIONS if limited else -1}"
        f" PASSWORD '{verifier}'"
    )
    return True


def _let_in(connection: Connection, rater: str, location: Location, done: list[str], new_password: NewPassword) -> None:
    made = _make_role(connection, rater, new_password, limited=True)
    found = connection.execute(
        text(
            f"SELECT EXISTS (SELECT FROM {_INHERITED_ROLES} AND ({_SEES_ALL})) AS sees_all, r.rolcanlogin AS login,"
            f" EXISTS (SELECT FROM {_INHERITED_ROLES} AND x.oid <> r.oid"
            " AND has_any_column_privilege(x.oid, CAST(:events AS text), 'INSERT')) AS another,"
            " pg_has_role(r.oid, (SELECT t.tableowner FROM pg_tables t"
            " WHERE t.schemaname = :schema AND t.tablename = 'meta')::name, 'MEMBER') AS owner"
            " FROM pg_roles r WHERE r.rolname = :name"
        ),
        {"name": rater, "schema": schema.POSTGRESQL_SCHEMA, "events": f"{schema.POSTGRESQL_SCHEMA}.rating_events"},
    ).one()
    if found.sees_all or found.owner:
        raise QeError(
            tr(
                "{rater} could read everything: the role, or one that it can take on, is a superuser, passes by row "
                "security, reads all data or files, may take on other roles, or owns the project",
                rater=rater,
            ),
            hint=tr("Let the rater connect with a role of their own."),
            place=location.place,
        )
    if found.another:
        raise QeError(
            tr("{rater} could rate as somebody else: the role can take on that of another rater", rater=rater),
            hint=tr("Let the rater connect with a role of their own."),
            place=location.place,
        )
    if not found.login:
        message = tr("the role {role} may not log in", role=rater)
        raise QeError(message, hint=f"ALTER ROLE {rater} LOGIN.", place=location.place)
    database = quote_identifier(connection, str(connection.execute(text("SELECT current_database()")).scalar_one()))
    connection.exec_driver_sql(f"GRANT CONNECT ON DATABASE {database} TO {quote_identifier(connection, rater)}")
    grant_rater(connection, rater)
    _limit(connection, rater, database)
    if made:
        done.append(tr("made the role {rater} and let it in as a rater", rater=rater))
    else:
        done.append(tr("let in {rater} as a rater", rater=rater))


def _limit(connection: Connection, rater: str, database: str) -> None:
    """See to it that a rater's programs do not keep a transaction open or the server busy, where one may do that.

    A rater may set the times otherwise; whatever the owner does waits for nobody for long (see `holding`). The limit of
    connections is the server's; one that was set by hand stays.
    """
    role = quote_identifier(connection, rater)
    wanted = [f"ALTER ROLE {role} IN DATABASE {database} SET {name} = '{value}'" for name, value in LIMITS.items()]
    unlimited = text("SELECT rolconnlimit < 0 FROM pg_roles WHERE rolname = :name")
    if connection.execute(unlimited, {"name": rater}).scalar_one():
        wanted.append(f"ALTER ROLE {role} CONNECTION LIMIT {RATER_CONNECTIONS}")
    for statement in wanted:
        try:
            with connection.begin_nested():
                connection.exec_driver_sql(statement)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", "") != _NOT_ALLOWED:
                raise
