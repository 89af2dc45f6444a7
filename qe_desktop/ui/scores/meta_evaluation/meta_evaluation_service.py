"""Keeps the study of metrics and people up to date beside the window: made in a job; the last one stays meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qe_desktop.corpus import Corpus
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.project import Change, Session
from qe_desktop.studies.figures import Figure, figure_named, order_by
from qe_desktop.studies.open_inputs import has_metrics
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.latest import Latest
from qe_desktop.ui.scores.people.making import Opened, made, studied_anew
from qe_desktop.ui.scores.people.values import Beside, Wish
from qe_desktop.wording import tr

AUTOMATIC = 50_000
"""Up to so many translations (systems × segments) a study begins by itself; beyond, a person begins it."""


class PeopleKeeper(Latest[Beside]):
    """Seed, correction and alpha are those of the Scores area. `figure` is what metrics are ordered by, `metric` the
    one that is looked at.
    """

    def __init__(self, comparison: ComparisonKeeper) -> None:
        super().__init__(comparison)
        settings = self.workspace.settings
        self.wish = Wish(seed=comparison.options.seed, rounds=settings.study_rounds)
        self.figure: Figure = figure_named("")
        self._metric = ""
        self._judged = self._judging()
        self._session: Session | None = None
        self._scored: list[object] = []
        comparison.changed.connect(self._on_compared)
        self.workspace.opened.connect(self._on_opened)
        self.workspace.changed.connect(self._on_change)
        self.workspace.level_changed.connect(self._on_reference)
        self.workspace.reference_changed.connect(self._on_reference)
        self._on_opened()

    # --- what a person chooses

    @property
    def metric(self) -> str:
        """The metric that is looked at: the one chosen last, else the best."""
        if self.found is None or self._metric in self.found.metrics:
            return self._metric
        return self.found.metrics[order_by(self.found.study, self.figure)[0]]

    def set_metric(self, name: str) -> None:
        """Look at another metric."""
        if name != self.metric:
            self._metric = name
            self.changed.emit()

    def set_figure(self, name: str) -> None:
        """Order metrics, and judge which is better, by another figure."""
        self.figure = figure_named(name)
        self.changed.emit()

    def set_wish(self, wish: Wish) -> None:
        """Study otherwise; the seed is that of the area."""
        if wish == self.wish:
            return
        self.workspace.settings.study_rounds = wish.rounds
        self.wish = wish
        if wish.seed != self.comparison.options.seed:
            # the area hears of it, and tells back
            self.comparison.set_options(replace(self.comparison.options, seed=wish.seed))
        self._want()
        self.changed.emit()

    def compare_alone(self) -> None:
        """Compare systems alone, without segments; once more, with them."""
        self.set_wish(replace(self.wish, systems_only=not self.wish.systems_only))

    # --- what changes

    def _judging(self) -> tuple[object, ...]:
        return self.options.correction, self.options.alpha

    def _on_compared(self) -> None:
        if self.options.seed != self.wish.seed:
            self.wish = replace(self.wish, seed=self.options.seed)
            self._want()
        elif self._judging() == self._judged:
            return
        self._judged = self._judging()
        self.changed.emit()

    def _on_opened(self) -> None:
        """What is open is another one: nothing that was chosen of the last one holds."""
        self._session = self.workspace.session
        self.found, self.error = None, None
        plain = replace(self.wish, ratings=None, metrics=(), systems_only=False)
        self.wish = replace(plain, reference=self._reference(), tokenization=self.workspace.tokenization)
        self._on_scores()

    def _on_change(self, change: Change) -> None:
        if not _same(_scored_in(self.workspace.corpus), self._scored):
            self._on_scores()

    def _on_reference(self) -> None:
        asked = replace(self.wish, reference=self._reference(), tokenization=self.workspace.tokenization)
        if self.workspace.level.name == TRANSLATIONS.name and asked != self.wish:
            self.wish = asked
            self._want()
            self.changed.emit()

    def _reference(self) -> Any:
        return self.workspace.reference if self.workspace.level.name == TRANSLATIONS.name else None

    def _on_scores(self) -> None:
        """Translations, references, scores or ratings are other ones."""
        corpus = self.workspace.corpus
        self._scored = _scored_in(corpus)
        self._cancel_quietly()
        possible = corpus is not None and has_metrics(corpus) and self._rated(corpus)
        self.state = "waiting" if possible else "empty"
        if not possible:
            self.found = None
        self._want()
        self.changed.emit()

    def _rated(self, corpus: Corpus) -> bool:
        """Whether there may be ratings; only a look into a project says whether there are."""
        return corpus.ratings is not None or self._project() is not None

    def _project(self) -> Any:
        """The project, for those who may read its ratings."""
        project = self.workspace.project
        return project if project is not None and project.role == "owner" else None

    def _look(self) -> None:
        """Make what is due, if somebody looks and it does not take long."""
        if not (self._watched and self._due) or self.state == "empty":
            return
        if self.found is not None or self.is_small():
            self.run()
        elif self.state != "working":
            self.state = "waiting"
            self.changed.emit()

    def is_small(self) -> bool:
        """Whether what is open is studied without being asked to."""
        corpus = self.workspace.corpus
        return corpus is None or corpus.size * (len(corpus.translations) + 1) <= AUTOMATIC

    # --- making it

    def run(self) -> None:
        """Make it now, however large. Under other options alone nothing is counted again."""
        view = self.workspace.view
        if view is None or self.state == "empty":
            return
        opened, wish, before = Opened(view, self._project()), self.wish, self.found
        again = before is not None and self._due and before.wish.same_inputs(wish)
        again = again and before is not None and _same(_scored_in(before.view.corpus), self._scored)

        def work(progress: Progress) -> Beside:
            if again and before is not None:
                return studied_anew(before, wish, progress)
            return made(opened, wish, progress)

        self._due = False
        self._begin(tr("Metrics and people"), "metrics-and-people", work, self._take)

    def run_anew(self) -> None:
        """Read the ratings and count again, whatever was found before: others may have rated meanwhile."""
        self._due = False
        self.run()

    def keep(self, found: Beside) -> None:
        """Keep what was computed for a study since, such as its curves."""
        if self.found is not None and found.study is self.found.study:
            self.found = found
            self.changed.emit()


def _scored_in(corpus: Corpus | None) -> list[object]:
    """What a study depends on; edits of tags are nothing to it."""
    if corpus is None:
        return []
    parts = (corpus.translations, corpus.references, corpus.metric_scores, corpus.texts)
    return [*(column for part in parts for column in part.values()), corpus.ratings, corpus.rated]


def _same(one: list[object], other: list[object]) -> bool:
    """Whether these are the same columns."""
    return len(one) == len(other) and all(here is there for here, there in zip(one, other, strict=True))
