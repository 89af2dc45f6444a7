"""Which words of a segment's MT and post-edit belong together, for the reader to mark and light."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.corpus import TextColumn, TextRole, View
from qe_desktop.ui.inspect.reader.tag_painting import EditType

MAX_TOKENS = 2000
"""Tokens of one text at the most; the alignment of more is not worth waiting for while one walks through segments."""


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """The words of MT and post-edit that were aligned without shifts: `of_mt[i]` is that of word i of the MT, None
    where it was removed, `of_post_edit[j]` that of word j of the post-edit, None where it is new. `replaced` are the
    words of the post-edit that are written otherwise than their partners.
    """

    of_mt: tuple[int | None, ...]
    of_post_edit: tuple[int | None, ...]
    replaced: frozenset[int]

    @property
    def removed(self) -> list[int]:
        """The words of the MT that are not in the post-edit."""
        return [word for word, partner in enumerate(self.of_mt) if partner is None]

    def revised(self, word: int) -> EditType | None:
        """What a word of the post-edit is beside the MT; None where it was kept."""
        if self.of_post_edit[word] is None:
            return EditType.NEW
        return EditType.REPLACED if word in self.replaced else None

    def post_edit_of(self, words: set[int]) -> set[int]:
        """The partners of words of the MT; a virtual `<EOS>` has none."""
        found = (self.of_mt[word] for word in words if word < len(self.of_mt))
        return {partner for partner in found if partner is not None}

    def mt_of(self, word: int) -> set[int]:
        """The partner of a word of the post-edit, if it has one."""
        partner = self.of_post_edit[word] if word < len(self.of_post_edit) else None
        return set() if partner is None else {partner}


def align_words(view: View, segment: int) -> WordAlignment | None:
    """The partners in a segment; None without MT or post-edit, or where they are too long."""
    mt, post_edit = view.corpus.text(TextRole.MT), view.corpus.text(TextRole.POST_EDIT)
    if mt is None or post_edit is None:
        return None
    ours, theirs = mt.tokens(segment), post_edit.tokens(segment)
    if max(len(ours), len(theirs)) > MAX_TOKENS:
        return None
    return _align_tokens(ours, theirs)


def _align_tokens(mt: list[str], post_edit: list[str]) -> WordAlignment:
    # a window is on screen before this is needed
    from qe_desktop.metrics.tags.post_edit_tags import NO_LINK, compare_post_edits

    found = compare_post_edits(TextColumn.of([" ".join(mt)]), TextColumn.of([" ".join(post_edit)]))
    of_mt: list[int | None] = [None] * len(mt)
    of_post_edit: list[int | None] = [None] * len(post_edit)
    for one, other in found.pairs[0].tolist():
        if NO_LINK not in (one, other):
            of_mt[one], of_post_edit[other] = other, one
    replaced = frozenset(
        other for other, one in enumerate(of_post_edit) if one is not None and mt[one] != post_edit[other]
    )
    return WordAlignment(tuple(of_mt), tuple(of_post_edit), replaced)
