"""From what holds for a screen to ratings by system: the one place where a rater's work becomes rows."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.answers.events import COMMENT, SKIP
from qe_desktop.answers.history import ScreenState, Step
from qe_desktop.answers.kinds import kind_of
from qe_desktop.answers.rows import About
from qe_desktop.corpus import Comment, ItemRole, Pair, RatingFlag, Ratings, Score

_CHANGED, _NOT_SEEN = int(RatingFlag.CHANGED_AFTER_REVEAL), int(RatingFlag.SOURCE_NOT_SEEN)


class RatingRows:
    """Gathers the ratings of screens.

    Values of screens that are not skipped count, also where another scale is not rated yet; rankings count once they
    are complete. `seconds` is the whole active time of the screen, on each of its rows. A pair with a degraded output
    has the role BAD, and the degraded one stands second; other pairs of that screen are repeats. `first` names the
    scale that is asked while only the translation is in view: always where `hidden`, else on screens that came to show
    more.
    """

    def __init__(self, first: str = "", *, hidden: bool = False) -> None:
        self.unfinished = 0
        """Rankings that are begun and not whole."""
        self._first = first
        self._hidden = hidden
        self.scores: list[Score] = []
        self.pairs: list[Pair] = []
        self._comments: list[Comment] = []

    def take(self, about: About, state: ScreenState) -> None:
        """Add what one rater said of one screen."""
        reason = state.skipped
        if (reason or state.comments) and about.role is not ItemRole.TRAINING:
            self._remark(about, state, reason)
        if reason:
            return
        for name, step in {step.event.field: step for step in state.steps}.items():
            if name != SKIP:
                kind_of(name).add_rows(self, about, state, step)

    def ratings(
        self, *, origin: str, notes: Sequence[str] = (), ranges: Sequence[tuple[str, float, float]] = ()
    ) -> Ratings:
        """All that was gathered."""
        return Ratings.of(self.scores, self.pairs, self._comments, origin=origin, notes=notes, ranges=ranges)

    def flags_of(self, state: ScreenState, step: Step) -> int:
        """Whether a value was given with only the translation in view, or changed later."""
        if step.event.field != self._first or not (self._hidden or state.revealed):
            return 0
        return _CHANGED if step.after_reveal else _NOT_SEEN

    def _remark(self, about: About, state: ScreenState, reason: str) -> None:
        systems = tuple(dict.fromkeys(system for unit in about.outputs for system in unit))
        text = str(state.value(COMMENT) or "").strip()
        for said, skipped in ((reason, True), (text, False)):
            if said:
                self._comments.append(
                    Comment(about.rater, about.segment, said, systems, skipped, state.began, about.campaign)
                )
