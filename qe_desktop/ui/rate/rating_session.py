"""Rating session: current item and scale, answers, auto-advance, active time, and counts of items."""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from statistics import median

from PySide6.QtCore import QObject, Signal

from qe_desktop.answers.event_history import COMMENT, PROFILE, REVEAL, SKIP, EventValue, RatingEvent
from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.campaign import Screen
from qe_desktop.ratings.protocols import skip_reason_text
from qe_desktop.ratings.rater_progress import RaterProfile
from qe_desktop.ratings.rater_session import RaterSession, ScreenStatus
from qe_desktop.ui.jobs import DebounceTimer
from qe_desktop.ui.rate.active_time import ActiveClock, MonotonicClock
from qe_desktop.ui.settings import Settings

ADVANCE_DELAY_MS = 350
"""Delay before auto-advance in milliseconds, so that the answer can be seen (as in the annotation tool Potato)."""
MIN_VISIT_S = 1.0
"""Minimum time in seconds that is saved when the rater leaves an item; a shorter time is discarded."""
MAX_AUTO_ADVANCE_OUTPUTS = 2
"""Maximum number of outputs in a protocol with auto-advance; rankings stay on screen, as raters often change them."""

Submit = Callable[[RatingEvent], object]


class RatingSession(QObject):
    """Session that applies the actions of a rater to a `RaterSession` (`work`) and passes the events to `submit`.

    `submit` queues an event without blocking; if it raises QeError, `failed` is emitted. `read_only` is the reason why
    rating is disabled; empty if rating is enabled.
    """

    screen_changed = Signal()
    """Emitted when the current item changed or the end was reached."""
    changed = Signal()
    """Emitted when an answer changed, or when another scale became current."""
    completed = Signal(str)
    """Emitted with the uid of an item when its last missing answer has been entered."""
    auto_advance_changed = Signal(int)
    """Emitted with the time until auto-advance in milliseconds; 0 when auto-advance is cancelled or runs."""
    message_posted = Signal(str)
    """Emitted with a text to be announced by screen readers."""
    failed = Signal(object)
    """Emitted with the `QeError` of an action that failed."""

    def __init__(
        self,
        work: RaterSession,
        submit: Submit,
        settings: Settings,
        *,
        read_only: str = "",
        now: MonotonicClock = time.monotonic,
        advance_delay_ms: int = ADVANCE_DELAY_MS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.work = work
        self.settings = settings
        self.read_only = read_only
        self.clock = ActiveClock(now)
        self.stats = RaterProgressStats(work)
        self._submit = submit
        self._scale_names = [scale.name for scale in work.scales]
        self._index_by_uid = {screen.uid: index for index, screen in enumerate(work.screens)}
        self._uid = ""
        self._current_scale_name = ""
        self._pending_action: Callable[[], object] | None = None
        self._timer = DebounceTimer(self, advance_delay_ms, self._run_auto_advance)

    # --- navigation

    @property
    def screen(self) -> Screen | None:
        """Current item; None on the end page."""
        return self.work.screen(self._uid) if self._uid else None

    @property
    def current_index(self) -> int:
        """Index of the current item; on the end page, the number of items."""
        return self._index_by_uid.get(self._uid, len(self._index_by_uid))

    def open(self) -> None:
        """Go to the first open item, or to the end page if no item is open."""
        self._show(self.work.first_open() or "")

    def go_to(self, uid: str) -> None:
        """Go to an item, or to the end page if `uid` is empty."""
        if uid != self._uid:
            self.save_time()
            self._show(uid)

    def go_to_index(self, index: int) -> None:
        """Go to the item at `index`: the first item if it is negative, the end page if it is too large."""
        screens = self.work.screens
        self.go_to(screens[max(0, index)].uid if index < len(screens) else "")

    def next(self) -> None:
        """Run a pending auto-advance, if any.

        Otherwise, reveal the hidden text if that is possible now, or else go to the next item.
        """
        if self._pending_action is not None:
            self._timer.stop()
            self._run_auto_advance()
        # only the first scale is rated: reveal the hidden text next
        elif not (self._may_reveal() and self.reveal()):
            self.go_to_index(self.current_index + 1)

    def back(self) -> None:
        """Go to the previous item, if there is one."""
        self.go_to_index(self.current_index - 1)

    def next_open(self) -> None:
        """Go to the next open item, or to the end page if no item is open.

        After the last item, the search continues at the first item.
        """
        uid = self.work.next_open(self._uid or None)
        self.go_to(uid or "")

    def cancel_auto_advance(self) -> None:
        """Cancel a pending auto-advance, for example because the current item is being edited."""
        if self._pending_action is not None:
            self._timer.stop()
            self._pending_action = None
            self.auto_advance_changed.emit(0)

    def save_time(self) -> None:
        """Cancel auto-advance; save the time spent if it is at least `MIN_VISIT_S`. The item stays current."""
        self.cancel_auto_advance()
        seconds = self.clock.take()
        if self._uid and seconds >= MIN_VISIT_S and not self.read_only:
            self._attempt(lambda: self.work.leave(self._uid, seconds))

    def leave(self) -> None:
        """Save the time spent and stop the clock."""
        self.save_time()
        self.clock.stop()

    def _show(self, uid: str) -> None:
        self._uid = uid
        self._current_scale_name = self._initial_scale()
        if uid:
            self.clock.start()
        else:
            self.clock.stop()
        self.screen_changed.emit()
        if self._may_reveal():
            # the item was left after its first rating, before the hidden text was revealed
            self._schedule(self.reveal)

    # --- current question

    @property
    def current_scale(self) -> ScaleAnswer | None:
        """Scale to which the digit keys apply; None for rankings and on the end page."""
        name = self._current_scale_name
        return next((scale for scale in self.work.scales if scale.name == name), None) if self._uid else None

    @property
    def is_revealed(self) -> bool:
        """Whether the source or reference of the current item may be shown."""
        return bool(self._uid) and self.work.is_revealed(self._uid)

    def select_scale(self, name: str) -> None:
        """Select the scale to which the digit keys apply.

        If the scale requires the hidden text, reveal the text first; if that fails, the selection does not change.
        """
        if self._uid and name != self._current_scale_name and name in self._scale_names:
            if name != self.work.protocol.fields[0] and not self.is_revealed and not self.reveal():
                return
            self.cancel_auto_advance()
            self._current_scale_name = name
            self.changed.emit()

    def select_adjacent_scale(self, by: int) -> None:
        """Select the previous (−1) or next (1) scale, if there is one."""
        names = self._scale_names
        if self._current_scale_name in names and 0 <= names.index(self._current_scale_name) + by < len(names):
            self.select_scale(names[names.index(self._current_scale_name) + by])

    def _initial_scale(self) -> str:
        """Return the first scale if a text is hidden, else the first scale without a value, else the last scale."""
        if not self._uid or not self._scale_names:
            return ""
        if self.work.protocol.target_first and not self.is_revealed:
            return self._scale_names[0]
        return self._first_open(self._scale_names[-1])

    def _first_open(self, default: str) -> str:
        """Return the first scale without a value, or `default` if there is none."""
        values = self.work.values(self._uid)
        return next((name for name in self._scale_names if name not in values), default)

    def _may_reveal(self) -> bool:
        """Return whether a hidden text can be revealed now."""
        if not self._uid or self.read_only or not self.work.protocol.target_first or self.is_revealed:
            return False
        return self.work.value(self._uid, self.work.protocol.fields[0]) is not None

    # --- answers

    def rate(self, field: str, value: EventValue, *, may_advance: bool = True) -> None:
        """Set a field of the current item, if there is one; emit `failed` if the value cannot be set.

        If `may_advance`, completing the item can start auto-advance.
        """
        uid, was_done = self._uid, bool(self._uid) and self.work.is_done(self._uid)
        self.cancel_auto_advance()
        if not self._set_field(field, value):
            return
        protocol = self.work.protocol
        if protocol.target_first and field == protocol.fields[0] and value is not None and not self.is_revealed:
            self._schedule(self.reveal)
        else:
            if field in self._scale_names:
                # also after a changed rating: the next digit is meant for the next scale
                following = self._scale_names[self._scale_names.index(field) + 1 :]
                self._current_scale_name = self._first_open(following[0] if following else field)
            is_followed = self.is_followed_automatically(self.work.screen(uid))
            if may_advance and is_followed and self.work.is_done(uid) and not was_done:
                self._schedule(self.next_open)
        self.changed.emit()
        if self.work.is_done(uid) and not was_done:
            self.completed.emit(uid)
        self.message_posted.emit(tr("{done}. {missing}", done=self.work.undo_text, missing=self.missing_text()))

    def is_followed_automatically(self, screen: Screen) -> bool:
        """Return whether auto-advance applies to an item; False for training items and long rankings."""
        is_short = self.work.protocol.outputs[1] <= MAX_AUTO_ADVANCE_OUTPUTS or len(screen.outputs) == 1
        return is_short and not screen.training

    def reveal(self) -> bool:
        """Show the source or reference; return whether it is shown. Emit `failed` if it may not be shown yet."""
        if not self._uid:
            return False
        if self.is_revealed:
            return True
        self.cancel_auto_advance()
        if not self._set_field(REVEAL, None):
            return False
        self._current_scale_name = self._initial_scale()
        self.changed.emit()
        message = tr("The source or reference is shown.")
        self.message_posted.emit(f"{message} {self.missing_text()}")
        return True

    def skip(self, reason: str) -> None:
        """Skip the current item for a reason and start auto-advance; an empty reason clears the skip."""
        self.cancel_auto_advance()
        if self._set_field(SKIP, reason):
            self.changed.emit()
            self.message_posted.emit(self.work.undo_text)
            if reason and self.work.is_skipped(self._uid):
                self._schedule(self.next_open)

    def comment(self, text: str) -> None:
        """Replace the comment on the current item, if there is one, with `text`; emit `failed` if that fails."""
        if self._uid and text != str(self.work.value(self._uid, COMMENT) or "") and self._set_field(COMMENT, text):
            self.changed.emit()

    def set_profile(self, profile: RaterProfile) -> None:
        """Save the rater profile."""
        if self._attempt(lambda: self.work.rate("", PROFILE, profile.text())):
            self.changed.emit()

    def undo(self) -> str:
        """Undo the last judgement, if any, and show its item; return what was undone, or an empty text."""
        return self._step(self.work.undo_text, self.work.undo)

    def redo(self) -> str:
        """Redo the last undone judgement, if any, and show its item; return what was redone, or an empty text."""
        return self._step(self.work.redo_text, self.work.redo)

    def _step(self, text: str, step: Callable[[], RatingEvent | None]) -> str:
        if not text or self.read_only:
            return ""
        self.save_time()
        event_count = len(self.work.events)
        is_done = self._attempt(step)
        for event in self.work.events[event_count:]:
            if event.screen != self._uid:
                self._show(event.screen)
            if event.field in self._scale_names:
                self._current_scale_name = event.field
        self.changed.emit()
        return text if is_done else ""

    def merge(self, events: Iterable[RatingEvent]) -> None:
        """Merge rating events from another window or computer; other raters' events are ignored."""
        before = self._item_state()
        if self.work.merge(events):
            self.stats.rebuild()
            # events on other items must not change the scale to which the next digit applies
            if self._item_state() != before:
                self._current_scale_name = self._initial_scale()
            self.changed.emit()

    def _item_state(self) -> tuple[bool, dict[str, EventValue]]:
        """Return whether the current item's hidden text is revealed, and the values of the item's fields."""
        return self.is_revealed, self.work.values(self._uid) if self._uid else {}

    def missing_text(self) -> str:
        """Return the current item's missing answers, its skip reason, or a note that nothing is missing.

        Empty on the end page.
        """
        if not self._uid:
            return ""
        if self.work.is_skipped(self._uid):
            return tr("Skipped: {reason}", reason=skip_reason_text(str(self.work.value(self._uid, SKIP))))
        missing = "; ".join(self.work.missing_answers(self._uid))
        return sentence_case(missing) if missing else tr("Nothing missing")

    # --- helpers

    def _set_field(self, field: str, value: EventValue) -> bool:
        """Set a field of the current item; return False if there is no item or if the value cannot be set."""
        uid = self._uid
        return bool(uid) and self._attempt(lambda: self.work.rate(uid, field, value, self.clock.take()))

    def _attempt(self, action: Callable[[], RatingEvent | None]) -> bool:
        if self.read_only:
            self.failed.emit(QeError(self.read_only))
            return False
        try:
            event = action()
            if event is not None:
                self.stats.refresh(event.screen)
                self._submit(event)
        except QeError as error:
            self.failed.emit(error)
            return False
        return True

    def _schedule(self, action: Callable[[], object]) -> None:
        if self.settings.auto_advance:
            self._pending_action = action
            self.auto_advance_changed.emit(self._timer.interval())
            self._timer.start()

    def _run_auto_advance(self) -> None:
        then, self._pending_action = self._pending_action, None
        self.auto_advance_changed.emit(0)
        if then is not None:
            then()


class RaterProgressStats:
    """Median active time and item counts by status of a rater, updated incrementally; training items are excluded."""

    def __init__(self, work: RaterSession) -> None:
        self._work = work
        self._status: dict[str, ScreenStatus] = {}
        self._spent: dict[str, float] = {}
        self._seconds: list[float] = []
        self.counts: dict[ScreenStatus, int] = {}
        """Number of items by status."""
        self.rebuild()

    @property
    def median_seconds(self) -> float | None:
        """Median active time of done items in seconds; None if no done item has a recorded time."""
        return median(self._seconds) if self._seconds else None

    def rebuild(self) -> None:
        """Recount all items."""
        self._status = {screen.uid: ScreenStatus.OPEN for screen in self._work.screens if not screen.training}
        self.counts = dict.fromkeys(ScreenStatus, 0)
        self.counts[ScreenStatus.OPEN] = len(self._status)
        self._spent, self._seconds = {}, []
        for uid in self._status:
            self.refresh(uid)

    def refresh(self, uid: str) -> None:
        """Update the counts and times after an item changed; a training item is ignored."""
        before = self._status.get(uid)
        if before is None:
            return
        now = self._status[uid] = self._work.status(uid)
        self.counts[before] -= 1
        self.counts[now] += 1
        old_seconds = self._spent.pop(uid, None)
        if old_seconds is not None:
            del self._seconds[bisect_left(self._seconds, old_seconds)]
        seconds = self._work.seconds(uid)
        if now is ScreenStatus.DONE and seconds > 0:
            self._spent[uid] = seconds
            insort(self._seconds, seconds)
