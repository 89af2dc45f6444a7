"""Approximate randomization of translation metrics has the same counts as plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.metrics import metric_families
from qe_desktop.metrics.text.bleu import BleuSettings, bleu_metrics
from qe_desktop.metrics.text.nist import NistSettings, nist_metrics
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from qe_desktop.significance import group_by_family
from tests.metrics.text_strategies import plain
from tests.significance.naive_randomization import plain_counts
from tests.significance.test_randomization_kernel import counts_of


@settings(max_examples=25)
@given(st.data(), st.integers(1, 2), st.integers(1, 9), st.sampled_from([1, 64, 130]), st.integers(0, 99))
def test_round_counts_of_bleu_and_nist_equal_a_plain_loop(data, references, segments, rounds, seed):
    """With one reference, all systems share the reference length; with two, each has its own."""
    text = st.lists(plain, min_size=segments, max_size=segments)
    reference_texts = [data.draw(text) for _ in range(references)]
    systems = [data.draw(text) for _ in range(3)]
    # one copy of another system, and one of a reference
    systems += [systems[0], reference_texts[0]]
    metrics = [*bleu_metrics(BleuSettings(references)), *nist_metrics(NistSettings(references))]
    rows = {
        family.name: np.stack([family.rows(tokenized_pair(system, reference_texts)) for system in systems])
        for family in metric_families(metrics)
    }
    families = group_by_family(metrics, rows)
    assert sum(len(family.metrics) for family in families) == len(metrics)
    assert counts_of(families, rounds, seed).tolist() == plain_counts(families, rounds, seed).tolist()
