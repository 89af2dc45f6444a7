"""Table of tag edits, which are written as rows and read as columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Table, and_, case, func, literal, select

from qe_desktop.corpus import offsets_from_lengths
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.files import MAX_SEGMENTS
from qe_desktop.project.edits import EditColumns
from qe_desktop.project.events import EditAction, EditRow
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.tables.cell_codec import (
    validate_condition,
    validate_fields,
    validate_integer,
    validate_names,
    validate_positions,
)
from qe_desktop.project.store.tables.corpus_columns import current_layers, layer_key, read_facts
from qe_desktop.project.store.tables.schema import edits, layers, windows
from qe_desktop.project.undo_manager import MAX_STEP

_POSITION_BITS = 24
"""Number of bits for a position in the packed integers of `read_edit_columns`; enough for any segment."""
_MAX_POSITION = (1 << _POSITION_BITS) - 1
"""Exclusive upper limit of positions."""


def edit_values(row: EditRow, layer: int, window: int) -> dict[str, Any]:
    """Return the cells of an edit, by column name; `layer` and `window` are the numbers of its layer and its client.

    The cell `refers_uid` is the uid of the edit that is undone or redone.
    """
    several = len(row.places) != 1
    return {
        "uid": row.uid,
        "window": window,
        "at": row.at,
        "action": int(row.action),
        "layer": layer,
        "segment": row.segment,
        "place": -1 if several else row.places[0],
        "tag": 0 if several else row.tags[0],
        "before": 0 if several else row.before[0],
        "places": list(row.places) if several else None,
        "tags": list(row.tags) if several else None,
        "befores": list(row.before) if several else None,
        "refers_uid": row.refers,
        "text": row.text,
        "step": row.step or None,
    }


def read_edit_columns(database: Database, connection: Connection, *, after: int = 0) -> EditColumns:
    """Return, as columns, the edits that belong to current layers and have a `seq` greater than `after`.

    Raises ValueError (such as CorruptRowError), TypeError or OverflowError if an edit is invalid.
    """
    current = current_layers(connection)
    table, bits = edits.c, _POSITION_BITS
    # fetching a few wide integers is much faster than many narrow ones
    packed = (
        ((table.window * literal(1 << 16) + table.layer) * literal(1 << bits) + (table.place + 1)) * literal(16)
        + table.action * literal(4)
        + table.tag * literal(2)
        + table.before
    )
    facts = read_facts(connection)
    checked_code = case(
        (_valid_edit_condition(database, 0 if facts is None else facts.size), packed), else_=literal(-1)
    )
    query = select(table.seq, table.segment, checked_code).where(table.seq > after).order_by(table.seq)
    seq, segment, code = _integers(database.rows(connection, query), 3)
    validate_condition(not (code < 0).any(), "an edit has invalid values")
    layer_number = (code >> (bits + 4)) & 0xFFFF
    is_known, layer = _indices_of(layer_number, list(current))
    if not is_known.all():
        seq, segment, code = seq[is_known], segment[is_known], code[is_known]
    owners = connection.execute(select(windows.c.seq, windows.c.uid, windows.c.person).order_by(windows.c.seq)).all()
    has_author, window = _indices_of(code >> (bits + 20), [row.seq for row in owners])
    validate_condition(has_author.all(), "an edit has no author")
    uids = validate_names([row.uid for row in owners], "the windows")
    people = tuple(dict.fromkeys(validate_names([row.person for row in owners], "the people")))
    person_of = np.asarray([people.index(row.person) for row in owners], np.int32)
    several, offsets, positions, tags, befores = _multi_tag_edits(database, connection, seq, after)
    return EditColumns(
        tuple(key for key, _ in current.values()),
        tuple(uid for _, uid in current.values()),
        people,
        uids,
        seq,
        layer[is_known],
        person_of[window] if len(owners) else window,
        window,
        ((code >> 2) & 3).astype(np.uint8),
        segment.astype(np.int32),
        (((code >> 4) & ((1 << bits) - 1)) - 1).astype(np.int32),
        ((code >> 1) & 1).astype(np.uint8),
        (code & 1).astype(np.uint8),
        _referred_edits(database, connection, seq, after),
        several,
        offsets,
        positions,
        tags,
        befores,
        newest_step(connection, edits),
    )


def newest_step(connection: Connection, table: Table) -> int:
    """Highest step number in a table; 0 if there is none."""
    last_step = connection.execute(select(func.coalesce(func.max(table.c.step), 0))).scalar_one()
    return validate_integer(last_step, "the number of a step", limit=MAX_STEP)


def _valid_edit_condition(database: Database, segments: int) -> Any:
    """Return an SQL condition that is true if all numbers of an edit are valid."""
    table = edits.c
    range_conditions: list[Any] = [
        table.segment.between(0, segments - 1),
        table.place.between(-1, _MAX_POSITION - 1),
        table.window.between(1, (1 << 19) - 1),
        table.layer.between(1, (1 << 16) - 1),
    ]
    if not database.is_server:
        range_conditions += [func.typeof(column) == "integer" for column in (table.segment, table.place)]
    value_conditions = [
        table.action.in_([int(action) for action in EditAction]),
        table.tag.in_([0, 1]),
        table.before.in_([0, 1]),
    ]
    return and_(*range_conditions, *value_conditions)


def _integers(cursor: Any, width: int) -> Ints:
    """Return all rows of a cursor with `width` integer columns, as an array of shape (width, rows)."""
    values = np.fromiter(chain.from_iterable(cursor), np.int64)
    cursor.close()
    return values.reshape(-1, width).T


def _indices_of(values: Ints, numbers: Sequence[int]) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """Return which values occur in `numbers` (ascending), and the index of each value (arbitrary if absent)."""
    known_numbers = np.asarray(numbers, np.int64)
    if not len(known_numbers):
        return np.zeros(len(values), bool), np.zeros(len(values), np.int32)
    indices = np.minimum(np.searchsorted(known_numbers, values), len(known_numbers) - 1)
    return known_numbers[indices] == values, indices.astype(np.int32)


def _referred_edits(database: Database, connection: Connection, seq: Ints, after: int) -> Ints:
    targets = np.full(len(seq), -1, np.int64)
    query = select(edits.c.seq, edits.c.refers).where(edits.c.refers.isnot(None), edits.c.seq > after)
    rows, referred = _integers(database.rows(connection, query.order_by(edits.c.seq)), 2)
    if len(rows) and len(seq):
        row, is_known = _row_of(seq, rows)
        target, present = _row_of(seq, referred)
        targets[row[is_known & present]] = target[is_known & present]
    return targets


def _row_of(seq: Ints, numbers: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    rows = np.minimum(np.searchsorted(seq, numbers), len(seq) - 1)
    return rows, seq[rows] == numbers


def _multi_tag_edits(
    database: Database, connection: Connection, seq: Ints, after: int
) -> tuple[Ints, Ints, NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the edits that set several tags or none: indices in `seq`, offsets, positions, tags and previous tags."""
    query = select(edits.c.seq, edits.c.places, edits.c.tags, edits.c.befores)
    cursor = database.rows(connection, query.where(edits.c.place < 0, edits.c.seq > after).order_by(edits.c.seq))
    rows = cursor.fetchall()
    cursor.close()
    numbers = np.fromiter((row[0] for row in rows), np.int64, len(rows))
    if len(numbers) and len(seq):
        row, is_known_row = _row_of(seq, numbers)
        rows, row = [values for values, is_known in zip(rows, is_known_row, strict=True) if is_known], row[is_known_row]
    else:
        rows, row = [], np.zeros(0, np.int64)
    lengths, positions = _parse_number_lists([values[1] for values in rows], 2**31)
    tag_counts, tags = _parse_number_lists([values[2] for values in rows], 2)
    previous_counts, befores = _parse_number_lists([values[3] for values in rows], 2)
    validate_condition(lengths == tag_counts == previous_counts, "an edit does not have as many tags as positions")
    return (
        row,
        offsets_from_lengths(lengths),
        positions.astype(np.int32),
        tags.astype(np.uint8),
        befores.astype(np.uint8),
    )


def _parse_number_lists(texts: Sequence[str], limit: int) -> tuple[list[int], Ints]:
    """Parse JSON lists of integers less than `limit`; return the length of each list, and all integers concatenated."""
    lists = json.loads(f"[{','.join(texts)}]")
    validate_condition(
        all(type(items) is list for items in lists) and len(lists) == len(texts), "an edit has no positions"
    )
    flat = [number for items in lists for number in items]
    validate_condition(all(type(number) is int for number in flat), "an edit has no positions")
    return [len(items) for items in lists], validate_positions(np.asarray(flat, np.int64), limit, "places")


def read_edit_rows(connection: Connection, *conditions: Any) -> list[EditRow]:
    """Return the complete edits that match the conditions, in order of `seq`, including edits of closed layers.

    Raises ValueError (such as CorruptRowError) or TypeError if an edit is invalid.
    """
    referred = edits.alias("about")
    statement = (
        select(edits, windows.c.uid.label("window_uid"), windows.c.person, layers, referred.c.uid.label("about_uid"))
        .join(windows, windows.c.seq == edits.c.window)
        .join(layers, layers.c.seq == edits.c.layer)
        .join(referred, referred.c.seq == edits.c.refers, isouter=True)
        .where(*conditions)
        .order_by(edits.c.seq)
    )
    return [_edit_from_cells(row._mapping) for row in connection.execute(statement)]


def _edit_from_cells(cells: Any) -> EditRow:
    several = cells[edits.c.place] < 0
    edit = EditRow(
        cells[edits.c.uid],
        layer_key(cells[layers.c.provenance], cells[layers.c.name], cells[layers.c.kind]),
        cells[edits.c.segment],
        tuple(cells[edits.c.places]) if several else (cells[edits.c.place],),
        tuple(cells[edits.c.tags]) if several else (cells[edits.c.tag],),
        tuple(cells[edits.c.befores]) if several else (cells[edits.c.before],),
        EditAction(cells[edits.c.action]),
        cells["about_uid"] or "",
        cells[edits.c.text],
        cells[edits.c.at],
        cells["person"],
        cells["window_uid"],
        cells[edits.c.seq],
        cells[layers.c.uid],
        cells[edits.c.step] or 0,
    )
    return validate_edit(edit)


def validate_edit(edit: EditRow, segments: int = MAX_SEGMENTS) -> EditRow:
    """Return `edit`. Raises CorruptRowError if it is invalid or its segment is not less than `segments`."""
    validate_fields(edit)
    validate_integer(edit.step, "the step of an edit", limit=MAX_STEP)
    validate_integer(edit.segment, "the segment of an edit", limit=segments)
    fits = len(edit.places) == len(edit.tags) == len(edit.before) and {*edit.tags, *edit.before} <= {0, 1}
    validate_condition(
        fits and all(0 <= position < _MAX_POSITION for position in edit.places), "an edit has invalid values"
    )
    return edit
