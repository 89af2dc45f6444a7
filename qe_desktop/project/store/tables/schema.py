"""The tables of a project, as the newest schema has them.

Nothing here is ever updated or deleted but `meta`: what happens is added as a row, and the last row holds.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

VERSION = 5
"""The version of this schema. A project of an older one is brought up to it when it is opened, a newer one refused."""

POSTGRESQL_SCHEMA = "qe_desktop"
"""Where the tables stand in a PostgreSQL database; apart from `public`, in which others may make tables."""


class JsonText(TypeDecorator[Any]):
    """A value as JSON in ASCII, so that any string of Python, even half a surrogate pair, comes back as it was."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """The value as JSON; None stays NULL."""
        return None if value is None else json.dumps(value, ensure_ascii=True, separators=(",", ":"))

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """The value that JSON holds."""
        return None if value is None else json.loads(value)


class PlainText(TypeDecorator[str]):
    """Text for people. NUL and halves of surrogate pairs, which no database takes, are written as escapes."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as UTF-8 can hold it."""
        if value is None:
            return None
        return value.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")


def _number() -> Column[int]:
    """A row's number in the order of writing; never used twice."""
    # SQLite counts up by itself only where the type is INTEGER
    return Column("seq", BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True)


def _table(name: str, *columns: Any) -> Table:
    return Table(name, metadata, *columns, sqlite_autoincrement=True)


def _blob(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, ForeignKey("blobs.seq"), nullable=nullable)


def _window() -> Column[int]:
    return Column("window", ForeignKey("windows.seq"), nullable=False)


def _uid() -> Column[str]:
    return Column("uid", Text, nullable=False, unique=True)


def _at() -> Column[float]:
    return Column("at", Float(53), nullable=False)


metadata = MetaData()

meta = _table("meta", Column("key", Text, primary_key=True), Column("value", JsonText, nullable=False))
"""What the project is: `schema`, `project` (its uid), `title`, `created`, `created-by`."""

windows = _table(
    "windows", _number(), _uid(), Column("person", PlainText, nullable=False), _at(), Column("program", Text)
)
"""A running program that wrote something, and whose it was."""

# --- what is evaluated

blobs = _table(
    "blobs",
    _number(),
    Column("form", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("crc", BigInteger),
)
"""Arrays: `form` says how they are packed, `crc` is the CRC-32 of the bytes (NULL: never counted)."""

chunks = _table(
    "chunks",
    Column("blob", ForeignKey("blobs.seq"), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

corpora = _table("corpora", _number(), Column("facts", JsonText, nullable=False))
"""The corpus but for its columns: name, size, eos, language pair, folder, its ratings. The last row holds."""

columns = _table(
    "columns",
    _number(),
    Column("name", Text, nullable=False),
    _blob("data"),
    _blob("lengths", nullable=True),
    Column("details", JsonText),
)
"""Texts (`text/` and the role), `translation` and `reference` (the name in the details), `metric` (whose scores it has,
in the details), `alignments` and `documents`, and `job/…` of translators' files (`job_columns`). The reference was
`text/reference` while there was but one.
"""

layers = _table(
    "layers",
    _number(),
    _uid(),
    _window(),
    _at(),
    Column("provenance", Text, nullable=False),
    Column("name", JsonText, nullable=False),
    Column("kind", Text, nullable=False),
    Column("origin", JsonText, nullable=False),
    Column("form", JsonText, nullable=False),
    Column("notes", JsonText, nullable=False),
    _blob("data"),
    _blob("lengths", nullable=True),
)

removals = _table(
    "removals",
    _number(),
    _uid(),
    _window(),
    _at(),
    Column("layer", ForeignKey("layers.seq"), nullable=False),
)
"""Layers that were closed."""

# --- what a person does to it

edits = _table(
    "edits",
    _number(),
    _uid(),
    _window(),
    _at(),
    Column("action", SmallInteger, nullable=False),
    Column("layer", ForeignKey("layers.seq"), nullable=False),
    Column("segment", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("tag", SmallInteger, nullable=False),
    Column("before", SmallInteger, nullable=False),
    Column("places", JsonText),
    Column("tags", JsonText),
    Column("befores", JsonText),
    Column("refers", BigInteger),
    Column("text", PlainText, nullable=False),
    Column("step", BigInteger),
)
"""Tags that were set. Several at once stand in `places`, `tags` and `befores`; `place` -1 then. `refers` is a seq;
`step` a number in the order of all that one person did, NULL in rows of version 4 and before."""

Index("edits_of_segment", edits.c.segment, edits.c.layer)
Index("edits_of_several", edits.c.seq, sqlite_where=edits.c.place < 0, postgresql_where=edits.c.place < 0)
Index(
    "edits_that_refer",
    edits.c.seq,
    edits.c.refers,
    sqlite_where=edits.c.refers.isnot(None),
    postgresql_where=edits.c.refers.isnot(None),
)

reviews = _table(
    "reviews",
    _number(),
    _uid(),
    _window(),
    _at(),
    Column("action", SmallInteger, nullable=False),
    Column("segment", Integer, nullable=False),
    Column("fields", JsonText, nullable=False),
    Column("afters", JsonText, nullable=False),
    Column("befores", JsonText, nullable=False),
    Column("refers", Text, nullable=False),
    Column("bundle", Text, nullable=False),
    Column("text", PlainText, nullable=False),
    Column("step", BigInteger),
)
"""Targets, statuses and notes that were set: `fields` to `afters`, where `befores` had been. `refers` is the uid of the
row that one takes back or makes again, `bundle` that of the rows that were made at once."""

visits = _table(
    "visits",
    _number(),
    _uid(),
    _window(),
    _at(),
    Column("segment", Integer, nullable=False),
    Column("details", JsonText, nullable=False),
)
"""What was recorded while a segment was worked on (`visit_json`)."""

settings = _table(
    "settings",
    _number(),
    _uid(),
    _window(),
    _at(),
    Column("scope", PlainText, nullable=False),
    Column("name", PlainText, nullable=False),
    Column("value", JsonText),
)
Index("settings_by_name", settings.c.scope, settings.c.name, settings.c.seq)

audit = _table(
    "audit",
    _number(),
    _uid(),
    _at(),
    Column("who", PlainText, nullable=False),
    Column("what", PlainText, nullable=False),
    Column("details", JsonText, nullable=False),
)

# --- campaigns: what raters may know, what only the owner knows, and what was said


def _campaign(*, key: bool = True) -> Column[str]:
    return Column("campaign", ForeignKey("campaigns.uid"), primary_key=key, nullable=False)


def _position_column() -> Column[int]:
    """Where a row stands in the design. It would give systems away, so that raters do not see it."""
    return Column("place", Integer, nullable=False)


campaigns = _table(
    "campaigns",
    Column("uid", Text, primary_key=True),
    Column("public", JsonText, nullable=False),
    Column("needs", JsonText, nullable=False),
    _at(),
    Column("takes", JsonText),
)
"""`needs` names the fields that a screen must have before it counts as done, `takes` the least and the greatest whole
number of each (see `Protocol.takes`)."""

campaign_setups = _table(
    "campaign_setups", _campaign(), Column("setup", JsonText, nullable=False), Column("draws", JsonText)
)
"""`draws` is what a campaign's draws came from besides the seed: the `secret`, and the segments that training screens
were `trained_from`; NULL for campaigns that were set up before there were secrets."""

passages = _table(
    "passages",
    _campaign(),
    Column("segment", Integer, primary_key=True, autoincrement=False),
    _position_column(),
    Column("source", PlainText, nullable=False),
    Column("reference", PlainText, nullable=False),
    Column("document", PlainText, nullable=False),
)

outputs = _table(
    "outputs",
    _campaign(),
    Column("uid", Text, primary_key=True),
    _position_column(),
    Column("segment", Integer, nullable=False),
    Column("text", PlainText, nullable=False),
)

screens = _table(
    "screens",
    _campaign(),
    Column("uid", Text, primary_key=True),
    _position_column(),
    Column("rater", PlainText, nullable=False),
    Column("position", Integer, nullable=False),
    Column("segment", Integer, nullable=False),
    Column("outputs", JsonText, nullable=False),
    Column("training", Boolean, nullable=False),
)
Index("screens_of_rater", screens.c.rater, screens.c.campaign)

output_keys = _table(
    "output_keys",
    _campaign(),
    Column("output", Text, primary_key=True),
    _position_column(),
    Column("systems", JsonText, nullable=False),
    Column("role", SmallInteger, nullable=False),
)

screen_keys = _table(
    "screen_keys",
    _campaign(),
    Column("screen", Text, primary_key=True),
    _position_column(),
    Column("role", SmallInteger, nullable=False),
    Column("repeats", Text, nullable=False),
)

rating_events = _table(
    "rating_events",
    _number(),
    _uid(),
    _campaign(key=False),
    Column("screen", Text, nullable=False),
    Column("rater", PlainText, nullable=False),
    _at(),
    Column("field", PlainText, nullable=False),
    Column("value", JsonText),
    Column("seconds", Float(53), nullable=False),
    Column("action", Text, nullable=False),
    Column("refers", Text, nullable=False),
    Column("window", Text, nullable=False),
    Column("tx", BigInteger),
)
"""`tx` is the transaction that wrote a row (PostgreSQL alone), from which one tells what is new."""

Index("rating_events_of_rater", rating_events.c.campaign, rating_events.c.rater, rating_events.c.screen)

rating_sets = _table(
    "rating_sets",
    _number(),
    _uid(),
    _at(),
    Column("who", PlainText, nullable=False),
    Column("file", JsonText, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("rows", BigInteger, nullable=False),
    _blob("data"),
    UniqueConstraint("sha256"),
)
"""Ratings read from files, as they were read."""

UPDATABLE = frozenset({"meta"})
"""Tables whose rows may change; in all others rows are only added."""
