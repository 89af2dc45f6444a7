"""Tag edits as values that can be undone and described."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import Kind, LayerKey, Tags
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import EditAction, EditRow

TAG_NAMES = ("OK", "BAD")
MAX_LISTED_EDITS = 2000
"""Maximum number of changed segments to report individually; if more change, views are refreshed completely."""


@dataclass(frozen=True, slots=True)
class Edit:
    """New tags of one segment in one layer: `tags[i]` at `positions[i]`."""

    layer: LayerKey
    segment: int
    positions: tuple[int, ...]
    tags: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SessionChange:
    """Description of a change: the layer and the segments that it affects.

    `affects_all_views` is true if all views must be updated: layers were added, removed or replaced, or more segments
    changed than `segments` lists. `text` describes the change for users, e.g. “word 4 BAD → OK, segment 12”.
    `is_remote` is true if another client made the change. `had_no_effect` is true if an undo or redo changed nothing,
    because later edits had already changed the values. `affects_review` is true if targets, statuses, notes or visits
    of the segments changed. `post_edit_layers` are the layers of post-edit tags that were updated to match the change.
    """

    layer: LayerKey | None
    segments: tuple[int, ...] = ()
    text: str = ""
    affects_all_views: bool = False
    is_remote: bool = False
    had_no_effect: bool = False
    affects_review: bool = False
    post_edit_layers: tuple[LayerKey, ...] = ()

    def may_affect(self, segment: int) -> bool:
        """Return whether tags or the review of a segment may have changed; a change of what is saved affects none."""
        if self.segments:
            return self.affects_all_views or segment in self.segments
        return self.affects_all_views or self.affects_review or self.layer is not None


def describe_edit(edit: Edit, before: Tags) -> str:
    """Describe an edit in English, with 1-based position and segment numbers; the text is stored in the project."""
    word_kind = {Kind.WORDS: "word", Kind.GAPS: "gap", Kind.SOURCE: "source word"}[edit.layer.kind]
    segment = f"segment {edit.segment + 1:,}"
    changed = [(index, tag) for index, tag in zip(edit.positions, edit.tags, strict=True) if before[index] != tag]
    if len(changed) == 1:
        index, tag = changed[0]
        return f"{word_kind} {index + 1} {TAG_NAMES[1 - tag]} → {TAG_NAMES[tag]}, {segment}"
    new_tags = {tag for _, tag in changed}
    suffix = f" → {TAG_NAMES[new_tags.pop()]}" if len(new_tags) == 1 else " changed"
    return f"{len(changed)} {word_kind}s{suffix}, {segment}"


def describe_row(row: EditRow) -> str:
    """Describe, in the user's language, the tags that an EDIT or REDO row set or that an UNDO row reverted.

    A row without positions changed no tag; in this case, return the stored text of the row.
    """
    if not row.places:
        return row.text
    previous_tags, tags = (row.tags, row.before) if row.action is EditAction.UNDO else (row.before, row.tags)
    if len(row.places) == 1:
        return _single_tag_text(
            row.layer.kind, row.places[0] + 1, TAG_NAMES[previous_tags[0]], TAG_NAMES[tags[0]], row.segment + 1
        )
    if len(set(tags)) == 1:
        return _equal_tags_text(row.layer.kind, len(tags), TAG_NAMES[tags[0]], row.segment + 1)
    return _changed_tags_text(row.layer.kind, len(tags), row.segment + 1)


def _single_tag_text(kind: Kind, number: int, previous_tag: str, tag: str, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr(
            "gap {place} {was} → {tag}, segment {segment:,}", place=number, was=previous_tag, tag=tag, segment=segment
        )
    if kind is Kind.SOURCE:
        return tr(
            "source word {place} {was} → {tag}, segment {segment:,}",
            place=number,
            was=previous_tag,
            tag=tag,
            segment=segment,
        )
    return tr(
        "word {place} {was} → {tag}, segment {segment:,}", place=number, was=previous_tag, tag=tag, segment=segment
    )


def _equal_tags_text(kind: Kind, count: int, tag: str, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr("{n} {n:gap|gaps} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)
    if kind is Kind.SOURCE:
        return tr("{n} {n:source word|source words} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)
    return tr("{n} {n:word|words} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)


def _changed_tags_text(kind: Kind, count: int, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr("{n} {n:gap|gaps} changed, segment {segment:,}", "", count, segment=segment)
    if kind is Kind.SOURCE:
        return tr("{n} {n:source word|source words} changed, segment {segment:,}", "", count, segment=segment)
    return tr("{n} {n:word|words} changed, segment {segment:,}", "", count, segment=segment)


def changes_by_others(rows: Sequence[EditRow], changed: Iterable[tuple[LayerKey, int]]) -> list[SessionChange]:
    """Return one change per layer.

    `rows` are edits by other clients. `changed` are pairs of layer and segment whose tags changed as a result.
    """
    changed_segments = dict.fromkeys([*((row.layer, row.segment) for row in rows), *changed])
    changes = []
    for key in dict.fromkeys(layer for layer, _ in changed_segments):
        segments = tuple(segment for layer, segment in changed_segments if layer == key)
        text = _edit_origin([row for row in rows if row.layer == key])
        changes.append(
            SessionChange(
                key,
                segments[:MAX_LISTED_EDITS],
                text,
                affects_all_views=len(segments) > MAX_LISTED_EDITS,
                is_remote=True,
            )
        )
    return changes


def _edit_origin(rows: Sequence[EditRow]) -> str:
    """Name the authors of remote edits, and describe the edit if there is only one; empty if `rows` is empty."""
    if not rows:
        return ""
    authors = ", ".join(dict.fromkeys(row.person for row in rows))
    if len(rows) == 1:
        return tr("{person}: {text}", person=authors, text=describe_row(rows[0]))
    return tr("{people}: {n:,} {n:edit|edits}", "", len(rows), people=authors)


class UnsavedEdits:
    """Last effective edit of each layer, now and when the layer was last saved to a file."""

    def __init__(self) -> None:
        self._origins: dict[LayerKey, list[str]] = {}
        self._saved_edits: dict[LayerKey, str] = {}

    def record(self, row: EditRow) -> EditRow:
        """Record the row of an edit, undo or redo; return `row`."""
        origins = self._origins.setdefault(row.layer, [])
        if row.action is not EditAction.UNDO:
            origins.append(row.refers or row.uid)
        elif origins:
            origins.pop()
        return row

    def forget(self, key: LayerKey) -> None:
        """Delete the records of a layer that was removed."""
        self._saved_edits.pop(key, None)
        self._origins.pop(key, None)

    def mark_saved(self, key: LayerKey) -> None:
        """Record that a layer was saved in its current state."""
        self._saved_edits[key] = self._latest_edit(key)

    def is_saved(self, key: LayerKey) -> bool:
        """Return whether the current state of a layer is the one last saved or, without a save, the one loaded."""
        return self._latest_edit(key) == self._saved_edits.get(key, "")

    def _latest_edit(self, key: LayerKey) -> str:
        origins = self._origins.get(key)
        return origins[-1] if origins else ""
