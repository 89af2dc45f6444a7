"""System selection: available translations, and translations added from text files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign_texts import CampaignTexts, read_translation
from qe_desktop.ui import theme
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox
from qe_desktop.ui.workspace import Workspace

NAME_ROLE = Qt.ItemDataRole.UserRole
LIST_LINES = 6
_Result = tuple[str, str, object] | QeError
"""Path, system name and lines of a file, or the error that occurred when the file was read."""
NO_TRANSLATION = tr("No translations yet. Add one text file per system, with one segment per line.")


class SystemChoice(QWidget):
    """Checklist of systems, with a button to add translations from text files, which are read in the background."""

    changed = Signal()
    """Emitted when the list of systems or the selection changes."""
    added = Signal(str, object)
    """Emitted with the system name and the lines of each translation that was read from a file."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._texts: CampaignTexts | None = None
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Systems"))
        # check marks select the systems; a selected row would look like the only system to rate
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.list.setTabKeyNavigation(False)
        self._empty = Label(NO_TRANSLATION, token="muted", wraps=True)
        self.add = FlatButton(tr("Add translations…"), "files")
        self.add.setAccessibleDescription(tr("Add system translations from text files"))
        row = hbox(self.add, StretchSpace())
        vbox(self.list, self._empty, row, on=self, gap=8)
        self.list.itemChanged.connect(self.changed)
        theme.themes.theme_changed.connect(self._update_box_outlines)
        self._update_box_outlines()
        self.add.clicked.connect(self.ask_for_files)
        self.show_texts(None)

    # --- selection

    @property
    def chosen(self) -> tuple[str, ...]:
        """Selected systems in list order."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return tuple(str(item.data(NAME_ROLE)) for item in items if item.checkState() == Qt.CheckState.Checked)

    def choose(self, names: Sequence[str]) -> None:
        """Select the systems in `names`, and deselect all others."""
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setCheckState(_check_state(item.data(NAME_ROLE) in names))

    def show_texts(self, texts: CampaignTexts | None) -> None:
        """List the translations in `texts`; systems that were already listed keep their selection.

        New systems are selected, except for human translations. None clears the list.
        """
        before = {self.list.item(row).data(NAME_ROLE) for row in range(self.list.count())}
        chosen = self.chosen
        self._texts = texts
        blocked = self.list.blockSignals(True)
        self.list.clear()
        for name in [] if texts is None else texts.outputs():
            human = texts is not None and name in texts.human
            label, tooltip = escape_label(name), name
            if human:
                label = tr("{name} – human translation", name=isolate_bidi(name))
                tooltip = tr("Human translation, for comparison with the systems")
            item = QListWidgetItem(label)
            item.setData(NAME_ROLE, name)
            item.setToolTip(plain_tooltip(tooltip))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(_check_state(name in chosen if name in before else not human))
            self.list.addItem(item)
        self.list.blockSignals(blocked)
        if self.list.count():
            self.list.setCurrentRow(0)
        self.list.setVisible(self.list.count() > 0)
        self._empty.setVisible(self.list.count() == 0)
        set_needs(self.add, tr("Open files with texts first.") if texts is None else "")
        self.setFocusProxy(self.list if self.list.count() else self.add)
        self._size()
        self.changed.emit()

    def _update_box_outlines(self) -> None:
        """In the dark theme, lighten the window colour of the list, from which the style derives check box outlines."""
        palette = theme.palette(theme.current())
        if theme.current().dark:
            palette.setColor(QPalette.ColorRole.Window, theme.current().border.lighter(150))
        self.list.setPalette(palette)

    def _size(self) -> None:
        row = self.list.sizeHintForRow(0) if self.list.count() else 0
        self.list.setFixedHeight(row * min(LIST_LINES, max(3, self.list.count())) + 2 * self.list.frameWidth() + 4)

    # --- files

    def ask_for_files(self) -> None:
        """Ask for text files, one per system, and read them."""
        start = self._workspace.settings.last_folder or str(Path.home())
        paths, _ = FileDialog.getOpenFileNames(self, tr("Add translations, one file per system"), start)
        if paths:
            self._workspace.settings.last_folder = str(Path(paths[0]).parent)
            self.read(paths)

    def read(self, paths: Sequence[str]) -> None:
        """Read text files in the background. For each file, emit `added` or, on an error, `Workspace.failed`.

        Do nothing if no texts are open. If another session is open when the files have been read, no signal is emitted.
        """
        if self._texts is None:
            return
        size, session = self._texts.size, self._workspace.session

        def work(progress: Progress) -> list[_Result]:
            results: list[_Result] = []
            for index, path in enumerate(paths):
                progress.report(index / len(paths), Path(path).name)
                try:
                    results.append((path, *read_translation(Path(path), size)))
                except QeError as error:
                    results.append(error)
            return results

        def done(results: list[_Result]) -> None:
            if self._workspace.session is session:
                self._on_read(results)

        self._workspace.jobs.submit(tr("Reading translations"), work, done)

    def _on_read(self, results: list[_Result]) -> None:
        texts = self._texts
        # a translation from an earlier file may be replaced, for example by a corrected file
        used = set() if texts is None else set(texts.outputs()) - texts.added
        for result in results:
            if isinstance(result, QeError):
                self._workspace.failed.emit(result)
                continue
            path, name, lines = result
            if name in used:
                message, hint = tr("there is already a translation by {name}", name=name), tr("Rename the file.")
                self._workspace.failed.emit(QeError(message, hint=hint, place=SourceLocation(path)))
                continue
            used.add(name)
            self.added.emit(name, lines)


def _check_state(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
