"""A copy of a project for its raters: what a rater reads on a server, and nothing of which system is which.

It holds the campaigns with their texts and screens. The key, the secret that letters and order are drawn from, the log,
all ratings, and the corpus with its systems by name stay in the project.
"""

from __future__ import annotations

from contextlib import closing

from sqlalchemy import Connection, Integer, Table, func, insert, literal, select, update

from qe_desktop.corpus import QeError
from qe_desktop.project.store import schema
from qe_desktop.project.store.creating import database_in, make_empty_file, make_tables, new_file
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.place import Location
from qe_desktop.wording import tr

TABLES = (schema.campaigns, schema.passages, schema.outputs, schema.screens)
"""What raters need; see `server_rights.READABLE`."""
ROWS = 2_000


def copy_for_raters(source: Database, target: Location, *, replace: bool = False) -> None:
    """Write the campaigns to a new file, which is there wholly or not at all. QeError for raters, and where there is
    no campaign.
    """
    source.refuse_raters(tr("Copies of the project only the owner of the project may see"))
    if target.path is None:
        raise QeError(tr("a copy for raters is a file"), hint=tr("Name a file."), place=target.place)
    with new_file(target, replace=replace) as part:
        if source.location.path is not None and target.path.exists() and target.path.samefile(source.location.path):
            raise QeError(tr("this is the project itself"), hint=tr("Choose another name."), place=target.place)
        make_empty_file(part, target)
        with closing(database_in(part)) as copy, copy.transaction() as connection:
            make_tables(connection, person="", title="")
            with source.reading() as reading:
                title = reading.execute(select(schema.meta.c.value).where(schema.meta.c.key == "title")).scalar()
                connection.execute(update(schema.meta).where(schema.meta.c.key == "title").values(value=title))
                for table in TABLES:
                    _copy(reading, connection, table)
            if not connection.execute(select(func.count()).select_from(schema.campaigns)).scalar():
                raise QeError(
                    tr("the project has no campaign, so there is nothing to rate in a copy of it"),
                    hint=tr("Set up a campaign first."),
                    place=source.location.place,
                )


def _copy(source: Connection, target: Connection, table: Table) -> None:
    """Copy a table in the order of its key; the place of a row in the design would give systems away."""
    key = list(table.primary_key.columns)
    columns = [column for column in table.columns if column.name != "place"]
    if "place" in table.c:
        place = func.row_number().over(order_by=key) - literal(1, Integer)
        columns.append(place.label("place"))  # type: ignore[arg-type]
    rows = source.execute(select(*columns).order_by(*key))
    for some in rows.mappings().partitions(ROWS):
        target.execute(insert(table), [dict(row) for row in some])
