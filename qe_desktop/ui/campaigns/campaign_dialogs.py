"""Campaign dialogs: unblind, export, and confirm the columns of a table to import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QTreeWidget, QTreeWidgetItem, QWidget

from qe_desktop.escaping import safe_file_name
from qe_desktop.formats.ratings.rating_format import RATER, AmbiguousTableError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog, FileDialog, append_suffix
from qe_desktop.ui.widgets.form_controls import make_combo_from_mapping, make_line_edit, set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import LayoutPart, Margins, Stretched, StretchSpace, hbox, vbox

if TYPE_CHECKING:
    from qe_desktop.report.rating_exports import RatingExport


class CampaignDialog(Dialog):
    """Modal dialog with a heading, its content, and buttons at the bottom."""

    def __init__(self, title: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)

    def lay_out(
        self,
        heading: str,
        *parts: LayoutPart,
        accept: str,
        reject: str = "",
        left: Sequence[QWidget] = (),
        default: bool = True,
        gap: int = 10,
        margins: Margins = (20, 16, 20, 16),
    ) -> FlatButton:
        """Arrange the heading and `parts` above a row of buttons; return the accept button.

        The row has the buttons `left` at its left end, and buttons with the texts `reject` and `accept` at its right
        end. If `reject` is empty, there is no reject button. `default`: whether Enter presses the accept button.
        """
        self.cancel = FlatButton(reject)
        self.cancel.clicked.connect(self.reject)
        if not reject:
            self.cancel.hide()
        accept_button = FlatButton(accept, primary=True)
        accept_button.setDefault(default)
        accept_button.clicked.connect(self.accept)
        row = hbox(*left, StretchSpace(), self.cancel, accept_button)
        vbox(Label(heading, scale=1.15, bold=True, wraps=True), *parts, row, on=self, gap=gap, margins=margins)
        return accept_button

    def resize_to_text(self, chars: int, lines: int) -> None:
        """Resize the dialog to a width in characters and a height in text lines."""
        metrics = self.fontMetrics()
        self.resize(metrics.horizontalAdvance("0") * chars, metrics.height() * lines)


class UnblindDialog(CampaignDialog):
    """Dialog to confirm unblinding. The user must enter a reason, which is logged."""

    def __init__(self, view: CampaignView, person: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Unblind"), parent)
        rated, total = view.progress
        status = tr("All items are rated or skipped.")
        if total > rated:
            status = tr(
                "{n:,} {n:item is|items are} neither rated nor skipped yet. Ratings made after the system names are "
                "shown are not blind.",
                "",
                total - rated,
            )
        logged = tr("Unblinding cannot be undone. The log records {person}, the time and the reason.", person=person)
        self.field = make_line_edit(placeholder=tr("for example: rating is complete"))
        name = QLabel(tr("&Reason (logged)"))
        name.setBuddy(self.field)
        self.open_button = self.lay_out(
            tr("Show the system names of “{title}”?", title=view.title),
            Label(f"{status} {logged}", wraps=True),
            name,
            self.field,
            StretchSpace(),
            accept=tr("Unblind"),
            reject=tr("Keep blind"),
            default=False,
            gap=12,
            margins=(24, 20, 24, 16),
        )
        self.field.textChanged.connect(self._update_button)
        self.field.returnPressed.connect(self.open_button.click)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 64)
        self._update_button()
        self.field.setFocus()

    def _update_button(self) -> None:
        set_needs(self.open_button, "" if self.reason else tr("Enter a reason first. It is logged."))

    @property
    def reason(self) -> str:
        """Reason that the user entered."""
        return self.field.text().strip()


class ExportDialog(CampaignDialog):
    """Dialog to select an export format."""

    def __init__(self, exports: list[RatingExport], view: CampaignView, parent: QWidget | None = None) -> None:
        super().__init__(tr("Export"), parent)
        self.form = make_combo_from_mapping({export: export.title for export in exports})
        self._explanation = Label(token="muted", wraps=True)
        blind = Label(
            tr("The campaign is blind: systems are exported as letters. Unblind it first to export system names."),
            wraps=True,
        )
        blind.setVisible(bool(view.names))
        fields = QFormLayout()
        fields.addRow(tr("&Format", "of a file"), self.form)
        heading = tr("Export “{title}”", title=view.title)
        self.lay_out(
            heading, fields, self._explanation, blind, accept=tr("Select a file…"), reject=tr("Cancel"), gap=12
        )
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 60)
        self.form.currentIndexChanged.connect(self._explain)
        self.form.setFocus()
        self._explain()

    def _explain(self) -> None:
        self._explanation.setText(self.selected_export().description)

    def selected_export(self) -> RatingExport:
        """Return the selected format."""
        export: RatingExport = self.form.currentData()
        return export


def ask_export_path(parent: QWidget, export: RatingExport, view: CampaignView, folder: str) -> str:
    """Ask for the path of an export file and return that path, with a suffix; empty if the user cancels."""
    proposed = Path(folder or Path.home()) / f"{safe_file_name(view.title, 'ratings')}.{export.suffix}"
    title, complete = tr("Export {form}", form=export.title), append_suffix(export.suffix)
    return FileDialog.getSaveFileName(parent, title, str(proposed), complete=complete)[0]


class ColumnMappingDialog(CampaignDialog):
    """Dialog to confirm that a table contains ratings and, for a wide table, to select the rater columns.

    No rating is imported from the file before the dialog is accepted.
    """

    def __init__(self, error: AmbiguousTableError, parent: QWidget | None = None) -> None:
        super().__init__(tr("Import ratings?"), parent)
        self.error = error
        sentences = [tr("The file does not state what it contains. Its columns would be read as follows.")]
        if error.form == "wide":
            sentences.append(tr("Select the columns to import. Each must contain the ratings of only one rater."))
        self.columns = QTreeWidget()
        self.columns.setRootIsDecorated(False)
        self.columns.setHeaderLabels([tr("Column"), tr("Read as", "a column"), tr("Examples")])
        self.columns.setAccessibleName(tr("Columns of the table"))
        for use in error.uses:
            item = QTreeWidgetItem([use.name, use.display_name or tr("not read"), "   ".join(use.examples)])
            if use.use == RATER:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(0, Qt.CheckState.Checked)
            self.columns.addTopLevelItem(item)
        for column in range(2):
            self.columns.resizeColumnToContents(column)
        self.columns.itemChanged.connect(self._on_check_changed)
        self.import_button = self.lay_out(
            tr("Does “{file}” contain ratings?", file=error.path.name),
            Label(" ".join(sentences), token="muted", wraps=True),
            Stretched(self.columns, 1),
            accept=tr("&Import as ratings"),
            reject=tr("&Skip the file"),
            default=False,
        )
        self.resize_to_text(90, 22)
        self.cancel.setFocus()

    @property
    def raters(self) -> tuple[str, ...]:
        """Names of the selected rater columns; empty if none is selected or the table has one rating per row."""
        items = [self.columns.topLevelItem(index) for index in range(self.columns.topLevelItemCount())]
        return tuple(
            item.text(0)
            for item, use in zip(items, self.error.uses, strict=True)
            if item is not None and use.use == RATER and item.checkState(0) is Qt.CheckState.Checked
        )

    def _on_check_changed(self) -> None:
        missing = self.error.form == "wide" and not self.raters
        set_needs(self.import_button, tr("Select at least one column with ratings first.") if missing else "")
