"""The review of a session: targets, statuses and notes that a person sets, and what was recorded of the work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from qe_desktop.corpus import Review, View
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import SessionChange
from qe_desktop.project.events import RemoteChanges, ReviewField, ReviewRow, Row, VisitRow
from qe_desktop.project.review.review_edits import CheckedFields, check_all_fields, describe_review_rows
from qe_desktop.project.review.review_log import ReviewFields, ReviewLog
from qe_desktop.project.review.visits import Visit
from qe_desktop.project.undo.undo_manager import StepOrder, step_order

IsLocked = Callable[[int, ReviewField], bool]
"""Whether a file holds a field of a segment as it is now."""


class ReviewHost(Protocol):
    """The session that it is the review of."""

    view: View

    @property
    def is_kept(self) -> bool:
        """Whether what is done is kept in a project."""
        ...

    def refuse_read_only(self) -> None:
        """A QeError where nothing can be changed."""
        ...

    def did(self) -> None:
        """Nothing else that was taken back can be made again."""
        ...

    def tell(self, change: SessionChange, *rows: Row) -> SessionChange:
        """Keep what was done, and tell everybody."""
        ...


class ReviewService:
    """What is reviewed, and the only way to it. What one did is undone by `Session.undo`, in its order with tags."""

    def __init__(self, host: ReviewHost, rows: ReviewLog, visits: Iterable[VisitRow] = ()) -> None:
        self._host = host
        self._rows = rows
        self._visits = list(visits)
        self._written = rows.review
        self._differ: set[int] = set()

    def keep_in(self, person: str, window: str) -> None:
        """From now on this person does it, in this window."""
        self._rows.person, self._rows.window = person, window

    # --- how it is

    @property
    def review(self) -> Review:
        """What was set."""
        return self._rows.review

    def history(self, segment: int) -> tuple[ReviewRow, ...]:
        """What was done to a segment, in its order."""
        return self._rows.history(segment)

    def touched(self) -> Iterable[int]:
        """The segments that anything was done to."""
        return self._rows.touched()

    def rows(self) -> tuple[ReviewRow, ...]:
        """All that was done, undo and redo too."""
        return tuple(self._rows.rows)

    def visits(self) -> tuple[VisitRow, ...]:
        """All that was recorded, in the order in which it was kept."""
        return tuple(self._visits)

    # --- what is done

    def set(self, wanted: Mapping[int, ReviewFields] | CheckedFields) -> SessionChange:
        """Set targets, statuses and notes of segments, all at once, so that it is taken back at once.

        What was checked over the view as it is now is not checked again. QeError where one of them cannot be set; then
        none is.
        """
        self._host.refuse_read_only()
        checked = wanted if isinstance(wanted, CheckedFields) else check_all_fields(self._host.view, wanted)
        if checked.view is not self._host.view:
            checked = check_all_fields(self._host.view, checked.wanted)
        rows = self._rows.set(checked.fields, checked.texts.__getitem__)
        if not rows:
            return SessionChange(None)
        self._host.did()
        return self._told(rows, describe_review_rows(rows), "")

    def undo(self, done: str, left: str) -> SessionChange:
        """Take back what one did last; `done` says it, `left` where nothing is taken back of it."""
        return self._told(self._rows.undo(), done, left)

    def redo(self, done: str, left: str) -> SessionChange:
        """Make it again."""
        return self._told(self._rows.redo(), done, left)

    def _told(self, rows: Sequence[ReviewRow], text: str, left: str) -> SessionChange:
        segments = tuple(dict.fromkeys(row.segment for row in rows))
        self._compare(segments)
        stays = not any(row.fields for row in rows)
        return self._host.tell(SessionChange(None, segments, left if stays else text, left=stays, review=True), *rows)

    @property
    def undo_order(self) -> StepOrder:
        """Where what undo would take back stands among all steps."""
        return step_order(next(reversed(self._rows.next_undo()), None))

    @property
    def redo_order(self) -> StepOrder:
        """The same of the taking back of what redo would make again."""
        return step_order(next(reversed(self._rows.next_redo()), None))

    @property
    def undo_text(self) -> str:
        """What undo would take back, in words."""
        return describe_review_rows(self._rows.next_undo())

    @property
    def redo_text(self) -> str:
        """What redo would make again, in words."""
        return describe_review_rows(self._rows.next_redo())

    def forget_undone(self) -> None:
        """A tag was edited: what was taken back cannot be made again."""
        self._rows.forget_undone()

    def forget_undone_before(self, order: StepOrder) -> None:
        """A tag was edited then, as a project says: what was taken back before cannot be made again."""
        self._rows.forget_undone_before(order)

    @property
    def last_edit(self) -> StepOrder:
        """When the person last set anything of what a project has."""
        return self._rows.last_edit

    def visited(self, segment: int, visit: Visit) -> VisitRow:
        """Keep what was recorded while a segment was worked on."""
        self._host.refuse_read_only()
        row = VisitRow(segment, visit, time.time(), self._rows.person, self._rows.window)
        self._visits.append(row)
        self._host.tell(SessionChange(None, (segment,), review=True), row)
        return row

    # --- what others did

    def hear(self, news: RemoteChanges) -> None:
        """Take over what a project took since one last looked."""
        size = self._host.view.corpus.size
        reviews = [row for row in news.reviews if 0 <= row.segment < size]
        new = self._rows.take_over(reviews)
        visits = [row for row in news.visits if 0 <= row.segment < size]
        self._visits += visits
        segments = tuple(dict.fromkeys([row.segment for row in reviews] + [row.segment for row in visits]))
        if segments:
            people = ", ".join(dict.fromkeys(row.person for row in new))
            said = tr("{people}: {text}", people=people, text=describe_review_rows(new)) if new else ""
            self._host.tell(SessionChange(None, segments, said, remote=True, review=True))

    # --- what is not saved

    def unsaved(self) -> list[int]:
        """Segments whose target, status or note is in no file, ascending; in a project there are none."""
        return [] if self._host.is_kept else sorted(self._differ)

    @property
    def is_unsaved(self) -> bool:
        """Whether there is any of them."""
        return not self._host.is_kept and bool(self._differ)

    def waits(self, held: IsLocked) -> bool:
        """Whether a field of any segment is in no file, and would be `held` by one."""
        return not self._host.is_kept and any(
            one != other and held(segment, field)
            for segment in self._differ
            for field, one, other in zip(_FIELDS, _of(self.review, segment), _of(self._written, segment), strict=True)
        )

    def _compare(self, segments: Iterable[int]) -> None:
        """See which of the segments that changed are other than those in the files."""
        now, then = self.review, self._written
        both = ((now.targets, then.targets), (now.statuses, then.statuses), (now.notes, then.notes))
        getters = [(one.get, other.get) for one, other in both if one is not other]
        for segment in segments:
            for value_now, value_then in getters:
                if value_now(segment) != value_then(segment):
                    self._differ.add(segment)
                    break
            else:
                self._differ.discard(segment)

    def saved(self, held: IsLocked | None = None) -> SessionChange:
        """Note that what was reviewed is in files as it is now; of a field that was not `held` it stays unsaved."""
        if held is None:
            self._written = self.review
            self._differ.clear()
        else:
            self._written = _with(self._written, self.review, [
                (segment, field) for segment in self._differ for field in ReviewField if held(segment, field)
            ])  # fmt: skip
            self._compare(tuple(self._differ))
        return self._host.tell(SessionChange(None, text=tr("saved")))


_FIELDS = (ReviewField.TARGET, ReviewField.STATUS, ReviewField.NOTE)


def _of(review: Review, segment: int) -> tuple[object, ...]:
    """What of a segment goes into files, one for each of `_FIELDS`."""
    return review.targets.get(segment), review.statuses.get(segment), review.notes.get(segment)


def _with(before: Review, now: Review, fields: Iterable[tuple[int, ReviewField]]) -> Review:
    """A review whose fields are as another one has them."""
    made = {ReviewField.TARGET: before.targets, ReviewField.STATUS: before.statuses, ReviewField.NOTE: before.notes}
    there = {ReviewField.TARGET: now.targets, ReviewField.STATUS: now.statuses, ReviewField.NOTE: now.notes}
    copies: dict[ReviewField, dict[int, Any]] = {field: dict(values) for field, values in made.items()}
    for segment, field in fields:
        if segment in there[field]:
            copies[field][segment] = there[field][segment]
        else:
            copies[field].pop(segment, None)
    return Review(copies[ReviewField.TARGET], copies[ReviewField.STATUS], copies[ReviewField.NOTE])
