"""chrF and chrF++: F-scores of character n-grams and, for chrF++, of word n-grams (Popović 2015, 2017).

Scores are identical to those of sacreBLEU. chrF uses n-grams of 1 to 6 characters without whitespace. chrF++ adds
n-grams of 1 and 2 words; a punctuation mark at one edge of a word is split off. Precision and recall are averaged over
the n-gram orders that occur in both texts. Scores range from 0 to 100.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, ratio
from qe_desktop.metrics.text.ngrams import count_shared_ngrams, ngram_totals
from qe_desktop.metrics.text.tokenized_pairs import TokenColumn, TokenizedPair, TokenizedText, best_reference_rows

CHRF_CHAR_ORDER = 6
"""Maximum character n-gram order."""
CHRF_WORD_ORDER = 2
"""Maximum word n-gram order of chrF++."""
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_WHITESPACE_END = 0x3001
"""First code point above all whitespace characters."""
_EPSILON = 1e-16
"""Replacement for a ratio with a denominator of 0 under `eps_smoothing`."""


@dataclass(frozen=True, slots=True)
class EdgeWords:
    """Tokenizer that splits at whitespace and splits off at most one punctuation mark per word.

    A mark at the end of the word is split off or, if there is none, a mark at the start.
    """

    lowercase: bool = False

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of each line."""
        return [
            [part for word in line.split() for part in _split_punctuation(word)]
            for line in _apply_case(lines, self.lowercase)
        ]


@lru_cache(maxsize=1 << 16)
def _split_punctuation(word: str) -> tuple[str, ...]:
    if len(word) > 1 and word[-1] in _PUNCTUATION:
        return word[:-1], word[-1]
    if len(word) > 1 and word[0] in _PUNCTUATION:
        return word[0], word[1:]
    return (word,)


def _apply_case(lines: Sequence[str], lowercase: bool) -> Sequence[str]:
    return [line.lower() for line in lines] if lowercase else lines


@lru_cache(maxsize=1)
def _whitespace_mask() -> NDArray[np.bool_]:
    """Return whether each code point is whitespace; the last entry stands for all higher code points."""
    return np.asarray([chr(code).isspace() for code in range(_WHITESPACE_END)] + [False])


def segment_chars(text: TokenizedText, *, lowercase: bool = False, whitespace: bool = False) -> TokenColumn:
    """Return the code points of each segment.

    Parameters
    ----------
    text
        Text, one line per segment.
    lowercase
        Whether to convert the text to lower case.
    whitespace
        Whether to keep whitespace.

    Returns
    -------
    TokenColumn
        One token per code point.
    """
    lines = _apply_case(text.lines, lowercase)
    # a lone surrogate, which a damaged file may contain, counts as a character
    codes = np.frombuffer("".join(lines).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(np.fromiter(map(len, lines), np.int64, len(lines)))])
    if whitespace:
        return TokenColumn(codes, offsets)
    is_kept = ~_whitespace_mask()[np.minimum(codes, _WHITESPACE_END)]
    return TokenColumn(codes[is_kept], np.concatenate([[0], np.cumsum(is_kept)])[offsets])


@dataclass(frozen=True, slots=True)
class ChrfSettings:
    """Settings of n-gram counting and scoring, as in sacreBLEU.

    Parameters
    ----------
    beta
        Square root of the weight of recall relative to precision.
    lowercase
        Whether to convert texts to lower case.
    whitespace
        Whether character n-grams include whitespace.
    eps_smoothing
        Whether to average the F-scores of all orders, including orders without n-grams, as in chrF++.py, NLTK and
        Moses. Otherwise, precision and recall are averaged over the orders that occur in both texts.
    """

    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def signature(self, references: int, words: int) -> str:
        """Return the signature needed to reproduce scores, in the format of sacreBLEU.

        `references` is the number of references (0 for any), and `words` the maximum word n-gram order (0 for none).
        """
        case, smooth = "lc" if self.lowercase else "mixed", "no" if self.eps_smoothing else "yes"
        space = "yes" if self.whitespace else "no"
        nrefs, orders = references or "var", f"nc:{CHRF_CHAR_ORDER}|nw:{words}"
        return f"nrefs:{nrefs}|case:{case}|eff:{smooth}|{orders}|space:{space}|beta:{self.beta}"


@dataclass(frozen=True, slots=True)
class _ChrfCounter:
    settings: ChrfSettings
    words: int

    def rows(self, translated: TokenizedPair) -> Floats:
        """Return the numbers of n-grams by order, shape (segments, 3 × orders).

        Each order has three columns: n-grams of the system (0 if the reference has none), n-grams of the best
        reference, and n-grams shared by both.
        """
        system = self._texts(translated.system)
        rows = [self._reference_rows(system, self._texts(reference)) for reference in translated.references]
        return best_reference_rows(rows, self.segment_scores)

    def segment_scores(self, rows: Floats) -> Floats:
        return np.asarray(self.score(*rows.T))

    def _texts(self, text: TokenizedText) -> list[tuple[TokenColumn, int]]:
        settings = self.settings
        columns = [(segment_chars(text, lowercase=settings.lowercase, whitespace=settings.whitespace), CHRF_CHAR_ORDER)]
        return [*columns, (text.tokens(EdgeWords(settings.lowercase)), self.words)] if self.words else columns

    def _reference_rows(
        self, system: list[tuple[TokenColumn, int]], reference: list[tuple[TokenColumn, int]]
    ) -> Floats:
        columns = []
        for (system_column, order), (reference_column, _) in zip(system, reference, strict=True):
            reference_counts = ngram_totals(reference_column.counts, order)
            # an order without n-grams in the reference does not count
            columns.append(
                np.stack(
                    [
                        ngram_totals(system_column.counts, order) * (reference_counts > 0),
                        reference_counts,
                        count_shared_ngrams(system_column, reference_column, order),
                    ],
                    axis=-1,
                )
            )
        rows = np.concatenate(columns, axis=1)
        return rows.reshape(len(rows), 3 * rows.shape[1]).astype(np.float64)

    @property
    def score(self) -> Any:
        return partial(_mean_of_f_scores if self.settings.eps_smoothing else _f_score_of_means, self.settings.beta**2)

    def columns(self) -> tuple[str, ...]:
        named = [("char", n) for n in range(1, CHRF_CHAR_ORDER + 1)] + [("word", n) for n in range(1, self.words + 1)]
        return tuple(f"{kind}-{n}-{side}" for kind, n in named for side in ("system", "reference", "both"))


def _f_score_of_means(weight: int, *counts: Any, out: Floats | None = None) -> Any:
    """F-score, 0 to 100, of mean precision and mean recall over the orders that occur in both texts."""
    precision: Any = 0.0
    recall: Any = 0.0
    orders: Any = 0
    for system, reference, shared in zip(counts[::3], counts[1::3], counts[2::3], strict=True):
        precision = precision + ratio(shared, system)
        recall = recall + ratio(shared, reference)
        orders = orders + ((system > 0) & (reference > 0))
    orders = np.maximum(orders, 1)
    precision, recall = precision / orders, recall / orders
    return np.multiply(100, ratio((1 + weight) * precision * recall, weight * precision + recall, out), out=out)


def _mean_of_f_scores(weight: int, *counts: Any, out: Floats | None = None) -> Any:
    """Mean of the F-scores of all orders, 0 to 100; a ratio with a denominator of 0 is replaced by `_EPSILON`."""
    total: Any = 0.0
    for system, reference, shared in zip(counts[::3], counts[1::3], counts[2::3], strict=True):
        precision = np.where(system > 0, ratio(shared, system), _EPSILON)
        recall = np.where(reference > 0, ratio(shared, reference), _EPSILON)
        denominator = weight * precision + recall
        total = total + np.where(denominator > 0, ratio((1 + weight) * precision * recall, denominator), _EPSILON)
    return np.divide(np.multiply(100, total, out=out), len(counts) // 3, out=out)


def _identity(*counts: Any) -> tuple[Any, ...]:
    return counts


def chrf_metrics(references: int = 1, settings: ChrfSettings | None = None) -> tuple[Metric, ...]:
    """Return chrF and chrF++.

    Parameters
    ----------
    references
        Number of references; 0 for any. Each segment uses the reference with the highest score.
    settings
        Settings; None for the defaults of sacreBLEU.

    Returns
    -------
    tuple of Metric
        Both metrics, 0 to 100.

    Notes
    -----
    Without `eps_smoothing`, the score is 100 · (1 + β²) P R / (β² P + R), with β = 2 by default. P and R are the means
    of precision and recall over the n-gram lengths that occur in both texts.

    References
    ----------
    Popović 2015, 2017
    """
    settings = settings or ChrfSettings()
    metrics = []
    for name, words, rewards, source in (
        (
            "chrF", 0,
            tr(
                "Rewards character sequences of the reference, so other forms of the correct word receive partial"
                " credit."
            ),
            tr("Popović 2015; as in sacreBLEU"),
        ),
        (
            "chrF++", CHRF_WORD_ORDER,
            tr("Rewards character sequences, words and word pairs of the reference."),
            tr("Popović 2017; as in sacreBLEU"),
        ),
    ):  # fmt: skip
        counter, signature = _ChrfCounter(settings, words), settings.signature(references, words)
        columns = counter.columns()
        shared = tuple(range(1, len(columns), 3)) if references == 1 else ()
        family: Family[TokenizedPair] = Family(f"{name}|{signature}", columns, shared, counter.rows)
        terms = (ScoreTerm(_identity, counter.score),)
        metrics.append(Metric(name, family, terms, 0, 100, rewards, source, signature=signature))
    return tuple(metrics)
