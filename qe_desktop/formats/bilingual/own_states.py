"""Statuses as this program writes them into XLIFF, so that all of them come back: a standard state, and our own word.

XLIFF 1.2 keeps words of one's own in `state-qualifier` (with `x-` in front), XLIFF 2 in `subState`. The word counts
only beside the state that was written with it: who changes one and not the other has said something else.
"""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.corpus import Status

_PREFIX = "qe-desktop:"
LOADED = f"{_PREFIX}loaded"
"""What a proposal is called that is the MT as it was loaded: in 1.2 by `extradata`, in 2 by `subType`."""


def told(status: Status) -> str:
    """Our own word for a status, the same in all versions: `qe-desktop:rejected`."""
    return f"{_PREFIX}{status.name.lower()}"


WORDS = {told(status): status for status in Status}
"""What our own words mean."""


@dataclass(frozen=True, slots=True)
class OwnStates:
    """How a version of XLIFF has them: the `state` of each status, the attribute of our word, what is `before` that."""

    states: dict[Status, str]
    attribute: str
    before: str = ""

    def word(self, status: Status) -> str:
        """What the attribute says of a status."""
        return f"{self.before}{told(status)}"

    def written(self, status: Status) -> str:
        """Both attributes, as they stand in a tag."""
        return f'state="{self.states[status]}" {self.attribute}="{self.word(status)}"'

    def is_ours(self, word: str) -> bool:
        """Whether the attribute says anything that this program wrote."""
        return word.startswith(f"{self.before}{_PREFIX}")

    def status(self, state: str, word: str) -> Status | None:
        """The status that a file says in our words; None where it says none, or says two things."""
        found = WORDS.get(word.removeprefix(self.before))
        return found if found is not None and self.word(found) == word and self.states[found] == state else None


XLIFF_1 = OwnStates(
    {
        Status.OPEN: "needs-review-translation",
        Status.EDITED: "translated",
        Status.CONFIRMED: "signed-off",
        Status.REJECTED: "needs-translation",
        Status.LOCKED: "final",
    },
    "state-qualifier",
    "x-",
)
XLIFF_2 = OwnStates(
    {
        Status.OPEN: "initial",
        Status.EDITED: "translated",
        Status.CONFIRMED: "reviewed",
        Status.REJECTED: "initial",
        Status.LOCKED: "final",
    },
    "subState",
)
