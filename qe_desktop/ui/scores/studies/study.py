"""Base class of the metric checks, which `registry` lists."""

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
    """Options of a study; each study uses some of them.

    `metrics`: empty for the default. `draws`: number of draws of random labellings. `intervals`: whether to bootstrap
    score intervals. `errors` and `sizes`: as typed, empty for those of the paper.
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
    """Inputs of a study: a snapshot of the scoring, and the options."""

    scoring: Scoring
    wish: StudyOptions
    options: SignificanceOptions

    @property
    def metrics(self) -> list[Metric]:
        """Selected metrics that the level has, else the default."""
        level = self.scoring.level
        named = [name for name in self.wish.metrics if name in level.metrics]
        return get_metrics(named or level.tested, level.metrics, level.items)


@dataclass(frozen=True, slots=True, eq=False)
class StudyResult:
    """Result of a study; `report` is the same as on the command line."""

    asked: StudyRequest
    report: Report

    @property
    def study(self) -> Any:
        """Values, in a type of the study's own."""
        return self.report.study  # type: ignore[attr-defined]  # reports of studies have one


@dataclass(frozen=True, slots=True)
class StudyTarget:
    """Target of a cell: names of a metric, system and labelling."""

    metric: str = ""
    system: str = ""
    labelling: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class TitledTable:
    """Table with the title of its tab; `make` builds it when shown."""

    title: str
    make: Callable[[], TableData[StudyTarget]]


NumberFormatter = Callable[[float], str]


class Study(ABC):
    """A check of metric behaviour. All methods are pure.

    `name`: name on the command line. `choices`: fields of `StudyOptions` it uses. `options`: fields of
    `SignificanceOptions` it uses. `judging`: those of them that need no new computation.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    choices: ClassVar[tuple[str, ...]] = ("metrics",)
    options: ClassVar[tuple[str, ...]] = ("seed",)
    judging: ClassVar[tuple[str, ...]] = ()

    def asks(self, wish: StudyOptions, options: SignificanceOptions) -> tuple[object, ...]:
        """Options that the result depends on, without those that only rejudge it."""
        taken = [getattr(options, name) for name in self.options if name not in self.judging]
        return (*(getattr(wish, name) for name in self.choices), *taken)

    def judges(self, options: SignificanceOptions) -> tuple[object, ...]:
        """Options that rejudge the result."""
        return tuple(getattr(options, name) for name in self.judging)

    def missing(self, scoring: Scoring) -> EmptyState | None:
        """Empty state if the study cannot run on this data; None if it can."""
        reviewed = scoring.level.kept(scoring)
        if reviewed is not None and not reviewed.all():
            return EmptyState(
                tr("Not every segment has been reviewed"),
                tr(
                    "Metric checks need the complete gold. Confirm the remaining {n:,} {n:segment|segments}, or open "
                    "a file with gold tags.",
                    "",
                    int((~reviewed).sum()),
                ),
            )
        if not 0 < scoring.view.tags(scoring.reference).bad_share() < 1:
            return EmptyState(
                tr("The gold has only one tag"),
                tr("Metrics need both BAD and OK words."),
            )
        return None

    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """Arrays that the result depends on: the tags of the gold and of all systems."""
        return [scoring.view.tags(key).values for key in (scoring.reference, *scoring.subjects)]

    @abstractmethod
    def automatic(self, scoring: Scoring, wish: StudyOptions) -> bool:
        """Whether it is fast enough to run automatically."""

    @abstractmethod
    def make(self, asked: StudyRequest, progress: Progress) -> Report:
        """Run the study; on any thread."""

    def judged(self, result: StudyResult, options: SignificanceOptions) -> Report:
        """Result under another correction, alpha or split."""
        return result.report

    @abstractmethod
    def sheets(self, result: StudyResult, decimals: int, late: bool) -> Sequence[TitledTable]:
        """Tables, the paper's first; `late`: the values are outdated."""

    @abstractmethod
    def panels(self, result: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Chart of the target."""

    def warning(self, result: StudyResult) -> str:
        """Warning shown above the values; empty if none."""
        return ""


def find_index(name: str, names: Sequence[str]) -> int:
    """Index of a name, or 0 if it is missing."""
    return names.index(name) if name in names else 0
