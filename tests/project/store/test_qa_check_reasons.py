"""Reasons of QA checks after reopening a project, which stores only the tags and the names of the checks."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.local_qe.qa_checks.live_checks import recompute_reasons
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, run_checks
from tests.local_qe.qa_checks.test_live_checks import open_workspace
from tests.local_qe.qa_checks.test_recomputed_reasons import SOURCES, TARGETS
from tests.project.store.test_review_restore import make_session, reopen_session

WORDS = LayerKey(Provenance.SYSTEM, "checks", Kind.WORDS)


@pytest.mark.parametrize("names", [("numbers", "doubled", "brackets", "consistency", "untranslated"), ("doubled",)])
def test_reasons_are_recomputed_after_reopening(location, names):
    corpus = open_workspace(SOURCES, TARGETS).corpus
    project = location.create(corpus, person="ann")
    session = make_session(project)
    layers = run_checks(session.corpus, [CHECK_BY_NAME[name] for name in names])
    checked = session.corpus
    for layer in layers:
        checked = checked.with_layer(layer)
    session.extend(checked)
    _, again = reopen_session(location, project)
    for layer in layers:
        assert again.corpus.layers[layer.key].reasons is None
        expected = layer.reasons.by_segment if layer.reasons else {}
        for segment in range(corpus.size):
            reasons = recompute_reasons(again.corpus, layer.key, segment)
            assert reasons.by_segment.get(segment) == expected.get(segment)
    assert recompute_reasons(again.corpus, WORDS, 1).at(1, 3) == ["“so” is repeated"]
