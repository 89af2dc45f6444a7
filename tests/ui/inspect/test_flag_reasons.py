"""Reasons for flags listed below the MT."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, Reasons
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.project import Session
from qe_desktop.ui.inspect.reader import segment_descriptions
from tests.small_corpora import corpus_of, tags


@pytest.mark.parametrize(("key", "end"), [("", ""), ("F12", " or press F12")])
def test_further_reasons_are_counted_and_name_the_key_of_the_user(monkeypatch, key, end):
    system = LayerKey(Provenance.SYSTEM, "a", Kind.WORDS)
    reasons = {system: Reasons.of([(0, place, f"reason {place}") for place in range(6)])}
    view = Session(corpus_of(None, {"a": tags("bbbbbb")})).view
    monkeypatch.setattr(segment_descriptions, "shortcut_text", {"inspect.explain": key}.get)
    lines = segment_descriptions.flag_reasons(view, 0, VotingRule.ANY, lambda corpus, key, segment: reasons.get(key))
    assert len(lines) == segment_descriptions.MAX_REASONS + 1
    assert lines[-1] == f"To see 2 more reasons, hover over a flagged word{end}"
