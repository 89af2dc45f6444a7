"""Ratings as bytes and back, every column as it was."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from typing import Any

import numpy as np

from qe_desktop.corpus import Comment, ItemRole, PairRatings, RatingFlag, Ratings, ScoreRatings
from qe_desktop.project.store.campaign_json import cells_of
from qe_desktop.project.store.cells import checked, ensure, of_names, places_within, whole
from qe_desktop.project.store.packed_bytes import pack_bytes, unpack_bytes
from qe_desktop.wording import in_english

_LENGTH = 8


def pack(ratings: Ratings) -> bytes:
    """Ratings as bytes: a JSON header with the names and the forms of the columns, then the columns."""
    header: dict[str, Any] = {
        "origin": ratings.origin,
        "notes": in_english(ratings.notes),
        "ranges": [list(one) for one in ratings.ranges],
        "comments": [cells_of(comment) for comment in ratings.comments],
    }
    parts: list[bytes] = []
    for name, table in (("scores", ratings.scores), ("pairs", ratings.pairs)):
        held: dict[str, Any] = {}
        for one in fields(table):
            value = getattr(table, one.name)
            if isinstance(value, np.ndarray):
                data = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
                held[one.name] = {"form": data.dtype.str, "items": len(data)}
                parts.append(data.tobytes())
            else:
                held[one.name] = list(value)
        header[name] = held
    head = json.dumps(header, ensure_ascii=True).encode()
    return pack_bytes(b"".join([len(head).to_bytes(_LENGTH, "little"), head, *parts]))


def unpack(data: bytes) -> Ratings:
    """The ratings that `pack` wrote. Damaged, or another error of a value, for anything else."""
    raw = unpack_bytes(data)
    begin = _LENGTH + int.from_bytes(raw[:_LENGTH], "little")
    header = json.loads(raw[_LENGTH:begin])
    scores, begin = _table(ScoreRatings, header["scores"], raw, begin)
    pairs, _ = _table(PairRatings, header["pairs"], raw, begin)
    _check(scores)
    _check(pairs)
    _check_scores(scores)
    comments = tuple(
        _comment(**held | {"systems": of_names(held["systems"], "systems")}) for held in header["comments"]
    )
    origin, notes = of_names([header["origin"]], "where ratings are from")[0], of_names(header["notes"], "remarks")
    return Ratings(scores, pairs, comments, origin, notes, _ranges(header.get("ranges", [])))


def _ranges(held: Any) -> tuple[tuple[str, float, float], ...]:
    """The ranges of scales; none in sets that were written before these were told."""
    ensure(isinstance(held, list) and all(isinstance(one, list) and len(one) == 3 for one in held), "ranges of scales")
    names = of_names([one[0] for one in held], "scales")
    ends = [(float(low), float(high)) for _, low, high in held]
    ensure(all(math.isfinite(low) and math.isfinite(high) for low, high in ends), "ranges of scales")
    return tuple((name, *both) for name, both in zip(names, ends, strict=True))


def _comment(started: float, **held: Any) -> Comment:
    return replace(checked(Comment(**held, started=0.0)), started=started if type(started) is float else math.nan)


def _table(kind: type[Any], held: dict[str, Any], raw: bytes, begin: int) -> tuple[Any, int]:
    columns: dict[str, Any] = {}
    for one in fields(kind):
        if one.name not in held:
            # written before ratings told their campaign
            continue
        value = held[one.name]
        if isinstance(value, list):
            columns[one.name] = of_names(value, one.name)
            continue
        form = np.dtype(_FORMS[value["form"]])
        items = whole(value["items"], one.name)
        columns[one.name] = np.frombuffer(raw, form, items, begin).astype(form.newbyteorder("="), copy=False)
        begin += form.itemsize * items
    return kind(**columns), begin


_FORMS = {"<i4": "<i4", "<i2": "<i2", "<f8": "<f8", "|u1": "u1"}
"""What columns of ratings are made of."""


def _check(table: ScoreRatings | PairRatings) -> None:
    """Names stand where names do, numbers where numbers do, and every code is one of a name."""
    like = {one.name: getattr(_EMPTY[type(table)], one.name) for one in fields(table)}
    for name, value in like.items():
        held = getattr(table, name)
        ensure(type(held) is type(value), f"{name} of ratings are something else")
        ensure(isinstance(held, tuple) or held.dtype == value.dtype, f"{name} of ratings are something else")
    for name, names in table.NAMES.items():
        places_within(getattr(table, name), len(getattr(table, names)), name)
    places_within(table.role, len(ItemRole), "roles")
    for times in (table.started, table.seconds):
        ensure(not np.isinf(times).any(), "ratings are of no time")


def _check_scores(scores: ScoreRatings) -> None:
    places_within(scores.flags, 1 << len(RatingFlag), "remarks of ratings")
    ensure(not np.isinf(scores.value).any(), "ratings are no numbers")


_EMPTY: dict[type[Any], Any] = {ScoreRatings: ScoreRatings.of(()), PairRatings: PairRatings.of(())}
