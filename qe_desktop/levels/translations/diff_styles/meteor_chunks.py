"""METEOR chunks: runs of matching words in the same order in two texts (Banerjee and Lavie 2005)."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.diff_styles.marks import (
    DiffStyle,
    MarkingInput,
    MarkSign,
    MarkStyle,
    TextMark,
    TextMarks,
    sort_marks,
)
from qe_desktop.levels.translations.diff_styles.token_spans import token_char_spans
from qe_desktop.metrics.text.meteor import meteor_matching
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair

CHUNK_SIGN = MarkSign(MarkStyle.BRACKET, tr("chunk"))


def chunk_marks(against: MarkingInput) -> TextMarks:
    """Return one mark per METEOR chunk shared with the best-matching compared text; empty without other texts."""
    if not against.other_texts:
        return ()
    tokenizer = against.bleu_tokenizer
    matching = meteor_matching(
        tokenized_pair([against.text], [[compared_text] for compared_text in against.other_texts]), 0, tokenizer
    )
    compared_text = against.other_texts[matching.reference]
    texts = (against.text, compared_text)
    text_spans, compared_spans = map(token_char_spans, texts, tokenizer(texts))
    chunks: list[list[tuple[int, int]]] = []
    for pair in matching.pairs:
        if chunks and (chunks[-1][-1][0] + 1, chunks[-1][-1][1] + 1) == pair:
            chunks[-1].append(pair)
        else:
            chunks.append([pair])
    return sort_marks(
        [
            TextMark(
                text_spans[chunk[0][0]][0],
                text_spans[chunk[-1][0]][1],
                CHUNK_SIGN,
                compared_text[compared_spans[chunk[0][1]][0] : compared_spans[chunk[-1][1]][1]],
                (matching.reference,),
                count=len(chunk),
                position=chunk[0][0] + 1,
                other_position=chunk[0][1] + 1,
            )
            for chunk in chunks
        ]
    )


def describe_chunk(mark: TextMark, names: Sequence[str]) -> str:
    """Describe a mark of a chunk."""
    return tr(
        "in a chunk of {n} {n:word|words} that begins at position {there} of {name}",
        "", mark.count, there=mark.other_position, name=names[mark.text_indices[0]],
    )  # fmt: skip


CHUNK_STYLE = DiffStyle(
    "chunks",
    tr("METEOR chunks"),
    tr("Runs of matching words in the same order as in the other text; fewer and longer runs are better"),
    (CHUNK_SIGN,),
    chunk_marks,
    describe_chunk,
    ("METEOR",),
)
