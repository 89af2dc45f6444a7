"""Joins metrics and people to the window: commands, copies and files, and the way from a number to its segments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from qe_desktop.levels.drawings import Goal, ToPair, ToSystem
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.texts import system_key
from qe_desktop.outgoing import within
from qe_desktop.report.forms import FILES, Suffix, form_named
from qe_desktop.studies.figures import FIGURES
from qe_desktop.studies.rank_gaps import RankGap, rank_gap
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.pages import Pages
from qe_desktop.ui.parts.written_files import Write, WrittenFiles
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.people import commands as names
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.page import PeoplePage
from qe_desktop.ui.scores.people.values import Beside, Target
from qe_desktop.wording import tr


class PeopleDesk(QObject):
    """Adds the page to the area's pages."""

    told = Signal(str)
    """What was copied or written."""

    def __init__(self, comparison: ComparisonKeeper, pages: Pages) -> None:
        super().__init__(pages)
        self._pages = pages
        self.workspace = comparison.workspace
        self.keeper = PeopleKeeper(comparison)
        self.keeper.setParent(self)
        self.page = PeoplePage(self.keeper, pages)
        # until it is in view
        self.page.hide()
        workspace = self.workspace
        self.files = WrittenFiles(
            workspace.jobs, workspace.settings, tr("Writing metrics and people"), "metrics-and-people", self
        )
        self.files.told.connect(self.told)
        self.files.failed.connect(workspace.failed)
        self._commands: ActionTable | None = None
        views = self.page.views
        self.page.drawn.connect(self._enable)
        self.keeper.changed.connect(self._enable)
        views.currentChanged.connect(self._enable)
        views.goal_wanted.connect(self._go)
        views.system_wanted.connect(self._show_target)
        self._fill(self.page.copying)
        self.page.view.menu_wanted.connect(self._fill)
        pages.add(names.PAGE, tr("Metrics and people"), lambda: self.page)

    # --- commands

    def connect_actions(self, commands: ActionTable) -> None:
        """Say what the commands do."""
        bar = self.page.bar
        done: dict[str, Callable[[], object]] = {
            names.SHOW: partial(self._pages.show_page, names.PAGE),
            names.SYSTEMS_ONLY: self.page.compare_alone,
            names.METRICS: self._on_page(bar.choose_metrics),
            names.RATINGS: self._on_page(bar.ratings.setFocus),
            names.ROUNDS: self._on_page(bar.rounds.setFocus),
            names.SEED: self._on_page(bar.seed.setFocus),
            names.AGAIN: self.keeper.run_anew,
            names.SAVE: self.ask_file,
            **{f"{names.FIGURE}{one.name}": partial(self.keeper.set_figure, one.name) for one in FIGURES},
            **{f"{names.VIEW}{name}": self._on_page(partial(self.page.views.show_view, name)) for name in names.VIEWS},
            **{f"{names.MEANS}{name}": partial(self._wish, by=name) for name in names.BY},
            **{f"{names.ORIENTATION}{name}": partial(self._wish, orientation=name) for name in names.ORIENTATIONS},
            **{names.copies(form): partial(self.copy, form.suffix) for form in FILES},
        }
        for id, handler in done.items():
            commands.connect_to(id, handler)
        self._commands = commands
        self._enable()

    def _on_page(self, action: Callable[[], object]) -> Callable[[], None]:
        """Show the page, and then do something on it."""

        def act() -> None:
            self._pages.show_page(names.PAGE)
            action()

        return act

    def _wish(self, **others: str) -> None:
        self.keeper.set_wish(replace(self.keeper.wish, **others))  # type: ignore[arg-type]  # names of the commands

    def _enable(self) -> None:
        """There is something to copy, and to choose of, while there is a study; what is chosen is checked."""
        commands, keeper = self._commands, self.keeper
        if commands is None:
            return
        there, wish = keeper.found is not None, keeper.wish
        for name in (names.SAVE, *map(names.copies, FILES), names.ROUNDS, names.SEED):
            commands[name].setEnabled(there)
        commands[names.RATINGS].setEnabled(keeper.found is not None and len(keeper.found.choices) > 1)
        known = keeper.state != "empty"
        commands[names.METRICS].setEnabled(there)
        commands[names.AGAIN].setEnabled(known)
        commands[names.SYSTEMS_ONLY].setEnabled(known)
        commands[names.SYSTEMS_ONLY].setChecked(wish.systems_only)
        chosen = {
            names.FIGURE: keeper.figure.name, names.VIEW: self.page.views.shown, names.MEANS: wish.by,
            names.ORIENTATION: wish.orientation,
        }  # fmt: skip
        offered = {
            names.FIGURE: [one.name for one in FIGURES], names.VIEW: names.VIEWS, names.MEANS: names.BY,
            names.ORIENTATION: names.ORIENTATIONS,
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
            tr("Ranks"), work, workspace.ranks_wanted.emit, workspace.failed.emit, latest="people-ranks", owner=self
        )  # fmt: skip

    def _show_pair(self, found: Beside, pair: ToPair) -> None:
        """Show what makes two systems differ by the metric, where they have translations."""
        level = TRANSLATIONS.of_view(found.view)
        reference = level.reference(found.view, found.wish.reference)
        metric = self.keeper.metric
        if reference is None or metric not in level.metrics:
            self.told.emit(tr("Without translations and references there is nothing to show of a pair."))
            return
        systems = found.study.systems
        between = system_key(systems[pair.one]), system_key(systems[pair.other])
        self.workspace.segments_wanted.emit(*between, metric, level, reference)

    # --- out

    def _fill(self, menu: QMenu) -> None:
        self.page.view.add_block_copying(menu)
        for form in FILES:
            menu.addAction(tr("Copy metrics and people as {form}", form=form.title), partial(self.copy, form.suffix))
        menu.addSeparator()
        menu.addAction(tr("&Save metrics and people in a file…"), self.ask_file)

    def copy(self, form: Suffix) -> None:
        """Copy the study, all of it, with the curves that were looked at."""
        if self.keeper.found is not None:
            self.files.copy_form(_writing(self.keeper.found), form)

    def ask_file(self) -> None:
        """Save the study in a file."""
        found = self.keeper.found
        if found is not None:
            of = found.view.corpus.name
            title = tr("Save metrics and people of {name}", name=within(of))
            self.files.ask_where(_writing(found), of, title, self.page.window())


def _writing(found: Beside) -> Write:
    report = found.report()
    return lambda form: form_named(form).text(report)
