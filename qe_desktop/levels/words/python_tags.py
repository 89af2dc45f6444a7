"""Conversion of Python values (one sequence of tags per segment) to validated tag columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    Fault,
    Kind,
    LayerKey,
    Provenance,
    QeError,
    SourceLocation,
    TagColumn,
    offsets_from_lengths,
    raise_for_rows,
)
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.words.tag_level import check_same_words

NO_TAG = 2
_CODES: dict[object, int] = {
    0: 0,
    1: 1,
    **{spelt: code for tag, code in (("OK", 0), ("GOOD", 0), ("BAD", 1)) for spelt in (tag, tag.lower(), tag.title())},
}
"""Codes of tags (1: BAD), keyed by the spellings of tags in files and by the numbers 0 and 1."""


def tags_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Return a scoring of each system's tags against gold tags; `level` is the level for this kind of tags.

    `gold` and each value of `systems` is a `TagColumn`, or has one sequence of tags per segment. A tag is OK or BAD, or
    0 or 1 (BAD). Raises QeError for other values, or if a system does not tag the same items as the gold.
    """
    column = validate_tags(gold, "gold")
    columns = {}
    for name, values in systems.items():
        location = f"systems[{name!r}]"
        columns[name] = validate_tags(values, location)
        check_same_words(columns[name], column, SourceLocation(location), partial(_segment_location, location))
    reference = LayerKey(Provenance.GOLD, "gold", level.tags or Kind.WORDS)
    return Scoring.from_columns(level, reference, column, columns)


def validate_tags(values: Any, name: str) -> TagColumn:
    """Return a column of validated tags; a `TagColumn` is returned unchanged.

    Raises QeError if `values` or one of its segments is not a sequence, or if an item is not a tag. Errors refer to
    `values` as `name`, and to its segments as `name[0]`, `name[1]`, …
    """
    if isinstance(values, TagColumn):
        return values
    segments = _segments(values, name)
    offsets = offsets_from_lengths([len(segment) for segment in segments])
    if segments and all(isinstance(segment, np.ndarray) and segment.dtype.kind in "biuf" for segment in segments):
        codes = _codes_from_numbers(np.concatenate(segments))
    else:
        codes = _codes_from_tags(chain.from_iterable(segments), int(offsets[-1]))

    def item_error(item: int) -> Fault:
        segment = int(np.searchsorted(offsets, item, "right")) - 1
        tag = segments[segment][item - int(offsets[segment])]
        return Fault(_segment_location(name, segment), tr("{text} is not a tag", text=quote_token(str(tag))))

    raise_for_rows(np.flatnonzero(codes == NO_TAG), item_error, tr("Use OK and BAD, or 0 (OK) and 1 (BAD)."))
    return TagColumn(codes, offsets)


def _segment_location(name: str, segment: int) -> SourceLocation:
    return SourceLocation(f"{name}[{segment}]")


def _segments(values: Any, name: str) -> Sequence[Any]:
    """Return the segments of `values`. Raises QeError unless `values` has one sequence of tags per segment."""
    hint = tr("Use a sequence of tags for each segment, such as {example}.", example='[["OK", "BAD"], ["OK"]]')
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise QeError(tr("this is not a sequence of segments"), hint=hint, place=SourceLocation(name))
    segments = values if isinstance(values, list) else list(values)

    def segment_error(segment: int) -> Fault:
        return Fault(_segment_location(name, segment), tr("this is not a sequence of tags"))

    wrong = [index for index, segment in enumerate(segments) if not _is_tag_sequence(segment)]
    raise_for_rows(wrong, segment_error, hint)
    return segments


def _is_tag_sequence(segment: Any) -> bool:
    if isinstance(segment, np.ndarray):
        return segment.ndim == 1
    # sets and dictionaries have no word order
    ordered = not isinstance(segment, str | bytes | Set | Mapping)
    return ordered and isinstance(segment, Sized) and isinstance(segment, Iterable)


def _codes_from_numbers(values: NDArray[Any]) -> NDArray[np.uint8]:
    return np.where(values == 0, 0, np.where(values == 1, 1, NO_TAG)).astype(np.uint8)


def _codes_from_tags(tags: Iterable[Any], size: int) -> NDArray[np.uint8]:
    def code(tag: Any) -> int:
        try:
            return _CODES.get(tag, NO_TAG)
        except TypeError:
            # a nested list
            return NO_TAG

    return np.fromiter(map(code, tags), np.uint8, size)
