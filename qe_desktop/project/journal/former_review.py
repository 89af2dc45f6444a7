"""Former review of files that are opened again: matching of its segments with the files, and restoration of the MT."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from qe_desktop.corpus import QeError, ReviewStatus, TranslationJob
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import job_column_choice
from qe_desktop.formats.bilingual.document_rewrite import FINAL_STATUSES
from qe_desktop.formats.bilingual.plain_lines import line_to_content
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.project.events import ReviewField, ReviewValue
from qe_desktop.project.journal.carried_review import known_targets, unsaved_segments
from qe_desktop.project.reviewed_files import WrittenFile, sha256_hex
from qe_desktop.project.session import Session

MIN_KNOWN_SHARE = 0.5
"""Minimum fraction of targets that the session has had; with fewer, the files are assumed to have a new translation."""


class FormerReview:
    """Former session of some of the opened files, with their review.

    `paths` are the paths of the session's files, and `saved` is the Unix time in seconds when these files were last
    saved (0: never). `numbers` maps file numbers in the session to file numbers among the opened files. Files of the
    session that are not in `numbers` are not opened.
    """

    def __init__(self, session: Session, paths: Sequence[str], saved: float, numbers: Mapping[int, int]) -> None:
        self.session = session
        self.paths = tuple(paths)
        self.saved = saved
        job = session.corpus.job
        assert job is not None
        self.job: TranslationJob = job
        self._numbers = numbers
        self.segments = frozenset(
            segment for number, file in enumerate(job.files) if number in numbers for segment in file.segments
        )
        """Segments of the session that belong to opened files."""
        self.matched: dict[int, int] = {}
        """Maps segments of the opened files to the matching segments of the session."""
        self.is_same = False
        """Whether the opened files are exactly the session's files, as this program last read or wrote them."""
        self.translated_by_others: set[int] = set()
        """Segments of the opened files that others translated after the session; their targets count as MT."""
        self._storable_decisions: dict[int, frozenset[ReviewStatus | None]] = {}
        """Decisions that the file can store, by reviewed segment; None in a set means that notes can be stored."""
        self._originals: list[Segment] | None = None
        """Segments of the session's files as they were when the session began; None until needed."""

    @classmethod
    def of_open_files(cls, session: Session) -> FormerReview:
        """Return the review of a session whose files are all read again from the paths where they were last saved."""
        job = session.corpus.job
        assert job is not None
        places = [session.written_files.get(number) for number in range(len(job.files))]
        paths = [file.path if place is None else place.path for file, place in zip(job.files, places, strict=True)]
        saved = max((place.saved for place in places if place is not None), default=0.0)
        return cls(session, [*map(os.path.realpath, paths)], saved, {number: number for number in range(len(paths))})

    @property
    def same_mt(self) -> dict[int, int]:
        """Entries of `matched` whose segments have the same MT in the opened files as in the session."""
        return {new: old for new, old in self.matched.items() if new not in self.translated_by_others}

    @property
    def reviewed_segments(self) -> list[int]:
        """Reviewed segments of the session that belong to opened files, in ascending order."""
        return sorted(self.segments.intersection(self.session.reviewing.segments_with_rows()))

    # --- which segments are in the files

    def match(self, documents: Sequence[Document], files: Sequence[WrittenFile], check: CheckCancelled) -> None:
        """Find the segments of the session in the opened files; set `matched`, `is_same` and `translated_by_others`.

        An exception raised by `check` stops the search. Raises QeError if a file of the session is invalid.
        """
        session, job = self.session, self.job
        # moved files are not the same, because their journal has the former paths; a file may also have a later journal
        self.is_same = (
            len(self._numbers) == len(files)
            and [*self.paths] == [file.path for file in files]
            and sum(len(document.segments) for document in documents) == session.corpus.size
            and all(file.sha256 == _last_hash(session, job, number) for number, file in enumerate(files))
            and all(
                job_column_choice(file) == document.choice for file, document in zip(job.files, documents, strict=True)
            )
        )
        if self.is_same:
            self.matched = {number: number for number in range(session.corpus.size)}
            return
        before = self._parse()
        check()
        new = segment_identities(enumerate(documents))
        old = segment_identities((self._numbers.get(number, -1), document) for number, document in enumerate(before))
        opened_numbers = {*self._numbers.values()}
        new_indices = [index for index, identity in enumerate(new) if identity.file in opened_numbers]
        old_indices = [index for index, identity in enumerate(old) if identity.file in opened_numbers]
        matched = match_segments([new[index] for index in new_indices], [old[index] for index in old_indices])
        check()
        pairs = {new_indices[index]: old_indices[former] for index, former in matched.items()}
        self.matched = self._without_new_translation(documents, pairs)

    def _parse(self) -> list[Document]:
        documents = [parse_document(file.data, file.name, job_column_choice(file)) for file in self.job.files]
        self._originals = [segment for document in documents for segment in document.segments]
        return documents

    def _without_new_translation(self, documents: Sequence[Document], matched: dict[int, int]) -> dict[int, int]:
        """Return `matched` without unreviewed segments that have a new translation.

        A target is known if the session has had it. If at least `MIN_KNOWN_SHARE` of the targets are known, the files
        have no new translation, and `matched` is returned unchanged. Otherwise, unknown targets count as MT. If, in
        addition, no segment with a known target was reviewed and all edits were saved, the result is empty, so that the
        files get a new journal.
        """
        reviewing = self.session.reviewing
        targets = [segment.target_line for document in documents for segment in document.segments]
        known = {new: old for new, old in matched.items() if targets[new] in known_targets(reviewing, self.job, old)}
        if len(known) >= MIN_KNOWN_SHARE * len(matched):
            return matched
        reviewed = {*self.reviewed_segments}
        if reviewed.isdisjoint(known.values()) and reviewed.isdisjoint(unsaved_segments(reviewing, self.saved)):
            return {}
        self.translated_by_others = {*matched} - {*known}
        return {new: old for new, old in matched.items() if new in known or old in reviewed}

    # --- MT of the files

    def with_mt(self, documents: Sequence[Document]) -> list[Document]:
        """Return the documents, adding the MT from which the targets were edited."""
        reviewed, result, number = {*self.reviewed_segments}, [], 0
        for document in documents:
            segments: list[Segment] = []
            for segment in document.segments:
                old = self.matched.get(number)
                segments.append(segment if old is None else self._with_mt(document, segment, number, old, reviewed))
                number += 1
            result.append(replace(document, segments=segments))
        return result

    def _with_mt(self, document: Document, segment: Segment, new: int, old: int, reviewed: set[int]) -> Segment:
        """Return a segment with the MT of the session.

        The segment is returned unchanged if its target equals this MT, if the file contains an MT for the segment, or
        if others have translated the segment.
        """
        line = self.job.mt[old]
        if old in reviewed:
            self._storable_decisions[new] = _storable_decisions(document, segment)
        elif not line:
            # the session has no MT, so others have translated the segment since
            self.translated_by_others.add(new)
        if new in self.translated_by_others or segment.loaded_target is not None or segment.target_line == line:
            return segment
        try:
            mt = line_to_content(line, segment.source, segment.target, other_codes=True)
        except QeError:
            # for example, the MT has a code that the segment no longer has
            if self._originals is None:
                self._parse()
            assert self._originals is not None
            original = self._originals[old]
            mt = (original.target or ()) if original.loaded_target is None else original.loaded_target
        return segment._replace(loaded_target=mt)

    def stores(self, segment: int, field: ReviewField, value: ReviewValue) -> bool:
        """Return whether the opened file of a reviewed segment can store a status or a note."""
        return (None if field is ReviewField.NOTE else value) in self._storable_decisions.get(segment, ())


def opened_files(documents: Sequence[Document], paths: Sequence[Path]) -> tuple[WrittenFile, ...]:
    """Return the real paths and the SHA-256 hashes of the files from which documents were read."""
    return tuple(
        WrittenFile(os.path.realpath(path), sha256_hex(document.text.data))
        for document, path in zip(documents, paths, strict=True)
    )


def _storable_decisions(document: Document, segment: Segment) -> frozenset[ReviewStatus | None]:
    """Return the decisions that the file of a segment can store; the set contains None if it can store a note."""
    decisions = [status for status in FINAL_STATUSES if document.can_store(segment, status)]
    return frozenset([*decisions, None] if document.can_store_note(segment) else decisions)


def _last_hash(session: Session, job: TranslationJob, number: int) -> str:
    """SHA-256 of a file when it was last read or written."""
    written = session.written_files.get(number)
    return sha256_hex(job.files[number].data) if written is None else written.sha256


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
    """Map the index of each new segment to the index of the old segment that it matches, if any.

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
    """Replace the target language of each old file with the target language of the new file, if each has only one.

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
