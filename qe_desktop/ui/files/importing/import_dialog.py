"""Import dialog: shows the detected files and how they will be used."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from qe_desktop.corpus import QeError, TextRole
from qe_desktop.escaping import escape_label
from qe_desktop.formats import CorpusPlan, PlannedFile, Role
from qe_desktop.formats.bilingual.column_choice import ColumnChoice
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.files.importing.file_preview_panel import FilePreviewPanel, has_preview
from qe_desktop.ui.files.importing.plan_model import PlanColumn, PlanModel
from qe_desktop.ui.files.importing.plan_summary import (
    contains_mt,
    open_questions,
    plan_contents,
    plan_name,
    questions_without_texts,
    uses_any_file,
)
from qe_desktop.ui.files.importing.plan_table import PlanTable
from qe_desktop.ui.shell.notices import NoticeBar
from qe_desktop.ui.widgets.buttons import FlatButton, LinkButton
from qe_desktop.ui.widgets.dialogs import Dialog, fit_dialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox

_NO_USE = tr("No file is used. Select a use under “Used as” first.")


class ImportDialog(Dialog):
    """Dialog to edit import plans; it stays open when it requests that the files of a plan be opened or added.

    `first` is the 0-based index of the plan that is shown first. `may_add` states whether the files can be added to the
    open session; `texts` are the roles of the texts in that session. `replaces` is a warning that opening the files
    closes the open session; empty if no session is open.
    """

    open_requested = Signal(object)
    add_requested = Signal(object)
    comparison_requested = Signal()
    """Emitted after the dialog has been closed, to request a comparison of the systems of all corpora."""
    preview_requested = Signal(object)
    """Emitted with a `PlannedFile` whose first segments should be shown in `panel`."""

    def __init__(
        self,
        plans: Sequence[CorpusPlan],
        *,
        may_add: bool,
        replaces: str,
        texts: Collection[TextRole] = (),
        first: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open"))
        self.setModal(True)
        self._plans = list(plans)
        self._may_add = may_add
        self._is_busy = False
        self._rejected_plan: CorpusPlan | None = None
        """Plan that could not be opened; while it is shown, there is no default button."""
        self.model = PlanModel(self._plans[first], texts)
        self.notices = NoticeBar()
        self.choice = QComboBox()
        for plan in self._plans:
            self.choice.addItem(escape_label(plan_name(plan)))
        self.choice.setCurrentIndex(first)
        self.table = PlanTable(self.model)
        self.open_button = FlatButton(tr("Open"))
        self.add_button = FlatButton(tr("Add to open files"))
        self.compare_button = LinkButton(tr("Compare the systems of all corpora instead"))
        self.panel = FilePreviewPanel()
        self._summary = Label(wraps=True)
        self._replaces = replaces
        self._hint = Label(wraps=True)
        self._lay_out()
        self.choice.currentIndexChanged.connect(self._choose)
        self.model.edited.connect(self._on_edited)
        self.open_button.clicked.connect(partial(self._emit_plan, self.open_requested))
        self.add_button.clicked.connect(partial(self._emit_plan, self.add_requested))
        self.compare_button.clicked.connect(self._compare)
        self.panel.chosen.connect(self._apply_choice)
        self.table.selectionModel().currentRowChanged.connect(self._show_file)
        self._refresh()
        self._select_first_unclear()

    def _lay_out(self) -> None:
        label = QLabel(tr("Several &corpora were found:"))
        label.setBuddy(self.choice)
        top = hbox(label, Stretched(self.choice, 1), self.compare_button)
        cancel = FlatButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        buttons = hbox(Stretched(self._hint, 1), cancel, self.add_button, self.open_button)
        table = Stretched(self.table, 1)
        vbox(self.notices, top, self._summary, table, self.panel, buttons, on=self, gap=8, margins=16)
        for widget in (label, self.choice):
            widget.setVisible(len(self._plans) > 1)
        self.compare_button.setVisible(
            sum(bool(plan.files_with_role(Role.SYSTEM, Role.TRANSLATION)) for plan in self._plans) > 1
        )
        fit_dialog(self, 150, 40)

    def _compare(self) -> None:
        self.reject()
        self.comparison_requested.emit()

    def _choose(self, index: int) -> None:
        self.model.show_plan(self._plans[index])
        self.notices.clear()
        self._refresh()
        self._select_first_unclear()

    def _select_first_unclear(self) -> None:
        """Select the first file with an open question.

        If there is none, select the first file with selectable columns or, if no file is used, the first unused text.
        """
        plan, unanswered = self.model.plan, self.model.unanswered_files()
        files, unclear = plan.files, [] if uses_any_file(plan) else plan.unused_texts()
        first = next(iter([*unanswered, *unclear]), None) or next(filter(_can_choose_columns, files), None)
        if first is not None:
            column = PlanColumn.MEANING if unanswered else PlanColumn.USE
            self.table.setCurrentIndex(self.model.index(files.index(first), column))
            self.table.setFocus()

    def show_first(self) -> None:
        """Show the preview of the selected file, if it has one; the segments appear once they are loaded."""
        self._show_file()

    def _show_file(self) -> None:
        """Show and load the preview of the selected file; hide the panel if there is no preview."""
        row = self.table.currentIndex().row()
        file = self.model.plan.files[row] if 0 <= row < len(self.model.plan.files) else None
        if file is None or not has_preview(file):
            self.panel.hide()
            return
        self.panel.show_file(file)
        self.preview_requested.emit(file)

    def _apply_choice(self, choice: ColumnChoice) -> None:
        file = self.model.plan.files[self.table.currentIndex().row()]
        if file.role is not Role.JOB:
            self.model.plan = self.model.plan.with_role(file.path, Role.JOB)
        self.model.choose(file, choice)
        self._show_file()

    def _on_edited(self) -> None:
        # the error was about the plan before the edit
        self.notices.clear()
        self._refresh()

    def _refresh(self) -> None:
        plan = self.model.plan
        bad = [file for file in plan.files if file.problem is not None]
        # bilingual files contain their texts, and are opened separately
        may_add = self._may_add and not plan.files_with_role(Role.JOB)
        # files added to an open corpus need no texts
        adding = may_add and not contains_mt(plan)
        self.add_button.setVisible(may_add)
        sentences = [plan_contents(plan, adding=adding)]
        refused = plan is self._rejected_plan
        self.open_button.setDefault(not adding and not refused)
        self.add_button.setDefault(adding and not refused)
        if bad:
            sentences.append(tr("{n} {n:file|files} cannot be used and will be left out.", "", len(bad)))
        faulty = next(filter(self.model.is_in_error, plan.files), None) if refused else None
        if faulty is not None and len(plan.files) > 1:
            sentences.append(
                tr(
                    "Correct {file} and try again. To leave it out, select “not used” under “Used as”.",
                    file=faulty.path.name,
                )
            )
        unclear = plan.unused_texts()
        if not unclear and not uses_any_file(plan):
            sentences.append(_NO_USE)
        elif not uses_any_file(plan):
            sentences = [
                tr(
                    "The contents of {n:,} text {n:file|files} are not clear from {n:its name|their names}: select "
                    "{n:its use|their uses} under “Used as”.", "", len(unclear),
                )
            ]  # fmt: skip
        self.table.fit_columns()
        self._hint.setText(f"{self.table.editing_hint()} {self._replaces}".strip())
        unanswered = self.model.unanswered_files()
        alone = [file for file in plan.files_with_questions() if file not in unanswered]
        self._summary.setText(" ".join((*sentences, *open_questions(unanswered), *questions_without_texts(alone))))
        self._update_buttons()

    def _update_buttons(self) -> None:
        """Enable the buttons if no files are being read, at least one file is used, and all questions are answered."""
        missing = self._busy_reason()
        if not missing and not uses_any_file(self.model.plan):
            missing = _NO_USE
        question = tr("Answer all questions above the table first.")
        set_needs(self.add_button, missing or (question if self.model.unanswered_files() else ""))
        set_needs(self.open_button, missing or (question if self.model.plan.files_with_questions() else ""))

    def _busy_reason(self) -> str:
        """Return why nothing can be changed; empty if no files are being read."""
        return tr("Wait until the files are read, or cancel.") if self._is_busy else ""

    def _emit_plan(self, requested: SignalInstance) -> None:
        self.notices.clear()
        requested.emit(self.model.plan)

    def show_error(self, error: QeError) -> None:
        """Show why the plan cannot be opened, in the notice bar and in the notes on the file that `error` names."""
        self.notices.from_error(error)
        self._rejected_plan = self.model.plan
        self.model.set_error(error)
        self._refresh()
        self.set_busy(False)

    def set_busy(self, is_busy: bool) -> None:
        """Disable changes if files are being read (`is_busy`); otherwise, enable them."""
        self._is_busy = is_busy
        for widget in (self.table, self.choice, self.panel):
            set_needs(widget, self._busy_reason())
        self._update_buttons()


def _can_choose_columns(file: PlannedFile) -> bool:
    """Return whether the source and the target of a bilingual file can be selected."""
    return file.role is Role.JOB and file.column_options is not None
