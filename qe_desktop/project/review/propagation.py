"""Propagation of a confirmed target to other segments with the same source (auto-propagation of CAT tools).

Sources are equal if their lines, including inline codes, are equal. Segments with another target language are left out.
Codes are numbered within each segment, so a copied target refers to the codes of the segment that receives it.

Equal sources in different contexts may need different translations, such as “Open” on a button and on a shop door. The
context of a segment consists of the sources before and after it and of its notes and rules in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, ReviewStatus, TextColumn, TranslationJob, View
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.translation_job import NO_RULES
from qe_desktop.escaping import elide
from qe_desktop.formats.bilingual.plain_lines import parse_line_codes, strip_codes
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.local_qe.qa_checks.repetitions import normalized_sources, repetitions_of
from qe_desktop.project.review.review_edits import CheckedFields, check_all_fields, check_confirmations
from qe_desktop.project.review.review_log import ReviewFields

MAX_DESCRIBED_SEGMENTS = 50
UNORDERED_FORMS = frozenset({"po", "tmx"})
"""File formats whose segments are independent entries, so that neighbouring segments are not a context."""
MAX_QUOTED_CHARS = 60
_STEPS = (-1, 1)
_NO_SEGMENTS: Ints = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class IdenticalSegments:
    """Segments with the same source as `segment`, to which its target can be propagated.

    `untouched` segments have a target that nobody has edited or confirmed; `edited` segments have a target that was
    edited but not confirmed. `finished` segments are confirmed, rejected or locked, and are never changed.
    `in_other_context` contains the untouched and edited segments whose context differs from that of `segment`.
    `other_entries` is the subset of `in_other_context` whose notes or rules in the file differ (such as the msgctxt).
    Segments are left out if they have another target language or plural form, if the target is too long for them, or if
    they lack a code that the target contains. All arrays are ascending.
    """

    segment: int
    untouched: Ints
    edited: Ints
    finished: Ints
    in_other_context: Ints
    other_entries: Ints

    def segments_to_change(self, *, only_open: bool = False) -> Ints:
        """Segments to change, ascending: the untouched segments and, unless `only_open` is true, the edited ones."""
        return self.untouched if only_open else np.sort(np.concatenate([self.untouched, self.edited]))

    def automatic_segments(self, *, only_open: bool = False) -> Ints:
        """Segments to change without asking the user: `segments_to_change` except `other_entries`."""
        chosen = self.segments_to_change(only_open=only_open)
        unprompted: Ints = np.setdiff1d(chosen, self.other_entries, assume_unique=True)
        return unprompted

    def all_segments(self) -> Ints:
        """`segment` and the untouched, edited and finished segments, ascending."""
        return np.sort(np.concatenate([[self.segment], self.untouched, self.edited, self.finished]))

    def count_elsewhere(self, segments: Ints) -> int:
        """Number of `segments` whose context differs from that of `self.segment`."""
        return int(np.isin(segments, self.in_other_context, assume_unique=True).sum())


def find_identical_segments(view: View, segment: int, line: str | None = None) -> IdenticalSegments:
    """Find the segments with the same source as `segment`, to which its target can be propagated.

    `line` is the target that is about to be set (default: the current target). No segments are found if the source or
    the target has no text.
    """
    corpus, line = view.corpus, view.target(segment) if line is None else line
    if not strip_codes(corpus.source_line(segment)).strip() or not strip_codes(line).strip():
        return IdenticalSegments(segment, *[_NO_SEGMENTS] * 5)
    members = repetitions_of(corpus, segment)
    members = _filter_by_variant(corpus, segment, members[members != segment])
    members = _with_codes(corpus, segment, _filter_by_length(corpus, members, line), line)
    statuses = view.statuses()[members]
    is_free = np.isin(statuses, (ReviewStatus.OPEN, ReviewStatus.EDITED))
    is_edited = statuses == ReviewStatus.EDITED
    if corpus.job is not None and corpus.job.edited:
        is_edited |= np.isin(members, corpus.job.edited)
    free = members[is_free]
    return IdenticalSegments(
        segment,
        members[is_free & ~is_edited],
        members[is_free & is_edited],
        members[~is_free],
        free[_differing_contexts(corpus, segment, free)],
        free[_differing_entries(corpus, segment, free)],
    )


def check_propagation(view: View, fields: Mapping[int, ReviewFields], segments: Ints, line: str) -> CheckedFields:
    """Validate a step that sets `fields` and confirms `segments` with the target `line`; return all checked fields.

    Raises QeError or ValueError as `check_fields` does.
    """
    field_checks, confirmed = check_all_fields(view, fields), check_confirmations(view, segments.tolist(), line)
    return CheckedFields(
        view,
        {**field_checks.requested, **confirmed.requested},
        {**field_checks.fields, **confirmed.fields},
        {**field_checks.texts, **confirmed.texts},
    )


def describe_elsewhere(corpus: Corpus, equal: IdenticalSegments, segments: Ints) -> tuple[str, ...]:
    """Describe how the contexts of `segments` differ from that of `equal.segment`, one line per differing segment.

    At most `MAX_DESCRIBED_SEGMENTS` segments are described. If there are more, a last line states their number.
    """
    elsewhere: Ints = np.intersect1d(segments, equal.in_other_context, assume_unique=True)
    lines = _describe_contexts(corpus, equal.segment, elsewhere[:MAX_DESCRIBED_SEGMENTS])
    left_out = len(elsewhere) - len(lines)
    return (*lines, tr("and {n:,} more", "", left_out)) if left_out else tuple(lines)


def _filter_by_variant(corpus: Corpus, segment: int, members: Ints) -> Ints:
    """Return the `members` with the target language and plural form of `segment`; plural forms may share a source."""
    if corpus.job is None or not corpus.job.rules:
        return members
    rules = corpus.job.rules

    def kind(member: int) -> tuple[int, str]:
        return (entry := rules.get(member, NO_RULES)).plural_form, entry.language

    expected = kind(segment)
    is_same = [kind(member) == expected for member in members.tolist()]
    matching: Ints = members[np.array(is_same, bool)]
    return matching


def _filter_by_length(corpus: Corpus, members: Ints, line: str) -> Ints:
    """Return the `members` for which the target `line` is not too long."""
    if corpus.job is None or not corpus.job.rules:
        return members
    rules, text = corpus.job.rules, strip_codes(line)
    fits = {
        entry: entry.is_length_allowed(text) for entry in {rules.get(member, NO_RULES) for member in members.tolist()}
    }
    is_within = [fits[rules.get(member, NO_RULES)] for member in members.tolist()]
    fitting: Ints = members[np.array(is_within, bool)]
    return fitting


def _with_codes(corpus: Corpus, segment: int, members: Ints, line: str) -> Ints:
    """Return the `members` whose source and loaded target together contain all codes of the target `line`."""
    codes, source_codes = Counter(parse_line_codes(line)), Counter(parse_line_codes(corpus.source_line(segment)))
    if codes <= source_codes:
        return members
    targets = corpus.target_lines(members.tolist())
    has_codes = [codes <= source_codes | Counter(parse_line_codes(target)) for target in targets]
    complete: Ints = members[np.array(has_codes, bool)]
    return complete


def _differing_contexts(corpus: Corpus, segment: int, others: Ints) -> NDArray[np.bool_]:
    """Mask over `others`: segments whose context differs from that of `segment`."""
    differs = _differing_entries(corpus, segment, others)
    column = _ordered_sources(corpus, segment)
    if column is not None:
        for step in _STEPS:
            differs |= _differing_neighbours(corpus, column, segment, others, step)
    return differs


def _differing_entries(corpus: Corpus, segment: int, others: Ints) -> NDArray[np.bool_]:
    """Mask over `others`: segments whose notes or rules in the file differ from those of `segment`."""
    listed = others.tolist()
    differs = np.zeros(len(listed), bool)
    job = corpus.job
    if job is not None:
        for values, default in ((job.notes, ()), (job.rules, NO_RULES)):
            if values:
                expected = values.get(segment, default)
                differs |= np.array([values.get(number, default) != expected for number in listed], bool)
    return differs


def _describe_contexts(corpus: Corpus, segment: int, others: Ints) -> list[str]:
    """Describe, for each segment in `others`, how its context differs from that of `segment`."""
    differences: list[list[str]] = [[] for _ in others]
    column = _ordered_sources(corpus, segment)
    if column is not None:
        for step in _STEPS:
            line, *lines = _neighbour_sources(corpus, column, np.concatenate([[segment], others]), step)
            for texts, other_line in zip(differences, lines, strict=True):
                if other_line != line:
                    texts.append(_describe_neighbour(other_line, step))
    listed = others.tolist()
    for texts, other in zip(differences, listed, strict=True):
        texts += _describe_entry(corpus.job, segment, other)
    return [
        tr("Segment {number:,}: {text}", number=other + 1, text=join_localized(" · ", texts))
        for texts, other in zip(differences, listed, strict=True)
    ]


def _describe_entry(job: TranslationJob | None, segment: int, other_segment: int) -> Iterator[str]:
    """Describe how the notes and rules of `other_segment` in the file differ from those of `segment`."""
    if job is None:
        return
    own_notes, notes = job.notes.get(segment, ()), job.notes.get(other_segment, ())
    yield from (_elide_text(note) for note in notes if note not in own_notes)
    if own_notes and not notes:
        yield tr("without a note")
    elif notes != own_notes and set(notes) <= set(own_notes):
        is_reordered = len(notes) >= len(own_notes)
        yield tr("with the notes in a different order") if is_reordered else tr("with only some of the notes")
    # the context of an entry is one of its notes
    rules, other_rules = (replace(job.rules.get(number, NO_RULES), context="") for number in (segment, other_segment))
    if rules != other_rules:
        yield tr("with different length limits, format strings or plural forms")


def _describe_neighbour(raw: bytes | None, step: int) -> str:
    if raw is None:
        return tr("at the beginning of the file") if step < 0 else tr("at the end of the file")
    text = _elide_text(strip_codes(raw.decode("utf-8", "replace")))
    return tr("after “{text}”", text=text) if step < 0 else tr("before “{text}”", text=text)


def _elide_text(text: str) -> str:
    return elide(" ".join(text.split()), MAX_QUOTED_CHARS)


def _ordered_sources(corpus: Corpus, segment: int) -> TextColumn | None:
    """Return the sources of the corpus if the file that contains `segment` is running text, otherwise None."""
    is_ordered = corpus.job is None or corpus.job.file_of(segment).form not in UNORDERED_FORMS
    return normalized_sources(corpus) if is_ordered else None


def _differing_neighbours(
    corpus: Corpus, column: TextColumn, segment: int, other_segments: Ints, step: int
) -> NDArray[np.bool_]:
    """Mask over `other_segments`: segments whose neighbour has a different source from the neighbour of `segment`.

    The neighbour is `step` positions away; if only one of two segments has such a neighbour, they differ.
    """
    (line,) = _neighbour_sources(corpus, column, np.array([segment]), step)
    neighbours, is_inside = _neighbours(corpus, other_segments, step)
    if line is None:
        return is_inside
    equal = column.equal_lines(line, neighbours[is_inside])
    return ~(is_inside & np.isin(neighbours, equal))


def _neighbour_sources(corpus: Corpus, column: TextColumn, segments: Ints, step: int) -> list[bytes | None]:
    """Return the source `step` positions after each segment; None outside the file or document of the segment."""
    neighbours, is_inside = _neighbours(corpus, segments, step)
    pairs = zip(neighbours.tolist(), is_inside.tolist(), strict=True)
    return [column.raw(neighbour) if inside else None for neighbour, inside in pairs]


def _neighbours(corpus: Corpus, segments: Ints, step: int) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the segment `step` positions after each segment, and whether both are in the same file or document."""
    neighbours = np.clip(segments + step, 0, corpus.size - 1)
    is_inside = neighbours == segments + step
    if corpus.job is not None:
        starts = [file.first for file in corpus.job.files]
        is_inside &= np.searchsorted(starts, neighbours, "right") == np.searchsorted(starts, segments, "right")
    elif corpus.documents is not None:
        is_inside &= corpus.documents.of_segment[neighbours] == corpus.documents.of_segment[segments]
    return neighbours, is_inside
