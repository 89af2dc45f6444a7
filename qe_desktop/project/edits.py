"""What a person does to tags, as values that can be undone and named."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.corpus import Kind, LayerKey, Tags

NAMES = ("OK", "BAD")


@dataclass(frozen=True, slots=True)
class Edit:
    """Set some tags of one segment in one layer: `tags[i]` goes to `places[i]`."""

    layer: LayerKey
    segment: int
    places: tuple[int, ...]
    tags: tuple[int, ...]

    def on(self, before: Tags) -> Tags:
        """The segment's tags after the edit."""
        after = before.copy()
        after[list(self.places)] = self.tags
        return after

    def inverse(self, before: Tags) -> Edit:
        """The edit that brings `before` back."""
        return Edit(self.layer, self.segment, self.places, tuple(int(before[place]) for place in self.places))


@dataclass(frozen=True, slots=True)
class Change:
    """What changed: a layer, and which of its segments; `layers` says that layers came, went or were replaced.

    `text` names it for people, such as “word 4 BAD → OK, segment 12”. `remote` says that it was done elsewhere, `left`
    that nothing was undone since somebody else has set it by now.
    """

    layer: LayerKey | None
    segments: tuple[int, ...] = ()
    text: str = ""
    layers: bool = False
    remote: bool = False
    left: bool = False


def describe(edit: Edit, before: Tags) -> str:
    """The edit in words, counting places and segments from 1."""
    thing = {Kind.WORDS: "word", Kind.GAPS: "gap", Kind.SOURCE: "source word"}[edit.layer.kind]
    segment = f"segment {edit.segment + 1:,}"
    changed = [(place, tag) for place, tag in zip(edit.places, edit.tags, strict=True) if before[place] != tag]
    if len(changed) == 1:
        place, tag = changed[0]
        return f"{thing} {place + 1} {NAMES[1 - tag]} → {NAMES[tag]}, {segment}"
    target = {tag for _, tag in changed}
    to = f" → {NAMES[target.pop()]}" if len(target) == 1 else " changed"
    return f"{len(changed)} {thing}s{to}, {segment}"
