"""How fast tag files load, beside `wc -w` and a plain Python loop.

Run with `pytest --benchmark-only -s tests/benchmarks`; QE_DESKTOP_BENCH_SEGMENTS sets the size (1,000,000).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import Kind
from qe_desktop.formats import assemble, plan, read_tags

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


def make_text_file(path: Path, segments: int, words: int, seed: int) -> None:
    """Write `segments` lines of `words` random words each."""
    rng = np.random.default_rng(seed)
    words_known = ["der", "die", "und", "Straße", "für", "größer", "Haus", "ist", "nicht", "ein", "Qualität", ",", "."]
    known = np.array(words_known, object)
    with path.open("w", encoding="utf-8") as file:
        for low in range(0, segments, 20_000):
            chosen = known[rng.integers(0, len(known), (min(20_000, segments - low), words))]
            file.write("".join(" ".join(line) + "\n" for line in chosen))


def wc_seconds(*paths: Path) -> float:
    """How long `wc -w` takes, the best of three."""
    return min(
        _seconds(lambda: subprocess.run(["wc", "-w", *paths], check=True, capture_output=True)) for _ in range(3)
    )


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


@pytest.mark.skipif(shutil.which("wc") is None, reason="there is no wc here")
@pytest.mark.benchmark
def test_a_tag_file(benchmark, tags):
    read = benchmark.pedantic(read_tags, (tags, Kind.WORDS), rounds=3, warmup_rounds=1)
    assert len(read.columns[Kind.WORDS].values) == SEGMENTS * WORDS
    seconds = min(_seconds(lambda: read_tags(tags, Kind.WORDS)) for _ in range(3))
    wc, loop = wc_seconds(tags), split_loop_seconds(tags)
    print(
        f"\n{SEGMENTS:,} x {WORDS} tags: {seconds:.3f} s, {seconds / wc:.2f} x wc -w, loop / ours {loop / seconds:.1f}"
    )
    assert seconds < loop


@pytest.mark.skipif(shutil.which("wc") is None, reason="there is no wc here")
@pytest.mark.benchmark
def test_a_corpus_with_five_systems(benchmark, tags, tmp_path):
    (tmp_path / "systems").mkdir()
    files = [tmp_path / "c.tags", *(tmp_path / "systems" / f"s{system}.tags" for system in range(5))]
    for file in files:
        file.hardlink_to(tags)
    make_text_file(tmp_path / "c.src", SEGMENTS, WORDS, seed=2)
    make_text_file(tmp_path / "c.mt", SEGMENTS, WORDS, seed=3)
    begun = time.perf_counter()
    (found,) = plan([tmp_path])
    planned = time.perf_counter() - begun
    corpus = benchmark.pedantic(assemble, (found,), rounds=1, warmup_rounds=0)
    assert corpus.size == SEGMENTS
    assert len(corpus.layers) == 6
    seconds = _seconds(lambda: assemble(found))
    wc = wc_seconds(*files)
    print(
        f"\nplan {planned:.2f} s, assemble {seconds:.2f} s: {(planned + seconds) / wc:.2f} x wc -w of the six tag files"
    )
    assert seconds < 6 * split_loop_seconds(tags)
