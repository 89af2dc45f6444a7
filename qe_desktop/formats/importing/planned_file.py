"""A file of a plan: what looking at it has shown, and what it is to be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Kind, QeError, TextRole
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
    """A file: what looking at it has shown, and what it is to be.

    `kind` is None where the number of tags decides; `name` is of the system, the reference or the metric. `problem`
    says why the file cannot be read; such a file is not loaded. `doubts` are what its content leaves open, `answers`
    what a person said about them. `pairs` are the language pairs of a table, `gold` says that it is by a method of that
    name, `golds` and `systems` are those that a table of scores names, `texts` those that stand in it. Of a text, the
    name says whether it is `tokenised`, and `stem` is the rest of its name. `brings_mt` says that a table of tags holds
    the MT too. `foreign` is what a file is that nothing here reads, such as a PDF. Of a translator's file, `offer` is
    what may be chosen as source and target, and `choice` what a person chose.
    """

    path: Path
    format: str = ""
    description: str = ""
    role: Role = Role.IGNORED
    kind: Kind | None = None
    name: str = ""
    notes: tuple[str, ...] = ()
    problem: QeError | None = None
    doubts: tuple[Ambiguity, ...] = ()
    answers: QuestionAnswers = NO_ANSWERS
    pairs: tuple[str, ...] = ()
    gold: bool = False
    golds: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    texts: tuple[TextRole, ...] = ()
    tokenised: bool = False
    stem: str = ""
    brings_mt: bool = False
    foreign: str = ""
    offer: ColumnOptions | None = None
    choice: ColumnChoice = AUTO_COLUMNS

    def may_be(self, question: QuestionType) -> bool:
        """Whether this question may be asked of the file, as it is used."""
        roles = (Role.METRIC,) if question is ScoreDirection else (Role.GOLD, Role.SYSTEM)
        used = self.role in roles and self.problem is None
        return used and any(doubt.question is question for doubt in self.doubts)

    def held(self, question: QuestionType) -> AnswerValue | None:
        """What holds of the file: what was said, or else what its content shows; None where it must be said."""
        shown = next((doubt.held for doubt in self.doubts if doubt.question is question), None)
        return self.answers.to(question) or shown

    @property
    def chosen(self) -> ColumnChoice:
        """What holds of a translator's file: what was chosen, or else what it tells; empty in what must be said."""
        told = AUTO_COLUMNS if self.offer is None else self.offer.held
        return ColumnChoice(self.choice.source or told.source, self.choice.target or told.target)

    @property
    def must_choose(self) -> bool:
        """Whether it must be said which languages or columns source and target are."""
        if self.role is not Role.JOB or self.offer is None or self.problem is not None:
            return False
        said = self.chosen
        return not said.source or not said.target or said.source == said.target

    def noted(self, note: str, role: Role | None = None) -> PlannedFile:
        """The same with a remark, and perhaps another role."""
        return replace(self, notes=(*self.notes, note), role=role or self.role)
