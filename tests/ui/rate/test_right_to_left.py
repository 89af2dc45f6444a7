"""The item page in a right-to-left layout is the mirror image of the page from left to right, with the same keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.ui.rate.cards.question_row import QuestionTab
from qe_desktop.ui.rate.cards.rank_slots import RankBadge, RankSlots
from qe_desktop.ui.rate.cards.reading_pane import ReadingPane
from qe_desktop.ui.rate.cards.scale_buttons import ScaleButton
from qe_desktop.ui.rate.cards.score_slider import ScoreSlider
from qe_desktop.ui.rate.cards.translation_box import RankButton, TranslationBox
from qe_desktop.ui.rate.item_header import ShortcutButton
from qe_desktop.ui.widgets.labels import Label
from tests.ui.rate.conftest import RateAreaDriver, make_project
from tests.ui.rate.test_fixed_places import SOURCE, TEXTS, WORDS, settled

LEAVES = (
    Label, ReadingPane, ScaleButton, ScoreSlider, QuestionTab, RankButton, RankBadge, TranslationBox, ShortcutButton,
)  # fmt: skip
"""Widgets that show something to the rater."""


@pytest.fixture
def turn(qapp: QApplication) -> Iterator[Callable[[], None]]:
    """Switch the program to a right-to-left layout; the layout is restored after the test."""
    yield lambda: qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def rect_on(page: QWidget, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(page, QPoint(0, 0)), widget.size())


def places(driver: RateAreaDriver) -> list[tuple[str, QRect]]:
    """Return the rectangles on the page of all visible parts, and of the items and slots that are painted."""
    page = driver.items
    parts = [
        (f"{type(widget).__name__} {widget.accessibleName() or widget.property('text')}", rect_on(page, widget))
        for widget in page.findChildren(QWidget)
        if isinstance(widget, LEAVES) and widget.isVisible()
    ]
    strip = page.strip
    cells = [(f"item {index}", strip.rect_of(index).toRect(), strip) for index in strip.visible_range()]
    for slots in page.findChildren(RankSlots):
        cells += [(f"slot {rank}", slots.slot_rect(rank), slots) for rank in range(1, len(slots.badges) + 1)]
    return parts + [(name, rect.translated(rect_on(page, owner).topLeft())) for name, rect, owner in cells]


@pytest.mark.parametrize("texts", [TEXTS, [WORDS * 20] * 5])
@pytest.mark.parametrize(
    ("protocol", "outputs"),
    [("adequacy", 1), ("adequacy-fluency", 1), ("fluency", 1), ("direct-assessment", 1), ("rank", 4), ("pairwise", 2)],
)
def test_page_from_right_to_left_is_the_mirror_image(driver, turn, protocol, outputs, texts):
    def begin() -> list[tuple[str, QRect]]:
        driver.begin(make_project(protocol, outputs=outputs, items=5, texts=texts, source=SOURCE, context=1))
        driver.session.go_to_index(2)
        return settled(lambda: places(driver))

    plain = begin()
    width = driver.items.width()
    turn()
    turned = begin()
    assert len(plain) > 8
    mirror_image = [
        (name, QRect(width - rect.right() - 1, rect.y(), rect.width(), rect.height())) for name, rect in plain
    ]
    # an odd width is not divided evenly
    for (name, expected), (shown, rect) in zip(mirror_image, turned, strict=True):
        assert name == shown
        sides = zip(expected.getCoords(), rect.getCoords(), strict=True)
        assert all(abs(first - second) <= 1 for first, second in sides), (name, expected, rect)


@pytest.mark.parametrize(("protocol", "outputs"), [("adequacy-fluency", 1), ("rank", 4), ("pairwise", 2)])
def test_nothing_overlaps(driver, turn, protocol, outputs):
    turn()
    driver.begin(make_project(protocol, outputs=outputs, items=5, texts=TEXTS, source=SOURCE))
    parts = [
        (name, rect)
        for name, rect in settled(lambda: places(driver))
        if not name.startswith((TranslationBox.__name__, RankBadge.__name__)) and rect.width() and rect.height()
    ]
    for index, (name, rect) in enumerate(parts):
        for other, other_rect in parts[index + 1 :]:
            assert not rect.intersects(other_rect), (name, other)


def test_best_and_worst_are_above_their_ranks(driver, turn):
    for turned in (False, True):
        if turned:
            turn()
        driver.begin(make_project("rank", outputs=4, items=2, texts=TEXTS, source=SOURCE))
        page, card = driver.items, driver.card
        settled(lambda: places(driver))
        best, worst = ((rect_on(page, label), label.alignment()) for label in card._end_labels)
        first, *_, last = (rect_on(page, button) for button in card.cards[0].buttons)
        sides = (Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft)
        outer = [(first.right(), best[0].right()), (last.left(), worst[0].left())]
        if not turned:
            sides, outer = sides[::-1], [(first.left(), best[0].left()), (last.right(), worst[0].right())]
        assert [label[1] & Qt.AlignmentFlag.AlignHorizontal_Mask for label in (best, worst)] == [
            side | Qt.AlignmentFlag.AlignAbsolute for side in sides
        ]
        assert all(abs(rank - label) <= 2 for rank, label in outer)


def test_slider_runs_from_right_to_left(driver, turn):
    turn()
    driver.begin(make_project("direct-assessment"))
    slider = driver.card.sliders["score"]
    settled(lambda: places(driver))
    assert slider.x_of(0) > slider.x_of(50) > slider.x_of(100)
    for value in (0, 30, 100):
        position = QPoint(round(slider.x_of(value)), slider.height() // 3)
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=position)
        assert abs(slider.value() - value) <= 1
    slider.show_given_value(50)
    slider.setFocus()
    for key, expected in (
        (Qt.Key.Key_Left, 51), (Qt.Key.Key_Right, 50), (Qt.Key.Key_Up, 51), (Qt.Key.Key_Home, 0), (Qt.Key.Key_End, 100),
    ):  # fmt: skip
        QTest.keyClick(slider, key)
        assert slider.value() == expected


def test_keys_of_the_buttons_keep_their_meaning(driver, turn):
    turn()
    driver.begin(make_project("adequacy"))
    assert (driver.items.buttons["next"]._key, driver.items.buttons["back"]._key) == ("Right", "Left")
    driver.press(Qt.Key.Key_Right)
    assert driver.position == 1
    driver.press(Qt.Key.Key_Left)
    assert driver.position == 0
    strip = driver.items.strip
    assert strip.rect_of(0).x() > strip.rect_of(1).x()
    strip.setFocus()
    # within the items, arrows follow the direction in which they run
    driver.press(Qt.Key.Key_Left, Qt.Key.Key_Return)
    assert driver.position == 1


def test_bar_of_the_hidden_source_is_beside_its_text(driver, turn):
    turn()
    driver.begin(make_project("adequacy-fluency", items=2, texts=TEXTS, source=SOURCE, context=1))
    texts = driver.card.texts
    settled(lambda: places(driver))
    assert texts.hidden.isVisible()
    assert texts.hidden.contentsMargins().right() > texts.hidden.contentsMargins().left() == 0
    shown = texts.grab().toImage()
    box = rect_on(texts, texts.hidden)
    middle = box.top() + texts.hidden.contentsMargins().top() + texts.hidden.fontMetrics().height() // 2
    assert shown.pixelColor(box.right() - 1, middle) != shown.pixelColor(box.right() - 8, middle)
