"""Approximate randomisation written out plainly, one pair and metric after the other: what the fast one is held to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from qe_desktop.significance import FamilyRows, random_masks
from qe_desktop.significance.exact_columns import exact_columns
from qe_desktop.significance.randomization_kernel import ROUNDING, TOLERANCE


def plain_counts(families: Sequence[FamilyRows], rounds: int, seed: int) -> np.ndarray:
    """Rounds (masks, where all are enumerated) that reach the observed difference, shape (metrics, pairs)."""
    units = families[0].rows.shape[1]
    if units < 63 and 2**units <= rounds:
        swaps = np.array([[mask >> unit & 1 for unit in range(units)] for mask in range(2 ** (units - 1))], bool)
    else:
        drawn = [drawn_mask(seed, number, size, units) for number, size in random_masks.round_blocks(rounds)]
        swaps = np.concatenate(drawn)
    return np.concatenate([_of_family(family, swaps) for family in families])


def drawn_mask(seed: int, block: int, rounds: int, units: int) -> np.ndarray:
    """A block of coin flips, from the bytes that numpy's generator gives."""
    width = -(-units // 8)
    packed = np.random.Generator(np.random.SFC64([seed, block])).bytes(rounds * width)
    return np.unpackbits(np.frombuffer(packed, np.uint8).reshape(rounds, width), axis=1, count=units).astype(bool)


def _of_family(family: FamilyRows, swaps: np.ndarray) -> np.ndarray:
    rows, whole = _written(family)
    found = []
    for metric in family.metrics:
        counts = []
        for a, b in combinations(range(len(rows)), 2):
            observed = abs(metric.comparable(rows[a].sum(axis=0)) - metric.comparable(rows[b].sum(axis=0)))
            left = np.stack([np.where(swap[:, None], rows[b], rows[a]).sum(axis=0) for swap in swaps])
            right = np.stack([np.where(swap[:, None], rows[a], rows[b]).sum(axis=0) for swap in swaps])
            difference = np.abs(metric.comparable(left) - metric.comparable(right))
            bar = observed * (1 - TOLERANCE) - (0.0 if whole else ROUNDING)
            counts.append(int(np.count_nonzero(difference >= bar)))
        found.append(counts)
    return np.array(found).reshape(len(family.metrics), -1)


def _written(family: FamilyRows) -> tuple[np.ndarray, bool]:
    """The rows as they are written in exact form, and whether that changed none of those that are swapped."""
    own = family.metrics[0].family.own
    columns = exact_columns([family.rows[:, :, column] for column in own])
    limbs = columns.matrix.reshape(len(columns.weights), *family.rows.shape[:2])
    rows = np.array(family.rows, np.float64)
    for place, column in enumerate(own):
        rows[:, :, column] = sum(columns.weights[limb] * limbs[limb] for limb in columns.limbs[place])
    return rows, all(columns.whole)
