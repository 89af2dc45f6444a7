"""Text size and context lines that fit the items of a campaign."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.ui.rate.cards.text_fit import (
    DisplayedTexts,
    Paragraph,
    TextFit,
    choose_fit,
    fit_sample,
    item_fit,
    reserve_lines,
)
from tests.ui.rate.conftest import make_project

WORDS = "Der Vorstand hat in seiner Sitzung beschlossen, die Sanierung der Brücke zu verschieben. "


def item(words: int, context: int = 0) -> DisplayedTexts:
    paragraphs = (Paragraph("x" * context, is_current=False),) * bool(context) + (Paragraph("y" * words),)
    return DisplayedTexts(("y" * words,), source=paragraphs)


@pytest.mark.parametrize(
    ("words", "around", "expected"),
    [
        (10, 10, TextFit(24, 2, fits_all=True, has_context=True)),
        (46, 10, TextFit(20, 2, fits_all=True, has_context=True)),
        (50, 40, TextFit(17, 2, fits_all=True)),
        (67, 40, TextFit(17, 1, fits_all=True)),
        (69, 40, TextFit(17, 0, fits_all=True)),
        (90, 10, TextFit(17, 2, fits_all=False)),
    ],
)
def test_text_size_is_reduced_before_context_is_left_out(words, around, expected):
    def fits(fit: TextFit, texts: DisplayedTexts, counted: bool) -> bool:
        length = sum(len(paragraph.text) for paragraph in texts.source if counted or paragraph.is_current)
        return length * fit.pixels + 40 * fit.context_lines <= 1200

    assert choose_fit([item(5), item(words, around)], 1, fits) == expected


def test_candidates_include_the_longest_source_and_translation():
    translations = ["Ende.", WORDS * 2, "Kurz.", WORDS * 3, WORDS]
    source = [f"{number}: {'The board decided at its meeting. ' * (1 + 3 * number % 7)}" for number in range(5)]
    project = make_project("adequacy", items=5, texts=translations, source=source)
    candidates = fit_sample(project.rater_session("c1", "ann")).measured_items
    assert max(translations, key=len) in [texts.outputs[0] for texts in candidates]
    assert max(source, key=len) in [texts.source[0].text for texts in candidates]


@pytest.mark.parametrize(
    ("fit", "words", "around", "pixels"),
    [
        (TextFit(24, 2, fits_all=True, has_context=True), 50, 0, 24),
        (TextFit(24, 2, fits_all=True, has_context=True), 50, 5, 20),
        (TextFit(20, 2, fits_all=True, has_context=True), 30, 0, 20),
        (TextFit(24, 2, fits_all=True), 50, 500, 24),
        (TextFit(24, 2, fits_all=True, has_context=True), 300, 0, 24),
        (TextFit(17, 2), 300, 0, 17),
    ],
)
def test_item_has_the_largest_size_at_which_it_fits(fit, words, around, pixels):
    def fits(fit: TextFit, texts: DisplayedTexts, counted: bool) -> bool:
        length = sum(len(paragraph.text) for paragraph in texts.source if counted or paragraph.is_current)
        return length * fit.pixels <= 1200

    assert item_fit(fit, item(words, around), fits) == replace(fit, pixels=pixels)


def test_lines_are_reserved_for_all_preceding_context_if_there_is_room():
    def fits(fit: TextFit, texts: DisplayedTexts, counted: bool) -> bool:
        return fit.context_lines <= 3

    fit = TextFit(24, 2, fits_all=True, has_context=True)
    assert [reserve_lines(fit, [item(5)], fits, needed).context_lines for needed in (1, 3, 5)] == [2, 3, 3]
    assert reserve_lines(replace(fit, fits_all=False), [item(5)], fits, 5).context_lines == 2


def test_exceptions_are_at_most_five_percent():
    counts = {}
    for items in (1, 19, 20, 39, 100):
        texts = [WORDS * (1 + index) for index in range(items)]
        project = make_project("adequacy", items=items, texts=texts, source=texts)
        sample = fit_sample(project.rater_session("c1", "ann"))
        counts[items] = len(sample.long_item_uids)
        assert sample.long_item_uids == {f"c1-ann-{index}" for index in range(items - counts[items], items)}
    assert counts == {1: 0, 19: 0, 20: 1, 39: 1, 100: 5}


def test_items_with_the_most_preceding_context_are_measured_for_its_lines():
    source = ["A long segment. " * (4 if not index else 6) if index % 3 == 0 else "Short." for index in range(13)]
    source[1] = "End."
    texts = ["Ende." if index == 1 else "Ein Satz." for index in range(13)]
    project = make_project("adequacy", items=13, texts=texts, source=source, context=1)
    # the longest context of all other items follows the judged segment
    project.screens[:] = [screen for screen in project.screens if screen.segment in (1, 2, 5, 8, 11)]
    sample = fit_sample(project.rater_session("c1", "ann"))
    assert source[0] not in [texts.source[0].text for texts in sample.measured_items]
    assert sample.context_items[0].source[0].text == source[0]
