"""Corpora for external QE commands, and code of commands that write a result."""

from __future__ import annotations

from qe_desktop.corpus import Corpus, TextColumn, TextRole

CORPUS = Corpus(
    "made",
    2,
    {
        TextRole.SOURCE: TextColumn.of(["a b .", "c"]),
        TextRole.MT: TextColumn.of(["Er sagt ja .", "nein"]),
        TextRole.RAW_SOURCE: TextColumn.of(["a b.", "c"]),
        TextRole.RAW_MT: TextColumn.of([" Er sagt\u2028ja.", "anderes"]),
    },
)
TOKEN_CORPUS = Corpus("tokens", 2, {TextRole.MT: CORPUS.texts[TextRole.MT]})


def only_layer(layers):
    """Return the only one of the layers."""
    (layer,) = layers
    return layer


def code_writing(text: str) -> str:
    """Return the code of a command that writes a text as its result."""
    return f"open(out, 'w', encoding='utf-8').write({text!r})"
