"""A place of the reader in words, for tooltips, the status line and screen readers."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.outgoing import label
from qe_desktop.ui.inspect.marks import explain, mark_of
from qe_desktop.ui.inspect.page import Page

EditedBy = Callable[[LayerKey, int], dict[int, str]]
"""Who set the tags of a layer's segment that differ from those loaded, by place."""
THINGS = {Kind.WORDS: "word", Kind.GAPS: "gap", Kind.SOURCE: "source word"}


def sentence(page: Page, kind: Kind, place: int, edited_by: EditedBy) -> str:
    """Which place it is, and what each layer says of it, parted by semicolons."""
    view = page.view
    block = page.block(kind)
    if block is None:
        return ""
    tokens = block.layout.tokens
    parts = [_which(kind, place, tokens)]
    reference = view.reference(kind)
    for key in view.tracks(kind):
        tags = view.segment_tags(key, page.segment)
        if place >= len(tags):
            continue
        held = None if reference is None or key == reference else int(view.segment_tags(reference, page.segment)[place])
        said = explain(mark_of(int(tags[place]), held))
        edited = _edited(edited_by, key, page.segment, place)
        parts.append(f"{who(key)}: {said}{edited}{_probability(view, key, page.segment, place)}")
    return "; ".join(parts)


def who(key: LayerKey) -> str:
    """A layer's name with what it is, where the name does not say so."""
    name = label(key.name)
    return f"{name} (person)" if key.provenance is Provenance.PERSON else name


def _which(kind: Kind, place: int, tokens: tuple[str, ...]) -> str:
    if kind is not Kind.GAPS:
        return f"{THINGS[kind]} {place + 1} of {len(tokens)}, “{tokens[place]}”" if place < len(tokens) else ""
    if place == 0:
        return "gap before the first word"
    if place >= len(tokens):
        return "gap after the last word"
    return f"gap between “{tokens[place - 1]}” and “{tokens[place]}”"


def _edited(edited_by: EditedBy, key: LayerKey, segment: int, place: int) -> str:
    if key.provenance is Provenance.SYSTEM:
        return ""
    person = edited_by(key, segment).get(place)
    return f", edited by {person}" if person else ""


def _probability(view: View, key: LayerKey, segment: int, place: int) -> str:
    layer = view.corpus.layers.get(LayerKey(key.provenance, key.name, Kind.PROBABILITIES))
    if layer is None or key.kind is not Kind.WORDS:
        return ""
    numbers = layer.numbers[segment]
    return f", P(BAD) {numbers[place]:.2f}" if place < len(numbers) else ""
