"""Training items of the bundled samples: segments, expected ratings and their reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qe_desktop.answers.event_history import EventValue
from qe_desktop.i18n.messages import tr

EXAMPLE_FIELDS = ("fluency", "adequacy")
"""Fields of the protocol of the examples."""
TRAINING_SEGMENTS = {"en-de": 122, "en-he": 3, "en-ja": 8}
"""Maps each sample to the segment index of its training item."""


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """Expected fluency and adequacy, from 1 to 5, of a translation in a sample, and the reason for them."""

    fluency: int
    adequacy: int
    reason: str

    def feedback(self, values: Mapping[str, EventValue]) -> str:
        """Return feedback on ratings: whether `values` are as expected, the expected ratings, and the reason."""
        if (values.get("fluency"), values.get("adequacy")) == (self.fluency, self.adequacy):
            return tr("Training item, rated as expected. {reason}", reason=self.reason)
        return tr(
            "Training item; the expected ratings are fluency {fluency} and adequacy {adequacy}. {reason}",
            fluency=self.fluency, adequacy=self.adequacy, reason=self.reason,
        )  # fmt: skip


EXAMPLES: Mapping[str, TrainingExample] = {
    "Rückgängig erinnert sich jetzt an die letzten 500 Schritte statt 50.": TrainingExample(
        4, 5, tr("The whole meaning is there; “erinnert sich an” only sounds slightly unusual.")
    ),
    "Rückgängig merkt sich jetzt die letzten 50 statt 500 Schritte.": TrainingExample(
        5, 3, tr("The sentence is good German, but the two numbers are swapped.")
    ),
    "Rückgängig jetzt erinnert die letzten 500 Schritte statt von 50.": TrainingExample(
        2, 4, tr("The word order is wrong, but most of the meaning can be understood.")
    ),
    "ייגבו קנסות.": TrainingExample(
        5, 1, tr("The sentence is good Hebrew, but it says the opposite: “no” is missing.")
    ),
    "玄関ホールに自転車を駐車してください。": TrainingExample(
        4, 1, tr("The sentence is almost natural Japanese, but it says the opposite: “not” is missing.")
    ),
}
"""Maps the text of each translation to its example."""
