"""Joins studies to the window: commands, copies and files, and labellings that are added to what is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from qe_desktop.outgoing import within
from qe_desktop.report.forms import FILES, Suffix, form_named
from qe_desktop.studies.labellings import LABELLINGS
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.parts.pages import Pages
from qe_desktop.ui.parts.written_files import Write, WrittenFiles
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.studies import commands as names
from qe_desktop.ui.scores.studies.added import AddedLabellings
from qe_desktop.ui.scores.studies.keeper import StudyKeeper
from qe_desktop.ui.scores.studies.labellings import Labellings
from qe_desktop.ui.scores.studies.page import StudiesPage
from qe_desktop.ui.scores.studies.registry import STUDIES
from qe_desktop.ui.scores.studies.values import Found
from qe_desktop.wording import tr


class StudiesDesk(QObject):
    """Adds the page to the area's pages."""

    told = Signal(str)
    """What was copied, written, added or removed."""

    def __init__(self, comparison: ComparisonKeeper, pages: Pages) -> None:
        super().__init__(pages)
        self._pages = pages
        self.workspace = comparison.workspace
        self.keepers = {study.name: StudyKeeper(comparison, study) for study in STUDIES}
        for keeper in self.keepers.values():
            keeper.setParent(self)
            keeper.changed.connect(self._enable)
        self.page = StudiesPage(self.keepers, pages)
        # until it is in view
        self.page.hide()
        workspace = self.workspace
        self.files = WrittenFiles(workspace.jobs, workspace.settings, tr("Writing the study"), "study", self)
        self.files.told.connect(self.told)
        self.files.failed.connect(workspace.failed)
        self.added = AddedLabellings(workspace, self)
        self.added.told.connect(self.told)
        self._commands: ActionTable | None = None
        self.page.drawn.connect(self._enable)
        self.page.views.currentChanged.connect(self._enable)
        self.page.labelling_wanted.connect(self.turn)
        workspace.opened.connect(self._enable)
        workspace.changed.connect(self._enable)
        self._fill(self.page.copying)
        self.page.view.menu_wanted.connect(self._fill)
        pages.add(names.PAGE, tr("Studies"), lambda: self.page)
        self._enable()

    @property
    def found(self) -> Found | None:
        """The study that is shown."""
        return self.page.shown.found

    # --- commands

    def connect_actions(self, commands: ActionTable) -> None:
        """Say what the commands do."""
        page = self.page
        done: dict[str, Callable[[], object]] = {
            names.SHOW: partial(self._pages.show_page, names.PAGE),
            names.METRICS: self._on_page(page.bar.choose_metrics),
            names.RUN: self._on_page(lambda: page.shown.run()),
            names.CANCEL: lambda: page.shown.cancel(),
            names.ADD: self.add_all,
            names.REMOVE: self.remove_all,
            names.SAVE: self.ask_file,
            **{f"{names.STUDY}{name}": self._on_page(partial(page.show_study, name)) for name in self.keepers},
            **{f"{names.VIEW}{name}": self._on_page(partial(page.views.show_view, name)) for name in names.VIEWS},
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

    def _enable(self) -> None:
        """There is something to copy while there is a study; what is shown is checked."""
        self._name_button()
        commands, page = self._commands, self.page
        if commands is None:
            return
        there, keeper = self.found is not None, page.shown
        for name in (names.SAVE, *map(names.copies, FILES)):
            commands[name].setEnabled(there)
        possible = keeper.scoring() is not None and keeper.missing() is None
        commands[names.RUN].setEnabled(possible)
        commands[names.METRICS].setEnabled(keeper.scoring() is not None)
        commands[names.CANCEL].setEnabled(keeper.state == "working")
        commands[names.ADD].setEnabled(self._labellings() is not None and self.added.may_change())
        commands[names.REMOVE].setEnabled(bool(self.added.there()) and self.added.may_change())
        for name, one in self.keepers.items():
            commands[f"{names.STUDY}{name}"].setChecked(one is keeper)
        for name in names.VIEWS:
            commands[f"{names.VIEW}{name}"].setEnabled(there and page.views.has(name))
            commands[f"{names.VIEW}{name}"].setChecked(there and page.views.shown == name)

    # --- labellings as layers

    def _labellings(self) -> Found | None:
        """The study whose labellings can be added."""
        return self.keepers[Labellings.name].found

    def _name_button(self) -> None:
        """Say what the button would do for the labelling that is looked at, or for all."""
        button, found, keeper = self.page.add, self.found, self.page.shown
        button.setVisible(found is not None and keeper.study.name == Labellings.name)
        if found is None:
            return
        kind, name = found.asked.scoring.reference.kind, keeper.target.labelling
        button.setEnabled(self.added.may_change())
        if not name:
            button.setText(tr("Add to what is open"))
        elif self.added.has(name, kind):
            button.setText(tr("Remove {labelling}", labelling=name))
        else:
            button.setText(tr("Add {labelling} to what is open", labelling=name))

    def turn(self, labelling: str) -> None:
        """Add a labelling to what is open, or take it away where it is there; without a name, add all."""
        found = self._labellings()
        if found is None:
            return
        kind = found.asked.scoring.reference.kind
        if not labelling:
            self.add_all()
        elif self.added.has(labelling, kind):
            self.added.remove([self.added.key(labelling, kind)])
        else:
            self.added.add(found, [labelling])

    def add_all(self) -> None:
        """Add all labellings that are not there."""
        found = self._labellings()
        if found is not None:
            kind = found.asked.scoring.reference.kind
            left = [name for name in LABELLINGS if not self.added.has(name, kind)]
            if left:
                self.added.add(found, left)

    def remove_all(self) -> None:
        """Take all synthetic layers away."""
        self.added.remove(self.added.there())

    # --- out

    def _fill(self, menu: QMenu) -> None:
        self.page.view.add_block_copying(menu)
        for form in FILES:
            menu.addAction(tr("Copy the study as {form}", form=form.title), partial(self.copy, form.suffix))
        menu.addSeparator()
        menu.addAction(tr("&Save the study in a file…"), self.ask_file)

    def copy(self, form: Suffix) -> None:
        """Copy the study, all of it."""
        if self.found is not None:
            self.files.copy_form(_writing(self.found), form)

    def ask_file(self) -> None:
        """Save the study in a file."""
        found = self.found
        if found is not None:
            of = found.asked.scoring.view.corpus.name
            title = tr("Save the study of {name}", name=within(of))
            self.files.ask_where(_writing(found), of, title, self.page.window())


def _writing(found: Found) -> Write:
    report = found.report
    return lambda form: form_named(form).text(report)
