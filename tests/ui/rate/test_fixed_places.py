"""All parts of the item page keep their positions in a campaign, and one text size is chosen for all its items."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest

from qe_desktop.ratings.campaign import WHOLE_DOCUMENT
from qe_desktop.ui.rate.cards.reading_pane import BAR_MARGIN_PX
from qe_desktop.ui.rate.cards.scale_buttons import MeaningPosition
from qe_desktop.ui.rate.cards.text_fit import TEXT_SIZES_PX
from tests.ui.rate.conftest import make_project

WORDS = "Der Vorstand hat in seiner Sitzung beschlossen, die Sanierung der Brücke zu verschieben. "
TEXTS = ["Ende.", WORDS * 2, "Kurz.", WORDS * 3, WORDS]
SOURCE = [f"{number}: {'The board decided at its meeting. ' * (1 + 3 * number % 7)}" for number in range(5)]


def place_of(driver, widget) -> tuple[int, int]:
    position = widget.mapTo(driver.window, QPoint(0, 0))
    return position.x(), position.y()


def judged_place(driver, pane) -> int:
    return pane.mapTo(driver.window, pane.judged_rect().topLeft().toPoint()).y()


def settled(places):
    """Return the positions once they no longer change."""
    before = places()
    while True:
        QTest.qWait(20)
        now = places()
        if now == before:
            return now
        before = now


def places_over_the_campaign(driver, places) -> list:
    """Return the positions in all items, after the layout of each."""
    seen = []
    for index in range(len(driver.session.work.screens)):
        driver.session.go_to_index(index)
        seen.append(settled(places))
    return seen


@pytest.mark.parametrize("protocol", ["adequacy", "fluency", "adequacy-fluency", "direct-assessment"])
@pytest.mark.parametrize("context", [0, 1, WHOLE_DOCUMENT])
def test_question_scale_and_first_line_keep_their_place(driver, protocol, context):
    driver.begin(make_project(protocol, items=5, texts=TEXTS, source=SOURCE, context=context))
    card = driver.card
    scale = next(iter({**card.rows, **card.sliders}.values()))

    def places() -> tuple[object, ...]:
        return (
            judged_place(driver, card.texts.translation.pane),
            place_of(driver, card.question.label),
            place_of(driver, scale),
            place_of(driver, driver.items.strip),
            place_of(driver, driver.items.buttons["back"]),
            card.texts.fit,
        )

    seen = places_over_the_campaign(driver, places)
    assert seen == [seen[0]] * 5


@pytest.mark.parametrize("protocol", ["adequacy", "adequacy-fluency", "direct-assessment"])
def test_header_has_the_height_of_its_longest_guidance_in_all_items(driver, protocol):
    driver.begin(make_project(protocol, items=5, training=2, texts=TEXTS, source=SOURCE))
    header = driver.items.header
    for width in (1100, 560):
        driver.window.resize(width, 700)
        seen = []
        for index in range(len(driver.session.work.screens)):
            driver.session.go_to_index(index)
            seen.append(settled(lambda: (header.height(), place_of(driver, driver.card))))
            if header.guide.isVisible():
                assert header.height() >= header.guide.heightForWidth(header.guide.width())
        assert seen == [seen[0]] * 5
    # guidance that is shown after an answer needs no more
    driver.session.go_to_index(0)
    before = settled(lambda: place_of(driver, driver.card))
    driver.press(*[Qt.Key.Key_4] * len(driver.session.work.scales))
    assert settled(lambda: place_of(driver, driver.card)) == before


def test_texts_of_the_header_are_inside_it_if_the_campaign_was_opened_while_hidden(driver):
    project = driver.begin(make_project("adequacy-fluency", items=6))
    work = driver.session.work
    project.rate(work.rate(work.screens[0].uid, "fluency", 4.0, 1.0))
    driver.area.hide()
    driver.open(project)
    driver.area.show()
    header = driver.items.header
    assert settled(lambda: header.position_label.height()) == header.height()


@pytest.mark.parametrize(("protocol", "field"), [("adequacy", "adequacy"), ("direct-assessment", "score")])
def test_item_is_at_its_place_when_the_page_is_created_and_when_the_window_is_resized(driver, qtbot, protocol, field):
    long = "word " * 120
    source = [long, "A short segment.", "Another one.", *SOURCE[:3]]
    project = driver.begin(make_project(protocol, items=6, texts=["Ein Satz."] * 6, source=source, context=1))
    work = driver.session.work
    project.rate(work.rate(work.screens[0].uid, field, 4.0, 1.0))
    # the first item that is open has a long segment above it
    driver.open(project)
    assert driver.position == 1
    pane = driver.card.texts.translation.pane
    qtbot.waitUntil(lambda: driver.card.scroll_offset() > 0 and driver.card.view.verticalScrollBar().maximum() > 0)
    for size in (None, (900, 640), (1200, 800)):
        if size is not None:
            driver.window.resize(*size)
        first = settled(lambda: judged_place(driver, pane))
        driver.press(Qt.Key.Key_Right)
        second = settled(lambda: judged_place(driver, pane))
        driver.press(Qt.Key.Key_Left)
        assert first == second == settled(lambda: judged_place(driver, pane))


def test_source_and_translation_begin_at_the_same_height(driver):
    driver.begin(make_project("adequacy", items=5, texts=TEXTS, source=SOURCE, context=1))
    texts = driver.card.texts

    def places() -> tuple[int, int]:
        return judged_place(driver, texts.source.pane), judged_place(driver, texts.translation.pane)

    for source, translation in places_over_the_campaign(driver, places):
        assert abs(source - translation) <= 1


@pytest.mark.parametrize("protocol", ["rank", "pairwise"])
@pytest.mark.parametrize("context", [0, 1])
def test_translations_and_ranks_keep_their_place(driver, protocol, context):
    outputs = 2 if protocol == "pairwise" else 4
    driver.begin(make_project(protocol, outputs=outputs, items=5, texts=TEXTS, source=SOURCE, context=context))
    card = driver.card
    answers = card.row if protocol == "pairwise" else card.slots

    def places() -> tuple[object, ...]:
        return (
            judged_place(driver, card.context_texts.panes()[0]),
            place_of(driver, card.cards[0]),
            place_of(driver, card.question.label),
            place_of(driver, answers),
            card.fit,
        )

    seen = places_over_the_campaign(driver, places)
    assert seen == [seen[0]] * 5


def test_buttons_keep_their_place_in_items_with_fewer_translations(driver):
    project = make_project("rank", outputs=4, items=3, texts=TEXTS, source=SOURCE)
    project.screens[1] = replace(project.screens[1], outputs=project.screens[1].outputs[:1])
    driver.begin(project)

    def places() -> tuple[object, ...]:
        return tuple((place_of(driver, button), button.size()) for button in driver.items.buttons.values())

    seen = places_over_the_campaign(driver, places)
    assert seen == [seen[0]] * 3


def test_row_with_a_long_translation_is_not_clipped(driver):
    driver.begin(make_project("rank", outputs=5, items=2, texts=["Kurz.", WORDS * 9], source=SOURCE))
    driver.session.go_to_index(1)
    card = driver.card
    heights = settled(lambda: [(row.height(), row.pane.height()) for row in card.cards])
    assert all(row >= pane for row, pane in heights)
    assert card.view.verticalScrollBar().maximum() > 0


def test_open_comment_moves_nothing(driver, qtbot):
    driver.begin(make_project("adequacy"))
    widgets = [driver.card, driver.card.question, driver.items.strip, driver.items.buttons["skip"]]

    def places() -> list:
        return [(place_of(driver, widget), widget.size()) for widget in widgets]

    before = settled(places)
    driver.items.open_comment()
    qtbot.waitUntil(driver.items.comment.isVisible)
    assert settled(places) == before


def test_longer_campaigns_have_smaller_text(driver, qtbot):
    sizes = []
    for repeats in (1, 5, 8, 40):
        driver.begin(make_project("adequacy", items=2, texts=["Kurz.", WORDS * repeats]))
        qtbot.waitUntil(lambda: driver.card.texts.fit.pixels > 0 and driver.card.view.height() > 100)
        QTest.qWait(10)
        sizes.append(driver.card.texts.fit.pixels)
        font = driver.card.texts.translation.pane.document().firstBlock().charFormat().font()
        assert abs(QFontInfo(font).pixelSize() - sizes[-1]) <= 1
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (TEXT_SIZES_PX[0], TEXT_SIZES_PX[-1])


def test_descriptions_are_hidden_only_if_the_longest_item_then_fits(driver, qtbot):
    driver.begin(make_project("adequacy", items=1, texts=["Kurz."]))
    row = driver.card.rows["adequacy"]
    qtbot.waitUntil(lambda: row.buttons[0].form is MeaningPosition.BELOW)
    states = []
    for words in range(4, 60):
        driver.begin(make_project("adequacy", items=1, texts=[WORDS * words], source=["A"]))
        card, row = driver.card, driver.card.rows["adequacy"]
        state = settled(lambda card=card, row=row: (row.is_folded, card.texts.fit.fits_all, card.view.height() > 100))
        states.append(state[:2])
        if row.is_folded:
            assert all(button.toolTip() for button in row.buttons if button.meaning)
        if not card.texts.fit.fits_all:
            break
    # text that does not fit in any case scrolls, and the descriptions stay
    folded = [state for state in states if state == (True, True)]
    shown = [state for state in states if state == (False, True)]
    assert states == [*shown, *folded, (False, False)]


def long_campaign(protocol: str, *, long: int, factor: int, outputs: int = 1):
    """Return a campaign of 100 items, of which `long` have texts `factor` sentences long."""
    texts = [WORDS * factor if index < long else f"{index} kurz." for index in range(100)]
    return make_project(protocol, outputs=outputs, items=100, texts=texts, source=texts)


@pytest.mark.parametrize(("protocol", "outputs"), [("adequacy", 1), ("rank", 3), ("pairwise", 2)])
def test_few_long_items_leave_the_text_size_of_the_others(driver, qtbot, protocol, outputs):
    driver.begin(long_campaign(protocol, long=1, factor=60, outputs=outputs))
    card = driver.card

    def state() -> tuple[object, ...]:
        fit = card.texts.fit if protocol == "adequacy" else card.fit
        pane = card.texts.translation.pane if protocol == "adequacy" else card.cards[0].pane
        font = pane.document().firstBlock().charFormat().font()
        places = (judged_place(driver, pane), place_of(driver, card.question.label), place_of(driver, card))
        return fit.pixels, QFontInfo(font).pixelSize(), places if protocol != "rank" else places[1:]

    states = []
    for index in (1, 0, 50, 99):
        driver.session.go_to_index(index)
        states.append(settled(state))
        if index == 0:
            # an item that fits at no size scrolls
            qtbot.waitUntil(lambda: card.view.verticalScrollBar().maximum() > 0)
            assert card.view.verticalScrollBar().value() == 0
    assert states[0][0] == TEXT_SIZES_PX[0]
    assert states == [states[0]] * 4


def test_long_item_is_shown_at_a_smaller_size_if_it_then_fits(driver):
    sizes = {}
    for factor in range(3, 24):
        driver.begin(long_campaign("adequacy", long=1, factor=factor))
        texts = driver.card.texts
        seen = []
        for index in (0, 1):
            driver.session.go_to_index(index)
            seen.append(settled(lambda texts=texts: (texts.fit.pixels, judged_place(driver, texts.translation.pane))))
        assert seen[1][0] == TEXT_SIZES_PX[0]
        assert seen[0][1] == seen[1][1], "the first line stays at its place"
        sizes[factor] = seen[0][0]
        if sizes[factor] < TEXT_SIZES_PX[0]:
            driver.session.go_to_index(0)
            assert settled(driver.card.view.verticalScrollBar().maximum) == 0
    changes = [size for size, _ in groupby(sizes.values())]
    # step by step, and at the size of the campaign once it must scroll
    assert changes == [*TEXT_SIZES_PX, TEXT_SIZES_PX[0]]


def test_many_long_items_reduce_the_text_size_of_all(driver):
    sizes = []
    for long in (5, 6):
        driver.begin(long_campaign("adequacy", long=long, factor=60))
        texts = driver.card.texts
        driver.session.go_to_index(99)
        sizes.append(settled(lambda texts=texts: texts.fit.pixels))
    assert sizes == [TEXT_SIZES_PX[0], TEXT_SIZES_PX[-1]]


@pytest.mark.parametrize("protocol", ["rank", "pairwise"])
def test_context_below_the_judged_segment_is_not_cut_through_a_line(driver, protocol):
    source = [WORDS * factor for factor in (1, 2, 3, 1, 2)]
    driver.begin(make_project(protocol, outputs=2, items=5, texts=[WORDS * 12] * 5, source=source, context=1))
    given = driver.card.context_texts
    for height in range(560, 760, 20):
        driver.window.resize(900, height)
        for index in range(5):
            driver.session.go_to_index(index)
            settled(lambda: (given.view.verticalScrollBar().value(), given.view.height()))
            pane = given.panes()[0]
            top = pane.mapTo(given.view.viewport(), QPoint(0, 0)).y()
            judged, end = pane.judged_rect().bottom(), given.view.viewport().height()
            assert not [
                line for line in pane.line_spans() if line[0] >= judged and top + line[0] + 1 < end < top + line[1]
            ]


def test_mark_shows_where_context_is_cut(driver, qtbot):
    source = ["A short segment.", "word " * 90, "The judged one.", "word " * 90]
    driver.begin(make_project("direct-assessment", items=4, texts=["Ein Satz."] * 4, source=source, context=1))
    driver.window.resize(900, 620)
    driver.session.go_to_index(2)
    bar, pane = driver.card.view.verticalScrollBar(), driver.card.texts.source.pane
    qtbot.waitUntil(lambda: driver.card.scroll_offset() > 0 and bar.value() == driver.card.scroll_offset())
    settled(lambda: judged_place(driver, pane))
    judged = pane.judged_rect()
    above = [mark for mark in pane.cut_marks() if mark.top() < judged.top()]
    assert len(above) == 1
    assert above[0].top() >= pane.visibleRegion().boundingRect().top() - 2
    bar.setValue(0)
    assert not [mark for mark in pane.cut_marks() if mark.top() < judged.top() and mark.left() < 8]


def test_mark_shows_that_all_preceding_context_is_above_the_view(driver):
    source = ["A short segment.", "The judged one.", WORDS * 6]
    driver.begin(make_project("adequacy", items=3, texts=[WORDS * 6] * 3, source=source, context=1))
    driver.session.go_to_index(1)
    pane, marks = driver.card.texts.source.pane, []
    for height in range(760, 460, -20):
        driver.window.resize(1000, height)
        settled(lambda: judged_place(driver, pane))
        if not driver.card.texts.fit.context_lines:
            marks += [mark for mark in pane.cut_marks() if mark.top() < pane.judged_rect().top()]
    assert marks
    assert {round(mark.left()) for mark in marks} == {BAR_MARGIN_PX}


def test_slots_of_ranks_are_hidden_before_translations_scroll(driver):
    driver.begin(make_project("rank", outputs=4, items=2, texts=[WORDS * 2] * 2))
    card = driver.card
    driver.window.resize(1200, 900)
    settled(lambda: card.slots.geometry())
    assert card.slots.isVisible()
    room = card.view.height()
    driver.window.resize(900, 560)
    settled(lambda: card.slots.geometry())
    assert not card.slots.isVisible()
    assert all(button.isVisible() for button in card.cards[0].buttons)
    driver.press(Qt.Key.Key_1)
    assert card.ranks[0] == 1
    driver.window.resize(1200, 900)
    settled(lambda: card.slots.geometry())
    assert card.slots.isVisible()
    assert card.view.height() == room
