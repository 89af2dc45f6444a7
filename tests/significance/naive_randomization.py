"""Approximate randomization by plain loops over pairs and metrics, to compare the fast implementation with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from qe_desktop.significance import FamilyRows, random_masks
from qe_desktop.significance.exact_columns import exact_columns
from qe_desktop.significance.randomization_kernel import ROUNDING, TOLERANCE


def plain_counts(families: Sequence[FamilyRows], rounds: int, seed: int) -> np.ndarray:
    """Return how many rounds (or enumerated masks) reach the observed difference, shape (metrics, pairs)."""
    units = families[0].rows.shape[1]
    if units < 63 and 2**units <= rounds:
        swaps = np.array([[mask >> unit & 1 for unit in range(units)] for mask in range(2 ** (units - 1))], bool)
    else:
        blocks = [drawn_mask(seed, number, size, units) for number, size in random_masks.round_blocks(rounds)]
        swaps = np.concatenate(blocks)
    return np.concatenate([_family_counts(family, swaps) for family in families])


def drawn_mask(seed: int, block: int, rounds: int, units: int) -> np.ndarray:
    """Return a block of coin flips from the bytes of numpy's generator."""
    width = -(-units // 8)
    packed = np.random.Generator(np.random.SFC64([seed, block])).bytes(rounds * width)
    return np.unpackbits(np.frombuffer(packed, np.uint8).reshape(rounds, width), axis=1, count=units).astype(bool)


def _family_counts(family: FamilyRows, swaps: np.ndarray) -> np.ndarray:
    rows, whole = _exact_rows(family)
    result = []
    for metric in family.metrics:
        counts = []
        for a, b in combinations(range(len(rows)), 2):
            observed = abs(metric.finite_scores(rows[a].sum(axis=0)) - metric.finite_scores(rows[b].sum(axis=0)))
            left = np.stack([np.where(swap[:, None], rows[b], rows[a]).sum(axis=0) for swap in swaps])
            right = np.stack([np.where(swap[:, None], rows[a], rows[b]).sum(axis=0) for swap in swaps])
            difference = np.abs(metric.finite_scores(left) - metric.finite_scores(right))
            threshold = observed * (1 - TOLERANCE) - (0.0 if whole else ROUNDING)
            counts.append(int(np.count_nonzero(difference >= threshold)))
        result.append(counts)
    return np.array(result).reshape(len(family.metrics), -1)


def _exact_rows(family: FamilyRows) -> tuple[np.ndarray, bool]:
    """Return the rows in exact form, and whether all unshared columns are unchanged by it."""
    own = family.metrics[0].family.system_columns
    columns = exact_columns([family.rows[:, :, column] for column in own])
    limbs = columns.matrix.reshape(len(columns.weights), *family.rows.shape[:2])
    rows = np.array(family.rows, np.float64)
    for index, column in enumerate(own):
        rows[:, :, column] = sum(columns.weights[limb] * limbs[limb] for limb in columns.limbs[index])
    return rows, all(columns.is_integer)
