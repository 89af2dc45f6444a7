"""Randomisation of metrics of translations counts what a plain loop counts, round for round."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.metrics import metric_families
from qe_desktop.metrics.text.bleu import BleuSettings, bleu_metrics
from qe_desktop.metrics.text.nist import NistSettings, nist_metrics
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from qe_desktop.significance import group_by_family
from tests.metrics.drawn_texts import plain
from tests.significance.plain_randomisation import plain_counts
from tests.significance.test_kernel import counts_of


@settings(max_examples=25)
@given(st.data(), st.integers(1, 2), st.integers(1, 9), st.sampled_from([1, 64, 130]), st.integers(0, 99))
def test_the_same_rounds_count_as_in_a_plain_loop(data, references, segments, rounds, seed):
    """With a length of references that all systems share, and with one of their own."""
    text = st.lists(plain, min_size=segments, max_size=segments)
    beside = [data.draw(text) for _ in range(references)]
    systems = [data.draw(text) for _ in range(3)]
    # one that says what another says, and one that says what a reference does
    systems += [systems[0], beside[0]]
    metrics = [*bleu_metrics(BleuSettings(references)), *nist_metrics(NistSettings(references))]
    rows = {
        family.name: np.stack([family.rows(tokenized_pair(system, beside)) for system in systems])
        for family in metric_families(metrics)
    }
    families = group_by_family(metrics, rows)
    assert sum(len(family.metrics) for family in families) == len(metrics)
    assert counts_of(families, rounds, seed).tolist() == plain_counts(families, rounds, seed).tolist()
