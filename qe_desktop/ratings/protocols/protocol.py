"""What a protocol is: the answers that it asks for, what is in view meanwhile, and the words that raters read."""

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
    """One way to ask people about translations.

    `within` is the title within a sentence. `answers` are what a screen asks for, in this order, in words that fit any
    campaign; `worded` gives the scales in the words of one campaign, where these are others, and `paragraphs` what
    raters are to do. `target_first`: the source or reference stays hidden until the first answer is given;
    `target_only`: it is never shown. `seconds` is what a screen with `outputs[1]` outputs takes as a rule.
    """

    id: str
    title: str
    summary: str
    answers: tuple[AnswerType, ...]
    paragraphs: Callable[[Campaign], tuple[str, ...]]
    worded: Callable[[Campaign], tuple[ScaleAnswer, ...]] | None = None
    within: str = ""
    target_first: bool = False
    target_only: bool = False
    seconds: float = 30.0

    @property
    def outputs(self) -> tuple[int, int]:
        """The least and the most outputs on a screen."""
        return self.answers[0].outputs

    def estimated_seconds(self, screens: int, outputs: int) -> float:
        """What so many screens with so many outputs each take as a rule: less in proportion where outputs are fewer."""
        return screens * self.seconds * max(1, outputs) / self.outputs[1]

    @property
    def compares(self) -> bool:
        """Whether a screen shows outputs of several systems beside each other."""
        return self.outputs[1] > 1

    @property
    def fields(self) -> tuple[str, ...]:
        """What a screen needs before it is done: the answers' names in the order asked."""
        return tuple(answer.name for answer in self.answers)

    @property
    def takes(self) -> dict[str, tuple[int, int]]:
        """The least and the greatest whole number that each field may have."""
        return {answer.name: answer.takes for answer in self.answers}

    @property
    def ranges(self) -> tuple[tuple[str, float, float], ...]:
        """The answers that are values, with their least and greatest one."""
        return tuple((answer.name, *answer.span) for answer in self.answers if answer.span is not None)

    @property
    def unseen(self) -> str:
        """The answer that is asked for with only the translation in view; empty where there is none."""
        return self.fields[0] if self.target_first or self.target_only else ""

    @property
    def scales(self) -> tuple[ScaleAnswer, ...]:
        """The answers that are scales."""
        return tuple(answer for answer in self.answers if isinstance(answer, ScaleAnswer))

    def answer(self, name: str) -> AnswerType | None:
        """The answer of this name."""
        return next((answer for answer in self.answers if answer.name == name), None)

    def lacking(self, values: Mapping[str, EventValue]) -> list[AnswerType]:
        """The answers that a screen with these values still needs."""
        return [answer for answer in self.answers if not answer.is_whole(values.get(answer.name))]

    def scales_for(self, campaign: Campaign) -> tuple[ScaleAnswer, ...]:
        """The scales as this campaign's raters read them, with its languages and what they judge against."""
        return self.scales if self.worded is None else self.worded(campaign)

    def instructions(self, campaign: Campaign) -> str:
        """What raters read before they begin: plain text, paragraphs apart by an empty line, the owner's words last."""
        beside = "" if self.target_only else f"{basis_sentence(campaign)} {context_sentence(campaign)}"
        said = (*self.paragraphs(campaign), beside, closing_sentence(), campaign.instructions.strip())
        return "\n\n".join(filter(None, said))


_OF_SOURCE = {
    "The source makes no sense": tr("The source makes no sense"),
    "The source is in the wrong language": tr("The source is in the wrong language"),
}
_OF_REFERENCE = {
    "The reference makes no sense": tr("The reference makes no sense"),
    "The reference is in the wrong language": tr("The reference is in the wrong language"),
}
_OF_TEXT = {"The text is in the wrong language": tr("The text is in the wrong language")}
_ALWAYS = {
    "The translation is empty or cut off": tr("The translation is empty or cut off"),
    "It cannot be judged without more context": tr("It cannot be judged without more context"),
    "I do not know enough about the subject": tr("I do not know enough about the subject"),
}
_REASON_TEXTS = _OF_SOURCE | _OF_REFERENCE | _OF_TEXT | _ALWAYS


def skip_reason_ids(campaign: Campaign, *, target_only: bool) -> tuple[str, ...]:
    """Why an item may be skipped, as it is kept; `target_only`: neither source nor reference is shown."""
    shown = _OF_REFERENCE if campaign.basis is EvaluationBasis.REFERENCE else _OF_SOURCE
    return (*(_OF_TEXT if target_only else shown), *_ALWAYS)


def skip_reason_text(reason: str) -> str:
    """A reason that is kept as a person reads it; one in a rater's own words as it is."""
    return _REASON_TEXTS.get(reason, reason)
