"""What a study of the window is: a class for each, which `registry` lists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.levels.chart_model import Panels
from qe_desktop.metrics import Metric, get_metrics
from qe_desktop.report.render.output_formats import Report
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.widgets.placeholder_page import EmptyState
from qe_desktop.ui.widgets.tables.table_model import TableData


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """What a person chose for one study; each study takes what it has a use for.

    `metrics`: none for the usual ones. `draws` is how often labellings that are drawn are drawn, `intervals` whether
    segments are drawn for the intervals of scores. `errors` and `sizes` are those of repeated sampling as they were
    typed, empty for those of the paper.
    """

    metrics: tuple[str, ...] = ()
    draws: int = 1
    intervals: bool = False
    repetitions: int = 1_000
    mode: str = "fast"
    errors: str = ""
    sizes: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class StudyRequest:
    """What is studied, as it was at one moment, and how."""

    scoring: Scoring
    wish: StudyOptions
    options: SignificanceOptions

    @property
    def metrics(self) -> list[Metric]:
        """The metrics that were chosen and that the level has; the usual ones where there are none of these."""
        level = self.scoring.level
        named = [name for name in self.wish.metrics if name in level.metrics]
        return get_metrics(named or level.tested, level.metrics, level.items)


@dataclass(frozen=True, slots=True, eq=False)
class StudyResult:
    """What a study found: the same report as the command line writes, whose `study` holds the numbers."""

    asked: StudyRequest
    report: Report

    @property
    def study(self) -> Any:
        """The numbers, of a type of the study's own."""
        return self.report.study  # type: ignore[attr-defined]  # reports of studies have one


@dataclass(frozen=True, slots=True)
class StudyTarget:
    """What a cell is about, by its names: a metric, a system, a labelling."""

    metric: str = ""
    system: str = ""
    labelling: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class TitledTable:
    """A table by what it is called on its tab; `make` makes it, when somebody looks."""

    title: str
    make: Callable[[], TableData[StudyTarget]]


NumberFormatter = Callable[[float], str]


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

    def asks(self, wish: StudyOptions, options: SignificanceOptions) -> tuple[object, ...]:
        """What a person chose that the study depends on, but for what it is only judged by."""
        taken = [getattr(options, name) for name in self.options if name not in self.judging]
        return (*(getattr(wish, name) for name in self.choices), *taken)

    def judges(self, options: SignificanceOptions) -> tuple[object, ...]:
        """What it is judged by."""
        return tuple(getattr(options, name) for name in self.judging)

    def missing(self, scoring: Scoring) -> EmptyState | None:
        """Why it cannot be made of what is open, and what helps; None where it can."""
        kept = scoring.level.kept(scoring)
        if kept is not None and not kept.all():
            return EmptyState(
                tr("Not every segment has been reviewed"),
                tr(
                    "Metric checks need the complete gold. Confirm the remaining {n:,} {n:segment|segments}, or open "
                    "a file with gold tags.",
                    "",
                    int((~kept).sum()),
                ),
            )
        if not 0 < scoring.view.tags(scoring.reference).bad_share() < 1:
            return EmptyState(
                tr("The gold has only one tag"),
                tr("Metrics need both BAD and OK words."),
            )
        return None

    @abstractmethod
    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """The arrays that it depends on: where all are as they were, its numbers are."""

    @abstractmethod
    def automatic(self, scoring: Scoring, wish: StudyOptions) -> bool:
        """Whether it takes so little time that it is made without being asked for."""

    @abstractmethod
    def make(self, asked: StudyRequest, progress: Progress) -> Report:
        """Make it; on any thread."""

    def judged(self, found: StudyResult, options: SignificanceOptions) -> Report:
        """The same under another correction, alpha or split."""
        return found.report

    @abstractmethod
    def sheets(self, found: StudyResult, decimals: int, late: bool) -> Sequence[TitledTable]:
        """Its tables, the paper's first; `late` numbers are no longer those that were asked for."""

    @abstractmethod
    def panels(self, found: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Its picture, of what is looked at."""

    def warning(self, found: StudyResult) -> str:
        """What a reader must know before any number; empty where there is nothing."""
        return ""


def find_index(name: str, names: Sequence[str]) -> int:
    """The place of a name, or of the first where it is not there."""
    return names.index(name) if name in names else 0
