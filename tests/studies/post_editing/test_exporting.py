"""A study in other programs' files: what was reviewed is written, and read again it gives the same."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import QeError, View
from qe_desktop.corpus.highlight_spans import DisplayedHighlights, HighlightSpan, highlight_spans
from qe_desktop.levels.shared_task import read_corpora
from qe_desktop.studies.post_editing.post_edit_export import EXPORTS, export_post_editing, export_units
from qe_desktop.studies.post_editing.post_editing_study import study_post_editing
from qe_desktop.studies.post_editing.recorded_work import RecordedVisit
from qe_desktop.studies.post_editing.reviewed_segments import select_reviewed
from tests.studies.post_editing.made import MT, POST_EDIT, WORKS, session


@pytest.fixture
def study():
    works = (*WORKS, RecordedVisit(3, "ann", 2.0, shown=DisplayedHighlights(("qe",), stretches=None)))
    return study_post_editing(select_reviewed(session().view), works, rounds=50)


def test_highlights_are_those_that_were_shown_or_asked_for(study):
    shown = export_units(study)
    assert [unit.highlighted.whose for unit in shown] == ["", "", "", "qe"]
    asked = export_units(study, "qe")
    assert list(map(marked, asked)) == [[], ["Stopp"], ["Dichtung", "sitzen"], []]
    assert [len(unit.revisions) for unit in shown] == [1, 2, 0, 2]
    assert shown[1].revisions[0].seconds_open == 450.0


def marked(unit):
    return [unit.mt[one.start : one.end] for one in unit.highlights]


def test_highlights_that_were_recorded_are_those_of_that_moment():
    """Tags and thresholds may be others by now, and of several systems nobody knows how they were put together."""
    shown = DisplayedHighlights(("qe", "B"), "any", (HighlightSpan(0, 7, False), HighlightSpan(12, 17)))
    later, off = RecordedVisit(1, "ann", 2.0), RecordedVisit(3, "ann", 2.0)
    works = (RecordedVisit(1, "ann", 2.0, shown=shown), later, off)
    units = export_units(study_post_editing(select_reviewed(session().view), works, rounds=50))
    assert [unit.highlighted.whose for unit in units] == ["", "any of qe, B", "", ""]
    assert marked(units[1]) == ["drücken", "Stopp"]


def test_words_that_follow_each_other_are_one_highlight_and_unknown_ones_none():
    tokens = ["a", "bc", ",", "d"]
    assert highlight_spans("a bc, d", tokens, [1, 1, 0, 1]) == (HighlightSpan(0, 4), HighlightSpan(6, 7))
    assert highlight_spans("a bc, d", tokens, [1, 2, 2, 0], 2) == (HighlightSpan(0, 1, False), HighlightSpan(2, 5))
    # what a tokeniser writes otherwise is found; of several that stand for one sign, it is marked once
    assert highlight_spans('say "x', ["say", "&quot;", "x"], [0, 1, 1]) == (HighlightSpan(4, 6),)
    assert highlight_spans("a…", ["a", ".", ".", "."], [0, 1, 2, 1], 2) == (HighlightSpan(1, 2, False),)
    # a token that the text does not hold is left out, and the next one is found behind it
    assert highlight_spans("say x y", ["say", "z", "x"], [0, 1, 1]) == (HighlightSpan(4, 5),)


def test_files_of_the_shared_tasks_give_the_same_study_again(study, tmp_path):
    files = export_post_editing(study, "wmt", tmp_path / "new")
    assert [path.suffix for path in files] == [".src", ".mt", ".pe", ".tags", ".hter"]
    [corpus] = read_corpora([tmp_path / "new"])[0].values()
    again = study_post_editing(select_reviewed(View(corpus)), rounds=50)
    assert again.reviewed.from_files
    assert (again.edited.counts == study.edited.counts).all()
    assert list(again.reviewed.mt.lines()) == list(MT[:4])
    assert again.reviewed.post_edits == POST_EDIT[:4]
    gold = {key.kind.value: layer for key, layer in corpus.layers.items()}
    assert gold["words"].tags == study.edited.words
    assert gold["gaps"].tags == study.edited.gaps
    assert np.allclose(gold["scores"].scores, study.edited.hter, atol=1e-6)


def test_a_folder_that_cannot_be_made_is_said(study, tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(QeError, match="the folder cannot be created"):
            export_post_editing(study, "pet", place)


@pytest.mark.parametrize("form", [one.name for one in EXPORTS])
def test_every_form_is_written_whole(study, tmp_path, form):
    for path in export_post_editing(study, form, tmp_path):
        assert path.stat().st_size > 0
        assert not list(tmp_path.glob(".qe-desktop-*"))
