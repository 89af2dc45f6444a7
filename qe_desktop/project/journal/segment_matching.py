"""Matching of the segments of a changed bilingual file with those of an earlier version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from qe_desktop.formats.bilingual.document import Document


class SegmentIdentity(NamedTuple):
    """Properties that identify a segment: number of its file, name in the file, and source as a line with codes.

    The name is empty if the file names segments only by position. `variant` is the plural form and the context.
    `language` is the target language as given in the file. `before` and `after` are the sources of the neighbouring
    segments; None at the ends of a file.
    """

    file: int
    name: str
    source: str
    variant: tuple[int, str] = (0, "")
    language: str = ""
    before: str | None = None
    after: str | None = None


def segment_identities(documents: Iterable[tuple[int, Document]]) -> list[SegmentIdentity]:
    """Return the identities of the segments of numbered documents, in document order."""
    return [identity for number, document in documents for identity in _identities(number, document)]


def _identities(number: int, document: Document) -> Iterator[SegmentIdentity]:
    sources = [segment.source_line for segment in document.segments]
    contexts = zip([None, *sources], sources, [*sources[1:], None], strict=False)
    for segment, (before, source, after) in zip(document.segments, contexts, strict=True):
        name, rules = "" if document.positional_names else segment.name, segment.rules
        language = rules.language or document.target_language
        yield SegmentIdentity(number, name, source, rules.variant, language, before, after)


_Key = Callable[[SegmentIdentity], Hashable]
_NAME_KEYS: tuple[_Key, ...] = (
    lambda segment: segment[:5] if segment.name else None,
    lambda segment: segment[1:5] if segment.name else None,
)
_SOURCE_KEYS: tuple[_Key, ...] = (
    lambda segment: (segment.file, segment.source, segment.variant, segment.language, segment.before, segment.after),
    lambda segment: (segment.file, segment.source, segment.variant, segment.language),
    lambda segment: (segment.source, segment.variant, segment.language),
    lambda segment: (segment.source, segment.language),
)
"""Functions that return a key of a segment that is not matched by name; the most specific key comes first."""


def match_segments(new: Sequence[SegmentIdentity], old: Sequence[SegmentIdentity]) -> dict[int, int]:
    """Map the index of each new segment to that of the old segment that it matches, if any.

    Each old segment matches at most one new segment. Segments match only if they have the same source text and the same
    target language. Segments with the same file, name and variant are matched first, then those with the same name and
    variant. The remaining segments are matched by keys that contain the source (`_SOURCE_KEYS`). Segments with the same
    source key are matched in order, but only if there are as many old ones as new ones; otherwise, an edit might be
    moved to another segment.
    """
    old = _with_present_languages(old, new)
    matched: dict[int, int] = {}
    open_new, open_old = list(range(len(new))), list(range(len(old)))
    for key in (*_NAME_KEYS, *_SOURCE_KEYS):
        is_name = key in _NAME_KEYS
        new_by_key, old_by_key = _group_by_key(new, open_new, key), _group_by_key(old, open_old, key)
        for value, indices in new_by_key.items():
            candidates = old_by_key.get(value, [])
            if is_name or len(candidates) == len(indices):
                matched.update(zip(indices, candidates, strict=False))
        used = {*matched.values()}
        open_new = [index for index in open_new if index not in matched]
        open_old = [index for index in open_old if index not in used]
        if not open_new or not open_old:
            break
    return matched


def _with_present_languages(old: Sequence[SegmentIdentity], new: Sequence[SegmentIdentity]) -> list[SegmentIdentity]:
    """Replace the target language of each old file with that of the new file if both files have only one.

    The language of the new file may include a region that the old one lacks.
    """
    before, after = _language_by_file(old), _language_by_file(new)
    renamed = {file: after[file] for file in before if file in after}
    return [identity._replace(language=renamed.get(identity.file, identity.language)) for identity in old]


def _language_by_file(segments: Iterable[SegmentIdentity]) -> dict[int, str]:
    """Return, by file number, the target language of each file that has only one."""
    languages: defaultdict[int, set[str]] = defaultdict(set)
    for segment in segments:
        languages[segment.file].add(segment.language)
    return {file: names.pop() for file, names in languages.items() if len(names) == 1}


def _group_by_key(segments: Sequence[SegmentIdentity], indices: Iterable[int], key: _Key) -> dict[Hashable, list[int]]:
    """Group the indices of segments by a key; segments whose key is None are left out."""
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index in indices:
        value = key(segments[index])
        if value is not None:
            groups[value].append(index)
    return groups
