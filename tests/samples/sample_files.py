"""Reading and scoring of the bundled samples, independent of the program."""

from __future__ import annotations

import math
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "resources" / "samples"
PAIRS = ("en-de", "en-he", "en-ja")
SYSTEMS = ("strong", "cautious", "eager", "weak")
WITH_PROBABILITIES = ("strong", "weak")


def read_lines(pair: str, name: str) -> list[str]:
    """Return the lines of a sample file."""
    text = (SAMPLES / pair / name).read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert "\r" not in text
    return text[:-1].split("\n")


def read_tokens(pair: str, name: str) -> list[list[str]]:
    """Return the tokens of each line."""
    return [line.split(" ") for line in read_lines(pair, name)]


AUTHORED = {"references": "reference_translations.tsv", "translations": "translations.tsv"}


def read_authored_tokens(pair: str, name: str) -> list[list[str]]:
    """Return the tokens of a text; those of detokenized files come from the authored tables."""
    folder, _, file = name.rpartition("/")
    if folder not in AUTHORED:
        return read_tokens(pair, name)
    header, *rows = (line.split("\t") for line in read_lines(pair, AUTHORED[folder]))
    return [row[header.index(file.removesuffix(".txt"))].split(" ") for row in rows]


def bad_flags(row: list[str]) -> list[bool]:
    """Return whether each tag of a line is BAD."""
    assert set(row) <= {"OK", "BAD"}
    return [tag == "BAD" for tag in row]


def word_flags(pair: str, name: str) -> list[bool]:
    """Return whether each word tag of a file of words and gaps is BAD."""
    return [flag for row in read_tokens(pair, name) for flag in bad_flags(row)[1::2]]


def gap_flags(pair: str, name: str) -> list[bool]:
    """Return whether each gap tag of a file of words and gaps is BAD."""
    return [flag for row in read_tokens(pair, name) for flag in bad_flags(row)[0::2]]


def confusion_counts(gold: list[bool], system: list[bool]) -> tuple[int, int, int, int]:
    """Return the numbers of true positives, false positives, false negatives and true negatives."""
    pairs = list(zip(gold, system, strict=True))
    tp, fp = pairs.count((True, True)), pairs.count((False, True))
    return tp, fp, pairs.count((True, False)), pairs.count((False, False))


def mcc(gold: list[bool], system: list[bool]) -> float:
    """Return Matthews' correlation coefficient."""
    tp, fp, fn, tn = confusion_counts(gold, system)
    return (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def edit_distance(left: list[str], right: list[str]) -> int:
    """Return the Levenshtein distance, implemented independently of the program."""
    row = list(range(len(right) + 1))
    for i, word in enumerate(left, start=1):
        above, row = row, [i] + [0] * len(right)
        for j, right_word in enumerate(right, start=1):
            row[j] = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (word != right_word))
    return row[-1]
