"""Export dialog for ratings and results: format and file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QWidget

from qe_desktop.escaping import safe_file_name
from qe_desktop.i18n.messages import tr
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.file_dialog import FileDialog
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox

if TYPE_CHECKING:
    from qe_desktop.report.rating_exports import RatingExport


class ExportDialog(QDialog):
    """Format selection."""

    def __init__(self, exports: list[RatingExport], view: CampaignView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export"))
        self.setModal(True)
        self.form = QComboBox()
        for export in exports:
            self.form.addItem(export.text, export)
        self._about = Label(token="muted", wraps=True)
        blind = Label(
            tr("The campaign is blind: systems are exported as letters. Unblind it first to export system names."),
            wraps=True,
        )
        blind.setVisible(bool(view.names))
        fields = QFormLayout()
        fields.addRow(tr("&Format", "of a file"), self.form)
        choose = FlatButton(tr("Select a file…"), primary=True)
        choose.setDefault(True)
        cancel = FlatButton(tr("Cancel"))
        choose.clicked.connect(self.accept)
        cancel.clicked.connect(self.reject)
        buttons = hbox(StretchSpace(), cancel, choose)
        vbox(
            Label(tr("Export “{title}”", title=view.title), scale=1.15, bold=True),
            fields,
            self._about,
            blind,
            buttons,
            on=self,
            gap=12,
            margins=(20, 16, 20, 16),
        )
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 60)
        self.form.currentIndexChanged.connect(self._explain)
        self.form.setFocus()
        self._explain()

    def _explain(self) -> None:
        self._about.setText(self.chosen().about)

    def chosen(self) -> RatingExport:
        """The selected format."""
        export: RatingExport = self.form.currentData()
        return export


def ask_export_path(parent: QWidget, export: RatingExport, view: CampaignView, folder: str) -> str:
    """Ask for a file name; empty if the user cancels."""
    proposed = Path(folder or Path.home()) / f"{safe_file_name(view.title, 'ratings')}.{export.suffix}"
    path, _ = FileDialog.getSaveFileName(parent, tr("Export {form}", form=export.text), str(proposed))
    return path
