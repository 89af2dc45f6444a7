"""Export of post-editing studies: highlights, file formats, and reading the files again."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import QeError, View
from qe_desktop.corpus.text_spans import DisplayedHighlights, HighlightSpan, highlight_spans
from qe_desktop.levels.shared_task import read_corpora
from qe_desktop.studies.post_editing.post_edit_export import EXPORTS, export_post_editing, export_units
from qe_desktop.studies.post_editing.post_editing_study import RecordedVisit, study_post_editing
from qe_desktop.studies.post_editing.reviewed_segments import select_reviewed
from tests.studies.post_editing.reviewed_corpus import MT, POST_EDIT, RECORDED_VISITS, make_session


@pytest.fixture
def study():
    works = (*RECORDED_VISITS, RecordedVisit(3, "ann", 2.0, displayed=DisplayedHighlights(("qe",), spans=None)))
    return study_post_editing(select_reviewed(make_session().view), works, rounds=50)


def test_units_have_the_displayed_or_the_requested_highlights(study):
    shown = export_units(study)
    assert [unit.displayed_highlights.layer_label for unit in shown] == ["", "", "", "qe"]
    requested = export_units(study, "qe")
    assert list(map(highlighted_texts, requested)) == [[], ["Stopp"], ["Dichtung", "sitzen"], []]
    assert [len(unit.revisions) for unit in shown] == [1, 2, 0, 2]
    assert shown[1].revisions[0].seconds_open == 450.0


def highlighted_texts(unit):
    return [unit.mt[span.start : span.end] for span in unit.highlights]


def test_recorded_highlights_are_exported_as_displayed():
    """The current tags, thresholds and voting rule may differ from those that were displayed."""
    shown = DisplayedHighlights(("qe", "B"), "any", (HighlightSpan(0, 7, False), HighlightSpan(12, 17)))
    later, off = RecordedVisit(1, "ann", 2.0), RecordedVisit(3, "ann", 2.0)
    works = (RecordedVisit(1, "ann", 2.0, displayed=shown), later, off)
    units = export_units(study_post_editing(select_reviewed(make_session().view), works, rounds=50))
    assert [unit.displayed_highlights.layer_label for unit in units] == ["", "any of qe, B", "", ""]
    assert highlighted_texts(units[1]) == ["drücken", "Stopp"]


def test_consecutive_words_form_one_span_and_missing_tokens_none():
    tokens = ["a", "bc", ",", "d"]
    assert highlight_spans("a bc, d", tokens, [1, 1, 0, 1]) == (HighlightSpan(0, 4), HighlightSpan(6, 7))
    assert highlight_spans("a bc, d", tokens, [1, 2, 2, 0], 2) == (HighlightSpan(0, 1, False), HighlightSpan(2, 5))
    # tokens that the tokenizer rewrote are located; a character that belongs to several tokens is marked once
    assert highlight_spans('say "x', ["say", "&quot;", "x"], [0, 1, 1]) == (HighlightSpan(4, 6),)
    assert highlight_spans("a…", ["a", ".", ".", "."], [0, 1, 2, 1], 2) == (HighlightSpan(1, 2, False),)
    # a token that the text does not contain is skipped, and the search goes on with the next one
    assert highlight_spans("say x y", ["say", "z", "x"], [0, 1, 1]) == (HighlightSpan(4, 5),)


def test_exported_shared_task_files_reproduce_the_study(study, tmp_path):
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


def test_folder_that_cannot_be_created_is_reported(study, tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(QeError, match="the folder cannot be created"):
            export_post_editing(study, "pet", folder)


@pytest.mark.parametrize("form", [export.name for export in EXPORTS])
def test_every_format_is_written_completely(study, tmp_path, form):
    for path in export_post_editing(study, form, tmp_path):
        assert path.stat().st_size > 0
        assert not list(tmp_path.glob(".qe-desktop-*"))
