"""Matching of segment names in ratings with lines: by line number, or by document and position in the document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Documents
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import join_localized, tr

MAX_LINE_DIGITS = 15
"""Maximum number of digits of a line number or of a position in a document."""


def parse_line_numbers(
    names: Sequence[str], used: NDArray[np.integer], size: int | None = None
) -> tuple[Ints, int] | None:
    """Return the 0-based line of each segment name, shape (names,), and the base of the numbers in the names.

    `used` are the indices of the rated names; all other names get line 0. The base is 0 if any number is 0, else 1. The
    result is None if no name is rated, if a rated name is not a number of at most `MAX_LINE_DIGITS` digits, or if a
    number does not refer to one of `size` lines (None: any number of lines).
    """
    used = np.unique(used)
    used_names = [names[index] for index in used]
    if not used_names or not all(
        name.isascii() and name.isdigit() and len(name) <= MAX_LINE_DIGITS for name in used_names
    ):
        return None
    lines = np.zeros(len(names), np.int64)
    lines[used] = [int(name) for name in used_names]
    base = 0 if lines[used].min() == 0 else 1
    lines[used] -= base
    if size is not None and lines[used].max() >= size:
        return None
    return lines, base


NO_LINE = -1
_SEPARATED_NUMBER = re.compile(rf"[\W_]*([0-9]{{1,{MAX_LINE_DIGITS}}})")


@dataclass(frozen=True, slots=True, eq=False)
class SegmentLines:
    """Lines that segment names refer to.

    `lines` are the 0-based lines, shape (names,), or `NO_LINE` for names that have no line or were not rated. Numbers
    in names start at `base`, 0 or 1. If `by_document`, names consist of a document and a number. `unparsed_names` are
    the rated names that do not consist of a known document and a number; there are none if all rated names are line
    numbers. `out_of_range_names` are the rated names whose number is out of range. If all rated names are numbers and
    at least one is out of range, no name has a line. `rated_count` is the number of rated names.
    """

    lines: Ints
    base: int = 1
    by_document: bool = False
    unparsed_names: tuple[str, ...] = ()
    out_of_range_names: tuple[str, ...] = ()
    rated_count: int = 0

    @property
    def has_lines(self) -> bool:
        """Return whether any rated name has a line."""
        return bool((self.lines != NO_LINE).any())

    @property
    def unmatched_count(self) -> int:
        """Return the number of rated names without a line."""
        return self.rated_count - int(np.count_nonzero(self.lines != NO_LINE))

    def note(self, lines: int) -> str:
        """Return a note on rated names without a line; empty if all have one. `lines` is the number of lines."""
        total, parts = self.rated_count, []
        if self.unparsed_names:
            parts.append(
                tr(
                    "{n:,} of {total:,} rated {total:segment|segments} {n:matches|match} neither a line nor "
                    "a position in a document: {names}",
                    "", len(self.unparsed_names), total=total, names=list_names(list(self.unparsed_names)),
                )
            )  # fmt: skip
        if self.out_of_range_names:
            parts.append(
                tr(
                    "{n:,} of {total:,} rated {total:segment|segments} {n:has a number|have numbers} outside "
                    "the text ({lines:,} {lines:line|lines}) or the document: {names}",
                    "", len(self.out_of_range_names), total=total, lines=lines,
                    names=list_names(list(self.out_of_range_names)),
                )
            )  # fmt: skip
        return join_localized("; ", parts)


def match_segment_lines(
    names: Sequence[str], used: NDArray[np.integer], size: int, documents: Documents | None = None
) -> SegmentLines:
    """Match each segment name with one of `size` lines; `used` are the indices of the rated names.

    If all rated names are numbers, they are line numbers; if any of them is out of range, no name has a line.
    Otherwise, with `documents`, a name such as `doc:1` or `doc_3` consists of a document and a position in the
    document. Alternatively, the numbers are line numbers of the whole text; of the two readings, the one that gives
    more names a line in their document is used. Numbers are 0-based if any of them is 0, else 1-based.
    """
    used = np.unique(used)
    numbered = parse_line_numbers(names, used, size)
    lines = np.full(len(names), NO_LINE, np.int64)
    if numbered is not None:
        lines[used] = numbered[0][used]
        return SegmentLines(lines, numbered[1], rated_count=len(used))
    used_names = {int(index): names[index] for index in used}
    if parse_line_numbers(names, used) is not None:
        first = 0 if any(int(name) == 0 for name in used_names.values()) else 1
        out_of_range = tuple(name for name in used_names.values() if int(name) - first >= size)
        return SegmentLines(lines, first, out_of_range_names=out_of_range, rated_count=len(used))
    parsed = {} if documents is None else _parse_names(used_names, documents)
    if documents is None or not parsed:
        return SegmentLines(lines, unparsed_names=tuple(used_names.values()), rated_count=len(used))
    base = 0 if any(number == 0 for _, number in parsed.values()) else 1
    document, number = np.asarray(list(parsed.values()), np.int64).T
    target, indices = _lines_of(document, number - base, documents), np.fromiter(parsed, np.int64, len(parsed))
    lines[indices] = target
    return SegmentLines(
        lines,
        base,
        True,
        tuple(name for index, name in used_names.items() if index not in parsed),
        tuple(used_names[index] for index in indices[target == NO_LINE].tolist()),
        len(used),
    )


def _parse_names(names: Mapping[int, str], documents: Documents) -> dict[int, tuple[int, int]]:
    """Return document index and number by name index, for the names that consist of a document and a number."""
    document_indices = {name: index for index, name in enumerate(documents.names)}
    parsed = {}
    for index, name in names.items():
        prefix = name.rstrip("0123456789")
        digits = name[len(prefix) :]
        document = document_indices.get(_without_separators(prefix))
        if document is not None and 0 < len(digits) <= MAX_LINE_DIGITS:
            parsed[index] = document, int(digits)
        elif (split := _split(name, document_indices)) is not None:
            parsed[index] = split
    return parsed


def _without_separators(name: str) -> str:
    """Return a name without the characters at its end that are neither letters nor digits."""
    end = len(name)
    while end and not name[end - 1].isalnum():
        end -= 1
    return name[:end]


def _split(name: str, document_indices: Mapping[str, int]) -> tuple[int, int] | None:
    """Split a name into document index and number; the name of the document may end in digits.

    The result is None if no split is possible, or more than one.
    """
    ends = [end for end in range(max(1, len(name) - MAX_LINE_DIGITS - 1), len(name)) if name[:end] in document_indices]
    matches = [(document_indices[name[:end]], _SEPARATED_NUMBER.fullmatch(name[end:])) for end in ends]
    candidates = [(document, int(match[1])) for document, match in matches if match is not None]
    return candidates[0] if len(candidates) == 1 else None


def _lines_of(document: Ints, number: Ints, documents: Documents) -> Ints:
    """Return the 0-based line for each 0-based number; `NO_LINE` if there is none.

    Each number belongs to the document at the same index of `document`. The numbers are positions in the document or
    line numbers of the whole text; the reading that gives more numbers a line in their document is used.
    """
    order = np.argsort(documents.of_segment, kind="stable")
    sizes = np.bincount(documents.of_segment, minlength=len(documents.names))
    begins = np.cumsum(sizes) - sizes
    inside = (number >= 0) & (number < sizes[document])
    by_position = np.full(len(number), NO_LINE)
    by_position[inside] = order[begins[document[inside]] + number[inside]]
    is_in_range = (number >= 0) & (number < len(order))
    by_line = np.full(len(number), NO_LINE)
    by_line[is_in_range] = np.where(
        documents.of_segment[number[is_in_range]] == document[is_in_range], number[is_in_range], NO_LINE
    )
    return by_line if (by_line != NO_LINE).sum() > (by_position != NO_LINE).sum() else by_position
