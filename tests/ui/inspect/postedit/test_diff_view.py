"""Diff view against the MT: edited words, and the inline codes of the target at their positions."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication

from qe_desktop.corpus import Corpus, TextColumn, TextRole, View
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.project import ReviewField
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.inspect.postedit.diff_view import DiffView, runs_without_changes, shorten_diff
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun, SegmentContext
from qe_desktop.ui.inspect.postedit.target_document import OBJECT_CHARACTER, code_from_format
from tests.ui.inspect.postedit.conftest import job_corpus

PIECES = st.lists(
    st.sampled_from(["Drücken", " Sie", " jetzt", " sofort", " ", ".", "⟨1⟩", "⟨/1⟩", "⟨2/⟩", "⟨⟨", "OK", "😀"]),
    max_size=9,
)


def visible_text(view: DiffView) -> str:
    """Return the text of the view, with codes written as in a line."""
    text = ""
    block = view.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            code = code_from_format(fragment.charFormat())
            text += fragment.text() if code is None else code.display_text * len(fragment.text())
            fragments += 1
        block = block.next()
    return text


def target_of(runs: list[DiffRun]) -> str:
    """Return the target rebuilt from runs: a line with codes, without doubled brackets."""
    line = ""
    for run in runs:
        if run.change is not ChangeKind.REMOVED:
            start = 0
            for offset, code in run.codes:
                line += run.text[start:offset] + code.display_text
                start = offset
            line += run.text[start:]
    return line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Drücken Sie ⟨1⟩OK⟨/1⟩ sofort ⟨2/⟩.", "Drücken Sie ⟨1⟩OK⟨/1⟩ jetzt sofort ⟨2/⟩."),
        ("⟨1⟩Drücken Sie⟨/1⟩ OK jetzt.⟨2/⟩", "⟨1⟩Drücken Sie⟨/1⟩ OK jetzt.⟨2/⟩"),
        ("", "Drücken Sie OK jetzt ."),
    ],
)
def test_diff_shows_codes_at_their_positions(area, job_workspace, line, expected):
    job_workspace.session.reviewing.set({0: {ReviewField.TARGET: line}})
    changes = area.review.controller.panel.changes
    assert " ".join(visible_text(changes).split()) == expected
    changes.selectAll()
    changes.copy()
    assert OBJECT_CHARACTER not in QGuiApplication.clipboard().text()
    # during typing, the editor shows the codes
    area.review.controller.open()
    area.review.controller._show_draft()
    assert area.review.controller.panel.edit.line == line


def test_token_at_a_punctuation_mark_is_not_that_of_the_word_before_it():
    """A comma begins where its word ends; the cursor at that offset belongs to the word."""
    corpus = Corpus("", 1, {role: TextColumn.of(["Ja , gut ."]) for role in (TextRole.MT, TextRole.RAW_MT)})
    draft = SegmentContext(View(corpus), 0).diff_with("Ja, gut.")
    assert [draft.text[slice(*word)] for word in draft.words] == ["Ja", ",", "gut", "."]
    assert [draft.nearest_token(first) for first, _ in draft.words] == [0, 1, 2, 3]
    assert draft.token_at(2) == 0


@given(PIECES)
@example(["Drücken", "⟨1⟩", "⟨/1⟩", "⟨⟨"])
def test_runs_reproduce_the_target_except_trailing_spaces(pieces):
    line = "".join(pieces)
    runs = SegmentContext(View(job_corpus()), 0).diff_with(line).runs()
    text = strip_codes(line)
    assert target_of(runs).replace(" ", "") == line.replace("⟨⟨", "⟨").replace(" ", "")
    assert text.startswith("".join(run.text for run in runs if run.change is not ChangeKind.REMOVED))
    assert target_of(runs_without_changes(runs)) == target_of(runs)


def test_long_text_without_changes_is_shortened_to_its_start_and_end():
    """Nothing but an ellipsis was shown, for example in the history of a segment whose status was set."""
    [run] = shorten_diff([DiffRun(ChangeKind.KEPT, "first " + "word " * 100 + "last")])
    assert run.text.startswith("first")
    assert run.text.endswith("last")
    assert len(run.text) < 100
