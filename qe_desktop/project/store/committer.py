"""Validation and idempotent commits of row batches, with one transaction per batch.

Rows are append-only, so a row that readers reject would make the project permanently unreadable.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

import qe_desktop
from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, SourceLocation, TagColumn
from qe_desktop.formats.files import MAX_SEGMENTS
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.project.events import AuditRow, EditRow, LayerRow, ReviewRow, Row, SettingRow, VisitRow
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.errors import RejectedError
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.cell_codec import (
    CorruptRowError,
    dataclass_fields,
    validate_condition,
    validate_fields,
    validate_names,
    validate_positions,
)
from qe_desktop.project.store.tables.corpus_columns import CorpusReader, CorpusWriter, current_layers, read_facts
from qe_desktop.project.store.tables.edit_table import edit_values, validate_edit
from qe_desktop.project.store.tables.event_table import event_values
from qe_desktop.project.store.tables.review_table import review_values, validate_review, validate_visit, visit_values
from qe_desktop.ratings.event_validation import MAX_NAME_CHARS, MAX_UNIX_TIME

_LOG = logging.getLogger(__name__)


class Committer:
    """Writer of batches of rows; caches the integer ids of layers and clients by uid."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._size = 0
        self._windows: dict[str, int] = {}
        self._layers: dict[str, int] = {}
        self._newly_rejected_layers: dict[str, int] = {}
        self.rejected_layers: dict[str, int] = {}
        """Maps the uid of each layer that was rejected to the number of the existing layer with the same key.

        Entries are removed once they have been reported.
        """
        self._written: dict[str, list[str]] = {}
        self._writers: dict[type, Callable[[Connection, Sequence[Any]], None]] = {
            EditRow: self._write_edits,
            ReviewRow: self._write_reviews,
            VisitRow: self._write_visits,
            LayerRow: self._write_layers,
            SettingRow: self._write_settings,
            AuditRow: self._write_audit_rows,
            RatingEvent: self._write_ratings,
        }

    def recover(self, batch: Sequence[Row]) -> None:
        """Write rows of earlier sessions as `commit` does; a batch is rejected if its layers do not fit the corpus."""
        self.commit(batch, layers_may_not_fit=any(isinstance(row, LayerRow) for row in batch))

    def commit(self, batch: Sequence[Row], *, layers_may_not_fit: bool = False) -> None:
        """Write a batch in one transaction. Raises QeError, such as TransientError or RejectedError, on failure.

        Rows that were already written by an earlier attempt with an unknown outcome are skipped. With
        `layers_may_not_fit`, the batch is rejected if its layers do not fit the corpus.
        """
        windows, layers = dict(self._windows), dict(self._layers)
        self._written, self._newly_rejected_layers = {}, {}
        try:
            with self._database.writing() as connection, _reject_invalid(self._database.location.place):
                rows = validate_rows(batch, self._corpus_size(connection, batch))
                for kind, group in groupby(rows, type):
                    self._writers[kind](connection, list(group))
                if layers_may_not_fit:
                    CorpusReader(connection).read()
            # verify that committed rows can be read back
            self._database.check_committed(self._written)
            self.rejected_layers.update(self._newly_rejected_layers)
        except BaseException:
            # numbers assigned in the failed transaction are invalid
            self._windows, self._layers = windows, layers
            raise

    def _corpus_size(self, connection: Connection, batch: Sequence[Row]) -> int:
        """Return the number of segments in the corpus; 0 if there is no corpus.

        The number is cached; it is read again if a row refers to a later segment.
        """
        segments = (row.segment for row in batch if isinstance(row, EditRow | ReviewRow | VisitRow))
        if any(type(segment) is not int or segment >= self._size for segment in segments):
            facts = read_facts(connection)
            self._size = 0 if facts is None else facts.size
        return self._size

    def _add(
        self, connection: Connection, table: Table, values: Sequence[dict[str, Any]], statement: Any = None
    ) -> None:
        """Insert rows, skipping existing ones; record all uids, so that `commit` can verify that the rows exist."""
        connection.execute(self._insert(table) if statement is None else statement, values)
        self._written.setdefault(table.name, []).extend(row["uid"] for row in values)

    def _insert(self, table: Table) -> Any:
        kind = postgresql if self._database.is_server else sqlite
        return kind.insert(table).on_conflict_do_nothing(index_elements=["uid"])

    def window_number(self, connection: Connection, uid: str, person: str, at: float) -> int:
        """Return the number of a client; insert the client if it has no number yet."""
        number = self._windows.get(uid)
        if number is None:
            values = {"uid": uid, "person": person, "at": at or time.time(), "program": qe_desktop.__version__}
            connection.execute(self._insert(schema.windows).values(values))
            numbers = connection.execute(select(schema.windows.c.seq).where(schema.windows.c.uid == uid))
            number = self._windows[uid] = numbers.scalar_one()
        return number

    def _layer_numbers(self, connection: Connection, rows: Sequence[EditRow]) -> list[int]:
        """Return the number of each edit's layer, even if the layer has been closed since.

        If a layer is not in the project, the number of the current layer with the same key is returned. Raises
        RejectedError if there is no such layer either.
        """
        current: dict[LayerKey, int] | None = None
        numbers = []
        for row in rows:
            number = self._layer_number(connection, row.layer_uid)
            if number is None:
                if current is None:
                    current = {key: number for number, (key, _) in current_layers(connection).items()}
                number = current.get(row.layer)
            if number is None:
                message = tr("layer “{layer}” does not exist in the project", layer=row.layer)
                raise RejectedError(message, place=self._database.location.place)
            numbers.append(number)
        return numbers

    def _layer_number(self, connection: Connection, uid: str) -> int | None:
        """Number of a layer, closed or not; None if it is not in the project."""
        if uid and uid not in self._layers:
            number = connection.execute(select(schema.layers.c.seq).where(schema.layers.c.uid == uid)).scalar()
            if number is not None:
                self._layers[uid] = number
        return self._layers.get(uid)

    def _write_edits(self, connection: Connection, rows: Sequence[EditRow]) -> None:
        values = [
            edit_values(row, number, self.window_number(connection, row.window, row.person, row.at))
            for row, number in zip(rows, self._layer_numbers(connection, rows), strict=True)
        ]
        # an edit may refer to an earlier one of the same batch, which is written first
        for refers, group in groupby(values, lambda item: bool(item["refers_uid"])):
            ready = list(group)
            if refers:
                referred = schema.edits.alias("about")
                number = select(referred.c.seq).where(referred.c.uid == bindparam("refers_uid")).scalar_subquery()
                self._add(connection, schema.edits, ready, self._insert(schema.edits).values(refers=number))
            else:
                for item in ready:
                    del item["refers_uid"]
                self._add(connection, schema.edits, ready)

    def _write_reviews(self, connection: Connection, rows: Sequence[ReviewRow]) -> None:
        values = [review_values(row, self.window_number(connection, row.window, row.person, row.at)) for row in rows]
        self._add(connection, schema.reviews, values)

    def _write_visits(self, connection: Connection, rows: Sequence[VisitRow]) -> None:
        values = [visit_values(row, self.window_number(connection, row.window, row.person, row.at)) for row in rows]
        self._add(connection, schema.visits, values)

    def _write_layers(self, connection: Connection, rows: Sequence[LayerRow]) -> None:
        for row in rows:
            window = self.window_number(connection, row.window, row.person, row.at)
            # another client may have added or closed the layer in the meantime
            current = current_layers(connection)
            if row.layer is None:
                closed = next((number for number, names in current.items() if (row.closes or row.key) in names), None)
                removal = select(schema.removals.c.seq).where(schema.removals.c.uid == row.uid)
                if closed is not None and connection.execute(removal).first() is None:
                    values = {"uid": row.uid, "window": window, "at": row.at, "layer": closed}
                    self._add(connection, schema.removals, [values])
            elif self._layer_number(connection, row.uid) is None:
                existing = next((number for number, (key, _) in current.items() if key == row.key), None)
                if existing is None:
                    existing = CorpusWriter(connection).add_layer(row.layer, uid=row.uid, window=window, at=row.at)
                    self._written.setdefault(schema.layers.name, []).append(row.uid)
                else:
                    self._newly_rejected_layers[row.uid] = existing
                self._layers[row.uid] = existing

    def _write_settings(self, connection: Connection, rows: Sequence[SettingRow]) -> None:
        # only the last queued value of a setting is written
        last = {(row.scope, row.name): row for row in rows}
        values = [
            {name: getattr(row, name) for name in ("uid", "at", "scope", "name", "value")}
            | {"window": self.window_number(connection, row.window, row.person, row.at)}
            for row in last.values()
        ]
        self._add(connection, schema.settings, values)

    def _write_audit_rows(self, connection: Connection, rows: Sequence[AuditRow]) -> None:
        self._add(connection, schema.audit, [dataclass_fields(row) for row in rows])

    def _write_ratings(self, connection: Connection, rows: Sequence[RatingEvent]) -> None:
        window = self._database.window
        self._add(connection, schema.rating_events, [event_values(row, window) for row in rows])


@contextmanager
def _reject_invalid(location: SourceLocation) -> Iterator[None]:
    """Context manager that raises RejectedError instead of CorruptRowError."""
    try:
        yield
    except CorruptRowError as error:
        _LOG.error("a row has an invalid value", exc_info=error)
        message = tr("a change has an invalid value")
        raise RejectedError(message, hint=tr("This is a bug; please report it."), place=location) from error


_ID_FIELDS = ("uid", "window", "refers", "layer_uid", "closes", "group", "campaign", "screen")
"""Fields that are stored unchanged, unlike texts for people, which are escaped."""


def validate_row(row: Row, segments: int = MAX_SEGMENTS) -> Row:
    """Return `row`, with its time set to 0 if the time is out of range.

    `segments` is the number of segments in the corpus. Raises CorruptRowError if another value is invalid: such a
    row could not be read back and, as rows are never deleted, would make the project unreadable.
    """
    # comparing with text raises TypeError
    validate_condition(type(row.at) in (float, int), "a row has an invalid time")
    if not 0 <= row.at <= MAX_UNIX_TIME:
        row = row._replace(at=0.0) if isinstance(row, ReviewRow) else replace(row, at=0.0)
    _check_ids(row)
    if isinstance(row, EditRow):
        return validate_edit(row, segments)
    if isinstance(row, ReviewRow):
        validate_names([row.person], "the author")
        return validate_review(row, segments)
    if isinstance(row, VisitRow):
        return validate_visit(row, segments)
    return _validate_layer_row(row) if isinstance(row, LayerRow) else validate_fields(row)


def validate_rows(rows: Sequence[Row], segments: int) -> list[Row]:
    """Return the validated rows; rating events are left to the database. Raises CorruptRowError if a row is invalid."""
    return [row if isinstance(row, RatingEvent) else validate_row(row, segments) for row in rows]


def _check_ids(row: Row) -> None:
    for name in _ID_FIELDS:
        value: Any = getattr(row, name, "")
        validate_condition(
            type(value) is str and len(value) <= MAX_NAME_CHARS and value.isascii() and value.isprintable(),
            f"the {name} of a row is not a name",
        )
    validate_condition(row.uid, "a row has no uid")


def _validate_layer_row(row: LayerRow) -> LayerRow:
    validate_fields(row.key)
    validate_names([row.person], "the author")
    validate_condition(type(row.added) is bool, "a layer is neither added nor removed")
    if row.layer is not None:
        validate_condition(row.layer.key == row.key, "a layer has two keys")
        _check_layer(row.layer, row.key)
    return row


def _check_layer(layer: Layer, key: LayerKey) -> None:
    """Raise CorruptRowError if `CorpusReader.layer` would reject the layer. The number of segments is not checked."""
    # translated texts are stored in English
    validate_names(to_english([layer.origin, layer.form]), "the origin of a layer")
    validate_names(to_english(layer.notes), "the notes of a layer")
    validate_condition(key.kind is not Kind.TRANSLATION, "a layer is a translation")
    column = layer.column
    if key.kind.is_tags:
        validate_condition(isinstance(column, TagColumn), "a layer has no tags")
    elif key.kind is Kind.PROBABILITIES:
        validate_condition(isinstance(column, NumberColumn), "a layer has no probabilities")
    else:
        validate_condition(isinstance(column, np.ndarray), "a layer has no scores")
    if isinstance(column, TagColumn):
        validate_positions(column.values, 2, "tags")
    if isinstance(column, TagColumn | NumberColumn):
        validate_condition(int(column.offsets[-1]) == len(column.values), "the lengths of a layer do not match")
