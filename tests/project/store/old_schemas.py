"""Projects with older schemas, as earlier versions of the program created them."""

from __future__ import annotations

from sqlalchemy import update

from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import schema


def downgrade_schema(project: Project, version: int = 1) -> None:
    """Convert a project with the newest schema to an older version."""
    with project._database.transaction() as connection:
        server = connection.dialect.name == "postgresql"
        connection.exec_driver_sql("ALTER TABLE edits DROP COLUMN step")
        if version == 4:
            connection.exec_driver_sql("ALTER TABLE reviews DROP COLUMN step")
            connection.execute(update(schema.meta).where(schema.meta.c.key == "schema").values(value=version))
            return
        for table in ("reviews", "visits"):
            connection.exec_driver_sql(f"DROP TABLE {table}")
        if version == 3:
            connection.execute(update(schema.meta).where(schema.meta.c.key == "schema").values(value=version))
            return
        if server:
            connection.exec_driver_sql("DROP TRIGGER rating_events_checked ON rating_events")
            connection.exec_driver_sql("DROP FUNCTION check_rating_event()")
            connection.exec_driver_sql("DROP INDEX rating_events_by_time")
        else:
            connection.exec_driver_sql("DROP TRIGGER rating_events_checked")
        connection.exec_driver_sql("ALTER TABLE campaigns DROP COLUMN takes")
        connection.exec_driver_sql("ALTER TABLE campaign_setups DROP COLUMN draws")
        if version == 1:
            # blobs of the first version had no checksums
            connection.exec_driver_sql("ALTER TABLE blobs DROP COLUMN crc")
        connection.execute(update(schema.meta).where(schema.meta.c.key == "schema").values(value=version))
