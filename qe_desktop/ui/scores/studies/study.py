"""What a study of the window is: a class for each, which `registry` lists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from qe_desktop.levels import Scoring
from qe_desktop.levels.drawings import Panels
from qe_desktop.report.forms import Report
from qe_desktop.significance import Options
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.scores.studies.values import Asked, Found, Target, Titled, Wish
from qe_desktop.wording import tr

Write = Callable[[float], str]


class Study(ABC):
    """One way to ask how metrics behave. All of it is pure: it takes values and gives values.

    `name` is that of the command line; `choices` are fields of a `Wish`, and `options` those of the area's `Options`
    that the study takes; `judging` are those of them under which nothing has to be counted again.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    choices: ClassVar[tuple[str, ...]] = ("metrics",)
    options: ClassVar[tuple[str, ...]] = ("seed",)
    judging: ClassVar[tuple[str, ...]] = ()

    def asks(self, wish: Wish, options: Options) -> tuple[object, ...]:
        """What a person chose that the study depends on, but for what it is only judged by."""
        taken = [getattr(options, name) for name in self.options if name not in self.judging]
        return (*(getattr(wish, name) for name in self.choices), *taken)

    def judges(self, options: Options) -> tuple[object, ...]:
        """What it is judged by."""
        return tuple(getattr(options, name) for name in self.judging)

    def missing(self, scoring: Scoring) -> Situation | None:
        """Why it cannot be made of what is open, and what helps; None where it can."""
        kept = scoring.level.kept(scoring)
        if kept is not None and not kept.all():
            return Situation(
                tr("Not every segment was reviewed"),
                tr(
                    "Studies take the gold as a whole. Confirm the rest ({n:,} {n:segment|segments}), or open a file "
                    "with gold tags.",
                    "",
                    int((~kept).sum()),
                ),
            )
        if not 0 < scoring.view.tags(scoring.reference).bad_share() < 1:
            return Situation(
                tr("The gold holds one tag only"),
                tr("Without words that are BAD and others that are OK no metric can tell anything apart."),
            )
        return None

    @abstractmethod
    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """The arrays that it depends on: where all are as they were, its numbers are."""

    @abstractmethod
    def automatic(self, scoring: Scoring, wish: Wish) -> bool:
        """Whether it takes so little time that it is made without being asked for."""

    @abstractmethod
    def make(self, asked: Asked, progress: Progress) -> Report:
        """Make it; on any thread."""

    def judged(self, found: Found, options: Options) -> Report:
        """The same under another correction, alpha or split."""
        return found.report

    @abstractmethod
    def sheets(self, found: Found, decimals: int, late: bool) -> Sequence[Titled]:
        """Its tables, the paper's first; `late` numbers are no longer those that were asked for."""

    @abstractmethod
    def panels(self, found: Found, target: Target, number: Write) -> Panels:
        """Its picture, of what is looked at."""

    def warning(self, found: Found) -> str:
        """What a reader must know before any number; empty where there is nothing."""
        return ""


def place_of(name: str, names: Sequence[str]) -> int:
    """The place of a name, or of the first where it is not there."""
    return names.index(name) if name in names else 0
