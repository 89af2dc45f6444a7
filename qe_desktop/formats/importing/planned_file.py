"""File in an import plan: the result of its inspection and its intended use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Kind, Layer, QeError, TextRole
from qe_desktop.formats.bilingual.column_choice import AUTO_COLUMNS, ColumnChoice, ColumnOptions
from qe_desktop.formats.importing.questions import (
    NO_ANSWERS,
    Ambiguity,
    AnswerValue,
    QuestionAnswers,
    QuestionType,
    ScoreDirection,
)
from qe_desktop.formats.importing.roles import Role


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """File in an import plan: the result of its inspection and its intended use.

    `kind` is the kind of tags or scores; None if it is determined from the number of tags. `name` is the name of the
    system, reference or metric. `problem` states why the file cannot be read; such files are not loaded. `ambiguities`
    are questions about the content, and `answers` are the user's answers. `pairs` are the language pairs of a table.
    `is_gold` is true if all methods in a table are named gold. `golds` and `systems` are the names of golds and systems
    in a score table, and `text_roles` are the roles of the texts in the table. For a text, `is_tokenized` states
    whether the file name marks the text as tokenized, and `stem` is the rest of the file name. `contains_mt` is true
    for a table of tags that also contains the MT. `unsupported_type` is the type of an unsupported file, such as a PDF.
    For a bilingual file, `column_options` contains the possible sources and targets, and `column_choice` is the user's
    selection.
    """

    path: Path
    format: str = ""
    description: str = ""
    role: Role = Role.IGNORED
    kind: Kind | None = None
    name: str = ""
    notes: tuple[str, ...] = ()
    problem: QeError | None = None
    ambiguities: tuple[Ambiguity, ...] = ()
    answers: QuestionAnswers = NO_ANSWERS
    pairs: tuple[str, ...] = ()
    is_gold: bool = False
    golds: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    text_roles: tuple[TextRole, ...] = ()
    is_tokenized: bool = False
    stem: str = ""
    contains_mt: bool = False
    unsupported_type: str = ""
    column_options: ColumnOptions | None = None
    column_choice: ColumnChoice = AUTO_COLUMNS

    def is_origin_of(self, layer: Layer) -> bool:
        """Whether a layer was read from this file; layers of other files with the same file name have other names."""
        return layer.origin == self.path.name and layer.key.name in (self.name, *self.golds, *self.systems)

    def has_question(self, question: QuestionType) -> bool:
        """Whether this question applies to the file in its current role."""
        roles = (Role.METRIC,) if question is ScoreDirection else (Role.GOLD, Role.SYSTEM)
        used = self.role in roles and self.problem is None
        return used and any(ambiguity.question is question for ambiguity in self.ambiguities)

    def effective_answer(self, question: QuestionType) -> AnswerValue | None:
        """Answer of the user, or else the default from the content; None if the user must answer."""
        default = next((ambiguity.default for ambiguity in self.ambiguities if ambiguity.question is question), None)
        return self.answers.answer_to(question) or default

    @property
    def effective_columns(self) -> ColumnChoice:
        """Source and target of a bilingual file, as selected by the user or else as detected; empty if unknown."""
        defaults = AUTO_COLUMNS if self.column_options is None else self.column_options.default
        return ColumnChoice(self.column_choice.source or defaults.source, self.column_choice.target or defaults.target)

    @property
    def must_select_columns(self) -> bool:
        """Whether the user must select the languages or columns of source and target."""
        if self.role is not Role.JOB or self.column_options is None or self.problem is not None:
            return False
        choice = self.effective_columns
        return not choice.source or not choice.target or choice.source == choice.target

    def with_note(self, note: str, role: Role | None = None) -> PlannedFile:
        """Copy of this file with an additional note, and optionally with another role."""
        return replace(self, notes=(*self.notes, note), role=role or self.role)
