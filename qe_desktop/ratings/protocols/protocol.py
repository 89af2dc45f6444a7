"""Protocols: the answers of a screen, the displayed texts, and the instructions for raters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from qe_desktop.answers.answer_type import AnswerType
from qe_desktop.answers.event_history import EventValue
from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign, EvaluationBasis
from qe_desktop.ratings.protocols.instructions import basis_sentence, closing_sentence, context_sentence


@dataclass(frozen=True, slots=True)
class Protocol:
    """Protocol of human evaluation.

    `title_in_sentence` is the title as written within a sentence. `answers` are the answers that a screen requires, in
    order; their texts suit any campaign. `campaign_scales`, if set, returns the scales with texts for one campaign.
    `task_paragraphs` returns the description of the task. With `target_first`, the source or reference is hidden until
    the first answer has been given; with `target_only`, neither is ever displayed. `seconds` is the usual time for a
    screen with the maximum number of outputs.
    """

    id: str
    title: str
    summary: str
    answers: tuple[AnswerType, ...]
    task_paragraphs: Callable[[Campaign], tuple[str, ...]]
    campaign_scales: Callable[[Campaign], tuple[ScaleAnswer, ...]] | None = None
    title_in_sentence: str = ""
    target_first: bool = False
    target_only: bool = False
    seconds: float = 30.0

    @property
    def outputs(self) -> tuple[int, int]:
        """Minimum and maximum number of outputs per screen."""
        return self.answers[0].outputs

    def estimated_seconds(self, screens: int, outputs: int) -> float:
        """Return the estimated total time, in seconds, for `screens` screens with `outputs` outputs each.

        The time for a screen is proportional to its number of outputs.
        """
        return screens * self.seconds * max(1, outputs) / self.outputs[1]

    @property
    def compares(self) -> bool:
        """Whether raters compare the outputs of several systems on one screen."""
        return self.outputs[1] > 1

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the required answers of a screen, in order."""
        return tuple(answer.name for answer in self.answers)

    @property
    def integer_ranges(self) -> dict[str, tuple[int, int]]:
        """Smallest and largest whole number that each answer may contain, by the name of the answer."""
        return {answer.name: answer.integer_range for answer in self.answers}

    @property
    def ranges(self) -> tuple[tuple[str, float, float], ...]:
        """Name, minimum and maximum of each answer that is a value on a scale."""
        return tuple((answer.name, *answer.span) for answer in self.answers if answer.span is not None)

    @property
    def pre_reveal_answer(self) -> str:
        """Name of the answer that raters enter with only the translation displayed; empty if there is none."""
        return self.fields[0] if self.target_first or self.target_only else ""

    @property
    def scales(self) -> tuple[ScaleAnswer, ...]:
        """Answers that are scales."""
        return tuple(answer for answer in self.answers if isinstance(answer, ScaleAnswer))

    def answer(self, name: str) -> AnswerType | None:
        """Return the answer with this name; None if there is none."""
        return next((answer for answer in self.answers if answer.name == name), None)

    def missing_answers(self, values: Mapping[str, EventValue]) -> list[AnswerType]:
        """Return the answers of a screen that are missing or incomplete in `values`."""
        return [answer for answer in self.answers if not answer.is_complete(values.get(answer.name))]

    def scales_for(self, campaign: Campaign) -> tuple[ScaleAnswer, ...]:
        """Return the scales, with texts that name the languages and the basis of the campaign."""
        return self.scales if self.campaign_scales is None else self.campaign_scales(campaign)

    def instructions(self, campaign: Campaign) -> str:
        """Return the instructions for raters as plain text; the owner's instructions are last.

        Paragraphs are separated by an empty line.
        """
        comparison = "" if self.target_only else f"{basis_sentence(campaign)} {context_sentence(campaign)}"
        paragraphs = (*self.task_paragraphs(campaign), comparison, closing_sentence(), campaign.instructions.strip())
        return "\n\n".join(filter(None, paragraphs))


_SOURCE_REASONS = {
    "The source makes no sense": tr("The source makes no sense"),
    "The source is in the wrong language": tr("The source is in the wrong language"),
}
_REFERENCE_REASONS = {
    "The reference makes no sense": tr("The reference makes no sense"),
    "The reference is in the wrong language": tr("The reference is in the wrong language"),
}
_TEXT_REASONS = {"The text is in the wrong language": tr("The text is in the wrong language")}
_COMMON_REASONS = {
    "The translation is empty or cut off": tr("The translation is empty or cut off"),
    "It cannot be judged without more context": tr("It cannot be judged without more context"),
    "I do not know enough about the subject": tr("I do not know enough about the subject"),
}
_REASON_TEXTS = _SOURCE_REASONS | _REFERENCE_REASONS | _TEXT_REASONS | _COMMON_REASONS


def skip_reason_ids(campaign: Campaign, *, target_only: bool) -> tuple[str, ...]:
    """Return the ids of reasons to skip an item; `target_only` means that only the translation is displayed."""
    text_reasons = _REFERENCE_REASONS if campaign.basis is EvaluationBasis.REFERENCE else _SOURCE_REASONS
    return (*(_TEXT_REASONS if target_only else text_reasons), *_COMMON_REASONS)


def skip_reason_text(reason: str) -> str:
    """Return the text of a reason, given the id; a rater's own reason is returned unchanged."""
    return _REASON_TEXTS.get(reason, reason)
