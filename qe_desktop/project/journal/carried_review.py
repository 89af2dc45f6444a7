"""Review and layers of an earlier version of a bilingual file, carried over to the current file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Review, ReviewStatus, TagColumn, TranslationJob, View
from qe_desktop.corpus.columns import Ints, NumberColumn
from qe_desktop.formats.bilingual.document_rewrite import FINAL_STATUSES
from qe_desktop.project.edits import Edit
from qe_desktop.project.events import ReviewField, ReviewRow, ReviewValue, VisitRow
from qe_desktop.project.review.review_service import ReviewService
from qe_desktop.project.session import Session


@dataclass(frozen=True, slots=True)
class CarriedReview:
    """Review rows and visits with the segment numbers of the current file, and conflicts with that file.

    `changed` maps reviewed segments, in ascending order, to the fields that others changed in the file. `unmatched` are
    the numbers, in the earlier file, of the reviewed segments that the current file no longer contains.
    """

    rows: tuple[ReviewRow, ...]
    visits: tuple[VisitRow, ...]
    changed: Mapping[int, tuple[ReviewField, ...]]
    unmatched: tuple[int, ...]


class SegmentEdit(NamedTuple):
    """Source and target of an edited segment, as lines with codes, and the reviewer's note (empty if there is none)."""

    source: str
    target: str
    note: str = ""


def carry_review(
    stored: Session, segments: Sequence[int], now: TranslationJob, matched: Mapping[int, int], saved: float
) -> CarriedReview:
    """Return the review of the session `stored`, carried over to the job `now`; `segments` are the reviewed segments.

    `matched` maps segments of `now` to segments of `stored`. `saved` is the Unix time in seconds when the files were
    last saved. In the stored rows, None stands for the value loaded from the earlier file. If the current file has a
    different value, None is replaced by the value in the earlier file.
    """
    reviewing, before = stored.reviewing, stored.corpus.job
    assert before is not None
    new_of = {old: new for new, old in matched.items()}
    rows = tuple(
        _carried_row(row, new_of[row.segment], before, now) for row in reviewing.rows() if row.segment in new_of
    )
    visits = tuple(
        replace(visit, segment=new_of[visit.segment]) for visit in reviewing.visits() if visit.segment in new_of
    )
    changed = {
        new_of[old]: fields
        for old in segments
        if old in new_of and (fields := _changed_fields(stored, before, now, old, new_of[old], saved))
    }
    return CarriedReview(
        rows, visits, dict(sorted(changed.items())), tuple(old for old in segments if old not in new_of)
    )


def _changed_fields(
    stored: Session, before: TranslationJob, now: TranslationJob, old: int, new: int, saved: float
) -> tuple[ReviewField, ...]:
    """Return the fields that others changed in a segment's file since this program last read or saved it.

    Values known from the session do not count as changes, because the file may be an older version. If the file has an
    earlier target of the session, the status is not compared, because it belongs to that target.
    """
    view, at_save = stored.view, _values_at(stored.reviewing.history(old), saved)
    fields = []
    if now.targets[new] not in known_targets(stored.reviewing, before, old):
        fields += [ReviewField.TARGET, ReviewField.STATUS]
    elif now.targets[new] == view.target(old) and now.statuses[new] != ReviewStatus.LOCKED:
        loaded, status, target = before.statuses[old], at_save.get(ReviewField.STATUS), at_save.get(ReviewField.TARGET)
        is_reopened = status is None and target not in (None, before.targets[old])
        expected = (loaded, None if is_reopened else loaded if status is None else status, view.status(old))
        if _decision(now.statuses[new]) not in map(_decision, expected):
            fields.append(ReviewField.STATUS)
    known_notes = (before.reviewer_notes.get(old, ""), at_save.get(ReviewField.NOTE), view.note(old))
    if now.reviewer_notes.get(new, "") not in known_notes:
        fields.append(ReviewField.NOTE)
    return tuple(fields)


def _decision(status: object) -> ReviewStatus | None:
    """Return a status if it is confirmed or rejected, else None; files do not distinguish the other statuses."""
    return next((decided for decided in FINAL_STATUSES if decided == status), None)


def known_targets(reviewing: ReviewService, job: TranslationJob, segment: int) -> set[str]:
    """Return all targets that a segment has had: its MT, its target in the file, and those set in the review."""
    targets = {job.targets[segment], job.mt[segment]}
    for row in reviewing.history(segment):
        for field, value in zip(row.fields, row.values, strict=True):
            if field is ReviewField.TARGET and isinstance(value, str):
                targets.add(value)
    return targets


def merge_rows(histories: Sequence[tuple[ReviewRow, ...]]) -> tuple[ReviewRow, ...]:
    """Return the rows of all histories, sorted by time and renumbered; the rows of a single history are unchanged."""
    if len(histories) < 2:
        return tuple(row for rows in histories for row in rows)
    merged = sorted((row for rows in histories for row in rows), key=lambda row: row.at)
    return tuple(row._replace(seq=number + 1) for number, row in enumerate(merged))


def unsaved_segments(reviewing: ReviewService, saved: float) -> set[int]:
    """Return the segments whose values differ from those at the last save; `saved` is its Unix time in seconds."""
    segments = set()
    for segment in reviewing.segments_with_rows():
        history = reviewing.history(segment)
        at_save, now = _values_at(history, saved), _values_at(history, math.inf)
        if any(value != at_save.get(field) for field, value in now.items()):
            segments.add(segment)
    return segments


def _carried_row(row: ReviewRow, segment: int, before: TranslationJob, now: TranslationJob) -> ReviewRow:
    def carry_values(values: Sequence[ReviewValue]) -> tuple[ReviewValue, ...]:
        return tuple(
            loaded_value(field, before, row.segment, now, segment) if value is None else value
            for field, value in zip(row.fields, values, strict=True)
        )

    return row._replace(segment=segment, values=carry_values(row.values), befores=carry_values(row.befores))


def loaded_value(field: ReviewField, before: TranslationJob, old: int, now: TranslationJob, new: int) -> ReviewValue:
    """Value of a field in the earlier file; None if the current file has the same value.

    Also None for a status if the segment was locked in the earlier file.
    """
    if field is ReviewField.TARGET:
        return None if before.targets[old] == now.targets[new] else before.targets[old]
    if field is ReviewField.NOTE:
        note = before.reviewer_notes.get(old, "")
        return None if note == now.reviewer_notes.get(new, "") else note
    status = int(before.statuses[old])
    return None if status in (int(now.statuses[new]), ReviewStatus.LOCKED) else status


def differing_fields(now: TranslationJob, new: int, before: TranslationJob, old: int) -> tuple[ReviewField, ...]:
    """Fields of a segment that differ between two versions of its file, except the status if it is now `LOCKED`."""
    return tuple(field for field in ReviewField if loaded_value(field, now, new, before, old) is not None)


class StoresField(Protocol):
    """Function that returns whether the current file of a segment can store a status or a note."""

    def __call__(self, segment: int, field: ReviewField, value: ReviewValue, /) -> bool:
        """Return whether the file of `segment` can store `value` in `field`."""


def fields_not_in_files(
    view: View, reviewing: ReviewService, files: TranslationJob, saved: Callable[[int], float], stores: StoresField
) -> tuple[Review, list[tuple[int, ReviewField]]]:
    """Find the reviewed fields whose values differ from `files`; return the values in `files`, and the fields.

    `files` is the job of the current files and has the same segments as the view. `saved` returns the Unix time in
    seconds of the last save of a segment. A status or note that was already set at that time is left out if the file
    cannot store it. In the returned `Review`, a missing value stands for the value as loaded.
    """
    loaded = view.corpus.job
    assert loaded is not None
    targets: dict[int, str] = {}
    statuses: dict[int, ReviewStatus] = {}
    notes: dict[int, str] = {}
    fields: list[tuple[int, ReviewField]] = []
    for segment in reviewing.segments_with_rows():
        target = files.targets[segment]
        if target != view.target(segment):
            fields.append((segment, ReviewField.TARGET))
            if target != loaded.targets[segment]:
                targets[segment] = target
        at_save = _values_at(reviewing.history(segment), saved(segment))
        status, set_status = ReviewStatus(int(files.statuses[segment])), view.review.statuses.get(segment)
        is_unstorable = ReviewField.STATUS in at_save and at_save[ReviewField.STATUS] == set_status
        is_unstorable = is_unstorable and not stores(segment, ReviewField.STATUS, set_status)
        # a file without a status of its own, such as PO, treats a target without a decision as confirmed
        is_unstorable = is_unstorable or _was_saved_undecided(at_save, set_status, view.review.targets.get(segment))
        if not is_unstorable and _is_status_missing(set_status, status, int(loaded.statuses[segment])):
            fields.append((segment, ReviewField.STATUS))
            if status in FINAL_STATUSES:
                statuses[segment] = status
        note = files.reviewer_notes.get(segment, "")
        is_unstorable = ReviewField.NOTE in at_save and at_save[ReviewField.NOTE] == view.review.notes.get(segment)
        is_unstorable = is_unstorable and not stores(segment, ReviewField.NOTE, view.note(segment))
        if not is_unstorable and note != view.note(segment):
            fields.append((segment, ReviewField.NOTE))
            if note:
                notes[segment] = note
    return Review(targets, statuses, notes), fields


def _values_at(history: Sequence[ReviewRow], time: float) -> dict[ReviewField, ReviewValue]:
    """Return the values of a segment's fields at a Unix time in seconds; fields that were not yet set are left out."""
    values: dict[ReviewField, ReviewValue] = {}
    for row in history:
        if row.at <= time:
            values.update(zip(row.fields, row.values, strict=True))
    return values


def _was_saved_undecided(
    at_save: Mapping[ReviewField, ReviewValue], set_status: ReviewStatus | None, target: str | None
) -> bool:
    """Return whether the last save wrote the current target of a segment, with no status set at that time or now."""
    undecided = set_status is None and at_save.get(ReviewField.STATUS) is None
    return undecided and target is not None and at_save.get(ReviewField.TARGET) == target


def _is_status_missing(set_status: ReviewStatus | None, in_file: ReviewStatus, loaded: int) -> bool:
    """Return whether a file lacks the status of a segment; `set_status` is None if the user has not set a status."""
    if set_status is None:
        return in_file in FINAL_STATUSES and in_file != loaded
    return set_status != in_file and (set_status in FINAL_STATUSES or in_file in FINAL_STATUSES)


def carry_layers(sources: Sequence[tuple[View, Mapping[int, int]]], corpus: Corpus) -> list[Layer]:
    """Return the views' layers that a corpus lacks, with their current tags, adapted to the segments of the corpus.

    Each view is paired with a mapping from segments of the corpus to matching segments of the view. Segments without a
    match have no scores. Tags are OK and probabilities 0 in segments without a match and in segments whose number of
    words (or gaps) has changed.
    """
    layers: dict[LayerKey, Layer] = {}
    for view, matched in sources:
        new, old = np.fromiter(matched, np.int64, len(matched)), np.fromiter(matched.values(), np.int64, len(matched))
        for key, layer in view.corpus.layers.items():
            if key not in corpus.layers and key.kind is not Kind.TRANSLATION:
                carried = _carried_layer(view, layer, layers.get(key), corpus, new, old)
                if carried is not None:
                    layers[key] = carried
    return [*layers.values()]


def _carried_layer(
    view: View, layer: Layer, loaded: Layer | None, corpus: Corpus, new: Ints, old: Ints
) -> Layer | None:
    """Return a layer with the values of `layer` in matching segments, and the values of `loaded` in all others.

    Returns None if the corpus lacks the text to which the tags or probabilities belong.
    """
    key = layer.key
    if key.kind is Kind.SCORES:
        scores = np.full(corpus.size, np.nan) if loaded is None else loaded.scores.copy()
        scores[new] = layer.scores[old]
        scores.flags.writeable = False
        return replace(layer, column=scores, reasons=None)
    offsets = corpus.offsets(Kind.WORDS if key.kind is Kind.PROBABILITIES else key.kind)
    if offsets is None:
        return None
    before = view.tags(key) if key.kind.is_tags else layer.numbers
    values = np.zeros(int(offsets[-1]), before.values.dtype)
    if loaded is not None:
        values[:] = loaded.tags.values if key.kind.is_tags else loaded.numbers.values
    lengths, before_lengths = np.diff(offsets), np.diff(before.offsets)
    for segment, former in zip(new.tolist(), old.tolist(), strict=True):
        if lengths[segment] == before_lengths[former]:
            start, first = int(offsets[segment]), int(before.offsets[former])
            length = int(lengths[segment])
            values[start : start + length] = before.values[first : first + length]
    column = TagColumn(values, offsets) if key.kind.is_tags else NumberColumn(values, offsets)
    return replace(layer, column=column, reasons=None)


class CarriedTagEdits(NamedTuple):
    """Tag edits carried over to another session, and whether they include all tag edits of the former session."""

    edits: tuple[Edit, ...]
    is_complete: bool


def carry_tag_edits(stored: Session, session: Session, matched: Mapping[int, int]) -> CarriedTagEdits:
    """Return the tag edits of `stored` that can be applied to `session`.

    An edit can be applied if both sessions have its layer, and its segment has the same number of tags in both.
    `matched` maps segments of `session` to segments of `stored`.
    """
    new_of = {old: new for new, old in matched.items()}
    layers = [layer for key, layer in stored.corpus.layers.items() if key in session.corpus.layers]
    edits = stored.edits_on(layers)
    carried: list[Edit] = []
    for edit in edits:
        segment = new_of.get(edit.segment)
        if segment is None:
            continue
        before = stored.corpus.layers[edit.layer].tags[edit.segment]
        now = session.corpus.layers[edit.layer].tags[segment]
        if len(before) == len(now):
            carried.append(replace(edit, segment=segment))
    return CarriedTagEdits(tuple(carried), len(carried) == len(edits))


def edits_of(view: View, segments: Iterable[int]) -> tuple[SegmentEdit, ...]:
    """Return the source, the current target and the note of each segment."""
    return tuple(
        SegmentEdit(view.corpus.source_line(segment), view.target(segment), view.note(segment)) for segment in segments
    )
