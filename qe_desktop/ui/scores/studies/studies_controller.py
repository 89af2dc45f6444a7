"""Joins studies to the window: commands, copies and files, and labellings that are added to what is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from qe_desktop.outgoing import within
from qe_desktop.report.forms import form_named
from qe_desktop.studies.labellings import LABELLINGS
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.parts.built_stack import Parts
from qe_desktop.ui.scores.page_desk import Around, Handlers, Out, PageDesk
from qe_desktop.ui.scores.studies import commands as names
from qe_desktop.ui.scores.studies.added import AddedLabellings
from qe_desktop.ui.scores.studies.keeper import StudyKeeper
from qe_desktop.ui.scores.studies.labellings import Labellings
from qe_desktop.ui.scores.studies.registry import STUDIES
from qe_desktop.ui.scores.studies.values import Found
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.ui.scores.studies.page import StudiesPage


class StudiesDesk(PageDesk):
    """Builds the page, and adds labellings to what is open."""

    copies, saves = names.COPIES, names.SAVES

    def __init__(self, around: Around) -> None:
        super().__init__(names.PAGE, around, tr("Writing the study"), "study")
        self.keepers = {study.name: StudyKeeper(around.comparison, study) for study in STUDIES}
        for keeper in self.keepers.values():
            keeper.setParent(self)
            keeper.changed.connect(self.refresh)
        self.added = AddedLabellings(self.workspace, self)
        self.added.told.connect(around.told)
        self.workspace.opened.connect(self.refresh)
        self.workspace.changed.connect(self.refresh)

    def parts(self) -> Parts:
        """What stands below the table first, and then the page."""
        from qe_desktop.ui.scores.studies.page import StudiesPage
        from qe_desktop.ui.scores.studies.views import StudyViews

        yield 0
        views = StudyViews(self.workspace, self._pages)
        yield 0
        page = StudiesPage(self.keepers, views, self._pages)
        views.currentChanged.connect(self.refresh)
        page.labelling_wanted.connect(self.turn)
        yield 0
        self._name_button(page)
        return page

    @property
    def shown(self) -> StudyKeeper:
        """Whose study the page shows: the first, until somebody looks."""
        page = self.built
        return next(iter(self.keepers.values())) if page is None else page.shown

    @property
    def found(self) -> Found | None:
        """The study that is shown."""
        return self.shown.found

    # --- commands

    def handlers(self) -> Handlers:
        """What the commands do, by their ids."""
        return {
            names.METRICS: self.on_page(lambda page: page.bar.metrics.open()),
            names.RUN: self.on_page(lambda page: page.shown.run()),
            names.CANCEL: lambda: self.shown.cancel(),
            names.ADD: self.add_all,
            names.REMOVE: self.remove_all,
            **{f"{names.STUDY}{name}": self._shows(name) for name in self.keepers},
            **{f"{names.VIEW}{name}": self.on_views(name) for name in names.VIEWS},
        }

    def _shows(self, study: str) -> Callable[[], None]:
        return self.on_page(lambda page: page.show_study(study))

    def refresh(self) -> None:
        """Offer what there is, also on the page."""
        super().refresh()
        if self.built is not None:
            self._name_button(self.built)

    def offer(self, commands: ActionTable) -> None:
        """There is something to copy while there is a study; what is shown is checked."""
        there, keeper, page = self.found is not None, self.shown, self.built
        possible = keeper.scoring() is not None and keeper.missing() is None
        commands[names.RUN].setEnabled(possible)
        commands[names.METRICS].setEnabled(keeper.scoring() is not None)
        commands[names.CANCEL].setEnabled(keeper.state == "working")
        commands[names.ADD].setEnabled(self._labellings() is not None and self.added.may_change())
        commands[names.REMOVE].setEnabled(bool(self.added.there()) and self.added.may_change())
        for name, one in self.keepers.items():
            commands[f"{names.STUDY}{name}"].setChecked(one is keeper)
        for name in names.VIEWS:
            commands[f"{names.VIEW}{name}"].setEnabled(there and page is not None and page.views.has(name))
            commands[f"{names.VIEW}{name}"].setChecked(there and page is not None and page.views.shown == name)

    # --- labellings as layers

    def _labellings(self) -> Found | None:
        """The study whose labellings can be added."""
        return self.keepers[Labellings.name].found

    def _name_button(self, page: StudiesPage) -> None:
        """Say what the button would do for the labelling that is looked at, or for all."""
        button, keeper = page.add, page.shown
        found = keeper.found
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

    def out(self) -> Out | None:
        """The study that is shown."""
        found = self.found
        if found is None:
            return None
        report, of = found.report, found.asked.scoring.view.corpus.name
        title = tr("Save the study of {name}", name=within(of))
        return Out(lambda form: form_named(form).text(report), of, title)
