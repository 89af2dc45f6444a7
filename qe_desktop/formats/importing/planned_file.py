"""File in an import plan, and the questions to the user about its content, such as the direction of its scores."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Kind, Layer, QeError, TextRole
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.bilingual.columns import AUTO_COLUMNS, ColumnChoice, ColumnOptions
from qe_desktop.formats.importing.roles import Role
from qe_desktop.i18n.messages import tr


class LineUnit(enum.Enum):
    """Unit that each line represents, in a file whose lines have at most one tag or number each."""

    SEGMENTS = "one segment a line"
    TOKENS = "one token a line"
    """One token per line; an empty line ends a segment."""

    @property
    def display_name(self) -> str:
        """Localized name."""
        return tr("one segment per line") if self is LineUnit.SEGMENTS else tr("one token per line")


class ProbabilityOf(enum.Enum):
    """Tag whose probabilities a file contains: BAD or OK."""

    BAD = "P(BAD)"
    OK = "P(OK)"

    @property
    def display_name(self) -> str:
        """Localized name."""
        return self.value


class ScoreDirection(enum.Enum):
    """Direction of a metric's scores: whether higher or lower scores are better."""

    MORE = 1
    LESS = -1

    @property
    def display_name(self) -> str:
        """Localized name."""
        return tr("higher is better") if self is ScoreDirection.MORE else tr("lower is better")


AnswerValue = LineUnit | ProbabilityOf | ScoreDirection
QuestionType = type[LineUnit] | type[ProbabilityOf] | type[ScoreDirection]


@dataclass(frozen=True, slots=True)
class QuestionAnswers:
    """User's answers to the questions about a file; None for a question that has not been answered."""

    line_unit: LineUnit | None = None
    probability_of: ProbabilityOf | None = None
    score_direction: ScoreDirection | None = None

    def with_answer(self, answer: AnswerValue) -> QuestionAnswers:
        """Return a copy with one answer added or replaced."""
        if isinstance(answer, ScoreDirection):
            return replace(self, score_direction=answer)
        return replace(self, line_unit=answer) if isinstance(answer, LineUnit) else replace(self, probability_of=answer)

    def answer_to(self, question: QuestionType) -> AnswerValue | None:
        """Answer to one question; None if it has not been answered."""
        return (
            self.line_unit
            if question is LineUnit
            else self.probability_of
            if question is ProbabilityOf
            else self.score_direction
        )


NO_ANSWERS = QuestionAnswers()
"""Default: no question has been answered."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Question about a file's content; `default` is the default answer, or None if there is no default."""

    question: QuestionType
    default: AnswerValue | None = None


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
    selection. `segments` is the number of segments, None if it is unknown.
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
    segments: int | None = None

    def is_origin_of(self, layer: Layer) -> bool:
        """Whether a layer was read from this file; layers of other files with the same file name have other names."""
        return layer.origin == self.path.name and layer.key.name in (self.name, *self.golds, *self.systems)

    def has_question(self, question: QuestionType) -> bool:
        """Whether this question applies to the file in its current role."""
        roles = (Role.METRIC,) if question is ScoreDirection else (Role.GOLD, Role.SYSTEM)
        used = self.role in roles and self.problem is None
        return used and any(ambiguity.question is question for ambiguity in self.ambiguities)

    def effective_answer(self, question: QuestionType) -> AnswerValue | None:
        """Answer of the user, or else the default from the content; None if there is neither."""
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


def other_segment_count(files: Iterable[PlannedFile], segments: int | None) -> int | None:
    """First number of segments among the used files that differs from `segments`; None if all are equal.

    Files whose number of segments is unknown are skipped. The result is also None if `segments` is None.
    """
    counts = (file.segments for file in files if file.role is not Role.IGNORED and file.problem is None)
    return None if segments is None else next((count for count in counts if count not in (None, segments)), None)


_ERRORS = {"TER", "ter", "HTER", "hter", "WER", "wer", "PER", "CER", "cer", "CDER", "cder", "CharacTER"}
"""First words of the names of error-rate metrics."""
_PENALTIES = "mqm"
MIN_CONTRADICTING_SHARE = 0.9
"""Minimum share of scores on one side of 0 for a metric to count as positive or negative.

The minimum is below 1 because a regression metric may have a few scores on the other side.
"""
_WORD = re.compile(r"[A-Za-z]+")


def usual_direction(name: str, scores: Iterable[Scores]) -> ScoreDirection:
    """Default score direction of a metric, based on its name and scores.

    Lower is better for error rates such as TER, for MetricX, and for MQM if at least half of the segments have no
    penalty. Shared tasks may negate such scores so that higher is better; this is assumed if more than 10 % of the
    scores are below 0, or none is above 0. In all other cases, and without scores, higher is better.
    """
    first = next(iter(_WORD.findall(name)), "")
    penalties = first.lower() == _PENALTIES
    if not (first in _ERRORS or first.lower().startswith("metricx") or penalties):
        return ScoreDirection.MORE
    values = _all_scores(scores)
    if not len(values) or np.count_nonzero(values >= 0) < MIN_CONTRADICTING_SHARE * len(values) or values.max() <= 0:
        return ScoreDirection.MORE
    if penalties and 2 * np.count_nonzero(values) > len(values):
        return ScoreDirection.MORE
    return ScoreDirection.LESS


def orientation_warning(name: str, better: int, scores: Iterable[Scores]) -> str:
    """Warning if the scores of a metric contradict `better` (1: higher, -1: lower is better); empty otherwise.

    For error rates, lower is usually better. Scores that are mostly 0 or below are assumed to be negated error rates or
    log-probabilities, for which higher is better.
    """
    columns = list(scores)
    if better > 0:
        if usual_direction(name, columns) is not ScoreDirection.LESS:
            return ""
        return tr("for {metric}, lower is usually better, but higher is treated as better", metric=name)
    values = _all_scores(columns)
    if not len(values) or values.min() >= 0 or np.count_nonzero(values <= 0) < MIN_CONTRADICTING_SHARE * len(values):
        return ""
    return tr(
        "most {metric} scores are 0 or below, which suggests that higher is better, but lower is treated as better",
        metric=name,
    )


def _all_scores(scores: Iterable[Scores]) -> Scores:
    """Concatenate the scores of all systems, omitting missing scores."""
    values = np.concatenate([np.zeros(0), *scores])
    return np.asarray(values[~np.isnan(values)], np.float64)
