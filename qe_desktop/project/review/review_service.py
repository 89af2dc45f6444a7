"""Review of a session: targets, statuses and notes that the user sets, and recorded work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from operator import ne
from typing import Any, Protocol

from qe_desktop.corpus import Review, ReviewStatus, View
from qe_desktop.corpus.translation_job import values_of
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import SessionChange
from qe_desktop.project.events import RemoteChanges, ReviewField, ReviewRow, ReviewValue, Row, VisitRow
from qe_desktop.project.review.review_edits import (
    CheckedFields,
    FieldsBySegment,
    check_all_fields,
    describe_review_rows,
)
from qe_desktop.project.review.review_log import ReviewLog
from qe_desktop.project.review.visits import Visit
from qe_desktop.project.undo_manager import StepOrder, step_order

IsInFile = Callable[[int, ReviewField], bool]
"""Function that returns whether a file stores, or is able to store, the given field of a segment."""


class ReviewHost(Protocol):
    """Session under review."""

    view: View

    @property
    def is_stored(self) -> bool:
        """Whether changes are stored in a project."""

    def require_writable(self) -> None:
        """Raise QeError if the session is read-only."""

    def record_review_step(self) -> None:
        """Clear the redo history of all undo stacks except that of review steps."""

    def publish(self, change: SessionChange, *rows: Row) -> SessionChange:
        """Store rows and notify all subscribers of a change; return the change that was reported to them."""


class ReviewService:
    """Review of a session; `Session.undo` undoes review steps and tag edits in one common order."""

    def __init__(self, host: ReviewHost, rows: ReviewLog, visits: Iterable[VisitRow] = ()) -> None:
        self._host = host
        self._rows = rows
        self._visits = list(visits)
        self._saved_review = rows.review
        self._unsaved_segments: set[int] = set()

    def set_author(self, person: str, window: str) -> None:
        """Set the author (`person`) and the client (`window`) of new rows."""
        self._rows.person, self._rows.window = person, window

    # --- current state

    @property
    def review(self) -> Review:
        """Current targets, statuses and notes."""
        return self._rows.review

    def history(self, segment: int) -> tuple[ReviewRow, ...]:
        """Rows of a segment, in the order in which they are applied."""
        return self._rows.history(segment)

    def segments_with_rows(self) -> Iterable[int]:
        """Segments that have rows."""
        return self._rows.segments_with_rows()

    def rows(self) -> tuple[ReviewRow, ...]:
        """All review rows, including those of undo and redo, in order of arrival."""
        return tuple(self._rows.rows)

    def visits(self) -> tuple[VisitRow, ...]:
        """All recorded visits, in order of arrival."""
        return tuple(self._visits)

    # --- editing

    def set(self, changes: FieldsBySegment) -> SessionChange:
        """Set targets, statuses and notes of segments as one undo step; return the change.

        `CheckedFields` of the current view are not checked again. Raises QeError if the session is read-only, and
        QeError or ValueError as `check_fields` does; in either case, no field is set.
        """
        self._host.require_writable()
        checked = changes if isinstance(changes, CheckedFields) else check_all_fields(self._host.view, changes)
        if checked.view is not self._host.view:
            checked = check_all_fields(self._host.view, checked.requested)
        rows = self._rows.set(checked.fields, checked.texts.__getitem__)
        if not rows:
            return SessionChange(None)
        self._host.record_review_step()
        return self._notify(rows, describe_review_rows(rows), "")

    def undo(self, message: str, left: str) -> SessionChange:
        """Undo the user's last review step; there must be one (see `undo_order`).

        The text of the returned change is `message`, or `left` if nothing was reverted.
        """
        return self._notify(self._rows.undo(), message, left)

    def redo(self, message: str, left: str) -> SessionChange:
        """Redo the last undone review step; there must be one (see `redo_order`).

        The text of the returned change is `message`, or `left` if nothing was redone.
        """
        return self._notify(self._rows.redo(), message, left)

    def _notify(self, rows: Sequence[ReviewRow], text: str, left: str) -> SessionChange:
        segments = tuple(dict.fromkeys(row.segment for row in rows))
        self._compare(segments)
        unchanged = not any(row.fields for row in rows)
        return self._host.publish(
            SessionChange(None, segments, left if unchanged else text, had_no_effect=unchanged, affects_review=True),
            *rows,
        )

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""
        return step_order(next(reversed(self._rows.next_undo()), None))

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""
        return step_order(next(reversed(self._rows.next_redo()), None))

    @property
    def undo_text(self) -> str:
        """Description of the step that the next undo reverts; there must be one (see `undo_order`)."""
        return describe_review_rows(self._rows.next_undo())

    @property
    def redo_text(self) -> str:
        """Description of the step that the next redo restores; there must be one (see `redo_order`)."""
        return describe_review_rows(self._rows.next_redo())

    def forget_undone(self) -> None:
        """Clear the redo history; called after a step of another kind, such as a tag edit."""
        self._rows.forget_undone()

    def forget_undone_before(self, order: StepOrder) -> None:
        """Remove the steps up to and including `order` from the redo history.

        `order` is the position of the user's last stored tag edit.
        """
        self._rows.forget_undone_before(order)

    @property
    def last_edit(self) -> StepOrder:
        """Position, among all steps, of the user's last stored review edit; `NO_STEP` if there is none."""
        return self._rows.last_edit

    def add_visit(self, segment: int, visit: Visit) -> VisitRow:
        """Store a recorded visit to a segment; return its row. Raises QeError if the session is read-only."""
        self._host.require_writable()
        row = VisitRow(segment, visit, time.time(), self._rows.person, self._rows.window)
        self._visits.append(row)
        self._host.publish(SessionChange(None, (segment,), affects_review=True), row)
        return row

    # --- remote changes

    def apply_remote_changes(self, changes: RemoteChanges) -> None:
        """Apply the review rows and visits that were stored in the project since the last call."""
        size = self._host.view.corpus.size
        reviews = [row for row in changes.reviews if 0 <= row.segment < size]
        new = self._rows.merge_rows(reviews)
        visits = [row for row in changes.visits if 0 <= row.segment < size]
        self._visits += visits
        segments = tuple(dict.fromkeys([row.segment for row in reviews] + [row.segment for row in visits]))
        if segments:
            people = ", ".join(dict.fromkeys(row.person for row in new))
            message = tr("{people}: {text}", people=people, text=describe_review_rows(new)) if new else ""
            self._host.publish(SessionChange(None, segments, message, is_remote=True, affects_review=True))

    # --- unsaved changes

    def unsaved_segments(self) -> list[int]:
        """Segments whose current target, status or note is not saved in a file, ascending; empty in a project."""
        return [] if self._host.is_stored else sorted(self._unsaved_segments)

    @property
    def is_unsaved(self) -> bool:
        """Whether any segment is unsaved; False in a project."""
        return not self._host.is_stored and bool(self._unsaved_segments)

    def has_storable_changes(self, in_file: IsInFile) -> bool:
        """Return whether any unsaved field can be stored in a file, according to `in_file`; False in a project."""
        return any(self._storable_changes(in_file, self.review))

    def count_waiting(self, in_file: IsInFile, review: Review) -> int:
        """Number of unsaved segments in which `review` and the file differ in a field that `in_file` accepts.

        `review` is the current review or an earlier one. The number is 0 in a project.
        """
        return sum(self._storable_changes(in_file, review))

    def _storable_changes(self, in_file: IsInFile, review: Review) -> Iterator[bool]:
        """Yield, for each unsaved segment, whether `review` and the file differ in a field that `in_file` accepts."""
        for segment in () if self._host.is_stored else self._unsaved_segments:
            values = zip(_FIELDS, _file_values(review, segment), _file_values(self._saved_review, segment), strict=True)
            yield any(value != written and in_file(segment, field) for field, value, written in values)

    def _compare(self, segments: Iterable[int]) -> None:
        """Compare `segments` with the files, and record which of them are unsaved."""
        review, saved, compared = self.review, self._saved_review, [*segments]
        parts = ((review.targets, saved.targets), (review.statuses, saved.statuses), (review.notes, saved.notes))
        self._unsaved_segments.difference_update(compared)
        for current, written in parts:
            if current is not written:
                differs = map(ne, values_of(current, compared), values_of(written, compared))
                self._unsaved_segments.update(compress(compared, differs))

    def compare_with_files(self, files: Review, fields: Sequence[tuple[int, ReviewField]]) -> None:
        """Record the unsaved `fields` of a restored review; all other fields count as saved.

        `files` contains the values in the files; a missing value stands for the value as loaded.
        """
        self._saved_review = _with_fields(self.review, files, fields)
        self._unsaved_segments = set()
        self._compare({segment for segment, _ in fields})

    def revert_unsaved(self) -> SessionChange:
        """Reset the fields that differ from the files to the values in the files, as one undo step.

        Raises QeError as `set` does.
        """
        written = self._saved_review
        values: dict[int, dict[ReviewField, ReviewValue]] = {}
        for segment in self._unsaved_segments:
            target, status, note = _file_values(written, segment)
            now_target, now_status, now_note = _file_values(self.review, segment)
            fields = values[segment] = {}
            if (target, status) != (now_target, now_status):
                fields |= {ReviewField.TARGET: target, ReviewField.STATUS: status}
            if note != now_note:
                fields[ReviewField.NOTE] = note
        return self.set(values)

    def mark_saved(self, in_file: IsInFile | None = None) -> SessionChange:
        """Record that the review is saved; return the change. Fields for which `in_file` is false stay unsaved."""
        if in_file is None:
            self._saved_review = self.review
            self._unsaved_segments.clear()
        else:
            self._saved_review = _with_fields(self._saved_review, self.review, [
                (segment, field) for segment in self._unsaved_segments for field in ReviewField if in_file(segment,
                field)
            ])  # fmt: skip
            self._compare(tuple(self._unsaved_segments))
        return self._host.publish(SessionChange(None, text=tr("saved")))


_FIELDS = (ReviewField.TARGET, ReviewField.STATUS, ReviewField.NOTE)


def _file_values(review: Review, segment: int) -> tuple[str | None, ReviewStatus | None, str | None]:
    """Return the values of a segment that are written to files (None: as loaded), in the order of `_FIELDS`."""
    return review.targets.get(segment), review.statuses.get(segment), review.notes.get(segment)


def _with_fields(before: Review, after: Review, fields: Iterable[tuple[int, ReviewField]]) -> Review:
    """Return a copy of the review `before` in which the values of `fields` are those of `after`."""
    old_values = {
        ReviewField.TARGET: before.targets,
        ReviewField.STATUS: before.statuses,
        ReviewField.NOTE: before.notes,
    }
    new_values = {ReviewField.TARGET: after.targets, ReviewField.STATUS: after.statuses, ReviewField.NOTE: after.notes}
    copies: dict[ReviewField, dict[int, Any]] = {field: dict(values) for field, values in old_values.items()}
    for segment, field in fields:
        if segment in new_values[field]:
            copies[field][segment] = new_values[field][segment]
        else:
            copies[field].pop(segment, None)
    return Review(copies[ReviewField.TARGET], copies[ReviewField.STATUS], copies[ReviewField.NOTE])
