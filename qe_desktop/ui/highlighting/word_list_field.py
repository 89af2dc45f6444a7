"""Field in Preferences to select a file with a word list for QA checks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.jobs import JobRunner, Progress
from qe_desktop.ui.settings import SettingField, Settings
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import ElidedLabel, Label
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox


class WordListField(QWidget):
    """Field with the path of a word list, and buttons to select a file or to clear the path.

    Below the path is the number of entries or the first error. `count` reads a file and returns a text with its number
    of entries. Files are read in the background; an invalid file is not selected. Without `jobs`, the field is
    disabled.
    """

    def __init__(
        self, title: str, setting: SettingField[str], count: Callable[[str], str], settings: Settings,
        jobs: JobRunner | None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._title, self._setting, self._count = title, setting, count
        self._settings, self._jobs = settings, jobs
        self.path_label = ElidedLabel()
        self.select, self.remove = FlatButton(tr("Select a file…")), FlatButton(tr("Remove"))
        self.select.setAccessibleName(tr("{list}: select a file", list=title))
        self.remove.setAccessibleName(tr("{list}: remove", list=title))
        self.status_label = Label(wraps=True, selectable=True, token="muted")
        for button in (self.select, self.remove):
            button.setAutoDefault(False)
        set_needs(self, tr("This window cannot read files.") if jobs is None else "")
        vbox(
            hbox(Label(title), Stretched(self.path_label, 1), self.select, self.remove, gap=8),
            self.status_label, on=self, gap=4,
        )  # fmt: skip
        self.select.clicked.connect(self._select_file)
        self.remove.clicked.connect(self._remove)
        self._show()
        self._show_status("", "muted")
        if self._path:
            self._read(self._path)

    @property
    def _path(self) -> str:
        return self._setting.__get__(self._settings, Settings)

    @property
    def _job(self) -> str:
        return f"word-list-{self._setting.key}"

    def _select_file(self) -> None:
        folder = str(Path(self._path).parent) if self._path else self._settings.last_folder
        kinds = ";;".join((tr("Lists (*.csv *.tsv *.txt)"), tr("All files (*)")))
        path, _ = FileDialog.getOpenFileName(self, self._title, folder, kinds)
        if path:
            self._settings.last_folder = str(Path(path).parent)
            self._read(path)

    def _read(self, path: str) -> None:
        """Read a file in the background; select it if it is valid, otherwise show what is wrong and where."""
        if self._jobs is None:
            return

        def work(progress: Progress) -> str:
            return self._count(path)

        def done(text: str) -> None:
            self._set(path)
            self._show_status(text, "muted")

        def fail(error: QeError) -> None:
            self._show_status(error.line(), "warning")

        self._jobs.submit(self._title, work, done, fail, latest=self._job, owner=self)

    def _remove(self) -> None:
        if self._jobs is not None:
            # do not select a file that is still being read
            self._jobs.cancel(self._job)
        self._set("")

    def _set(self, path: str) -> None:
        self._show_status("", "muted")
        self._setting.__set__(self._settings, path)
        self._show()

    def _show(self) -> None:
        self.path_label.setText(self._path or tr("no file selected"))
        set_needs(self.remove, "" if self._path else tr("No file is selected."))

    def _show_status(self, text: str, token: str) -> None:
        self.status_label.set_token(token)
        self.status_label.setText(text)
        self.status_label.setVisible(bool(text))
