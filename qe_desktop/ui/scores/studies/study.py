"""Base class of studies, with their options, requests and results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Level, Scoring
from qe_desktop.levels.chart_model import Panels
from qe_desktop.metrics import Metric, get_metrics
from qe_desktop.report.render.output_formats import Report
from qe_desktop.significance import SignificanceOptions
from qe_desktop.studies.charts.metric_side import NumberFormatter
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.widgets.placeholder_page import EmptyState
from qe_desktop.ui.widgets.tables.table_model import TableData


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """Options of a study; each study uses some of them.

    `metrics` is empty for the default metrics of the level. `draws` is the number of draws of each random baseline, and
    `intervals` states whether intervals are bootstrapped. `mode` is "fast" (analytic) or "full" (simulation). `errors`
    (error rates in percent) and `sizes` (numbers of data sets per error rate) are texts as typed by the user; an empty
    text stands for the values in Logacheva et al. 2016.
    """

    metrics: tuple[str, ...] = ()
    draws: int = 1
    intervals: bool = False
    repetitions: int = 1_000
    mode: str = "fast"
    errors: str = ""
    sizes: str = ""

    def metrics_of(self, level: Level) -> list[str]:
        """Return the names of the selected metrics that a level has; if it has none of them, its default metrics."""
        return [name for name in self.metrics if name in level.metrics] or list(level.tested_metrics)


@dataclass(frozen=True, slots=True, eq=False)
class StudyRequest:
    """Inputs of a study: a snapshot of the scoring, and the options."""

    scoring: Scoring
    study_options: StudyOptions
    options: SignificanceOptions

    @property
    def metrics(self) -> list[Metric]:
        """Selected metrics that the level has; if it has none of them, its default metrics."""
        level = self.scoring.level
        return get_metrics(self.study_options.metrics_of(level), level.metrics, level.items)


@dataclass(frozen=True, slots=True, eq=False)
class StudyResult:
    """Result of a study; `report` is the report that the command line would write."""

    request: StudyRequest
    report: Report

    @property
    def study(self) -> Any:
        """Values of the study; their type depends on the study."""
        return self.report.study  # type: ignore[attr-defined]  # reports of studies have one


@dataclass(frozen=True, slots=True)
class StudyTarget:
    """Names of the metric, system and baseline that a table cell refers to, each empty if there is none."""

    metric: str = ""
    system: str = ""
    labelling: str = ""


def activation_text(target: StudyTarget | None) -> str:
    """Return the text of the menu action that does the same as Enter on a table cell with this target."""
    return tr("&Add or remove the baseline") if target is not None and target.labelling else tr("&Show more")


@dataclass(frozen=True, slots=True, eq=False)
class TitledTable:
    """Table and the title of its tab; `make` builds the table when the tab is shown."""

    title: str
    make: Callable[[], TableData[StudyTarget]]


class Study(ABC):
    """Base class of studies of metrics; methods have no side effects.

    `name` is the name on the command line. The study uses the fields of `StudyOptions` listed in `choices`, and the
    fields of `SignificanceOptions` listed in `options`. `judging` lists the fields of `options`, such as
    alpha, that can be changed without a new computation.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    hint: ClassVar[str] = tr("Select a value for details; press Enter to show more.")
    choices: ClassVar[tuple[str, ...]] = ("metrics",)
    options: ClassVar[tuple[str, ...]] = ("seed",)
    judging: ClassVar[tuple[str, ...]] = ()

    def summary_parts(self, study_options: StudyOptions) -> Sequence[str]:
        """Return parts of the options button's text: the test and its mode; empty for the text of the Systems page."""
        return ()

    def computation_options(self, study_options: StudyOptions, options: SignificanceOptions) -> tuple[object, ...]:
        """Return the values of the options whose change requires a new computation."""
        values = [getattr(options, name) for name in self.options if name not in self.judging]
        return (*(getattr(study_options, name) for name in self.choices), *values)

    def judgement_options(self, options: SignificanceOptions) -> tuple[object, ...]:
        """Return the values of the options, such as alpha, that affect only which computed results are significant."""
        return tuple(getattr(options, name) for name in self.judging)

    def unavailable_state(self, scoring: Scoring) -> EmptyState | None:
        """Return the empty state if the study cannot run on the data of `scoring`; None if it can."""
        reviewed = scoring.level.scored_segments(scoring)
        if reviewed is not None and not reviewed.all():
            return EmptyState(
                tr("Not every segment has been reviewed"),
                tr(
                    "Studies need the complete gold. Confirm the remaining {n:,} {n:segment|segments}, or open "
                    "a file with gold tags.",
                    "",
                    int((~reviewed).sum()),
                ),
            )
        if not 0 < scoring.view.tags(scoring.reference).bad_share() < 1:
            return EmptyState(tr("All gold tags are the same"), tr("Metrics need both BAD and OK tags in the gold."))
        return None

    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """Return the arrays that the result depends on: the tags of the gold and of all systems."""
        return [scoring.view.tags(key).values for key in (scoring.reference, *scoring.subjects)]

    @abstractmethod
    def is_automatic(self, scoring: Scoring, options: StudyOptions) -> bool:
        """Return whether the study is fast enough to run automatically."""

    @abstractmethod
    def run(self, request: StudyRequest, progress: Progress) -> Report:
        """Run the study and return its report; may be called on any thread.

        Raises QeError for invalid options or data.
        """

    def rejudge(self, result: StudyResult, options: SignificanceOptions) -> Report:
        """Return the report for another correction, alpha or top–bottom split; by default, the unchanged report."""
        return result.report

    @abstractmethod
    def tables(self, result: StudyResult, decimals: int, is_outdated: bool) -> Sequence[TitledTable]:
        """Return the tables, the main one first; `is_outdated` states whether the values are outdated."""

    @abstractmethod
    def panels(self, result: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Return the charts for the metric, system and baseline in `target`."""

    def warning(self, result: StudyResult) -> str:
        """Return the warning shown above the values; empty if there is none."""
        return ""


def find_index(name: str, names: Sequence[str]) -> int:
    """Return the index of `name` in `names`, or 0 if it is missing."""
    return names.index(name) if name in names else 0
