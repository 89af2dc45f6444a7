"""Import details: notes on how files were read, and a read-only dialog that shows how each file was read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.escaping import escape_label
from qe_desktop.formats import CorpusPlan, Role
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.scores.metric_scores import untranslated_systems_note
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.human.human_level import unmatched_ratings_note
from qe_desktop.levels.translations.translation_level import translations_of
from qe_desktop.ui.files.importing.file_preview_panel import FilePreviewPanel, has_preview
from qe_desktop.ui.files.importing.plan_model import PlanColumn, PlanModel
from qe_desktop.ui.files.importing.plan_summary import plan_contents
from qe_desktop.ui.files.importing.plan_table import PlanTable
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog, fit_dialog
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox


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
