"""A study in other programs' files: what was reviewed is written, and read again it gives the same."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import QeError, View
from qe_desktop.corpus.highlighted import Highlighted, Stretch, stretches_of
from qe_desktop.levels.corpora import corpora_in
from qe_desktop.studies.post_editing.exporting import EXPORTS, export, units_of
from qe_desktop.studies.post_editing.reviewed import reviewed_in
from qe_desktop.studies.post_editing.study import study_post_editing
from qe_desktop.studies.post_editing.work import Work
from tests.studies.post_editing.made import MT, POST_EDIT, WORKS, session


@pytest.fixture
def study():
    works = (*WORKS, Work(3, "ann", 2.0, shown=Highlighted(("qe",), stretches=None)))
    return study_post_editing(reviewed_in(session().view), works, rounds=50)


def test_highlights_are_those_that_were_shown_or_asked_for(study):
    shown = units_of(study)
    assert [unit.highlighted.whose for unit in shown] == ["", "", "", "qe"]
    asked = units_of(study, "qe")
    assert list(map(marked, asked)) == [[], ["Stopp"], ["Dichtung", "sitzen"], []]
    assert [len(unit.revisions) for unit in shown] == [1, 2, 0, 2]
    assert shown[1].revisions[0].seconds_open == 450.0


def marked(unit):
    return [unit.mt[one.start : one.end] for one in unit.highlights]


def test_highlights_that_were_recorded_are_those_of_that_moment():
    """Tags and thresholds may be others by now, and of several systems nobody knows how they were put together."""
    shown = Highlighted(("qe", "B"), "any", (Stretch(0, 7, False), Stretch(12, 17)))
    later, off = Work(1, "ann", 2.0), Work(3, "ann", 2.0)
    works = (Work(1, "ann", 2.0, shown=shown), later, off)
    units = units_of(study_post_editing(reviewed_in(session().view), works, rounds=50))
    assert [unit.highlighted.whose for unit in units] == ["", "any of qe, B", "", ""]
    assert marked(units[1]) == ["drücken", "Stopp"]


def test_words_that_follow_each_other_are_one_highlight_and_unknown_ones_none():
    tokens = ["a", "bc", ",", "d"]
    assert stretches_of("a bc, d", tokens, [1, 1, 0, 1]) == (Stretch(0, 4), Stretch(6, 7))
    assert stretches_of("a bc, d", tokens, [1, 2, 2, 0], 2) == (Stretch(0, 1, False), Stretch(2, 5))
    # what a tokeniser writes otherwise is found; of several that stand for one sign, it is marked once
    assert stretches_of('say "x', ["say", "&quot;", "x"], [0, 1, 1]) == (Stretch(4, 6),)
    assert stretches_of("a…", ["a", ".", ".", "."], [0, 1, 2, 1], 2) == (Stretch(1, 2, False),)
    # a token that the text does not hold is left out, and the next one is found behind it
    assert stretches_of("say x y", ["say", "z", "x"], [0, 1, 1]) == (Stretch(4, 5),)


def test_files_of_the_shared_tasks_give_the_same_study_again(study, tmp_path):
    files = export(study, "wmt", tmp_path / "new")
    assert [path.suffix for path in files] == [".src", ".mt", ".pe", ".tags", ".hter"]
    [corpus] = corpora_in([tmp_path / "new"])[0].values()
    again = study_post_editing(reviewed_in(View(corpus)), rounds=50)
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
        with pytest.raises(QeError, match="the folder cannot be made"):
            export(study, "pet", place)


@pytest.mark.parametrize("form", [one.name for one in EXPORTS])
def test_every_form_is_written_whole(study, tmp_path, form):
    for path in export(study, form, tmp_path):
        assert path.stat().st_size > 0
        assert not list(tmp_path.glob(".qe-desktop-*"))
