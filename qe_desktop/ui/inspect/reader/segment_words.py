"""Tags and edits of the words of a segment: rows of tags, and the alignment of the MT with the post-edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from qe_desktop.corpus import Kind, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.ui.inspect.reader.word_decorations import EditType


@dataclass(frozen=True, slots=True)
class TagRow:
    """Row of tags below the words, with the layer keys of its word tags, gap tags and probabilities, if any."""

    provenance: Provenance
    name: str
    tags: LayerKey | None
    gaps: LayerKey | None = None
    probabilities: LayerKey | None = None


def is_missing_mt_filled(view: View, segment: int) -> bool:
    """Return whether a segment has a target although its MT is empty, so that the flags of the MT are outdated."""
    mt = view.corpus.text(TextRole.MT)
    return mt is not None and not mt[segment].strip() and bool(view.target(segment).strip())


def tag_rows(view: View, kind: Kind, segment: int, order: Sequence[str] = ()) -> list[TagRow]:
    """Return the tag rows of a segment: those of the source if `kind` is `Kind.SOURCE`, otherwise those of the MT.

    The reference layer has no row, because the words themselves show its tags. Systems are sorted by `order`; systems
    that are not in `order` come after those that are.
    """
    return order_systems(_unordered_rows(view, kind, segment), order)


KeyOrRow = TypeVar("KeyOrRow", LayerKey, TagRow)


def order_systems(layers: Sequence[KeyOrRow], order: Sequence[str]) -> list[KeyOrRow]:
    """Return `layers` with the systems sorted by `order`; systems that are not in `order` come after those that are.

    Layers that do not belong to systems keep their indices.
    """
    ranks = {name: rank for rank, name in enumerate(order)}
    systems = [layer for layer in layers if layer.provenance is Provenance.SYSTEM]
    ordered = iter(sorted(systems, key=lambda layer: ranks.get(layer.name, len(ranks))))
    return [next(ordered) if layer.provenance is Provenance.SYSTEM else layer for layer in layers]


def _unordered_rows(view: View, kind: Kind, segment: int) -> list[TagRow]:
    """Return the tag rows of a segment in the order of the layers."""
    if kind is Kind.SOURCE:
        gold = view.reference_at(kind, segment)
        return [TagRow(key.provenance, key.name, key) for key in view.displayed_layers(Kind.SOURCE) if key != gold]
    keys_by_layer: dict[tuple[Provenance, str], dict[Kind, LayerKey]] = {}
    for tag_kind in (Kind.WORDS, Kind.GAPS):
        gold = view.reference_at(tag_kind, segment)
        for key in view.displayed_layers_at(tag_kind, segment):
            if key == gold:
                continue
            keys_by_layer.setdefault((key.provenance, key.name), {})[tag_kind] = key
    for layer in view.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
        if view.is_hidden(layer.key):
            continue
        keys_by_layer.setdefault((layer.key.provenance, layer.key.name), {})[Kind.PROBABILITIES] = layer.key
    return [
        TagRow(provenance, name, keys.get(Kind.WORDS), keys.get(Kind.GAPS), keys.get(Kind.PROBABILITIES))
        for (provenance, name), keys in keys_by_layer.items()
    ]


MAX_TOKENS = 2000
"""Maximum number of tokens per text; aligning longer texts would delay navigation."""


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """Word alignment of the MT and the post-edit of a segment; shifts are not taken into account.

    `post_edit_indices[i]` is the post-edit word aligned with MT word i, or None if that MT word was removed.
    `mt_indices[j]` is the MT word aligned with post-edit word j, or None if that post-edit word is new.
    `substituted_words` are the post-edit words that differ from the MT words aligned with them.
    """

    post_edit_indices: tuple[int | None, ...]
    mt_indices: tuple[int | None, ...]
    substituted_words: frozenset[int]

    @property
    def removed_words(self) -> list[int]:
        """Indices of the MT words that were removed in the post-edit."""
        return [word for word, aligned_word in enumerate(self.post_edit_indices) if aligned_word is None]

    def edit_type(self, word: int) -> EditType | None:
        """Return the edit type of a post-edit word; None if the word is unchanged."""
        if self.mt_indices[word] is None:
            return EditType.INSERTED
        return EditType.SUBSTITUTED if word in self.substituted_words else None

    def post_edit_of(self, words: set[int]) -> set[int]:
        """Return the post-edit words aligned with the MT words `words`; a virtual `<EOS>` has no aligned word."""
        aligned = (self.post_edit_indices[word] for word in words if word < len(self.post_edit_indices))
        return {aligned_word for aligned_word in aligned if aligned_word is not None}

    def mt_of(self, word: int) -> set[int]:
        """Return a set with the MT word aligned with post-edit word `word`; empty if there is none."""
        aligned_word = self.mt_indices[word] if word < len(self.mt_indices) else None
        return set() if aligned_word is None else {aligned_word}


def align_words(view: View, segment: int) -> WordAlignment | None:
    """Return the word alignment of a segment; None if the MT or the post-edit is missing or too long."""
    mt, post_edit = view.corpus.text(TextRole.MT), view.corpus.text(TextRole.POST_EDIT)
    if mt is None or post_edit is None:
        return None
    mt_tokens, post_edit_tokens = mt.tokens(segment), post_edit.tokens(segment)
    if max(len(mt_tokens), len(post_edit_tokens)) > MAX_TOKENS:
        return None
    return _align_tokens(mt_tokens, post_edit_tokens)


def _align_tokens(mt: list[str], post_edit: list[str]) -> WordAlignment:
    # imported on demand: not needed to show the window
    from qe_desktop.metrics.tags.post_edit_tags import NO_LINK, compare_post_edits

    comparison = compare_post_edits(TextColumn.of([" ".join(mt)]), TextColumn.of([" ".join(post_edit)]))
    of_mt: list[int | None] = [None] * len(mt)
    of_post_edit: list[int | None] = [None] * len(post_edit)
    for mt_word, post_edit_word in comparison.pairs[0].tolist():
        if NO_LINK not in (mt_word, post_edit_word):
            of_mt[mt_word], of_post_edit[post_edit_word] = post_edit_word, mt_word
    replaced = frozenset(
        post_edit_word
        for post_edit_word, mt_word in enumerate(of_post_edit)
        if mt_word is not None and mt[mt_word] != post_edit[post_edit_word]
    )
    return WordAlignment(tuple(of_mt), tuple(of_post_edit), replaced)
