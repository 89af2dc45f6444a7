"""What the page of metrics and people holds: a study with what it was made of, and how it was asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from qe_desktop.corpus import LayerKey, View
from qe_desktop.metrics.tokenization import BY_LANGUAGE, Tokenization
from qe_desktop.report.humans import HumansReport
from qe_desktop.studies.beside_people import Options, Segments
from qe_desktop.studies.curves import Curve
from qe_desktop.studies.humans import HumansStudy
from qe_desktop.studies.open_inputs import Chosen
from qe_desktop.studies.people_files import By
from qe_desktop.studies.perm_both import Sides
from qe_desktop.studies.set_beside import Asked
from qe_desktop.studies.system_level import Orientation

CURVES = ("recall", "references")
"""The names of curves, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person chose. `ratings` is the uid of a campaign, None for the usual ones; `metrics`: none for the usual
    ones.
    """

    seed: int = 1
    rounds: int = 1_000
    orientation: Orientation = "ahead"
    sides: Sides = "two"
    segments: Segments = "common"
    by: By = "compared"
    ratings: str | None = None
    metrics: tuple[str, ...] = ()
    systems_only: bool = False
    reference: LayerKey | None = None
    tokenization: Tokenization = BY_LANGUAGE

    @property
    def options(self) -> Options:
        """Those of the study: intervals are drawn in as many rounds as tests."""
        return Options(self.seed, self.rounds, self.rounds, self.orientation, self.sides, self.segments)

    def chosen(self) -> Chosen:
        """What is set beside what."""
        return Chosen(self.metrics, self.by, self.reference, self.systems_only, self.tokenization)

    def same_inputs(self, other: Wish) -> bool:
        """Whether the same scores are studied, with other options at the most."""
        options = {name: getattr(other, name) for name in ("seed", "rounds", "orientation", "sides", "segments")}
        return replace(self, **options) == other


@dataclass(frozen=True, slots=True)
class RatingsChoice:
    """Ratings that can be chosen: `hidden` says that systems still go by letters in them."""

    uid: str
    title: str
    hidden: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """A study of a `view`, what it was made of, and for which `wish`.

    `choices` are the ratings that could be chosen, `rated` is the uid of those that were. `curves` are those that
    somebody looked at, by their names.
    """

    view: View
    wish: Wish
    asked: Asked
    study: HumansStudy
    rated: str = ""
    choices: tuple[RatingsChoice, ...] = ()
    curves: dict[str, tuple[Curve, ...]] = field(default_factory=dict)

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, in the order of the study."""
        return [one.metric.name for one in self.study.agreements]

    def report(self) -> HumansReport:
        """All of it, as the command line writes it; curves that were looked at as well."""
        curves = tuple(curve for name in CURVES for curve in self.curves.get(name, ()))
        return HumansReport(self.study, self.asked.notes, self.asked.signature, curves)

    def with_curves(self, name: str, curves: tuple[Curve, ...]) -> Beside:
        """With curves that were computed since."""
        return replace(self, curves={**self.curves, name: curves})


@dataclass(frozen=True, slots=True)
class Target:
    """Whose figure stands in a cell; in the table of systems, whose score, by the system's place in the study."""

    metric: str
    figure: str = ""
    system: int | None = None
