"""Detokenized text: how long its layout and its search take, relative to tokens alone."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QFont

from qe_desktop.corpus import Corpus, Kind, TextColumn, TextRole, View, display_text
from qe_desktop.project.segment_filter import SegmentQuery, filter_segments, take_snapshot
from qe_desktop.ui.inspect.reader.word_layout import WordLayout
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of

WORDS = ("Brücke", "liegt", "„", "schön", "“", ",", "sagt", "&quot;", "Anna", "&quot;", "–", "und", "geht", ".")
SEGMENTS = 20_000


def corpora() -> tuple[Corpus, Corpus]:
    """The same segments of 25 words as tokens only, and with their detokenized text."""
    chance = random.Random(1)
    rows = [chance.choices(WORDS, k=25) for _ in range(SEGMENTS)]
    tokens = [" ".join(row) for row in rows]
    texts = [line.replace(" ,", ",").replace(" .", ".").replace("„ ", "„").replace("&quot;", '"') for line in tokens]
    plain = Corpus("tokens", SEGMENTS, {TextRole.MT: TextColumn.of(tokens)})
    return plain, replace(plain, texts={**plain.texts, TextRole.RAW_MT: TextColumn.of(texts)})


@pytest.mark.benchmark
def test_time_of_detokenized_text_relative_to_tokens(benchmark, qapp):
    plain, whole = corpora()
    font = QFont("DejaVu Sans", 12)
    some = np.linspace(0, SEGMENTS - 1, 150).astype(int).tolist()

    def lay_out(corpus: Corpus) -> None:
        for segment in some:
            shown = display_text(corpus, TextRole.MT, segment)
            assert not shown.is_unaligned
            WordLayout(shown, font, 700)

    def find(corpus: Corpus) -> None:
        query = SegmentQuery(text="brücke liegt")
        assert len(filter_segments(take_snapshot(View(corpus), Kind.WORDS, query), query).segments)

    benchmark.pedantic(lay_out, (whole,), rounds=1)
    layout_figure = record_figure(
        "lay out a segment as written relative to its tokens",
        time_ratio_of(lambda: lay_out(whole), lambda: lay_out(plain)),
        1.3,
    )
    search_figure = record_figure(
        "find text as written and as tokens relative to tokens",
        time_ratio_of(lambda: find(whole), lambda: find(plain)),
        2.5,
    )
    assert layout_figure.value < 2
    assert search_figure.value < 4
