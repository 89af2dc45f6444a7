"""Dialogs of an import plan: one edits how files will be used, the other shows how opened files were read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from qe_desktop.corpus import Corpus, QeError, TextRole
from qe_desktop.escaping import escape_label
from qe_desktop.formats import CorpusPlan, PlannedFile, Role
from qe_desktop.formats.bilingual.columns import ColumnChoice
from qe_desktop.formats.importing.planned_file import other_segment_count
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.scores.metric_scores import untranslated_systems_note
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.human.human_level import unmatched_ratings_note
from qe_desktop.levels.translations.translation_level import translations_of
from qe_desktop.ui.files.importing.plan_model import (
    PlanColumn,
    PlanModel,
    contains_mt,
    fits_open_corpus,
    open_questions,
    plan_contents,
    plan_name,
    questions_without_texts,
    uses_any_file,
)
from qe_desktop.ui.files.importing.plan_widgets import FilePreviewPanel, PlanTable, has_preview
from qe_desktop.ui.shell.notices import Message, NoticeBar
from qe_desktop.ui.widgets.buttons import FlatButton, LinkButton
from qe_desktop.ui.widgets.dialogs import Dialog, fit_dialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox

_NO_USE = tr("No file is used. Select a use under “Used as” first.")


class ImportDialog(Dialog):
    """Dialog to edit import plans; it stays open when it requests that the files of a plan be opened or added.

    `first` is the 0-based index of the plan that is shown first. `may_add` states whether the files can be added to the
    open session; `texts` are the roles of the texts in that session, and `segments` is its number of segments.
    `replaces` is a warning that opening the files closes the open session; empty if no session is open.
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
        segments: int | None = None,
        first: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open"))
        self.setModal(True)
        self._plans = list(plans)
        self._may_add = may_add
        self._segments = segments
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
        adding = may_add and not contains_mt(plan) and fits_open_corpus(plan, self.model.texts, self._segments)
        self.add_button.setVisible(may_add)
        sentences = [plan_contents(plan, adding=adding)]
        refused = plan is self._rejected_plan
        self.open_button.setDefault(not adding and not refused)
        self.add_button.setDefault(adding and not refused)
        if bad:
            sentences.append(tr("{n} {n:file|files} cannot be used and will be left out.", "", len(bad)))
        other_count = other_segment_count(plan.files, self._segments) if may_add else None
        if other_count is not None:
            sentences.append(
                tr(
                    "A file in the list has {n:,} {n:segment|segments}, but the open files have {wanted:,}. To open "
                    "the listed files instead, select “Open”.",
                    "", other_count, wanted=self._segments,
                )
            )  # fmt: skip
        faulty = next(filter(self.model.is_in_error, plan.files), None) if refused and other_count is None else None
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


class ImportDetailsDialog(Dialog):
    """Dialog that shows how each file was read; the default button closes the dialog.

    `texts` are the roles of the texts in the open corpus; `notes` maps file paths to the notes on the files.
    """

    change_requested = Signal()
    """Emitted when the user asks to change how the files are read, and to open them again."""
    preview_requested = Signal(object)
    """Emitted with a `PlannedFile` whose first segments should be shown in `panel`."""

    def __init__(
        self,
        plan: CorpusPlan,
        texts: Collection[TextRole],
        notes: Mapping[Path, Sequence[str]],
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
            self.preview_requested.emit(file)
        else:
            self.panel.hide()


def import_notes(plan: CorpusPlan, corpus: Corpus | None) -> Message | None:
    """Return a message with the notes on the files of an opened plan; None if there are no notes."""
    lines = [
        f"{_label(path, plan)}: {'; '.join(notes)}" for path, notes in notes_by_file(plan, corpus).items() if notes
    ]
    empty, names = "", _files_without_segments(plan, corpus)
    if names:
        empty = tr(
            "{n:,} {n:bilingual file has|bilingual files have} no segments to translate: {names}", "", len(names),
            names=escape_label(list_names(names)),
        )  # fmt: skip
    general = [note for note in (empty, _untranslated_note(corpus)) if note]
    if not lines:
        return Message(". ".join(general)) if general else None
    title = tr("Import notes on {n:,} {n:file|files}", "", len(lines))
    faults = [f"{file.path.name}: {note}" for file in plan.files_with_role(Role.JOB) for note in file.notes]
    if faults:
        # problems with saving are more important than how other files were read
        return Message(title, "warning", advice=join_localized(" ", map(escape_label, faults)), details=tuple(lines))
    return Message(title, advice=" ".join(f"{note}." for note in general), details=tuple(lines))


def _untranslated_note(corpus: Corpus | None) -> str:
    """Return a note that metric scores are used without texts; empty if there are translations or no metric scores."""
    if corpus is None or not corpus.metric_scores or translations_of(corpus):
        return ""
    return tr("No translations are open; metric scores are used without texts")


def _files_without_segments(plan: CorpusPlan, corpus: Corpus | None) -> list[str]:
    """Return the names of bilingual files that have no segments and were opened together with other files."""
    if corpus is None:
        return []
    if corpus.job is None:
        # other files form the corpus
        return [file.path.name for file in plan.files_with_role(Role.JOB)]
    return [file.name for file in corpus.job.files if not file.count]


def notes_by_file(plan: CorpusPlan, corpus: Corpus | None) -> dict[Path, tuple[str, ...]]:
    """Return the notes on the used files of a plan, keyed by file path, including notes added during reading."""
    used = [file for file in plan.files if file.role is not Role.IGNORED]
    notes = {file.path: file.notes for file in used}
    if corpus is None:
        return notes
    for file in used:
        read = [layer.notes for layer in corpus.layers.values() if file.is_origin_of(layer)]
        if read:
            notes[file.path] = tuple(dict.fromkeys(note for layer_notes in read for note in layer_notes))
    unmatched = unmatched_ratings_note(corpus)
    translations = translations_of(corpus)
    metrics = {file.name: file for file in reversed(used) if file.role is Role.METRIC}
    for name, file in metrics.items():
        column = corpus.metric_scores.get(name)
        if column is not None:
            # if there are no translations at all, one note for all files says so
            untranslated = untranslated_systems_note(column.scores_by_system, translations) if translations else ()
            notes[file.path] = tuple(dict.fromkeys((*column.notes, *untranslated)))
    if unmatched:
        notes |= {file.path: (*file.notes, unmatched) for file in used if file.role is Role.RATINGS}
    # a bilingual file may have layers, too
    return notes | {
        file.path: tuple(dict.fromkeys((*file.notes, *notes[file.path]))) for file in used if file.role is Role.JOB
    }


def _label(path: Path, plan: CorpusPlan) -> str:
    """Return the name of a file; if several files have this name, return the path relative to the plan's folder."""
    if [file.path.name for file in plan.files].count(path.name) < 2:
        return path.name
    folder = Path(plan.folder)
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)
