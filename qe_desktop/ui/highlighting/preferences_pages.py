"""Preferences pages for custom QE systems and for QA checks with their word lists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QFormLayout, QFrame, QLineEdit, QPlainTextEdit, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.external.command import (
    DEFAULT_TIMEOUT_MINUTES,
    MAX_COMMAND_NAME_CHARS,
    MAX_TIMEOUT_MINUTES,
    QeCommand,
)
from qe_desktop.local_qe.qa_checks.runner import CHECKS
from qe_desktop.ui.highlighting.highlighting_settings import (
    count_forbidden_words,
    count_terms,
    repeated_name_problem,
    save_systems,
    saved_system,
    saved_systems,
)
from qe_desktop.ui.jobs import JobRunner, Progress
from qe_desktop.ui.settings import SettingField, Settings
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.form_controls import PlaceholderList, set_needs
from qe_desktop.ui.widgets.labels import ElidedLabel, Label
from qe_desktop.ui.widgets.layouts import FixedSpace, LayoutPart, Stretched, StretchSpace, hbox, make_scroll_area, vbox


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


TrialRunner = Callable[[QeCommand, Callable[[str, bool], None], QObject], Callable[[], None]]
"""Function that runs a system on a few segments.

It returns a function that stops the run. At the end of the run, the callback receives the result and whether the run
succeeded, unless the owner object was destroyed.
"""
EXAMPLE = tr("python3 /home/me/qe.py {source} {mt} {out}")


class QeSystemsPage(QWidget):
    """List of systems with an editor for the selected one.

    Changes are saved when the user clicks “Save”, selects another system or closes the dialog. If the command is
    invalid or the name is already in use, nothing is saved: the page shows the problem, and the system remains
    selected. If the user then selects another system or closes the dialog again, the changes are discarded.
    """

    def __init__(self, settings: Settings, try_out: TrialRunner | None = None) -> None:
        super().__init__()
        self._settings = settings
        self._try_out = try_out
        self.list = PlaceholderList(tr("No QE systems yet"))
        self.list.setAccessibleName(tr("QE systems"))
        self.name = QLineEdit()
        self.name.setMaxLength(MAX_COMMAND_NAME_CHARS)
        self.command_field = QPlainTextEdit()
        self.command_field.setTabChangesFocus(True)
        self.command_field.setPlaceholderText(EXAMPLE)
        self.command_field.setAccessibleName(tr("Command"))
        self.command_field.setFixedHeight(self.fontMetrics().height() * 5)
        self.minutes = QDoubleSpinBox()
        self.minutes.setRange(0.1, MAX_TIMEOUT_MINUTES)
        self.minutes.setDecimals(1)
        self.minutes.setSuffix(tr(" minutes"))
        self.save_button, self.test, self.stop = (
            FlatButton(tr("Sa&ve")),
            FlatButton(tr("&Test")),
            FlatButton(tr("&Stop")),
        )
        self._stop: Callable[[], None] | None = None
        self._row = -1
        """List row of the system shown in the fields; −1 for a system that is not in the list yet."""
        self._displayed_values: tuple[str, str, float] = ("", "", DEFAULT_TIMEOUT_MINUTES)
        """Contents of the fields before editing."""
        self._rejected_values: tuple[str, str, float] | None = None
        """Contents of the fields that were last rejected as invalid."""
        self.add, self.remove = FlatButton(tr("&New")), FlatButton(tr("&Remove"))
        self.status_label = Label(wraps=True, selectable=True)
        self.status_label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 90)
        self._lay_out()
        self._connect()
        self._fill()

    def _lay_out(self) -> None:
        explanation = Label(
            tr(
                "The command reads source and MT, one segment per line, from the files {source} and {mt} (tokenized: "
                "{source_tokens} and {mt_tokens}). It writes to {out} a tag or P(BAD) for each token, or one score per "
                "segment, or the JSON output of comet-score. It does not run in a shell, so it cannot use pipes or "
                "variables."
            ),
            wraps=True,
            token="muted",
        )
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(tr("N&ame"), self.name)
        form.addRow(tr("&Command"), self.command_field)
        form.addRow(tr("Time &limit"), self.minutes)
        left = vbox(Stretched(self.list, 1), hbox(self.add, self.remove, gap=8), gap=8)
        right = vbox(
            form,
            hbox(self.save_button, self.test, self.stop, StretchSpace(), gap=8),
            Stretched(self.status_label, 1),
            gap=8,
        )
        vbox(explanation, hbox(Stretched(left, 1), Stretched(right, 3), gap=16), on=self, gap=16, margins=16)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._on_row)
        self.save_button.clicked.connect(self._save)
        self.test.clicked.connect(self._test)
        self.add.clicked.connect(self._start_new)
        self.remove.clicked.connect(self._remove)
        self.stop.clicked.connect(self.stop_test)
        self.name.textChanged.connect(self._update_buttons)
        self.command_field.textChanged.connect(self._update_buttons)
        self.stop.hide()

    def _update_buttons(self) -> None:
        """Enable “Save” if a name and a command are entered; enable “Test” if, in addition, a test can be started."""
        name, line, _ = self._field_values()
        missing = "" if name.strip() and line.strip() else tr("Enter a name and a command first.")
        set_needs(self.save_button, missing)
        untestable = tr("Systems cannot be tested here.") if self._try_out is None else missing
        set_needs(self.test, tr("Wait until the test ends, or stop it.") if self._stop is not None else untestable)

    def _fill(self, row: int = 0) -> None:
        systems = saved_systems(self._settings)
        with QSignalBlocker(self.list):
            self.list.clear()
            for system in systems:
                name = escape_label(system.name)
                self.list.addItem(tr("{name} (invalid)", name=name) if system.problem else name)
            self.list.setCurrentRow(min(row, len(systems) - 1))
        self._show(self.list.currentRow())

    def _on_row(self, row: int) -> None:
        typed = self._field_values()
        if typed in (self._displayed_values, self._rejected_values):
            self._show(row)
        elif self._save():
            self._fill(row)
        else:
            self._rejected_values, problem = typed, self.status_label.text()
            self.status_label.setText(
                tr("{problem} To discard the changes, select the other system or “New” again.", problem=problem)
            )
            # a click selects its row after this signal
            QTimer.singleShot(0, self, self._select_shown)

    def _select_shown(self) -> None:
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(self._row)

    def _field_values(self) -> tuple[str, str, float]:
        return self.name.text(), self.command_field.toPlainText(), self.minutes.value()

    def save_changes(self) -> bool:
        """Save the fields if they were changed; return False and show the problem if they are invalid.

        If the method is called again with the same invalid contents, it discards them and returns True.
        """
        typed = self._field_values()
        if typed in (self._displayed_values, self._rejected_values) or self._save():
            return True
        self._rejected_values = typed
        problem = self.status_label.text()
        self.status_label.setText(tr("{problem} To discard the changes, close Preferences again.", problem=problem))
        return False

    def _show(self, row: int) -> None:
        self._row = row
        systems = saved_systems(self._settings)
        system = systems[row] if 0 <= row < len(systems) else None
        set_needs(self.remove, tr("Select a QE system in the list first.") if system is None else "")
        self.name.setText("" if system is None else system.name)
        self.command_field.setPlainText("" if system is None else system.line)
        self.minutes.setValue(DEFAULT_TIMEOUT_MINUTES if system is None else system.minutes)
        self.status_label.setText("" if system is None else system.problem)
        self._displayed_values, self._rejected_values = self._field_values(), None
        self._update_buttons()

    def _start_new(self) -> None:
        if self.list.currentRow() < 0:
            self._on_row(-1)
        else:
            self.list.setCurrentRow(-1)
        self.name.setFocus()

    def _command(self) -> QeCommand | None:
        """Return the command entered in the fields; if it is invalid, show the problem and return None."""
        try:
            line = " ".join(self.command_field.toPlainText().split("\n")).strip()
            return QeCommand(self.name.text().strip(), line, self.minutes.value())
        except QeError as error:
            self.status_label.setText(f"{error.message}. {error.hint}")
            return None

    def _save(self) -> bool:
        """Save the fields to the list; if the command is invalid or the name is in use, show why and return False."""
        command, row = self._command(), self._row
        if command is None:
            return False
        systems = saved_systems(self._settings)
        if any(saved.name == command.name for index, saved in enumerate(systems) if index != row):
            self.status_label.setText(repeated_name_problem())
            return False
        if row < 0:
            systems.append(saved_system(command))
            row = len(systems) - 1
        else:
            systems[row] = saved_system(command)
        save_systems(self._settings, systems)
        self._fill(row)
        self.status_label.setText(tr("Saved. To run the system, use Edit ▸ Run a QE system."))
        return True

    def _remove(self) -> None:
        systems, row = saved_systems(self._settings), self._row
        if 0 <= row < len(systems):
            del systems[row]
            save_systems(self._settings, systems)
            self._fill(row)

    def _test(self) -> None:
        command = self._command()
        if command is not None and self._try_out is not None:
            self.stop.show()
            self.status_label.setText(tr("Running…"))
            self._stop = self._try_out(command, self._show_test_result, self)
            self._update_buttons()

    def stop_test(self) -> None:
        """Stop the test of a system, if one is running."""
        if self._stop is not None:
            self._stop()

    def _show_test_result(self, text: str, passed: bool) -> None:
        self._stop = None
        self._update_buttons()
        self.stop.hide()
        self.status_label.setText(tr("Test passed: {what}", what=text) if passed else text)


class ChecksPage(QWidget):
    """Page with word lists and one check box per QA check; if results are open, a change runs the checks again."""

    def __init__(self, settings: Settings, jobs: JobRunner | None = None) -> None:
        super().__init__()
        self._settings = settings
        self.boxes: dict[str, QCheckBox] = {}
        explanation = tr("Edit ▸ QA checks ▸ Run checks adds a system named “checks” with the results.")
        lists = tr(
            "Terms: a CSV or TSV file with a source and a target term in each row. Forbidden words: a text file with "
            "one word or phrase per line."
        )
        self.terms = WordListField(tr("Terms"), Settings.terms_file, count_terms, settings, jobs)
        self.forbidden_words = WordListField(
            tr("Forbidden words"), Settings.forbidden_words_file, count_forbidden_words, settings, jobs
        )
        fields = vbox(self.terms, self.forbidden_words, Label(lists, wraps=True, token="muted"), gap=8)
        rows: list[LayoutPart] = [Label(explanation, token="muted", wraps=True), fields]
        for check in CHECKS:
            box = self.boxes[check.name] = QCheckBox(check.title)
            box.setChecked(check.name not in settings.disabled_checks)
            box.setAccessibleDescription(check.description)
            box.toggled.connect(self._save)
            rule = Label(check.description, wraps=True, token="muted")
            rows += [vbox(box, hbox(FixedSpace(24), Stretched(rule, 1)), gap=4)]
        content = QWidget()
        vbox(*rows, StretchSpace(), on=content, gap=16, margins=16)
        area = make_scroll_area(content)
        # the frame shows that the list of checks continues below
        area.setFrameShape(QFrame.Shape.StyledPanel)
        vbox(area, on=self, margins=16)
        # the menu can also toggle checks
        settings.changed.connect(self._show)

    def _show(self) -> None:
        off = self._settings.disabled_checks
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(name not in off)

    def _save(self) -> None:
        self._settings.disabled_checks = [name for name, box in self.boxes.items() if not box.isChecked()]
