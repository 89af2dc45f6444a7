"""Joins metrics and people to the window: commands, copies and files, and the way from a number to its segments."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from qe_desktop.levels.drawings import Goal, ToPair, ToSystem
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.texts import system_key
from qe_desktop.outgoing import within
from qe_desktop.report.forms import form_named
from qe_desktop.studies.figures import FIGURES
from qe_desktop.studies.rank_gaps import RankGap, rank_gap
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.built_stack import Parts
from qe_desktop.ui.scores.page_desk import Around, Handlers, Out, PageDesk
from qe_desktop.ui.scores.people import commands as names
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.values import Beside, Target
from qe_desktop.wording import tr


class PeopleDesk(PageDesk):
    """Builds the page, and leads from its numbers to segments."""

    copies, saves = names.COPIES, names.SAVES

    def __init__(self, around: Around) -> None:
        super().__init__(names.PAGE, around, tr("Writing metrics and people"), "metrics-and-people")
        self.keeper = PeopleKeeper(around.comparison)
        self.keeper.setParent(self)
        self.keeper.changed.connect(self.refresh)

    def parts(self) -> Parts:
        """What stands below the table first, and then the page."""
        from qe_desktop.ui.scores.people.page import PeoplePage
        from qe_desktop.ui.scores.people.views import PeopleViews

        yield 0
        views = PeopleViews(self.keeper, self._pages)
        yield 0
        page = PeoplePage(self.keeper, views, self._pages)
        page.match_wanted.connect(self.around.match_wanted)
        views.currentChanged.connect(self.refresh)
        views.goal_wanted.connect(self._go)
        views.system_wanted.connect(self._show_target)
        yield 0
        return page

    @property
    def shown(self) -> PeopleKeeper:
        """Who keeps the study."""
        return self.keeper

    # --- commands

    def handlers(self) -> Handlers:
        """What the commands do, by their ids."""
        keeper = self.keeper
        return {
            names.SYSTEMS_ONLY: keeper.compare_alone,
            names.METRICS: self.on_page(lambda page: page.bar.metrics.open()),
            names.RATINGS: self.on_page(lambda page: page.bar.ratings.setFocus()),
            names.ROUNDS: self.on_page(lambda page: page.bar.rounds.setFocus()),
            names.SEED: self.on_page(lambda page: page.bar.seed.setFocus()),
            names.AGAIN: keeper.run_anew,
            **{f"{names.FIGURE}{one.name}": partial(keeper.set_figure, one.name) for one in FIGURES},
            **{f"{names.VIEW}{name}": self.on_views(name) for name in names.VIEWS},
            **{f"{names.MEANS}{name}": partial(self._wish, by=name) for name in names.BY},
            **{f"{names.ORIENTATION}{name}": partial(self._wish, orientation=name) for name in names.ORIENTATIONS},
            **{f"{names.SIDES}{name}": partial(self._wish, sides=name) for name in names.SIDED},
            **{f"{names.SEGMENTS}{name}": partial(self._wish, segments=name) for name in names.STUDIED},
        }

    def _wish(self, **others: str) -> None:
        self.keeper.set_wish(replace(self.keeper.wish, **others))  # type: ignore[arg-type]  # names of the commands

    def offer(self, commands: ActionTable) -> None:
        """There is something to copy, and to choose of, while there is a study; what is chosen is checked."""
        keeper, page = self.keeper, self.built
        there, wish = keeper.found is not None, keeper.wish
        for name in (names.ROUNDS, names.SEED, names.METRICS):
            commands[name].setEnabled(there)
        commands[names.RATINGS].setEnabled(keeper.found is not None and len(keeper.found.choices) > 1)
        known = keeper.state != "empty"
        commands[names.AGAIN].setEnabled(known)
        commands[names.SYSTEMS_ONLY].setEnabled(known)
        commands[names.SYSTEMS_ONLY].setChecked(wish.systems_only)
        view = next(iter(names.VIEWS)) if page is None else page.views.shown
        chosen = {
            names.FIGURE: keeper.figure.name, names.VIEW: view, names.MEANS: wish.by,
            names.ORIENTATION: wish.orientation, names.SIDES: wish.sides,
            names.SEGMENTS: wish.segments,
        }  # fmt: skip
        offered = {
            names.FIGURE: [one.name for one in FIGURES], names.VIEW: names.VIEWS, names.MEANS: names.BY,
            names.ORIENTATION: names.ORIENTATIONS, names.SIDES: names.SIDED,
            names.SEGMENTS: names.STUDIED,
        }  # fmt: skip
        for prefix, ends in offered.items():
            for end in ends:
                commands[f"{prefix}{end}"].setEnabled(known)
                commands[f"{prefix}{end}"].setChecked(end == chosen[prefix])

    # --- from a number to its segments

    def _go(self, goal: Goal) -> None:
        found = self.keeper.found
        if found is None:
            return
        if isinstance(goal, ToSystem):
            self.show_system(found, goal.place, self.keeper.metric)
        elif isinstance(goal, ToPair):
            self._show_pair(found, goal)

    def _show_target(self, target: Target) -> None:
        found = self.keeper.found
        if found is not None and target.system is not None:
            self.show_system(found, target.system, target.metric)

    def show_system(self, found: Beside, system: int, metric: str) -> None:
        """Show a system's segments, those first that the metric and people rank most otherwise."""
        asked = found.asked

        def work(progress: Progress) -> RankGap:
            return rank_gap(asked, system, metric)

        workspace = self.workspace
        workspace.jobs.submit(
            tr("Ranks"), work, workspace.ranks_wanted.emit, workspace.failed.emit, latest="people-ranks", owner=self,
            computing=True,
        )  # fmt: skip

    def _show_pair(self, found: Beside, pair: ToPair) -> None:
        """Show what makes two systems differ by the metric, where they have translations."""
        level = TRANSLATIONS.tokenized(found.wish.tokenization).of_view(found.view)
        reference = level.reference(found.view, found.wish.reference)
        metric = self.keeper.metric
        if reference is None or metric not in level.metrics:
            self.around.told.emit(tr("Without translations and references there is nothing to show of a pair."))
            return
        systems = found.study.systems
        between = system_key(systems[pair.one]), system_key(systems[pair.other])
        self.workspace.segments_wanted.emit(*between, metric, level, reference)

    # --- out

    def out(self) -> Out | None:
        """The study with the curves that were looked at."""
        found = self.keeper.found
        if found is None:
            return None
        report, of = found.report(), found.view.corpus.name
        title = tr("Save metrics and people of {name}", name=within(of))
        return Out(lambda form: form_named(form).text(report), of, title)
