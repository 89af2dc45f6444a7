"""Tables with one column a rater: each row is an item, each cell what one rater said of it, empty or nan for nothing.

    SEGID,LANGPAIR,ANNOTYPE,NUMANNOT,ANNOTATOR_01,ANNOTATOR_02
    segment,system,scale,role,Ada,Ben,Ada started,Ben started

Columns that name the segment, the system, the scale or the role are known by their headers. Which columns are raters is
told by their names (ANNOTATOR_01, judge 2) or by a column of times beside them (Ada started): then no other is one.
Else every column of numbers is, where the table says that it holds ratings: by a scale that is known, or because all
values are those of a short scale. A table that says nothing of the kind, such as one of p-values, is asked for. A table
of numbers alone (items × raters) is read, too. What we write has the time of each rating in a second column of each
rater, and seconds and flags where there is something to say of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Place, QeError, Ratings, ScoreRatings, codes_of
from qe_desktop.corpus.ratings import Codes
from qe_desktop.formats.language_pairs import chosen_pair
from qe_desktop.formats.opening import OpenedFile, shown_name
from qe_desktop.formats.ratings.cells import MISSING, flags, is_number, moments, number_or_nan, rating
from qe_desktop.formats.ratings.column_uses import RATER, ColumnUse, of_rater, unread_note, uses_of
from qe_desktop.formats.ratings.columns import (
    COMMAS,
    Dialect,
    dialect_of,
    first_rows,
    odd_notes,
    read_columns,
)
from qe_desktop.formats.ratings.gatherers import Gatherer, Moments, Names, Numbers, in_documents
from qe_desktop.formats.ratings.rating_format import ASKED, RatingFormat, no_pairs
from qe_desktop.formats.ratings.scale_ranges import ends_of, split_name, told
from qe_desktop.formats.ratings.tables import (
    named,
    no_rows,
    numbers_text,
    ranges_column,
    refuse_changed,
    refuse_nothing,
    write_table,
)
from qe_desktop.formats.ratings.vocabulary import (
    ROLES,
    SCALES,
    meaning_of,
    meanings_of,
    renamed,
    role_code,
    role_names,
    scale_of,
)
from qe_desktop.formats.tag_lines import shown
from qe_desktop.outgoing import cell_read
from qe_desktop.wording import tr

ONE_SYSTEM = "system"
"""The system's name where a file names none."""
_EXTRAS = ("started", "seconds", "flags")
_UID = "rating id"
_EXTRA = re.compile(rf"(.+) (started|seconds|flags|{_UID})")
_VALUES = ("value", "adequacy", "fluency", "z")
"""Columns that hold ratings under another name than a rater's."""
_KEYS = ("segment", "system", "scale", "role")
_READ = ("segment", "system", "scale", "role", "pair", "document", "campaign", "range")
_RATER = re.compile(
    r"(rater|judge|annotator|annot|evaluator|assessor|worker|coder|reviewer|participant)"
    r"([ _.#-](?!mean|avg|sd|std|median|sum|total|count|n$|no$|num|age|id)\w{1,20}|\d+)|[rj][ _.-]?\d+",
    re.IGNORECASE | re.ASCII,
)
"""Names of columns that say that they are a rater's."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the columns stand. `extras` has the further columns of a rater: started, seconds, flags.

    `sure` says that the table tells itself that it holds ratings.
    """

    dialect: Dialect
    header: tuple[str, ...]
    rows: list[list[str]]
    skip: int
    sure: bool
    keys: dict[str, int] = field(default_factory=dict)
    raters: dict[str, int] = field(default_factory=dict)
    extras: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.header)

    def uses(self) -> tuple[ColumnUse, ...]:
        """What each column is taken for."""
        taken = {place: name for name, place in self.keys.items() if name in _READ}
        taken |= {place: RATER for place in self.raters.values()}
        taken |= {place: of_rater(rater, what) for (rater, what), place in self.extras.items()}
        return uses_of(self.header, self.rows, taken)


def _layout(head: bytes, raters: Sequence[str] = ()) -> _Layout | None:
    dialect = dialect_of(head)
    rows = first_rows(head, dialect, 200)
    if rows and len(rows[0]) == 1:
        dialect = Dialect(" ", quoted=False)
        rows = first_rows(head, dialect, 200)
    if not rows or len({len(row) for row in rows}) != 1:
        return None
    width = len(rows[0])
    if all(_numeric(cell) for cell in rows[0]):
        numbers = all(_numeric(cell) for row in rows for cell in row)
        named = {f"rater {place + 1}": place for place in range(width)}
        sure = _all_short(rows, range(width))
        return _Layout(dialect, tuple(named), rows, 0, sure, raters=named) if numbers else None
    return _with_header(dialect, rows, raters)


def _with_header(dialect: Dialect, rows: list[list[str]], raters: Sequence[str]) -> _Layout | None:
    header, body = [cell_read(cell.strip()) for cell in rows[0]], rows[1:]
    keys = meanings_of(header)
    if {"rater", *_VALUES} & set(keys) or not body:
        return None
    free = {
        name: place for place, name in enumerate(header)
        if name and not meaning_of(name) and all(_numeric(row[place]) for row in body)
    }  # fmt: skip
    names = set(header)
    found = {place: _EXTRA.fullmatch(name) for place, name in enumerate(header)}
    extras = {(said[1], said[2]): place for place, said in found.items() if said and said[1] in names}
    free = {name: place for name, place in free.items() if place not in extras.values()}
    told = {name for name in free if _RATER.fullmatch(name) or any(name == rater for rater, _ in extras)}
    wanted = set(raters) or told or set(free)
    layout = _Layout(
        dialect, tuple(header), body, 1, bool(raters or told) or _says_ratings(keys, body, free),
        {name: place for name, place in keys.items() if name in _READ},
        {name: place for name, place in free.items() if name in wanted},
        {key: place for key, place in extras.items() if key[0] in free and key[0] in wanted},
    )  # fmt: skip
    if "segment" not in layout.keys and not raters and (len(layout.raters) < 2 or any(map(_numeric, layout.raters))):
        # a first row with numbers holds ratings, not names
        return None
    rated = any(row[place].strip().lower() not in MISSING for row in body for place in layout.raters.values())
    return layout if (rated or raters) and len(set(header)) == len(header) else None


def _says_ratings(keys: dict[str, int], body: list[list[str]], free: dict[str, int]) -> bool:
    """Whether a table in which nothing is called a rater holds ratings: by its scales, its roles, or its values."""
    for meaning, words in (("scale", SCALES), ("role", ROLES)):
        cells = {split_name(row[keys[meaning]].strip().lower())[0] for row in body} if meaning in keys else set()
        if cells and cells <= set(words) and cells != {""}:
            return True
    return (len(free) > 1 or "system" in keys) and _all_short(body, free.values())


def _all_short(rows: list[list[str]], places: Collection[int]) -> bool:
    """Whether all values are whole numbers of a short scale (0..6, 1..5), and not all the same."""
    cells = {row[place].strip() for row in rows for place in places}
    values = {cell for cell in cells if cell.lower() not in MISSING}
    return len(values) > 1 and all(re.fullmatch(r"[0-6](\.0+)?", cell, re.ASCII) for cell in values)


def _numeric(cell: str) -> bool:
    return cell.strip().lower() in MISSING or is_number(cell)


def _confidence(head: bytes, name: str) -> float:
    layout = _layout(head)
    if layout is None:
        return 0.0
    if not layout.skip and layout.width < 2:
        return 0.0
    if not layout.sure:
        return ASKED
    if not layout.skip:
        return 0.6
    return 0.9 if "segment" in layout.keys else 0.7


def read_wide(opened: OpenedFile, language_pair: str, raters: Sequence[str] = ()) -> Ratings:
    """The ratings of a table; where `raters` are named, those columns are theirs, and no others are."""
    layout = _layout(opened.head(), raters)
    if layout is not None and raters:
        _refuse_no_raters(opened, layout, raters)
    if layout is None:
        message = tr("the columns are not those of a table with one column a rater")
        hint = tr("The first row names the columns, such as segment,system,scale,Ada,Ben; ratings are numbers.")
        raise QeError(message, hint=hint, place=opened.place(1))
    texts = {name: Names(empty="") for name in ("segment", "system", "scale", "pair", "document", "campaign", "range")}
    role = Numbers(role_code)
    values = {name: Numbers(rating) for name in layout.raters}
    parsed = {"seconds": number_or_nan, "flags": flags}
    extras = {
        key: Moments() if key[1] == "started" else Numbers(parsed[key[1]]) for key in layout.extras if key[1] != _UID
    }
    uids = {key[0]: Names(empty="") for key in layout.extras if key[1] == _UID}
    wanted: dict[int, Gatherer] = {layout.keys[name]: names for name, names in texts.items() if name in layout.keys}
    wanted |= {layout.raters[name]: numbers for name, numbers in values.items()}
    wanted |= {layout.extras[key]: numbers for key, numbers in extras.items()}
    wanted |= {layout.extras[rater, _UID]: names for rater, names in uids.items()}
    if "role" in layout.keys:
        wanted[layout.keys["role"]] = role
    rows = read_columns(opened, layout.dialect, layout.width, wanted, skip=layout.skip)
    if not rows:
        raise no_rows(opened)
    matrix = np.stack([numbers.values for numbers in values.values()], axis=1)
    keep = ~np.isnan(matrix)
    if "pair" in layout.keys:
        pairs = texts["pair"]
        keep &= (pairs.codes == chosen_pair(opened, pairs.names, language_pair))[:, None]
    row, rater = np.nonzero(keep)
    further = {name: _further(layout, extras, name, matrix.shape)[row, rater] for name in _EXTRAS}
    segments, segment = _segments(layout, texts, rows)
    systems, system = _named(layout, texts, "system", ONE_SYSTEM, rows)
    scales, scale = _named(layout, texts, "scale", "score", rows)
    scales, scale = renamed(scales, scale, [scale_of(name) for name in scales])
    roles = role.values if "role" in layout.keys else np.zeros(rows)
    table = ScoreRatings(
        tuple(layout.raters), systems, segments, scales, rater.astype(np.int32), system[row], segment[row], scale[row],
        matrix[row, rater], roles[row].astype(np.uint8), further["started"], further["seconds"],
        np.nan_to_num(further["flags"]).astype(np.uint8), *_campaigns(layout, texts["campaign"], row),
        *_uids(layout, uids, row, rater),
    )  # fmt: skip
    notes = odd_notes(opened, layout.dialect, wanted.values(), skip=layout.skip)
    notes += unread_note(layout.header, wanted.keys())
    unnamed = tr("the file names no system, so it is called {name}", name=ONE_SYSTEM)
    notes += () if "system" in layout.keys else (unnamed,)
    ranges = [(scale_of(name), split_name(name)[1]) for name in texts["scale"].names]
    if "range" in layout.keys:
        both = np.unique(np.stack([scale, texts["range"].codes]), axis=1).T.tolist()
        ranges += [(scales[one], ends_of(texts["range"].names[cell])) for one, cell in both]
    return Ratings(table, no_pairs(), (), opened.name, notes, told(ranges))


def _refuse_no_raters(opened: OpenedFile, layout: _Layout, raters: Sequence[str]) -> None:
    for rater in raters:
        if rater not in layout.raters:
            if rater in layout.header:
                message = tr("{text} is no column of numbers", text=shown(rater))
            else:
                message = tr("{text} is no column of this table", text=shown(rater))
            hint = tr("Its columns are {columns}.", columns=", ".join(layout.header[:20]))
            raise QeError(message, hint=hint, place=opened.place(1))


def _uses(head: bytes) -> tuple[ColumnUse, ...]:
    layout = _layout(head)
    return () if layout is None else layout.uses()


def _further(
    layout: _Layout, extras: dict[tuple[str, str], Numbers], name: str, shape: tuple[int, ...]
) -> NDArray[np.float64]:
    found = np.full(shape, np.nan)
    for place, rater in enumerate(layout.raters):
        if (rater, name) in extras:
            found[:, place] = extras[rater, name].values
    return found


def _campaigns(layout: _Layout, names: Names, row: NDArray[np.int64]) -> tuple[tuple[str, ...], Codes]:
    if "campaign" not in layout.keys:
        return ("",), np.zeros(len(row), np.int32)
    return names.names, names.codes[row]


def _uids(
    layout: _Layout, uids: dict[str, Names], row: NDArray[np.int64], rater: NDArray[np.int64]
) -> tuple[tuple[str, ...], Codes]:
    """What each rating is called in its campaign, from the columns of its raters."""
    if not uids:
        return ("",), np.zeros(len(row), np.int32)
    found = named([""])[np.zeros(len(row), np.int64)]
    for place, name in enumerate(layout.raters):
        if name in uids:
            own = rater == place
            found[own] = named(uids[name].names)[uids[name].codes[row[own]]]
    return codes_of(found)


def _named(
    layout: _Layout, texts: dict[str, Names], what: str, otherwise: str, rows: int
) -> tuple[tuple[str, ...], Codes]:
    if what not in layout.keys:
        return (otherwise,), np.zeros(rows, np.int32)
    names = texts[what].names
    return renamed(names, texts[what].codes, [name or otherwise for name in names])


def _segments(layout: _Layout, texts: dict[str, Names], rows: int) -> tuple[tuple[str, ...], Codes]:
    if "segment" not in layout.keys:
        return tuple(str(row + 1) for row in range(rows)), np.arange(rows, dtype=np.int32)
    names, codes = texts["segment"].names, texts["segment"].codes
    if "document" not in layout.keys:
        return names, codes
    return in_documents(texts["segment"], texts["document"])


def _write(ratings: Ratings, path: Path) -> tuple[str, ...]:
    """One row an item; a second rating of the same item by the same rater in the same role gets a row of its own."""
    scores = ratings.scores
    message = tr("there are no ratings on scales to write")
    refuse_nothing(len(scores), path, message, tr("Choose another form: wmt, long or jsonl."))
    _refuse_unreadable(scores.raters, path)
    for names, used in (
        (scores.segments, scores.segment), (scores.systems, scores.system), (scores.scales, scores.scale)
    ):  # fmt: skip
        refuse_changed(names, used, path)
    row, first = _rows_of(scores)
    shape = (len(first), len(scores.raters))
    header = [*_KEYS]
    columns: list[Sequence[str]] = [
        named(scores.segments)[scores.segment[first]].tolist(), named(scores.systems)[scores.system[first]].tolist(),
        named(scores.scales)[scores.scale[first]].tolist(), role_names(scores.role[first]),
    ]  # fmt: skip
    if any(scores.campaigns):
        header.append("campaign")
        columns.append(named(scores.campaigns)[scores.campaign[first]].tolist())
    if ratings.ranges:
        header.append("range")
        columns.append(named(ranges_column(ratings))[first].tolist())
    header += scores.raters
    columns += _cells(shape, row, scores.rater, numbers_text(scores.value))
    flags = np.where(scores.flags > 0, scores.flags, np.nan).astype(np.float64)
    for name, texts, there in (
        ("started", moments(scores.started), True),
        ("seconds", numbers_text(scores.seconds), bool(np.isfinite(scores.seconds).any())),
        ("flags", numbers_text(flags), bool(scores.flags.any())),
        (_UID, named(scores.uids)[scores.uid].tolist(), any(scores.uids)),
    ):
        if there:
            header += [f"{rater} {name}" for rater in scores.raters]
            columns += _cells(shape, row, scores.rater, texts)
    write_table(path, header, columns, COMMAS)
    return _left_out(len(ratings.pairs), len(ratings.comments))


def _left_out(pairs: int, comments: int) -> tuple[str, ...]:
    """What such a table cannot hold."""
    if pairs and comments:
        note = tr(
            "a table with one column a rater cannot hold {n:,} pairwise judgements and {comments:,} comments and "
            "skipped items",
            "", pairs, comments=comments,
        )  # fmt: skip
    elif pairs:
        note = tr("a table with one column a rater cannot hold {n:,} pairwise judgements", "", pairs)
    else:
        note = tr("a table with one column a rater cannot hold {n:,} comments and skipped items", "", comments)
    return (note,) if pairs or comments else ()


def _cells(shape: tuple[int, int], row: Codes, rater: Codes, texts: Sequence[str]) -> list[list[str]]:
    table = np.full(shape[::-1], "", object)
    table[rater, row] = texts
    found: list[list[str]] = table.tolist()
    return found


def _rows_of(scores: ScoreRatings) -> tuple[Codes, NDArray[np.int64]]:
    """The row of each rating, shape (ratings,), and a rating of each row, in the order in which items appear."""
    item = np.stack([scores.role.astype(np.int32), scores.scale, scores.system, scores.segment, scores.campaign])
    order = np.lexsort((np.arange(len(scores)), *item, scores.rater))
    keys = np.concatenate([item, scores.rater[None]])[:, order]
    fresh = np.ones(len(order), bool)
    fresh[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    begins = np.flatnonzero(fresh)
    time = np.empty(len(order), np.int32)
    time[order] = np.arange(len(order)) - np.repeat(begins, np.diff(np.append(begins, len(order))))
    _, first, which = np.unique(np.concatenate([item, time[None]]), axis=1, return_index=True, return_inverse=True)
    by_appearance = np.argsort(first)
    rank = np.empty(len(first), np.int32)
    rank[by_appearance] = np.arange(len(first))
    return rank[which.ravel()], first[by_appearance]


def _refuse_unreadable(raters: Sequence[str], path: Path) -> None:
    """QeError for raters whose column would be taken for something else."""
    for rater in raters:
        if meaning_of(rater) or _EXTRA.fullmatch(rater) or not rater.strip() or rater != rater.strip():
            message = tr('"{name}" cannot be a column\'s name here, for it would be read as something else', name=rater)
            raise QeError(message, hint=tr("Write the form long or jsonl."), place=Place(shown_name(path)))


FORMAT = RatingFormat("wide", tr("one column a rater"), _confidence, read_wide, _write, _uses)
