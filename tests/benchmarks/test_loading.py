"""How fast tag files load, beside `wc -w` and a plain Python loop.

QE_DESKTOP_BENCH_SEGMENTS sets the size (1,000,000).
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import Kind
from qe_desktop.formats import read_tags
from tests.benchmarks.figures import HAS_WC, note, wc_seconds

SEGMENTS = int(os.environ.get("QE_DESKTOP_BENCH_SEGMENTS", "1000000"))
WORDS = 25


def make_tag_file(path: Path, segments: int, words: int, seed: int) -> None:
    """Write `segments` lines of `words` random tags each, a fifth of them BAD."""
    rng = np.random.default_rng(seed)
    with path.open("wb") as file:
        for low in range(0, segments, 20_000):
            lines = min(20_000, segments - low)
            tags = rng.random((lines, words)) < 0.2
            pieces = np.where(tags, b"BAD ", b"OK ").astype(object)
            file.write(b"".join(b"".join(line)[:-1] + b"\n" for line in pieces))


def split_loop_seconds(path: Path) -> float:
    """How long a loop takes that splits each line and compares each tag."""

    def loop() -> None:
        flat = bytearray()
        lengths = []
        with path.open() as file:
            for line in file:
                tags = line.split()
                lengths.append(len(tags))
                flat.extend([1 if tag == "BAD" else 0 for tag in tags])

    return _seconds(loop)


def _seconds(work) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


@pytest.fixture(scope="module")
def tags(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("loading") / "large.tags"
    make_tag_file(path, SEGMENTS, WORDS, seed=1)
    return path


@pytest.mark.skipif(not HAS_WC, reason="there is no wc here")
@pytest.mark.benchmark
def test_a_tag_file(benchmark, tags):
    read = benchmark.pedantic(read_tags, (tags, Kind.WORDS), rounds=3, warmup_rounds=1)
    assert len(read.columns[Kind.WORDS].values) == SEGMENTS * WORDS
    seconds = min(_seconds(lambda: read_tags(tags, Kind.WORDS)) for _ in range(3))
    wc, loop = wc_seconds(tags), split_loop_seconds(tags)
    note(f"load tags, {SEGMENTS:,} × {WORDS}: beside wc -w", seconds / wc, 3)
    note("the same: a Python split loop takes", loop / seconds, 5, least=True)
    assert seconds < loop
