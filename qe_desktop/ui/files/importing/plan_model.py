"""Table model of the files of an import plan, and texts that summarize the plan."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QAbstractTableModel, Qt, Signal

from qe_desktop.corpus import Kind, QeError, TextRole
from qe_desktop.escaping import escape_label
from qe_desktop.formats import TAG_FORMATS, Ambiguity, CorpusPlan, LineUnit, PlannedFile, ProbabilityOf, Role
from qe_desktop.formats.bilingual.columns import ChoiceKind, ColumnChoice
from qe_desktop.formats.importing.planned_file import AnswerValue, other_segment_count
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import has_pair
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_model import ROOT, ModelIndex

FileUse = tuple[Role, Kind | None]
FILE_USES: dict[FileUse, str] = {
    (Role.JOB, None): tr("bilingual file"),
    (Role.SOURCE, None): tr("source"),
    (Role.MT, None): tr("MT"),
    (Role.RAW_SOURCE, None): tr("source, raw"),
    (Role.RAW_MT, None): tr("MT, raw"),
    (Role.RAW_POST_EDIT, None): tr("post-edit, raw"),
    (Role.REFERENCE, None): tr("reference"),
    (Role.POST_EDIT, None): tr("post-edit"),
    (Role.GOLD, None): tr("gold"),
    (Role.GOLD, Kind.WORDS): tr("gold: words"),
    (Role.GOLD, Kind.GAPS): tr("gold: gaps"),
    (Role.GOLD, Kind.SOURCE): tr("gold: source words"),
    (Role.SYSTEM, None): tr("system"),
    (Role.SYSTEM, Kind.WORDS): tr("system: words"),
    (Role.SYSTEM, Kind.GAPS): tr("system: gaps"),
    (Role.SYSTEM, Kind.SOURCE): tr("system: source words"),
    (Role.TRANSLATION, None): tr("translation by a system"),
    (Role.METRIC, None): tr("metric scores"),
    (Role.RATINGS, None): tr("human ratings"),
    (Role.ALIGNMENTS, None): tr("word alignments"),
    (Role.DOCUMENTS, None): tr("documents"),
    (Role.PIECES, None): tr("subword pieces"),
    (Role.IGNORED, None): tr("not used"),
}


NAMED_ROLES = (Role.SYSTEM, Role.TRANSLATION, Role.REFERENCE, Role.METRIC)
"""Roles of files that have a name: the name of a system or metric, or a name that tells references apart."""


class PlanColumn(enum.IntEnum):
    """Columns of the table of an import plan."""

    FILE = 0
    FORMAT = 1
    USE = 2
    MEANING = 3
    NAME = 4
    NOTES = 5


COLUMNS = {
    PlanColumn.FILE: (tr("File"), 34),
    PlanColumn.FORMAT: (tr("Detected as"), 42),
    PlanColumn.USE: (tr("Used as"), 22),
    PlanColumn.MEANING: (tr("Read as"), 20),
    PlanColumn.NAME: (tr("Name"), 34),
    PlanColumn.NOTES: (tr("Notes"), 0),
}
"""Title and maximum width in characters of each column; a width of 0 stands for the remaining width of the table."""
NOT_CHOSEN = tr("select…")
"""Text of a cell in which the user must select an option."""
_AS_TOKENS = tr("automatic")

FileAnswers = tuple[AnswerValue, ...]


class PlanModel(QAbstractTableModel):
    """Table model with one row per file; “Used as”, “Read as” and “Name” are editable unless `is_read_only` is true.

    `notes` maps paths of files to notes that replace the notes of the plan.
    """

    edited = Signal()

    def __init__(
        self,
        plan: CorpusPlan,
        texts: Collection[TextRole] = (),
        *,
        is_read_only: bool = False,
        notes: Mapping[Path, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self.plan = plan
        self._is_read_only, self._notes = is_read_only, notes
        self._error: QeError | None = None
        self.texts = texts
        """Roles of the texts in the open corpus, to which the files may be added."""

    def show_plan(self, plan: CorpusPlan) -> None:
        """Replace the plan that is shown."""
        self.beginResetModel()
        self.plan, self._error = plan, None
        self.endResetModel()

    def set_error(self, error: QeError) -> None:
        """Show `error` in the notes on the file that it names, until a cell is edited or another plan is shown."""
        self._error = error
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(PlanColumn) - 1))

    def is_in_error(self, file: PlannedFile) -> bool:
        """Return whether the error that was passed to `set_error` concerns `file`."""
        location = None if self._error is None else self._error.place
        return location is not None and location.file == str(file.path)

    def _has_error(self, file: PlannedFile) -> bool:
        return file.problem is not None or self.is_in_error(file)

    def rowCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of files."""
        return 0 if parent.isValid() else len(self.plan.files)

    def columnCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(PlanColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the column titles."""
        horizontal = orientation == Qt.Orientation.Horizontal and 0 <= section < len(PlanColumn)
        return COLUMNS[PlanColumn(section)][0] if horizontal and role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Return the item flags of a cell, which state whether it can be edited."""
        flags = super().flags(index)
        if not index.isValid() or self._is_read_only:
            return flags
        file = self.plan.files[index.row()]
        named = index.column() == PlanColumn.NAME and file.role in NAMED_ROLES and not _system_names(file)
        ambiguous = index.column() == PlanColumn.MEANING and bool(possible_meanings(file))
        if file.problem is None and (index.column() == PlanColumn.USE or named or ambiguous):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, tooltip, editable value, text colour or accessible text of a cell, depending on `role`."""
        if not index.isValid():
            return None
        file, column = self.plan.files[index.row()], PlanColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return escape_label(self._text(file, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._text(file, column))
        if role == Qt.ItemDataRole.EditRole:
            edited = {PlanColumn.USE: file_use, PlanColumn.MEANING: current_answers}.get(column)
            return self._text(file, column) if edited is None else edited(file)
        if role == Qt.ItemDataRole.ForegroundRole:
            if self._has_error(file) and (file.problem is not None or column is PlanColumn.NOTES):
                return current().error
            if column is PlanColumn.MEANING and file in self.unanswered_files():
                return current().warning
            return current().muted if file.role is Role.IGNORED else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{COLUMNS[column][0]}: {escape_label(self._text(file, column))}"
        return None

    def setData(self, index: ModelIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Change the use, interpretation or name of a file; return False if the cell or the value is invalid."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        file = self.plan.files[index.row()]
        if index.column() == PlanColumn.USE and value in FILE_USES:
            use, kind = value
            self.plan = self.plan.with_role(file.path, use, kind)
        elif index.column() == PlanColumn.MEANING and value in possible_meanings(file):
            for answer in value:
                self.plan = self.plan.with_answer(answer, file.path)
        elif index.column() == PlanColumn.NAME and str(value).strip():
            self.plan = self.plan.with_role(file.path, file.role, file.kind, str(value).strip())
        else:
            return False
        self._on_edited(index.row())
        return True

    def _on_edited(self, row: int) -> None:
        self._error = None
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(PlanColumn) - 1))
        self.edited.emit()

    def choose(self, file: PlannedFile, choice: ColumnChoice) -> None:
        """Select the source and the target of a bilingual file."""
        row = next(index for index, planned in enumerate(self.plan.files) if planned.path == file.path)
        self.plan = self.plan.with_choice(choice, file.path)
        self._on_edited(row)

    def unanswered_files(self) -> list[PlannedFile]:
        """Return the files for which the user must select an option."""
        return self.plan.files_with_questions(self.texts)

    def _text(self, file: PlannedFile, column: PlanColumn) -> str:
        if column is PlanColumn.FILE:
            path, folder = str(file.path), self.plan.folder
            inside = folder and path.startswith(folder.rstrip("/") + "/")
            return path[len(folder.rstrip("/")) + 1 :] if inside else file.path.name
        if column is PlanColumn.FORMAT:
            return file.description
        if column is PlanColumn.USE:
            return FILE_USES[file_use(file)]
        if column is PlanColumn.MEANING:
            return (
                NOT_CHOSEN
                if file in self.unanswered_files()
                else _languages(file) or _meaning(file, current_answers(file))
            )
        if column is PlanColumn.NAME:
            return list_names(_system_names(file)) or (file.name if file.role in NAMED_ROLES else "")
        if file.problem is not None:
            return file.problem.line()
        if self._error is not None and self._has_error(file):
            return self._error.message
        return "; ".join(self._notes.get(file.path, file.notes))


def _languages(file: PlannedFile) -> str:
    """Return the selected source and target (columns or languages) of a bilingual file; empty if not selectable."""
    columns = file.effective_columns
    chooses = file.role is Role.JOB and file.column_options is not None
    return tr("{source} → {target}", source=columns.source, target=columns.target) if chooses else ""


def _system_names(file: PlannedFile) -> tuple[str, ...]:
    """Return the names of systems that a file contains; empty for metric scores, whose metric is named instead.

    If a file with the role `SYSTEM` contains no system names, the names of its gold columns are returned.
    """
    if file.role is Role.METRIC:
        return ()
    return file.systems or file.golds if file.role is Role.SYSTEM else file.systems


def file_use(file: PlannedFile) -> FileUse:
    """Return the use of a file, a key of `FILE_USES`."""
    return (file.role, file.kind) if (file.role, file.kind) in FILE_USES else (file.role, None)


def possible_meanings(file: PlannedFile) -> dict[FileAnswers, str]:
    """Return a label for each possible interpretation of lines, numbers and scores; empty if nothing is ambiguous."""
    ambiguities = _relevant_ambiguities(file)
    answers: list[list[AnswerValue]] = [[*ambiguity.question] for ambiguity in ambiguities]
    return {reading: _meaning(file, reading) for reading in product(*answers)} if ambiguities else {}


def current_answers(file: PlannedFile) -> tuple[AnswerValue | None, ...]:
    """Return the current interpretation for each ambiguity in lines, numbers and scores; None for an unresolved one."""
    return tuple(file.effective_answer(ambiguity.question) for ambiguity in _relevant_ambiguities(file))


def _relevant_ambiguities(file: PlannedFile) -> list[Ambiguity]:
    return [ambiguity for ambiguity in file.ambiguities if file.has_question(ambiguity.question)]


def _meaning(file: PlannedFile, reading: Sequence[AnswerValue | None]) -> str:
    answered = zip(_relevant_ambiguities(file), reading, strict=True)
    return ", ".join(_AS_TOKENS if answer is None else _answer_text(question, answer) for question, answer in answered)


def _answer_text(ambiguity: Ambiguity, answer: AnswerValue) -> str:
    if isinstance(answer, ProbabilityOf) and ambiguity.default is None:
        return tr("1 means {tag}", tag=answer.name)
    return f"log {answer.display_name}" if ambiguity.default is ProbabilityOf.OK else answer.display_name


def plan_name(plan: CorpusPlan) -> str:
    """Return the name of a plan, followed by its language pair unless the `name` or `part` of the plan is this pair."""
    displayed = ("", plan.name, plan.part)
    pair = "" if has_pair(displayed, plan.language_pair) else f" ({plan.language_pair})"
    return f"{plan.name}{pair}"


def plan_contents(plan: CorpusPlan, *, adding: bool = False) -> str:
    """Return a sentence with a plan's name, texts and gold, and numbers of references, translations and systems.

    The sentence also states that source, MT or gold is missing, unless the files are being added to a corpus
    (`adding`). Missing MT is not mentioned if there are translations. Missing gold is not mentioned if there are
    translations or bilingual files. If there are metric scores, no missing source, MT or gold is mentioned.
    """
    metric_files = plan.files_with_role(Role.METRIC)
    translations, references = len(plan.files_with_role(Role.TRANSLATION)), len(plan.files_with_role(Role.REFERENCE))
    # metrics score the translations, which are counted already
    scored = () if translations else (file.systems for file in metric_files)
    systems = len(plan.systems().union(*scored))
    table = plan.table_of_texts()
    roles = () if table is None else table.text_roles
    job = plan.files_with_role(Role.JOB)
    source = job or plan.files_with_role(Role.SOURCE, Role.RAW_SOURCE) or TextRole.SOURCE in roles
    gold = [
        file
        for file in plan.files_with_role(Role.GOLD)
        if file.golds or (file.format in TAG_FORMATS and file.kind is not Kind.SOURCE)
    ]
    contents = (
        (source, tr("source"), tr("no source"), metric_files),
        (contains_mt(plan), tr("MT"), tr("no MT"), metric_files or translations),
        (gold, tr("gold"), tr("no gold"), metric_files or translations or job),
    )
    parts = [
        name if present else missing
        for present, name, missing, optional in contents
        if present or not (adding or optional)
    ]
    if references:
        parts.append(tr("{n} {n:reference|references}", "", references))
    if translations:
        parts.append(tr("{n} {n:translation|translations}", "", translations))
    if metric_files:
        parts.append(tr("{n} {n:metric|metrics}", "", len({file.name for file in metric_files})))
    if systems or not (translations or job):
        parts.append(tr("{n} {n:system|systems}", "", systems))
    return f"{plan_name(plan)}: {', '.join(parts)}."


def contains_mt(plan: CorpusPlan) -> bool:
    """Return whether a plan contains MT."""
    table = plan.table_of_texts()
    return bool(plan.files_with_mt()) or (table is not None and TextRole.MT in table.text_roles)


def fits_open_corpus(plan: CorpusPlan, texts: Collection[TextRole], segments: int | None) -> bool:
    """Return whether the files of a plan can be added to the open corpus.

    `texts` are the roles of the texts in the open corpus, `segments` is its number of segments (None if unknown). Only
    one text can have a role, except for references and translations, and the numbers of segments must be equal.
    """
    is_taken = any(file.role.text in texts and file.role is not Role.REFERENCE for file in plan.files)
    return not is_taken and other_segment_count(plan.files, segments) is None


def uses_any_file(plan: CorpusPlan) -> bool:
    """Return whether any file of a plan is used; unreadable files count if they have a use."""
    return any(file.role is not Role.IGNORED for file in plan.files)


def open_questions(files: Sequence[PlannedFile]) -> Iterator[str]:
    """Yield the questions about `files` that must be answered before the files can be opened."""
    lines = [
        file.path.name for file in files if file.has_question(LineUnit) and file.effective_answer(LineUnit) is None
    ]
    for file in files:
        if (
            file.must_select_columns
            and file.column_options is not None
            and file.column_options.kind is ChoiceKind.LANGUAGES
        ):
            yield tr("{file} contains several languages: select source and target below.", file=file.path.name)
        elif file.must_select_columns:
            yield tr("Select the source and target columns of {file} below.", file=file.path.name)
    numbers = [
        file.path.name
        for file in files
        if file.has_question(ProbabilityOf) and file.effective_answer(ProbabilityOf) is None
    ]
    if len(numbers) == 1:
        yield tr(
            "In {file}, all numbers are 0 or 1: select under “Read as” whether 1 means BAD or OK.", file=numbers[0]
        )
    elif numbers:
        yield tr(
            "In {file} and {n:,} more {n:file|files}, all numbers are 0 or 1: select under “Read as” whether 1 means "
            "BAD or OK.",
            "",
            len(numbers) - 1,
            file=numbers[0],
        )
    if len(lines) == 1:
        yield tr("In {file}, each line has one value: select under “Read as” what a line represents.", file=lines[0])
    elif lines:
        yield tr(
            "In {file} and {n:,} more {n:file|files}, each line has one value: select under “Read as” what a line "
            "represents.",
            "",
            len(lines) - 1,
            file=lines[0],
        )


def questions_without_texts(files: Sequence[PlannedFile]) -> Iterator[str]:
    """Yield the question that must be answered if `files` are opened separately, not added to the open texts."""
    if files:
        yield tr(
            "To open {files} without the open texts, select under “Read as” what a line represents.",
            files=list_names([file.path.name for file in files], joined=True),
        )
