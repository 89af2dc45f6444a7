"""Caution about HTER and tags from post-edits of text that is not tokenized.

These are defined over given tokens, which are separated by spaces. Text in a script without spaces must be tokenized
first; otherwise a segment is a single token.
"""

from __future__ import annotations

from qe_desktop.corpus import TextColumn
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.text.tokenization import LANGUAGE_NAMES

CHARACTER_TOKENS = ("zh", "ja")
"""Languages whose characters are tokens in bilingual files (`formats.bilingual.tokenization`)."""


def untokenized_note(*texts: TextColumn) -> str:
    """Return a caution if one of the texts (MT and post-edits) is not tokenized; empty if all are.

    >>> untokenized_note(TextColumn.of(["犬 が 公園 を 走る 。"]))
    ''
    """
    language = next((language for text in texts if (language := text.unspaced_language())), "")
    if not language:
        return ""
    if language in CHARACTER_TOKENS:
        return tr(
            "The {language} text is not tokenized, so HTER and tags treat each segment as one word. Tokenize it first, "
            "or open it as a bilingual file.",
            language=LANGUAGE_NAMES[language],
        )
    return tr(
        "The {language} text is not tokenized, so HTER and tags treat text between spaces as one word. Tokenize it "
        "first.",
        language=LANGUAGE_NAMES[language],
    )
