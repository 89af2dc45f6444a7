"""Helpers for tests of translation metrics: a whitespace tokenizer, scores and random texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from qe_desktop.metrics.family import Metric
from qe_desktop.metrics.text.stemming import stem_words
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair, tokenized_pair


@dataclass(frozen=True)
class WhitespaceTokenizer:
    """Tokenizer that splits at whitespace."""

    lowercase: bool = False
    stemmer: str = ""

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        words_of_lines = [(line.lower() if self.lowercase else line).split() for line in lines]
        return [stem_words(words, self.stemmer) for words in words_of_lines] if self.stemmer else words_of_lines


def corpus_score(metric: Metric, tokenized: TokenizedPair) -> float:
    """Return the score of all segments together."""
    return float(metric.score(metric.family.rows(tokenized).sum(axis=0)))


def segment_scores(metric: Metric, tokenized: TokenizedPair) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the score of each segment."""
    return metric.score(metric.family.rows(tokenized))


def segment_score(metric: Metric, system: str, *references: str) -> float:
    """Return the score of one segment."""
    return corpus_score(metric, tokenized_pair([system], [[reference] for reference in references]))


def text_pairs(
    line: st.SearchStrategy[str], references: int = 3
) -> st.SearchStrategy[tuple[list[str], list[list[str]]]]:
    """Strategy for a system and one or more references of a few such lines."""

    def as_columns(lines: list[list[str]]) -> tuple[list[str], list[list[str]]]:
        system, *references_of_lines = map(list, zip(*lines, strict=True))
        return system, references_of_lines

    columns = st.integers(2, references + 1)
    return columns.flatmap(
        lambda n: st.lists(st.lists(line, min_size=n, max_size=n), min_size=1, max_size=6).map(as_columns)
    )


def assert_rows_add_up(metrics: Sequence[Metric], system: list[str], references: list[list[str]]) -> None:
    """Assert that rows depend only on their segment: they are equal in reverse order and for two halves."""
    tokenized = tokenized_pair(system, references)
    reversed_pair = tokenized_pair(system[::-1], [reference[::-1] for reference in references])
    half = len(system) // 2
    halves = [
        tokenized_pair(system[part], [reference[part] for reference in references])
        for part in (slice(half), slice(half, None))
    ]
    for metric in metrics:
        rows = metric.family.rows(tokenized)
        assert rows.shape == (len(system), len(metric.family.columns))
        assert np.array_equal(metric.family.rows(reversed_pair)[::-1], rows)
        assert np.array_equal(np.concatenate([metric.family.rows(pair) for pair in halves]), rows)
        np.testing.assert_array_equal(metric.score(rows[None]), metric.score(rows)[None])
        for term in metric.terms:
            parts = [np.asarray(part, float) for part in term.parts(*rows.T)]
            sums = [np.asarray(part, float) for part in term.parts(*rows.sum(axis=0))]
            for part, total in zip(parts, sums, strict=True):
                assert np.isclose(part.sum(), total)
        assert np.isfinite(metric.finite_scores(rows)).all()
