"""A small shared task of two language pairs in folders."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SEGMENTS, WORDS = 60, 8


def tag_lines(tags: np.ndarray) -> str:
    """Return lines of OK and BAD tags."""
    return "".join(" ".join("BAD" if tag else "OK" for tag in line) + "\n" for line in tags)


def write_language_pair(path: Path, rng: np.random.Generator, **noise: float) -> None:
    """Write a folder of gold tags and of systems that flip the given share of the tags."""
    (path / "systems").mkdir(parents=True)
    gold = rng.random((SEGMENTS, WORDS)) < 0.3
    (path / "test.mt").write_text("a b c d e f g h\n" * SEGMENTS)
    (path / "test.tags").write_text(tag_lines(gold))
    for name, share in noise.items():
        (path / "systems" / f"{name}.tags").write_text(tag_lines(gold ^ (rng.random(gold.shape) < share)))


def write_shared_task(folder: Path) -> Path:
    """Write two language pairs, only the first of which has the system `late`."""
    rng = np.random.default_rng(3)
    write_language_pair(folder / "en-de", rng, good=0.05, fair=0.2, twin=0.2, late=0.1)
    write_language_pair(folder / "ne-en", rng, good=0.1, fair=0.12, twin=0.4)
    return folder


def options_of_both_pairs(folder: Path) -> tuple[object, ...]:
    """Return the options of `score` and `compare` for both language pairs of a task."""
    return (
        "words", "--gold", folder / "{pair}/test.tags", "--system", folder / "{pair}/systems",
        "--language-pair", "en-de", "ne-en",
    )  # fmt: skip
