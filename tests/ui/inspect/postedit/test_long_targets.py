"""Differences of segments with thousands of words: readable, with moved paragraphs, and computed fast."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtTest import QTest

from qe_desktop.corpus import TextColumn, TextRole
from qe_desktop.corpus.text_spans import token_offsets
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.project import ReviewField
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.inspect.postedit.diff_view import DiffView, accessible_diff
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun, TargetDiff
from tests.ui.inspect.postedit.conftest import TARGETS, job_corpus

WORDS, MOVED, EDITS = 2_000, 120, 30
MAX_SECONDS = 0.05
"""Time to compute and show the changes after a key press."""


def long_pair(seed: int) -> tuple[list[str], list[str], list[str]]:
    """Return an MT of 2,000 words, its target with a moved paragraph and 30 edits, and the paragraph."""
    draw = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    rare = ["".join(draw.choices(letters, k=draw.randint(3, 10))) for _ in range(900)]
    frequent = ["the", "of", "and", "to", "in", "a", "is", "that", ",", "."]
    mt = [draw.choice(frequent) if draw.random() < 0.4 else draw.choice(rare) for _ in range(WORDS)]
    paragraph = mt[300 : 300 + MOVED]
    target = mt[:300] + mt[300 + MOVED :]
    for number in range(EDITS):
        index = draw.randrange(len(target))
        if number % 3 == 0:
            target[index] = f"replaced{number}"
        elif number % 3 == 1:
            del target[index]
        else:
            target.insert(index, f"added{number}")
    target[1_500:1_500] = paragraph
    return mt, target, paragraph


def segment(mt: list[str]) -> SimpleNamespace:
    """Return an MT in the form of `SegmentContext`, with one flagged word in twenty."""
    text = " ".join(mt)
    words = word_spans(text)
    tokens = token_offsets([text[start:stop] for start, stop in words], text)
    flags = np.arange(len(words)) % 20 == 0
    return SimpleNamespace(
        source="", mt=text, in_file=text, text=text, tokenize=word_spans, words=words, tokens=tokens, flags=flags
    )


def diff(mt: list[str], target: list[str]) -> TargetDiff:
    return TargetDiff(segment(mt), " ".join(target))


@pytest.mark.parametrize("seed", range(3))
def test_moved_paragraph_is_one_block_and_other_changes_stay_few(seed):
    mt, target, paragraph = long_pair(seed)
    runs = diff(mt, target).runs()
    moved = [run.text.split() for run in runs if run.move and len(run.text.split()) > MOVED // 2]
    assert len(moved) == 2
    assert moved[0] == moved[1]
    # words next to the block may equal its first or last words
    assert abs(len(moved[0]) - len(paragraph)) <= 3
    changed = sum(len(run.text.split()) for run in runs if run.change is not ChangeKind.KEPT and not run.move)
    assert changed <= 2 * EDITS
    assert "".join(run.text for run in runs if run.change is not ChangeKind.REMOVED).split() == target


def test_moved_paragraph_of_a_short_segment_is_not_hidden_by_the_beam_of_tercom():
    mt, *_ = long_pair(7)
    short_mt, moved_target = mt[:180], [*mt[60:180], *mt[:60]]
    runs = diff(short_mt, moved_target).runs()
    assert [(run.change, run.move, len(run.text.split())) for run in runs if run.move] == [
        (ChangeKind.REMOVED, 1, 60), (ChangeKind.ADDED, 1, 60),
    ]  # fmt: skip
    assert len(runs) == 3


def test_view_of_a_long_difference_shows_changes_with_context(qtbot):
    mt, target, paragraph = long_pair(1)
    view = DiffView()
    qtbot.addWidget(view)
    view.resize(900, 200)
    view.show_runs(diff(mt, target).runs())
    shown = view.toPlainText()
    assert len(shown) < len(" ".join(target)) / 3
    for number in range(EDITS):
        if number % 3 != 1:
            assert f"{'replaced' if number % 3 == 0 else 'added'}{number}" in shown
    assert shown.count(" ".join(paragraph[2:4])) == 2
    assert len(accessible_diff(diff(mt, target).runs())) < len(shown)


def test_long_difference_is_shown_from_its_start(area, job_workspace):
    mt, target, _ = long_pair(1)
    texts = TextColumn.of([*TARGETS[:3], " ".join(mt)])
    corpus = job_corpus()
    corpus_texts = {**corpus.texts, TextRole.MT: texts, TextRole.RAW_MT: texts}
    job_workspace.open(replace(corpus, layers={}, texts=corpus_texts, job=replace(corpus.job, targets=texts)))
    job_workspace.session.reviewing.set({3: {ReviewField.TARGET: " ".join(target)}})
    job_workspace.go_to(3)
    QTest.qWait(0)
    scroll_bar = area.review.controller.panel.changes.verticalScrollBar()
    assert scroll_bar.maximum() > 0
    assert scroll_bar.value() == 0


def test_numbers_of_moved_blocks_are_shown_but_not_copied(qtbot):
    view = DiffView()
    qtbot.addWidget(view)
    view.show_runs([
        DiffRun(ChangeKind.REMOVED, "eins zwei", (), 1),
        DiffRun(ChangeKind.KEPT, " drei 1"),
        DiffRun(ChangeKind.ADDED, " eins zwei", (), 1),
    ])  # fmt: skip
    assert view.toPlainText() == "eins zwei1 drei 1 eins zwei1"
    view.selectAll()
    assert view.createMimeDataFromSelection().text() == "eins zwei drei 1 eins zwei"
    assert view.accessibleDescription() == "moved “eins zwei”"


def test_highlights_of_kept_words_are_shown_in_long_targets():
    mt, target, _ = long_pair(2)
    marks = list(diff(mt, target).highlights())
    text = " ".join(target)
    assert len(marks) > WORDS / 20 * 0.8
    assert all(text[mark.start : mark.end] in mt for mark in marks)


def test_difference_of_a_long_target_is_shown_while_typing(qtbot):
    mt, target, _ = long_pair(3)
    view = DiffView()
    qtbot.addWidget(view)
    view.resize(900, 200)
    view.set_typing(True)
    basis, times = segment(mt), []
    for number in range(7):
        line = " ".join([*target[:number], "neu", *target[number:]])
        start = time.process_time()
        draft = TargetDiff(basis, line)
        view.show_runs(draft.runs())
        list(draft.highlights())
        times.append(time.process_time() - start)
    # the fastest of several runs, because the first one also loads fonts
    assert min(times) < MAX_SECONDS


def test_rows_of_equal_words_are_compared_in_linear_time():
    start = time.process_time()
    diff([*["."] * 2_400, "x"], ["x", *[","] * 40, *["."] * 2_300]).runs()
    diff([*["."] * 1_200, *["a"] * 1_200], [*["a"] * 1_200, *["."] * 1_200]).runs()
    assert time.process_time() - start < 5
