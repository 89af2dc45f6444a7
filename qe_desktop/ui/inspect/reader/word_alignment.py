"""Word alignment of the MT and the post-edit of a segment."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.corpus import TextColumn, TextRole, View
from qe_desktop.ui.inspect.reader.word_decorations import EditType

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
        """Return the post-edit words aligned with the MT words `words`; none is aligned with a virtual `<EOS>`."""
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
