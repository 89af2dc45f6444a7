"""Matching of the segments of a changed bilingual file with those of an earlier version of it."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from qe_desktop.formats.bilingual.document import Document

MAX_NUMBER_DIGITS = 9
"""Maximum length of a name that is a position."""


class SegmentIdentity(NamedTuple):
    """What identifies a segment: the number of its file, its name in the file, and its source as a line with codes.

    The name is empty if it is only the position in the file, as in tables, because positions change.
    """

    file: int
    name: str
    source: str


def segment_identities(documents: Iterable[Document]) -> list[SegmentIdentity]:
    """Return the identities of the segments of several documents, in their order."""
    return [
        SegmentIdentity(number, "" if _is_numbered(document) else segment.name, segment.source_line)
        for number, document in enumerate(documents)
        for segment in document.segments
    ]


def _is_numbered(document: Document) -> bool:
    """Whether the names of a document's segments are consecutive numbers."""
    names = [segment.name for segment in document.segments]
    if not names or len(names[0]) > MAX_NUMBER_DIGITS or not names[0].isdecimal():
        return False
    first = int(names[0])
    return names == [str(number) for number in range(first, first + len(names))]


_Key = Callable[[SegmentIdentity], Hashable]
_KEYS: tuple[_Key, ...] = (
    lambda segment: segment,
    lambda segment: (segment.name, segment.source),
    lambda segment: (segment.file, segment.source),
    lambda segment: segment.source,
)
"""Keys of segments, the most specific first; segments with the same key are matched in their order."""


def match_segments(new: Sequence[SegmentIdentity], old: Sequence[SegmentIdentity]) -> dict[int, int]:
    """Return the old index of each new segment that matches one, by new index; each old segment matches at most once.

    Segments match if they have the same source. Those with the same file and name are matched first, then those with
    the same name, and then the others in their order.
    """
    matched: dict[int, int] = {}
    open_new, open_old = list(range(len(new))), list(range(len(old)))
    for key in _KEYS:
        waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
        for index in open_old:
            waiting[key(old[index])].append(index)
        for index in open_new:
            candidates = waiting.get(key(new[index]))
            if candidates:
                matched[index] = candidates.popleft()
        used = {*matched.values()}
        open_new = [index for index in open_new if index not in matched]
        open_old = [index for index in open_old if index not in used]
        if not open_new or not open_old:
            break
    return matched
