"""What a level is: what is scored against what, by which metrics and tests, and how its items are called."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, QeError, View
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import Family, Metric
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.text.tokenization import Tokenization

if TYPE_CHECKING:
    # nothing is drawn before somebody looks
    from qe_desktop.levels.chart_model import Panels

OnProgress = Callable[[float], None]
"""Hears the share of the work that is done, 0..1, and may raise to stop."""
FamilyRowsMap = Mapping[str, NDArray[Any]]
"""By the name of a family: its rows, shape (subjects, segments, columns)."""
Families = Sequence[Family[Any]]
WILLIAMS_TESTS = ("williams-two-tailed", "williams")
"""The tests of correlations; the first is the usual one."""
MIN_SLOW_SEGMENTS = 100_000
"""From so many segments on, rows are kept in single precision; sums are not."""


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """What is open, and which layers of it are scored against which; a value, so any thread may ask it."""

    view: View
    reference: LayerKey
    subjects: tuple[LayerKey, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ChartRequest(Selection):
    """What a picture is made of: all subjects, of which the one in place `chosen` is looked at.

    `totals` are the sums of the rows, by family, shape (subjects, columns); `number` writes a score for people.
    """

    chosen: int
    totals: Mapping[str, Floats]
    number: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """A picture of scores: its name for programs, its title for people, what it shows, and what makes it.

    `make` gives panels, or in words why there is nothing to be seen; on any thread. `at_once`: it needs the sums alone,
    so that it follows every edit.
    """

    name: str
    title: str
    about: str
    make: Callable[[ChartRequest], Panels | str]
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class ScoringObstacle:
    """What stands in the way of scores, and what helps, in words."""

    title: str
    text: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Level(ABC):
    """A level, as a value. Everything above asks it and names none; subclasses say how its rows are counted.

    `group` joins levels that share metrics, columns and a command (`qe-desktop score GROUP`). `title` is what is scored
    (“words”), `items` what its rows are made of (“tags”); `heading` and `items_heading` are these at the beginning of a
    sentence (“Words”, “Tags”). `shown` are the metrics that have a column at first, `tested` those that are compared
    when none is named, `main` and `beside` the two that a narrow view shows. `tests` are the procedures that apply, the
    usual one first; `untested` says of others why they do not. `positive` says which class is the positive one, where
    there is one. `tags` is the kind of tags that are edited while this level is looked at. `pictures` are what else can
    be seen of the scores.
    """

    name: str
    group: str
    title: str
    heading: str
    items: str
    items_heading: str
    metrics: Mapping[str, Metric]
    shown: tuple[str, ...]
    tested: tuple[str, ...]
    main: str
    beside: str
    tests: tuple[str, ...]
    untested: Mapping[str, str]
    positive: str = ""
    tags: Kind | None = None
    pictures: tuple[ScoreChart, ...] = ()

    def of_view(self, view: View) -> Level:
        """This level as it is for what is open, which may bring metrics of its own; the same for the same corpus."""
        return self

    def tokenized(self, tokenization: Tokenization) -> Level:
        """This level with texts tokenized in another way; itself where it scores no texts, and for the same way."""
        return self

    @property
    def tokenization(self) -> Tokenization | None:
        """How a person chose to tokenize texts; None where no texts are scored, or the level leaves no choice."""
        return None

    @property
    def tokenizer(self) -> str:
        """The tokenizer by which texts are scored, as sacreBLEU calls it; empty where no texts are scored."""
        return ""

    @property
    def remarks(self) -> list[str]:
        """What a reader of the scores must know of how they are made here, as sentences."""
        return []

    # --- what there is

    @abstractmethod
    def references(self, view: View) -> list[LayerKey]:
        """What there is to score against, the usual one first."""

    @abstractmethod
    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """What can be scored against it."""

    def present(self, view: View) -> bool:
        """Whether there is anything of this level."""
        return bool(self.references(view))

    def possible(self, view: View) -> bool:
        """Whether a person could make something of this level on the texts that are open."""
        return False

    def reference(self, view: View, chosen: LayerKey | None = None) -> LayerKey | None:
        """The reference that a person chose, where it is there, else the usual one; None where there is none."""
        found = self.references(view)
        return chosen if chosen in found else next(iter(found), None)

    def kept(self, taken: Selection) -> NDArray[np.bool_] | None:
        """The segments that are scored, shape (segments,), where the reference leaves some out: their rows are zeros,
        and no test draws or swaps them. None where all are.
        """
        return None

    @abstractmethod
    def size(self, taken: Selection) -> int:
        """How many items each subject is scored on."""

    def usual_test(self, metrics: Sequence[Metric], unit: str) -> str:
        """The test that is made of these metrics where nobody chose one; `unit` is what is resampled."""
        return self.tests[0]

    def chosen_test(self, test: str | None, metrics: Sequence[Metric], unit: str) -> str:
        """The test that was named, or the usual one; QeError for one that is not for this level."""
        if test is None:
            return self.usual_test(metrics, unit)
        if test not in self.tests:
            message = self.untested.get(test) or tr("there is no test “{name}”", name=test)
            raise QeError(message, hint=tr("Choose from {names}.", names=", ".join(self.tests)))
        return test

    # --- counting

    @abstractmethod
    def rows(self, taken: Selection, families: Families, watch: OnProgress | None = None) -> FamilyRowsMap:
        """The rows of the families; `watch` may raise to stop."""

    def totals(self, taken: Selection, families: Families, watch: OnProgress | None = None) -> dict[str, Floats]:
        """The sums of the rows over all segments, by family, shape (subjects, columns)."""
        return {name: found.sum(axis=1, dtype=np.float64) for name, found in self.rows(taken, families, watch).items()}

    def rows_at(self, taken: Selection, families: Families, places: Sequence[tuple[View, int]]) -> FamilyRowsMap:
        """The rows of some segments alone, each as it is in a view of its own: one place beside the other."""
        views = list({id(view): view for view, _ in places}.values())
        rows = {id(view): self.rows(replace(taken, view=view), families) for view in views}
        return {
            family.name: np.stack([rows[id(view)][family.name][:, segment] for view, segment in places], axis=1)
            for family in families
        }

    def touched(self, scored: Collection[LayerKey], layer: LayerKey, segments: Sequence[int]) -> Sequence[int]:
        """Segments whose rows an edit of these segments of a layer moves; `scored` are the reference and subjects."""
        return segments if layer in scored else ()

    def is_moved(self, taken: Selection, layers: Collection[LayerKey]) -> bool:
        """Whether what was made of the text in some segments, with which these layers changed, moves rows of all."""
        return False

    @abstractmethod
    def identical(self, taken: Selection) -> NDArray[np.bool_]:
        """Which subjects gave the same output, shape (subjects, subjects)."""

    def gold(self, taken: Selection) -> bytes:
        """What is scored against, by which two corpora's golds are known to be the same."""
        layer = taken.view.corpus.layers.get(taken.reference)
        if layer is None or layer.key.kind is Kind.SCORES:
            scores = taken.reference.kind is Kind.SCORES
            return (taken.view.scores(taken.reference) if scores else taken.view.tags(taken.reference).values).tobytes()
        column = layer.column
        return (column if isinstance(column, np.ndarray) else column.values).tobytes()

    # --- in words

    def also_called(self, view: View) -> dict[str, list[str]]:
        """Of subjects that files of scores or ratings call otherwise, by name: what they are called there, in words."""
        return {}

    def against(self, reference: LayerKey) -> str:
        """What subjects are scored against, as sentences call it."""
        return reference.shown

    @abstractmethod
    def described(self, taken: Selection) -> str:
        """On how much the scores rest, as `1,000 segments, 16,000 tags`."""

    def summary(self, taken: Selection) -> str:
        """The same, and what else a reader of the scores has to know of the reference."""
        return self.described(taken)

    def headline(self, taken: Selection) -> str:
        """The same, after what is scored against what."""
        reference, summary = self.against(taken.reference), self.summary(taken)
        return tr("{items} against {reference}: {summary}", items=self.heading, reference=reference, summary=summary)

    def reported(self, taken: Selection) -> str:
        """The same as the title of a report, where nothing else names the reference."""
        return self.summary(taken)

    @abstractmethod
    def signature(self, taken: Selection) -> Mapping[str, str]:
        """What one must know of the level to get the same numbers again."""

    @abstractmethod
    def without_reference(self) -> ScoringObstacle:
        """What to do where nothing is there to score against."""

    @abstractmethod
    def without_subjects(self) -> ScoringObstacle:
        """What to do where there is nothing to score."""


def select_segments(rows: NDArray[Any], kept: NDArray[np.bool_] | None) -> NDArray[Any]:
    """Rows of the kept segments, shape (subjects, kept, columns), with zeros for the others between them."""
    if kept is None:
        return rows
    found = np.zeros((len(rows), len(kept), rows.shape[2]), rows.dtype)
    found[:, kept] = rows
    return found
