"""Conversion of screen states to ratings of systems."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.answers.answer_type import AnswerType, RatingContext
from qe_desktop.answers.event_history import COMMENT, RANKS, SKIP, JudgementStep, ScreenState
from qe_desktop.answers.ranking import RankingAnswer
from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.corpus import Comment, ItemRole, PairwiseJudgement, RatingFlag, Ratings, Score

_ANSWER_TYPES: dict[str, type[AnswerType]] = {RANKS: RankingAnswer}


def answer_type_for(field: str) -> type[AnswerType]:
    """Return the answer type for events of a field: `RankingAnswer` for `RANKS`, otherwise `ScaleAnswer`.

    The protocol need not be known.
    """
    return _ANSWER_TYPES.get(field, ScaleAnswer)


_CHANGED_AFTER_REVEAL, _SOURCE_NOT_SEEN = int(RatingFlag.CHANGED_AFTER_REVEAL), int(RatingFlag.SOURCE_NOT_SEEN)


class RatingRows:
    """Collector of ratings from screens.

    A skipped screen has no ratings. On other screens, the value on a scale is collected even if another scale has not
    been rated; a ranking is collected only if it is complete. Each rating contains the total active time of its screen.
    In a pair with a degraded output, the degraded output is second. Except on training screens, such a pair has the
    role BAD, and the other pairs of its screen have the role REPEAT. `first` is the scale to be rated while only the
    translation is visible. `hidden` states whether the source and reference are known to be hidden at first on all
    screens. If so, all ratings on `first` are flagged; otherwise, only those on screens with a reveal.
    """

    def __init__(self, first: str = "", *, hidden: bool = False) -> None:
        self.unfinished = 0
        """Number of partial rankings, which were not collected."""
        self._first = first
        self._hidden = hidden
        self.scores: list[Score] = []
        self.pairs: list[PairwiseJudgement] = []
        self._comments: list[Comment] = []

    def add_screen(self, context: RatingContext, state: ScreenState) -> None:
        """Add the answers and comments of one rater on one screen.

        If the screen was skipped, only its comments are added, one of which is the reason for the skip. Comments on
        training screens are not added.
        """
        reason = state.skip_reason
        if (reason or state.comments) and context.role is not ItemRole.TRAINING:
            self._add_comments(context, state, reason)
        if reason:
            return
        for name, step in {step.event.field: step for step in state.steps}.items():
            if name != SKIP:
                answer_type_for(name).add_rows(self, context, state, step)

    def ratings(
        self, *, origin: str, notes: Sequence[str] = (), ranges: Sequence[tuple[str, float, float]] = ()
    ) -> Ratings:
        """Return all collected ratings."""
        return Ratings.of(self.scores, self.pairs, self._comments, origin=origin, notes=notes, ranges=ranges)

    def flags_of(self, state: ScreenState, step: JudgementStep) -> int:
        """Return the `RatingFlag` of a judgement; 0 if it has none.

        Only judgements on the scale that is rated while only the translation is visible have a flag. It states whether
        the judgement was made before or after the source or reference was revealed.
        """
        if step.event.field != self._first or not (self._hidden or state.revealed):
            return 0
        return _CHANGED_AFTER_REVEAL if step.after_reveal else _SOURCE_NOT_SEEN

    def _add_comments(self, context: RatingContext, state: ScreenState, reason: str) -> None:
        systems = tuple(dict.fromkeys(system for output in context.outputs for system in output))
        text = str(state.value(COMMENT) or "").strip()
        for comment, field in ((reason, SKIP), (text, COMMENT)):
            step = state.step(field)
            if comment and step is not None:
                # the screen may have been displayed long before
                written_at = step.event.at
                self._comments.append(
                    Comment(
                        context.rater, context.segment, comment, systems, field == SKIP, written_at, context.campaign
                    )
                )
