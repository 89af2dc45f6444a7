"""A campaign while it is being designed: what is shown, on drafts of screens, before anything has a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import ItemRole

Translations = Mapping[str, Sequence[str]]
"""Each system's translations of all segments."""


@dataclass(frozen=True, slots=True)
class DraftOutput:
    """A translation of a segment, and the systems that gave it; `role` BAD: degraded, `text` is what raters see."""

    segment: int
    systems: tuple[str, ...]
    text: str
    role: ItemRole = ItemRole.SYSTEM


@dataclass(slots=True, eq=False)
class ScreenDraft:
    """A screen of one rater before it has a name: what it shows, in the order shown, and why."""

    segment: int
    shown: tuple[DraftOutput, ...]
    role: ItemRole = ItemRole.SYSTEM
    repeats: ScreenDraft | None = None


@dataclass(slots=True, eq=False)
class DraftBlock:
    """Drafts that follow one another: one screen, or a document's. `source` is the segment or document they show.

    `group` tells blocks apart that should be chosen evenly: the system of an absolute protocol.
    """

    source: int
    drafts: list[ScreenDraft]
    group: int = 0
    copies: DraftBlock | None = None

    def __len__(self) -> int:
        return len(self.drafts)


def distinct_outputs(segment: int, systems: Sequence[str], translations: Translations) -> list[DraftOutput]:
    """The different translations of a segment, each with the systems that gave it, in the systems' order."""
    groups: dict[str, list[str]] = {}
    for system in systems:
        groups.setdefault(translations[system][segment].strip(), []).append(system)
    return [DraftOutput(segment, tuple(names), translations[names[0]][segment]) for names in groups.values()]
