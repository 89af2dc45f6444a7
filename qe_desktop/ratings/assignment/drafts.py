"""Drafts of screens during campaign design, before screens and outputs are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import ItemRole

Translations = Mapping[str, Sequence[str]]
"""Translations of all segments, keyed by system."""


@dataclass(frozen=True, slots=True)
class DraftOutput:
    """Translation of a segment, and the systems that produced it. If `role` is BAD, `text` is degraded."""

    segment: int
    systems: tuple[str, ...]
    text: str
    role: ItemRole = ItemRole.SYSTEM


@dataclass(slots=True, eq=False)
class ScreenDraft:
    """Unnamed screen of a rater. `repeats` is the draft that this draft repeats or degrades; None if there is none."""

    segment: int
    outputs: tuple[DraftOutput, ...]
    """Outputs in display order."""
    role: ItemRole = ItemRole.SYSTEM
    repeats: ScreenDraft | None = None


@dataclass(slots=True, eq=False)
class DraftBlock:
    """Consecutive drafts of one rater: a single draft, or the drafts of one document.

    `source` is the index of the segment or document of the drafts. `group` is the index of the system, or 0 in
    rankings; repeats and quality-control items are selected evenly from all groups. `copies` is the block that this
    block repeats or degrades.
    """

    source: int
    drafts: list[ScreenDraft]
    group: int = 0
    copies: DraftBlock | None = None

    def __len__(self) -> int:
        return len(self.drafts)


def distinct_outputs(segment: int, systems: Sequence[str], translations: Translations) -> list[DraftOutput]:
    """Return the distinct translations of a segment, each with its systems; the order is that of `systems`."""
    groups: dict[str, list[str]] = {}
    for system in systems:
        groups.setdefault(translations[system][segment].strip(), []).append(system)
    return [DraftOutput(segment, tuple(names), translations[names[0]][segment]) for names in groups.values()]
