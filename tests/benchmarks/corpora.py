"""Large corpora for benchmarks, written once per size and machine to a temporary folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

from qe_desktop.corpus import TagColumn, offsets_from_lengths
from qe_desktop.formats import write_tag_lines
from tests.small_corpora import noisy, random_tags

SEGMENTS = int(os.environ.get("QE_DESKTOP_BENCH_SEGMENTS", "1000000"))
WORDS = 25
SYSTEMS = 5


def make_wmt_sized_tags(systems: int = 17, segments: int = 1817, words: int = 20) -> tuple[TagColumn, list[TagColumn]]:
    """Gold and systems of the size of the word-level task of WMT15."""
    lengths = np.random.default_rng(1).integers(words // 2, words * 3 // 2 + 1, segments)
    gold = random_tags(lengths, 0.19, 1)
    return gold, [noisy(gold, 0.1 + 0.01 * index, 10 + index) for index in range(systems)]


def write_large_folder(segments: int = SEGMENTS) -> Path:
    """A folder with source, MT, gold and systems with a number of segments of 25 words."""
    folder = Path(tempfile.gettempdir()) / f"qe-desktop-bench-{segments}"
    marker = folder.with_suffix(".done")
    if marker.exists():
        return folder
    (folder / "systems").mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(2)
    vocabulary = [f"{'abcdefghijklmnopqrstuvwxyz'[n % 26]}{'e' * (n % 4)}{n:x}" for n in range(4000)]
    for name in ("test.src", "test.mt"):
        with (folder / name).open("w") as file:
            for first in range(0, segments, 10_000):
                rows = rng.integers(0, len(vocabulary), (min(10_000, segments - first), WORDS))
                file.write("".join(" ".join(vocabulary[n] for n in row) + "\n" for row in rows.tolist()))
    offsets = offsets_from_lengths(np.full(segments, WORDS))
    gold = TagColumn((rng.random(offsets[-1]) < 0.15).astype(np.uint8), offsets)
    write_tag_lines(folder / "test.tags", gold)
    for index in range(SYSTEMS):
        write_tag_lines(folder / f"systems/system-{index + 1}.tags", noisy(gold, 0.1 + 0.03 * index, index))
    marker.touch()
    return folder
