"""A small shared task of two language pairs, as folders hold it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SEGMENTS, WORDS = 60, 8


def tag_lines(tags: np.ndarray) -> str:
    return "".join(" ".join("BAD" if tag else "OK" for tag in line) + "\n" for line in tags)


def tagged(path: Path, dice: np.random.Generator, **noise: float) -> None:
    """A folder with gold tags, and those of systems that turn so many of them."""
    (path / "systems").mkdir(parents=True)
    gold = dice.random((SEGMENTS, WORDS)) < 0.3
    (path / "test.mt").write_text("a b c d e f g h\n" * SEGMENTS)
    (path / "test.tags").write_text(tag_lines(gold))
    for name, share in noise.items():
        (path / "systems" / f"{name}.tags").write_text(tag_lines(gold ^ (dice.random(gold.shape) < share)))


def shared_task(folder: Path) -> Path:
    """Two pairs; `late` is in one of them alone."""
    dice = np.random.default_rng(3)
    tagged(folder / "en-de", dice, good=0.05, fair=0.2, twin=0.2, late=0.1)
    tagged(folder / "ne-en", dice, good=0.1, fair=0.12, twin=0.4)
    return folder


def both_pairs(folder: Path) -> tuple[object, ...]:
    """The options that name both pairs of a task to `score` and `compare`."""
    return (
        "words", "--gold", folder / "{pair}/test.tags", "--system", folder / "{pair}/systems",
        "--language-pair", "en-de", "ne-en",
    )  # fmt: skip
