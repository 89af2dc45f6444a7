"""Import details: read-only dialog that shows how each of the open files was read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import TextRole
from qe_desktop.formats import CorpusPlan
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.files.importing.file_preview_panel import FilePreviewPanel, has_preview
from qe_desktop.ui.files.importing.plan_model import PlanColumn, PlanModel
from qe_desktop.ui.files.importing.plan_summary import plan_contents
from qe_desktop.ui.files.importing.plan_table import PlanTable
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog, fit_dialog
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox


class ImportDetailsDialog(Dialog):
    """Dialog that lists what was read from each file; its default button closes it.

    `texts` are those of the open corpus; `notes` are the notes on the files by file name.
    """

    change_requested = Signal()
    """Emitted if the user wants to open the files in another way."""
    preview_wanted = Signal(object)
    """Emitted with a `PlannedFile` whose first segments are to be shown in `panel`."""

    def __init__(
        self,
        plan: CorpusPlan,
        texts: Collection[TextRole],
        notes: Mapping[str, Sequence[str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Import details"))
        self.setModal(True)
        self.model = PlanModel(plan, texts, is_read_only=True, notes=notes)
        self.table = PlanTable(self.model)
        self.panel = FilePreviewPanel(selects=False)
        self.change_button = FlatButton(tr("Change and open again…"))
        self.close_button = FlatButton(tr("Close"), primary=True)
        self.close_button.setDefault(True)
        buttons = hbox(self.change_button, StretchSpace(), self.close_button, gap=8)
        summary = Label(plan_contents(plan), wraps=True)
        vbox(summary, Stretched(self.table, 1), self.panel, buttons, on=self, gap=8, margins=16)
        fit_dialog(self, 150, 40)
        self.change_button.clicked.connect(self.change_requested)
        self.close_button.clicked.connect(self.reject)
        self.table.selectionModel().currentRowChanged.connect(self._show_file)

    def show_first(self) -> None:
        """Select the first file, so that its first segments are shown."""
        self.table.setFocus()
        self.table.setCurrentIndex(self.model.index(0, PlanColumn.FILE))

    def _show_file(self) -> None:
        file = self.model.plan.files[self.table.currentIndex().row()]
        if has_preview(file):
            self.panel.show_file(file)
            self.preview_wanted.emit(file)
        else:
            self.panel.hide()
