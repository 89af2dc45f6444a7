"""A bilingual file with repeated sources: thousands of groups of identical segments, one of them very large."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.benchmarks.test_bilingual_files import WORDS

SAME, GROUP = 5_000, 5
"""Number of segments that are “OK”, and number of segments of each other repeated source."""
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
    '<file original="a" source-language="en" target-language="de" datatype="x"><body>\n'
)


def make_repeating_job(path: Path, units: int, repeated: int, seed: int) -> None:
    """Write an XLIFF of units in random order, of which `repeated` share their source with others.

    One in ten of these units has a different translation from the others of its group.
    """
    rng = np.random.default_rng(seed)
    groups = (repeated - SAME) // GROUP
    of_unit = np.concatenate([np.zeros(SAME, int), 1 + np.arange(groups * GROUP) // GROUP])
    of_unit = np.concatenate([of_unit, np.arange(units - len(of_unit)) + groups + 1])
    rng.shuffle(of_unit)
    otherwise = rng.random(units) < 0.1
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for unit, (group, is_different) in enumerate(zip(of_unit.tolist(), otherwise.tolist(), strict=True)):
            source = _text(group, 24)
            target = source if not is_different or group > groups else f"{source} anders"
            file.write(
                f'<trans-unit id="{unit}">\n<source>{source}</source>\n<target>{target}</target>\n</trans-unit>\n'
            )
        file.write("</body></file></xliff>\n")


def _text(number: int, words: int) -> str:
    """Return a distinct text for each number; 0 is “OK”."""
    if not number:
        return "OK"
    drawn = np.random.default_rng(number).integers(0, len(WORDS), words)
    return f"{' '.join(WORDS[index] for index in drawn)} {number}."
