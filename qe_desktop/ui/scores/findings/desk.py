"""Joins findings to the window: commands, dialogs, files, and the way from a number to its segments."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMenu

from qe_desktop.corpus import LayerKey
from qe_desktop.levels.findings import PairFindings
from qe_desktop.report.findings_files import Form
from qe_desktop.report.forms import FILES
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.parts.pages import Pages
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.findings.commands import PAGE, SAVE, SHOW_FINDINGS, SHOW_SYSTEMS, copies
from qe_desktop.ui.scores.findings.files import FindingsFiles
from qe_desktop.ui.scores.findings.folder_keeper import FolderFindings
from qe_desktop.ui.scores.findings.keeper import OpenFindings
from qe_desktop.ui.scores.findings.page import FindingsPage
from qe_desktop.ui.scores.findings.said import untested_sentence
from qe_desktop.ui.scores.findings.values import deciding
from qe_desktop.wording import tr


class FindingsDesk(QObject):
    """Adds the page to the area's pages. `may_replace` asks whether what is open may be closed."""

    begun = Signal()
    """A folder was chosen, and its findings are being computed on the page."""
    opened = Signal(str)
    """A pair of a folder was opened: its folder."""
    told = Signal(str)
    """What was copied or written."""

    def __init__(self, comparison: ComparisonKeeper, pages: Pages, may_replace: Callable[[], bool]) -> None:
        super().__init__(pages)
        self._pages, self._may_replace = pages, may_replace
        self.workspace = comparison.workspace
        self.of_open, self.of_folder = OpenFindings(comparison), FolderFindings(comparison)
        for keeper in (self.of_open, self.of_folder):
            keeper.setParent(self)
        self.page = FindingsPage(self.of_open, self.of_folder, pages)
        # until it is in view
        self.page.hide()
        self.files = FindingsFiles(self.workspace, self)
        self.files.told.connect(self.told)
        self._offered: tuple[int, int] | None = None
        self._commands: ActionTable | None = None
        self.page.drawn.connect(self._enable)
        self.page.task_wanted.connect(self.ask_folder)
        self.page.entered.connect(self.show_segments)
        self.page.accept.clicked.connect(lambda: self.show_segments(self.page.view.currentIndex()))
        self.page.left.connect(self._forget_offer)
        self._fill(self.page.copying)
        self.page.view.menu_wanted.connect(self._fill)
        pages.add(PAGE, tr("Findings"), lambda: self.page)

    def connect_actions(self, commands: ActionTable) -> None:
        """Say what the commands do."""
        commands.connect_to(SHOW_SYSTEMS, partial(self._pages.show_page, next(iter(self._pages.titles))))
        commands.connect_to(SHOW_FINDINGS, partial(self._pages.show_page, PAGE))
        for form in FILES:
            commands.connect_to(copies(form), partial(self.copy, form.suffix))
        commands.connect_to(SAVE, self.ask_file)
        self._commands = commands
        self._enable()

    def _enable(self) -> None:
        """There is something to copy and save while findings are shown."""
        if self._commands is not None:
            for name in (*map(copies, FILES), SAVE):
                self._commands[name].setEnabled(self.page.shown.found is not None)

    # --- a folder of a shared task

    def ask_folder(self) -> None:
        """Ask for a folder, and compute its findings."""
        settings = self.workspace.settings
        title = tr("Findings of a folder: with a folder for each language pair")
        folder = QFileDialog.getExistingDirectory(self.page.window(), title, settings.last_folder)
        if folder:
            settings.last_folder = folder
            self.read(Path(folder))

    def read(self, folder: Path) -> None:
        """Compute the findings of a folder, and show them when they are there."""
        self._pages.show_page(PAGE)
        self.of_folder.read(folder)
        self.begun.emit()

    # --- from a number to its segments

    def show_segments(self, index: QModelIndex) -> None:
        """Show the segments that decide a number: those that set its system apart from the next in the order.

        Of a pair that is not open, offer to open it; asked once more, do it.
        """
        target, found = self.page.view.target(index), self.page.shown.found
        if target is None or found is None:
            return
        pair = found.findings.pairs[target.pair]
        metric = next(one for one in found.metrics if one.name == target.metric)
        between = deciding(pair, target.system, metric)
        if not metric.family.separate:
            self.page.say(untested_sentence(metric))
        elif between is None:
            self.page.say(tr("There is no other system that it could be compared with."))
        elif self._is_open(pair, between):
            self._forget_offer()
            self._show(pair, between, metric.name)
        elif self._offered == (index.row(), index.column()):
            self._open(pair, between, metric.name)
        else:
            self._offered = (index.row(), index.column())
            self._offer(pair)

    def _is_open(self, pair: PairFindings, between: tuple[LayerKey, LayerKey]) -> bool:
        """Whether these are layers of what is open: of the same folder, where the findings are those of a folder."""
        corpus = self.workspace.corpus
        if corpus is None or not all(key in corpus.layers for key in (*between, pair.scoring.reference)):
            return False
        # a folder may hold several corpora, whose systems are called alike
        places = [
            (os.path.realpath(one.folder), one.name, one.language_pair) for one in (corpus, pair.scoring.view.corpus)
        ]
        return self.page.shown is self.of_open or places[0] == places[1]

    def _offer(self, pair: PairFindings) -> None:
        said = tr("{pair} is not open. Enter once more opens it and shows the segments.", pair=pair.name)
        if self.workspace.session is not None:
            said = tr(
                "{pair} is not open. Enter once more opens it in place of {other}, and shows the segments.",
                pair=pair.name, other=self.workspace.session.corpus.name,
            )  # fmt: skip
        self.page.say(said, tr("Open {pair}", pair=pair.name))

    def _forget_offer(self) -> None:
        self._offered = None

    def _open(self, pair: PairFindings, between: tuple[LayerKey, LayerKey], metric: str) -> None:
        """Open what the findings were computed of, so that nothing has to be read again."""
        if not self._may_replace():
            return
        corpus, level = pair.scoring.view.corpus, pair.scoring.level
        self.page.view.say()
        self.workspace.open(corpus)
        self.workspace.set_level(level)
        self.workspace.set_reference(pair.scoring.reference)
        self.opened.emit(corpus.folder)
        self._show(pair, between, metric)

    def _show(self, pair: PairFindings, between: tuple[LayerKey, LayerKey], metric: str) -> None:
        self.workspace.segments_wanted.emit(*between, metric, pair.scoring.level, pair.scoring.reference)

    # --- out

    def _fill(self, menu: QMenu) -> None:
        self.page.view.add_block_copying(menu)
        for form in FILES:
            menu.addAction(tr("Copy the findings as {form}", form=form.title), partial(self.copy, form.suffix))
        menu.addSeparator()
        menu.addAction(tr("&Save the findings in a file…"), self.ask_file)

    def copy(self, form: Form) -> None:
        """Copy what is shown, all of it."""
        shown = self.page.shown
        if shown.found is not None:
            self.files.copy(shown.found, shown.metric, form)

    def ask_file(self) -> None:
        """Save what is shown in a file."""
        shown = self.page.shown
        if shown.found is not None:
            self.files.ask(shown.found, shown.metric, self.page.window())
