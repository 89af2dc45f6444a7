"""How fast tag files load, relative to `wc -w` and to a plain Python loop.

QE_DESKTOP_BENCH_SEGMENTS sets the size (1,000,000).
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import Kind
from qe_desktop.formats import read_tags
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import HAS_WC, count_words, time_ratio_of

SEGMENTS = int(os.environ.get("QE_DESKTOP_BENCH_SEGMENTS", "1000000"))
WORDS = 25


def make_tag_file(path: Path, segments: int, words: int, seed: int) -> None:
    """Write `segments` lines of `words` random tags each, a fifth of them BAD."""
    rng = np.random.default_rng(seed)
    with path.open("wb") as file:
        for start in range(0, segments, 20_000):
            lines = min(20_000, segments - start)
            tags = rng.random((lines, words)) < 0.2
            pieces = np.where(tags, b"BAD ", b"OK ").astype(object)
            file.write(b"".join(b"".join(line)[:-1] + b"\n" for line in pieces))


def split_loop(path: Path) -> None:
    """Split each line and compare each tag."""
    flat = bytearray()
    lengths = []
    with path.open() as file:
        for line in file:
            line_tags = line.split()
            lengths.append(len(line_tags))
            flat.extend([1 if tag == "BAD" else 0 for tag in line_tags])


@pytest.fixture(scope="module")
def tags(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("loading") / "large.tags"
    make_tag_file(path, SEGMENTS, WORDS, seed=1)
    return path


@pytest.mark.skipif(not HAS_WC, reason="there is no wc here")
@pytest.mark.benchmark
def test_time_of_loading_tags_relative_to_wc_and_a_python_loop(benchmark, tags):
    read = benchmark.pedantic(read_tags, (tags, Kind.WORDS), rounds=3, warmup_rounds=1)
    assert len(read.columns[Kind.WORDS].values) == SEGMENTS * WORDS

    def ours() -> None:
        read_tags(tags, Kind.WORDS)

    wc_ratio, loop_ratio = (
        time_ratio_of(ours, lambda: count_words(tags)),
        time_ratio_of(lambda: split_loop(tags), ours, times=3),
    )
    record_figure(f"load tags, {SEGMENTS:,} × {WORDS}: relative to wc -w", wc_ratio, 3)
    record_figure("the same: a Python split loop takes", loop_ratio, 5, is_minimum=True)
    assert loop_ratio > 1
