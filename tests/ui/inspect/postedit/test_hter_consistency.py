"""HTER of a post-edit is the same below the editor, in the live layer and in the post-editing study."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.post_edit_layers import post_edit_keys
from qe_desktop.studies.post_editing.reviewed_segments import count_reviewed_edits, select_reviewed
from qe_desktop.ui.inspect.postedit.target_diff import SegmentContext
from qe_desktop.ui.inspect.postedit.target_messages import statistics_text

SAMPLE = Path(__file__).parents[4] / "resources/samples/en-de"


def test_editor_layer_and_study_have_equal_hter() -> None:
    session = Session(build_corpus(plan_imports([SAMPLE])[0]), person="me")
    post_edits = (SAMPLE / "sample.raw.pe").read_text(encoding="utf-8").split("\n")
    segments = [number for number in range(60) if post_edits[number] != session.corpus.mt_line(number)]
    assert len(segments) > 20
    session.reviewing.set({number: {ReviewField.TARGET: post_edits[number]} for number in segments})
    view = session.view
    words, _, hter = post_edit_keys("me")
    layer = view.scores(hter)[segments]
    drafts = [SegmentContext(view, number).diff_with(view.target(number)).edits for number in segments]
    assert [draft.hter for draft in drafts if draft is not None] == layer.tolist()
    edited = count_reviewed_edits(select_reviewed(view))
    np.testing.assert_allclose(edited.hter, layer)
    bad = [int(view.segment_tags(words, number).sum()) for number in segments]
    assert sum(bad) == sum(draft.edited_word_count for draft in drafts if draft is not None)


@pytest.mark.parametrize(
    ("hter", "text"),
    [(False, "empty MT · 12 words added"), (True, "HTER 1.000 · empty MT · 12 words added")],
)
def test_figures_of_an_empty_mt_count_no_mt_words(hter: bool, text: str) -> None:
    edits = SimpleNamespace(hter=1.0, edited_word_count=0, inserted_word_count=12)
    draft = SimpleNamespace(is_edited=True, edits=edits, context=SimpleNamespace(words=[]))
    assert statistics_text(draft, 0.0, 3, hter=hter) == text
