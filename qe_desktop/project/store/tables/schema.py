"""Tables of the newest schema.

Except in `meta`, rows are only added and never changed. If several rows set the same value, such as a setting, the last
row applies.
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
"""Version of this schema. Projects of older versions are migrated when they are opened; newer ones are rejected."""

POSTGRESQL_SCHEMA = "qe_desktop"
"""PostgreSQL schema of the tables; separate from `public`, where other users may create tables."""


class JsonText(TypeDecorator[Any]):
    """Column type that stores a value as ASCII JSON, which preserves any string, even with unpaired surrogates."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Encode a value as JSON; None becomes NULL."""
        return None if value is None else json.dumps(value, ensure_ascii=True, separators=(",", ":"))

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Decode JSON; NULL becomes None."""
        return None if value is None else json.loads(value)


class PlainText(TypeDecorator[str]):
    """Column type for texts for people. NUL characters and unpaired surrogates, which databases reject, are escaped."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Escape NUL characters and unpaired surrogates; None becomes NULL."""
        if value is None:
            return None
        return value.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")


def _number() -> Column[int]:
    """Return the primary key column: row numbers in the order of writing, which are never reused."""
    # SQLite autoincrements only INTEGER columns
    return Column("seq", BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True)


def _table(name: str, *columns: Any) -> Table:
    return Table(name, metadata, *columns, sqlite_autoincrement=True)


def _blob(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, ForeignKey("blobs.seq"), nullable=nullable)


def _window() -> Column[int]:
    return Column("window", ForeignKey("windows.seq"), nullable=False)


def _uid() -> Column[str]:
    return Column("uid", Text, nullable=False, unique=True)


def _time_column() -> Column[float]:
    return Column("at", Float(53), nullable=False)


metadata = MetaData()

meta = _table("meta", Column("key", Text, primary_key=True), Column("value", JsonText, nullable=False))
"""Project metadata by key: `schema` (its version), `project` (its uid), `title`, `created`, `created-by`."""

windows = _table(
    "windows", _number(), _uid(), Column("person", PlainText, nullable=False), _time_column(), Column("program", Text)
)
"""Clients that wrote rows, with the user of each client."""

# --- corpus

blobs = _table(
    "blobs",
    _number(),
    Column("form", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("crc", BigInteger),
)
"""Arrays. `form` is the encoding; `crc` is the CRC-32 of the bytes, or NULL if unknown."""

chunks = _table(
    "chunks",
    Column("blob", ForeignKey("blobs.seq"), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

corpora = _table("corpora", _number(), Column("facts", JsonText, nullable=False))
"""Corpus metadata (`corpus_columns.CorpusFacts`). The last row applies."""

columns = _table(
    "columns",
    _number(),
    Column("name", Text, nullable=False),
    _blob("data"),
    _blob("lengths", nullable=True),
    Column("details", JsonText),
)
"""Columns of the corpus. Their names are `translation`, `reference`, `metric`, `alignments`, `documents`, `text/…` with
a text role, and `job/…` for data of bilingual files (see `bilingual_columns`). The `details` of `translation`,
`reference` and `metric` columns contain a name. In older projects, the only reference is in the column
`text/reference`.
"""

layers = _table(
    "layers",
    _number(),
    _uid(),
    _window(),
    _time_column(),
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
    "removals", _number(), _uid(), _window(), _time_column(), Column("layer", ForeignKey("layers.seq"), nullable=False)
)
"""Closed layers."""

# --- changes

edits = _table(
    "edits",
    _number(),
    _uid(),
    _window(),
    _time_column(),
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
"""Tag edits. In a row that sets several tags or none, `place` is -1, and `places`, `tags` and `befores` are lists of
positions, new tags and previous tags. `refers` is the `seq` of the edit that is undone or redone. `step` is the number
of the user's step; it is NULL in rows written by version 4 or older.
"""

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
    _time_column(),
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
"""Edits of review fields.

`fields` contains the names of the fields, `afters` their new values and `befores` their previous values. `refers` is
the uid of the edit that is undone or redone. `bundle` is an id shared by all rows of one step.
"""

visits = _table(
    "visits",
    _number(),
    _uid(),
    _window(),
    _time_column(),
    Column("segment", Integer, nullable=False),
    Column("details", JsonText, nullable=False),
)
"""Recorded visits to segments. `details` is a visit encoded by `cell_codec.encode_visit`."""

settings = _table(
    "settings",
    _number(),
    _uid(),
    _window(),
    _time_column(),
    Column("scope", PlainText, nullable=False),
    Column("name", PlainText, nullable=False),
    Column("value", JsonText),
)
Index("settings_by_name", settings.c.scope, settings.c.name, settings.c.seq)

audit = _table(
    "audit",
    _number(),
    _uid(),
    _time_column(),
    Column("who", PlainText, nullable=False),
    Column("what", PlainText, nullable=False),
    Column("details", JsonText, nullable=False),
)

# --- campaigns: the public part, the owner's key, and ratings


def _campaign(*, key: bool = True) -> Column[str]:
    return Column("campaign", ForeignKey("campaigns.uid"), primary_key=key, nullable=False)


def _position_column() -> Column[int]:
    """Return the column of positions in the design; it is hidden from raters, because it would reveal systems."""
    return Column("place", Integer, nullable=False)


campaigns = _table(
    "campaigns",
    Column("uid", Text, primary_key=True),
    Column("public", JsonText, nullable=False),
    Column("needs", JsonText, nullable=False),
    _time_column(),
    Column("takes", JsonText),
)
"""Campaigns. `needs` lists the fields that must be set to complete a screen. `takes` contains the minimum and maximum
of each field (see `Protocol.integer_ranges`).
"""

campaign_setups = _table(
    "campaign_setups", _campaign(), Column("setup", JsonText, nullable=False), Column("draws", JsonText)
)
"""Setups of campaigns. `draws` contains the inputs of the randomization other than the seed: the `secret`, and the
candidate segments for training screens (`trained_from`). It is NULL for campaigns of older versions.
"""

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
    _time_column(),
    Column("field", PlainText, nullable=False),
    Column("value", JsonText),
    Column("seconds", Float(53), nullable=False),
    Column("action", Text, nullable=False),
    Column("refers", Text, nullable=False),
    Column("window", Text, nullable=False),
    Column("tx", BigInteger),
)
"""Rating events. `tx` is the id of the transaction that wrote a row (PostgreSQL only), used to find new rows."""

Index("rating_events_of_rater", rating_events.c.campaign, rating_events.c.rater, rating_events.c.screen)

rating_sets = _table(
    "rating_sets",
    _number(),
    _uid(),
    _time_column(),
    Column("who", PlainText, nullable=False),
    Column("file", JsonText, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("rows", BigInteger, nullable=False),
    _blob("data"),
    UniqueConstraint("sha256"),
)
"""Ratings imported from files."""

UPDATABLE_TABLES = frozenset({"meta"})
"""Tables whose rows may change; all other tables are append-only."""
