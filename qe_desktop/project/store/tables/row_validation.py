"""Validation of rows before they are written.

Rows are append-only, so a row that readers reject would make the project permanently unreadable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, TagColumn
from qe_desktop.formats.io.limits import MAX_SEGMENTS
from qe_desktop.i18n.messages import to_english
from qe_desktop.project.events import EditRow, LayerRow, ReviewRow, Row, VisitRow
from qe_desktop.project.store.tables.cell_validation import (
    validate_condition,
    validate_fields,
    validate_names,
    validate_positions,
)
from qe_desktop.project.store.tables.edit_table import validate_edit
from qe_desktop.project.store.tables.review_table import validate_review, validate_visit
from qe_desktop.ratings.event_validation import MAX_NAME_CHARS, MAX_UNIX_TIME

_ID_FIELDS = ("uid", "window", "refers", "layer_uid", "closes", "group", "campaign", "screen")
"""Fields that are stored unchanged, unlike texts for people, which are escaped."""


def validate_row(row: Row, segments: int = MAX_SEGMENTS) -> Row:
    """Return `row`, with its time set to 0 if the time is out of range.

    `segments` is the number of segments in the corpus. Raises CorruptRowError if another value is invalid, because the
    row could not be read back.
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
    """Validate all rows except rating events, which the database checks. Raises CorruptRowError if a row is invalid."""
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
