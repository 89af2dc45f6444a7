"""Drafts of screens during campaign design, before names are assigned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import ItemRole

Translations = Mapping[str, Sequence[str]]
"""Each system's translations of all segments."""


@dataclass(frozen=True, slots=True)
class DraftOutput:
    """Translation of a segment, and the systems that produced it; with `role` BAD, `text` is degraded."""

    segment: int
    systems: tuple[str, ...]
    text: str
    role: ItemRole = ItemRole.SYSTEM


@dataclass(slots=True, eq=False)
class ScreenDraft:
    """Screen of one rater, not yet named: outputs in display order, role, and the draft that it repeats or degrades."""

    segment: int
    outputs: tuple[DraftOutput, ...]
    role: ItemRole = ItemRole.SYSTEM
    repeats: ScreenDraft | None = None


@dataclass(slots=True, eq=False)
class DraftBlock:
    """Consecutive drafts: a single draft, or all drafts of a document.

    `source` is the index of their segment or document, and `group` the index of the system, 0 in rankings; repeats and
    quality-control items are selected evenly from all groups. `copies` is the block that this block repeats or
    degrades.
    """

    source: int
    drafts: list[ScreenDraft]
    group: int = 0
    copies: DraftBlock | None = None

    def __len__(self) -> int:
        return len(self.drafts)


def distinct_outputs(segment: int, systems: Sequence[str], translations: Translations) -> list[DraftOutput]:
    """Return the distinct translations of a segment, each with its systems, in the order of the systems."""
    groups: dict[str, list[str]] = {}
    for system in systems:
        groups.setdefault(translations[system][segment].strip(), []).append(system)
    return [DraftOutput(segment, tuple(names), translations[names[0]][segment]) for names in groups.values()]
