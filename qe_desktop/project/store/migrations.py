"""From older schemas to the newest, one step after the other."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from sqlalchemy import Connection, insert, text, update

from qe_desktop.project.events import new_uid
from qe_desktop.project.store import schema
from qe_desktop.project.store.append_only import guard, unguard
from qe_desktop.project.store.blobs import crc_of
from qe_desktop.project.store.campaign_json import campaign_of
from qe_desktop.project.store.event_checks import check_events
from qe_desktop.project.store.server_rights import admit, limit_raters, raters_let_in
from qe_desktop.ratings.assignment.naming import texts_shown
from qe_desktop.ratings.protocols import PROTOCOLS

Step = Callable[[Connection], None]


def _to_2(connection: Connection) -> None:
    """Version 2 counts the CRC-32 of every array, so that damage is noticed."""
    connection.execute(text("ALTER TABLE blobs ADD COLUMN crc BIGINT"))
    numbers = connection.execute(text("SELECT seq FROM blobs ORDER BY seq")).scalars().all()
    unguard(connection, "blobs")
    for number in numbers:
        crc = crc_of(connection, number)
        connection.execute(text("UPDATE blobs SET crc = :crc WHERE seq = :seq"), {"crc": crc, "seq": number})
    guard(connection, ("blobs",))


def _to_3(connection: Connection) -> None:
    """Version 3 has campaigns with a secret and a published hash, and a database that looks at what raters add.

    Campaigns that are there keep their draws. On a server, texts that their raters are not shown are taken away from
    what raters may read.
    """
    connection.execute(text("ALTER TABLE campaigns ADD COLUMN takes TEXT"))
    connection.execute(text("ALTER TABLE campaign_setups ADD COLUMN draws TEXT"))
    unguard(connection, "campaigns")
    campaigns = connection.execute(text("SELECT uid, public FROM campaigns ORDER BY uid")).all()
    for uid, public in campaigns:
        protocol = PROTOCOLS.get(json.loads(public).get("protocol"))
        takes = json.dumps(protocol.takes if protocol is not None else {}, separators=(",", ":"))
        connection.execute(text("UPDATE campaigns SET takes = :takes WHERE uid = :uid"), {"takes": takes, "uid": uid})
    guard(connection, ("campaigns",))
    check_events(connection)
    if connection.dialect.name == "postgresql":
        _hide_texts(connection, {uid: public for uid, public in campaigns})
        limit_raters(connection)
        for rater in raters_let_in(connection):
            admit(connection, rater)


def _hide_texts(connection: Connection, campaigns: dict[str, str]) -> None:
    """Empty the texts that raters may read and are not shown; they stay with the corpus."""
    unguard(connection, "passages")
    for uid, public in campaigns.items():
        source, reference = texts_shown(campaign_of(json.loads(public)))
        for column in [name for name, shown in (("source", source), ("reference", reference)) if not shown]:
            hidden = connection.execute(
                text(f"UPDATE passages SET {column} = '' WHERE campaign = :uid AND {column} <> ''"), {"uid": uid}
            ).rowcount
            if hidden:
                details = {"campaign": uid, "texts": column, "segments": hidden}
                row = {"uid": new_uid(), "at": time.time(), "who": "", "what": "texts hidden from raters"}
                connection.execute(insert(schema.audit).values(row | {"details": details}))
    guard(connection, ("passages",))


STEPS: dict[int, Step] = {2: _to_2, 3: _to_3}
"""What leads to each version from the one before. A step is never changed once a version of the program has it."""


def migrate(connection: Connection, version: int) -> None:
    """Bring a schema from `version` to the newest, within the transaction of `connection`."""
    for target in range(version + 1, schema.VERSION + 1):
        STEPS[target](connection)
    connection.execute(update(schema.meta).where(schema.meta.c.key == "schema").values(value=schema.VERSION))
