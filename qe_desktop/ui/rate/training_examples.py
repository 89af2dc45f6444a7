"""Training items of the bundled samples: segments, expected ratings, and the reasons for these ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qe_desktop.answers.event_history import EventValue
from qe_desktop.i18n.messages import tr

EXAMPLE_FIELDS = ("fluency", "adequacy")
"""Rating fields of the protocol for which the examples are intended."""
TRAINING_SEGMENTS = {"en-de": 122, "en-he": 3, "en-ja": 8}
"""Maps the name of each sample to the segment index (from 0) of its training item."""


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """Expected ratings of a translation's fluency and adequacy, from 1 to 5, and the reason for these ratings."""

    fluency: int
    adequacy: int
    reason: str

    def feedback(self, values: Mapping[str, EventValue]) -> str:
        """Return feedback on the ratings `values`: “as expected” or the expected ratings, followed by the reason."""
        is_fluency_expected = values.get("fluency") == self.fluency
        is_adequacy_expected = values.get("adequacy") == self.adequacy
        if is_fluency_expected and is_adequacy_expected:
            return tr("Training item, rated as expected. {reason}", reason=self.reason)
        if is_fluency_expected:
            return tr(
                "Training item: fluency is as expected; the expected adequacy is {adequacy}. {reason}",
                adequacy=self.adequacy, reason=self.reason,
            )  # fmt: skip
        if is_adequacy_expected:
            return tr(
                "Training item: adequacy is as expected; the expected fluency is {fluency}. {reason}",
                fluency=self.fluency, reason=self.reason,
            )  # fmt: skip
        return tr(
            "Training item; the expected ratings are fluency {fluency} and adequacy {adequacy}. {reason}",
            fluency=self.fluency, adequacy=self.adequacy, reason=self.reason,
        )  # fmt: skip


EXAMPLES: Mapping[str, TrainingExample] = {
    "Rückgängig erinnert sich jetzt an die letzten 500 Schritte statt 50.": TrainingExample(
        4, 5, tr("The German is good, but “erinnert sich an” sounds slightly unusual. All of the meaning is preserved.")
    ),
    "Rückgängig merkt sich jetzt die letzten 50 statt 500 Schritte.": TrainingExample(
        5, 3, tr("The German is flawless, but the two numbers are swapped, so part of the content is wrong.")
    ),
    "Rückgängig jetzt erinnert die letzten 500 Schritte statt von 50.": TrainingExample(
        2, 4, tr("The wrong word order makes the German disfluent, but most of the meaning can be understood.")
    ),
    "ייגבו קנסות.": TrainingExample(5, 1, tr("The Hebrew is flawless, but it says the opposite: “no” is missing.")),
    "玄関ホールに自転車を駐車してください。": TrainingExample(
        4, 1, tr("The sentence is good Japanese, but it says the opposite: “not” is missing.")
    ),
}
"""Training examples, keyed by the text of the translation."""
