"""Reasons of QA checks after reopening a project, which stores only the tags and the names of the checks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.i18n.messages import LocalizedStr
from qe_desktop.local_qe.qa_checks.live_checks import recompute_reasons
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, run_checks
from tests.local_qe.qa_checks.test_live_checks import open_workspace
from tests.local_qe.qa_checks.test_recomputed_reasons import SOURCES, TARGETS
from tests.project.store.test_review_restore import make_session, reopen_session
from tests.timeouts import PATIENCE

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


def test_translated_notes_are_stored_in_english(location):
    """Also the name of a file in the origin of a layer can be part of a translated sentence."""
    corpus = open_workspace(SOURCES, TARGETS).corpus
    project = location.create(corpus, person="ann")
    session = make_session(project)
    note, origin = LocalizedStr("contrôles : doubled"), LocalizedStr("contrôles")
    note.english, origin.english = "checks: doubled", "checks"
    for layer in run_checks(corpus, [CHECK_BY_NAME["doubled"]]):
        session.extend(session.corpus.with_layer(replace(layer, notes=(note,), origin=origin)))
    assert project.writer.flush(PATIENCE)
    assert not project.writer.rejected_rows
    _, again = reopen_session(location, project)
    assert (again.corpus.layers[WORDS].notes, again.corpus.layers[WORDS].origin) == (("checks: doubled",), "checks")
