"""Tokenization of tercom for TER, as implemented in sacreBLEU (Snover et al. 2006; Post 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from qe_desktop.corpus.columns import Ints
from qe_desktop.metrics.text.tokenized_pairs import TokenColumn


@dataclass(frozen=True, slots=True)
class TercomLineTokenizer:
    """Tokenizer that splits at whitespace.

    Parameters
    ----------
    normalized
        Whether to separate punctuation and resolve XML entities.
    no_punct
        Whether to remove punctuation.
    asian_support
        Whether `normalized` and `no_punct` also apply to Chinese and Japanese characters.
    case_sensitive
        Whether to keep case; otherwise, text is lowercased.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each line."""
        if not (self.normalized or self.no_punct):
            return [line.split() if self.case_sensitive else line.lower().split() for line in lines]
        # lazy import: sacreBLEU is slow to import and not needed for plain tokenization
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

        tokenizer = TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        return [tokenizer(line.rstrip()).split() for line in lines]

    @property
    def signature(self) -> str:
        """Return the signature of these settings in the format of sacreBLEU."""
        options = {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": "tercom",
            "norm": _yes_or_no(self.normalized),
            "punct": _yes_or_no(not self.no_punct),
            "asian": _yes_or_no(self.asian_support),
        }
        return "|".join(f"{name}:{value}" for name, value in options.items())


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


@dataclass(frozen=True, slots=True, eq=False)
class TokenLetters:
    """Segments of several texts, encoded with one character per token.

    Attributes
    ----------
    lines
        Encoded segments, `lines[text][segment]`. In a segment, equal characters stand for equal tokens in all texts;
        characters of different segments are unrelated.
    shared
        Number of tokens that each segment of each text shares with the same segment of the first text, regardless of
        order, shape (texts, segments).
    """

    lines: list[list[str]]
    shared: Ints


def encode_letters(texts: Sequence[TokenColumn], first: int, last: int) -> TokenLetters:
    """Encode segments `first` to `last` (exclusive) with one character per token; the texts must share a vocabulary."""
    offsets = [text.offsets[first : last + 1] - text.offsets[first] for text in texts]
    codes = [text.codes[text.offsets[first] : text.offsets[last]] for text in texts]
    segments = [np.repeat(np.arange(last - first), np.diff(ends)) for ends in offsets]
    size = 1 + max((int(code.max()) for code in codes if len(code)), default=0)
    keys, result = np.unique(np.concatenate(segments) * size + np.concatenate(codes), return_inverse=True)
    key_segments = keys // size
    # few characters per segment: strings of small code points compare fastest
    code_points = result - np.searchsorted(key_segments, np.arange(last - first))[np.concatenate(segments)]
    lines, counts = [], []
    begin = 0
    for ends in offsets:
        end = begin + int(ends[-1])
        text_characters = code_points[begin:end].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        line_offsets = ends.tolist()
        lines.append([text_characters[begin_offset:high] for begin_offset, high in pairwise(line_offsets)])
        counts.append(np.bincount(result[begin:end], minlength=len(keys)))
        begin = end
    shared_counts = [np.minimum(counts[0], count) for count in counts]
    shared = [
        np.bincount(key_segments, weights=count, minlength=last - first).astype(np.int64) for count in shared_counts
    ]
    return TokenLetters(lines, np.stack(shared))
