"""What a person does to tags, as values that can be undone and named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import Kind, LayerKey, Tags
from qe_desktop.project.events import EditAction, EditRow
from qe_desktop.wording import tr

NAMES = ("OK", "BAD")
MANY = 2000
"""Segments that change at once above which views look at everything anew."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Set some tags of one segment in one layer: `tags[i]` goes to `places[i]`."""

    layer: LayerKey
    segment: int
    places: tuple[int, ...]
    tags: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What changed: a layer, and which of its segments; `layers` says that layers came, went or were replaced.

    `text` names it for people, such as “word 4 BAD → OK, segment 12”. `remote` says that it was done elsewhere, `left`
    that nothing was undone since somebody else has set it by now. `review` says that targets, statuses or notes of the
    segments changed, `others` which layers' tags changed there with that.
    """

    layer: LayerKey | None
    segments: tuple[int, ...] = ()
    text: str = ""
    layers: bool = False
    remote: bool = False
    left: bool = False
    review: bool = False
    others: tuple[LayerKey, ...] = ()


def describe(edit: Edit, before: Tags) -> str:
    """The edit in words, counting places and segments from 1; in English, for a project keeps it for everybody."""
    thing = {Kind.WORDS: "word", Kind.GAPS: "gap", Kind.SOURCE: "source word"}[edit.layer.kind]
    segment = f"segment {edit.segment + 1:,}"
    changed = [(place, tag) for place, tag in zip(edit.places, edit.tags, strict=True) if before[place] != tag]
    if len(changed) == 1:
        place, tag = changed[0]
        return f"{thing} {place + 1} {NAMES[1 - tag]} → {NAMES[tag]}, {segment}"
    target = {tag for _, tag in changed}
    to = f" → {NAMES[target.pop()]}" if len(target) == 1 else " changed"
    return f"{len(changed)} {thing}s{to}, {segment}"


def shown(row: EditRow) -> str:
    """What a row set, or an undo took back, in words, as `describe` has it.

    A row that found nothing to set any more holds no places: it is called what the project keeps of it.
    """
    if not row.places:
        return row.text
    was, tags = (row.tags, row.before) if row.action is EditAction.UNDO else (row.before, row.tags)
    if len(row.places) == 1:
        return _one_tag(row.layer.kind, row.places[0] + 1, NAMES[was[0]], NAMES[tags[0]], row.segment + 1)
    if len(set(tags)) == 1:
        return _tags_alike(row.layer.kind, len(tags), NAMES[tags[0]], row.segment + 1)
    return _tags(row.layer.kind, len(tags), row.segment + 1)


def _one_tag(kind: Kind, place: int, was: str, tag: str, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr("gap {place} {was} → {tag}, segment {segment:,}", place=place, was=was, tag=tag, segment=segment)
    if kind is Kind.SOURCE:
        return tr(
            "source word {place} {was} → {tag}, segment {segment:,}", place=place, was=was, tag=tag, segment=segment
        )
    return tr("word {place} {was} → {tag}, segment {segment:,}", place=place, was=was, tag=tag, segment=segment)


def _tags_alike(kind: Kind, count: int, tag: str, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr("{n} {n:gap|gaps} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)
    if kind is Kind.SOURCE:
        return tr("{n} {n:source word|source words} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)
    return tr("{n} {n:word|words} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)


def _tags(kind: Kind, count: int, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr("{n} {n:gap|gaps} changed, segment {segment:,}", "", count, segment=segment)
    if kind is Kind.SOURCE:
        return tr("{n} {n:source word|source words} changed, segment {segment:,}", "", count, segment=segment)
    return tr("{n} {n:word|words} changed, segment {segment:,}", "", count, segment=segment)


def changes_by_others(new: Sequence[EditRow], changed: Iterable[tuple[LayerKey, int]]) -> list[Change]:
    """What rows that others made changed, a change for each layer; `changed` are segments whose tags are others now."""
    met = dict.fromkeys([*((row.layer, row.segment) for row in new), *changed])
    found = []
    for key in dict.fromkeys(layer for layer, _ in met):
        segments = tuple(segment for layer, segment in met if layer == key)
        text = _told([row for row in new if row.layer == key])
        found.append(Change(key, segments[:MANY], text, layers=len(segments) > MANY, remote=True))
    return found


def _told(rows: Sequence[EditRow]) -> str:
    """Who made edits elsewhere, and which one where it is only one; nothing where there are none."""
    if not rows:
        return ""
    people = ", ".join(dict.fromkeys(row.person for row in rows))
    if len(rows) == 1:
        return tr("{person}: {text}", person=people, text=shown(rows[0]))
    return tr("{people}: {n:,} {n:edit|edits}", "", len(rows), people=people)
