"""In which form ratings and results are to be written, and where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QWidget

from qe_desktop.outgoing import file_name
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.file_dialog import FileDialog
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Stretch, column_of, row_of
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.report.rating_exports import Export


class ExportDialog(QDialog):
    """In which form."""

    def __init__(self, exports: list[Export], view: CampaignView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export"))
        self.setModal(True)
        self.form = QComboBox()
        for export in exports:
            self.form.addItem(export.text, export)
        self._about = Label(token="muted", wraps=True)
        blind = Label(
            tr(
                "The campaign is blind, so systems are written as their letters. Unblind it first to write their names."
            ),
            wraps=True,
        )
        blind.setVisible(bool(view.names))
        fields = QFormLayout()
        fields.addRow(tr("&Form", "of a file"), self.form)
        choose = FlatButton(tr("Choose a file…"), primary=True)
        choose.setDefault(True)
        cancel = FlatButton(tr("Cancel"))
        choose.clicked.connect(self.accept)
        cancel.clicked.connect(self.reject)
        buttons = row_of(Stretch(), cancel, choose)
        column_of(
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

    def chosen(self) -> Export:
        """The form chosen."""
        export: Export = self.form.currentData()
        return export


def ask_path(parent: QWidget, export: Export, view: CampaignView, folder: str) -> str:
    """Ask for a file; empty where a person changed their mind."""
    proposed = Path(folder or Path.home()) / f"{file_name(view.title, 'ratings')}.{export.suffix}"
    path, _ = FileDialog.getSaveFileName(parent, tr("Export {form}", form=export.text), str(proposed))
    return path
