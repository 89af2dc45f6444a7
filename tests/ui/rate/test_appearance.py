"""Text direction, text size and themes: positions of drawn text, and nothing clipped."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from qe_desktop.ratings.rater_session import ScreenStatus
from qe_desktop.ui import theme
from qe_desktop.ui.rate.cards.reading_pane import ReadingPane, TextStyle
from qe_desktop.ui.rate.cards.scale_buttons import MeaningPosition
from qe_desktop.ui.rate.cards.text_fit import Paragraph
from qe_desktop.ui.rate.item_footer import paint_status
from qe_desktop.ui.shell.appearance import apply_text_size
from tests.ui.rate.conftest import make_project

HEBREW = "החתול ישב על השטיח."
LONG = "Der Vorstand hat in seiner gestrigen Sitzung beschlossen, die Sanierung der Brücke um ein Jahr zu verschieben. "


@pytest.fixture
def set_text_size(qapp):
    """Return a function that sets the text size in percent."""
    yield lambda percent: apply_text_size(qapp, percent)
    apply_text_size(qapp, 100)


@pytest.fixture
def apply_theme(qapp):
    """Return a function that applies a theme."""
    yield lambda name: theme.apply(qapp, name)
    theme.apply(qapp, "light")


def ink(pane: ReadingPane) -> QRect:
    """Return the bounding rectangle of the drawn pixels."""
    image = pane.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    background = image.pixel(image.width() // 2, image.height() - 1)
    pixels = [
        (x, y) for x in range(image.width()) for y in range(0, image.height(), 2) if image.pixel(x, y) != background
    ]
    xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
    return QRect(QPoint(min(xs), min(ys)), QPoint(max(xs), max(ys)))


def pane_of(qtbot, settings, text: str, role: str = "mt", around: bool = False, language: str = ""):
    """Return a visible reading pane with one paragraph."""
    pane = ReadingPane(TextStyle(settings, role, 1.4, around, language))
    qtbot.addWidget(pane)
    pane.resize(600, 100)
    pane.show_paragraphs([Paragraph(text)])
    pane.show()
    qtbot.waitExposed(pane)
    return pane


@pytest.mark.parametrize("text", [LONG, HEBREW * 5, "これは文です。" * 20])
def test_bar_of_the_judged_segment_covers_all_lines(qtbot, settings, text):
    pane = pane_of(qtbot, settings, text, around=True)
    layout = pane.document().firstBlock().layout()
    lines = [layout.lineAt(index).naturalTextRect() for index in range(layout.lineCount())]
    assert len(lines) > 1
    assert pane.bar_rect().top() <= min(line.top() for line in lines)
    assert pane.bar_rect().bottom() >= max(line.bottom() for line in lines) - 1


def test_text_direction_follows_the_script(qtbot, settings):
    assert ink(pane_of(qtbot, settings, HEBREW)).left() > 300
    assert ink(pane_of(qtbot, settings, "The cat sat.")).right() < 300


def test_text_direction_follows_the_language(qtbot, settings):
    """A Hebrew text may start with, or consist of, a name in Latin letters."""
    assert ink(pane_of(qtbot, settings, "QE Desktop", language="he")).left() > 300
    assert ink(pane_of(qtbot, settings, HEBREW, language="en-GB")).right() < 300
    settings.mt_direction = "ltr"
    assert ink(pane_of(qtbot, settings, "QE Desktop", language="he")).right() < 300


def test_settings_override_the_text_direction(qtbot, settings):
    pane = pane_of(qtbot, settings, "The cat sat.")
    settings.source_direction = "rtl"
    assert ink(pane).right() < 300
    settings.mt_direction = "rtl"
    assert ink(pane).left() > 300


def test_settings_override_the_font(qtbot, settings):
    pane = pane_of(qtbot, settings, "The cat sat.")
    settings.mt_font = "DejaVu Serif"
    assert pane.document().firstBlock().charFormat().font().family() == "DejaVu Serif"


def test_segment_bar_is_at_the_reading_start_of_the_text(qtbot, settings):
    for text, side in (("The cat sat.", 0), (HEBREW, 596)):
        pane = pane_of(qtbot, settings, text, around=True)
        image = pane.grab().toImage()
        middle = round(pane.judged_rect().center().y())
        assert image.pixelColor(side + 1, middle) == theme.current().accent
        assert image.pixelColor(599 - side - 1, middle) != theme.current().accent


def test_line_height_is_one_and_a_half_times_the_font_size(qtbot, settings):
    pane = pane_of(qtbot, settings, LONG * 2)
    block = pane.document().firstBlock()
    layout = block.layout()
    step = layout.lineAt(1).y() - layout.lineAt(0).y()
    size = pane.document().firstBlock().charFormat().font().pointSizeF() * pane.logicalDpiY() / 72
    assert step >= size * 1.45


def test_text_is_not_clipped_at_any_text_size(driver, set_text_size, qtbot):
    driver.begin(make_project("adequacy", texts=[LONG * 6], items=1))
    for percent in (100, 150, 200):
        set_text_size(percent)
        QApplication.processEvents()
        pane = driver.card.texts.translation.pane
        qtbot.waitUntil(lambda pane=pane: pane.height() >= pane.document().size().height() - 1)
        assert pane.width() <= driver.card.view.viewport().width()
        bar = driver.card.view.verticalScrollBar()

        def is_reachable(pane=pane, bar=bar) -> bool:
            bottom = pane.mapTo(driver.card.view.widget(), pane.rect().bottomLeft()).y()
            return bottom <= driver.card.view.viewport().height() + bar.maximum()

        qtbot.waitUntil(is_reachable)


@pytest.mark.parametrize("protocol", ["adequacy", "adequacy-fluency", "fluency"])
def test_all_steps_are_visible_at_200_percent_text_size(driver, set_text_size, qtbot, protocol):
    set_text_size(200)
    driver.window.resize(1190, 740)
    driver.begin(make_project(protocol))
    row = driver.card.rows[driver.session.current_scale.name]
    whole = driver.window.rect()

    def in_view() -> bool:
        shown = [button.visibleRegion().boundingRect() == button.rect() for button in row.buttons]
        return all(shown) and all(
            whole.contains(QRect(button.mapTo(driver.window, QPoint(0, 0)), button.size())) for button in row.buttons
        )

    qtbot.waitUntil(in_view)
    # and there is still space for the text
    qtbot.waitUntil(lambda: driver.card.view.viewport().height() > 7 * driver.items.fontMetrics().height())
    assert in_view()
    brief = [button for button in row.buttons if button.form is MeaningPosition.BRIEF and button.meaning]
    assert all(button.meaning in button.toolTip() for button in brief)


@pytest.mark.parametrize(("protocol", "outputs"), [("rank", 3), ("pairwise", 2)])
def test_source_is_readable_and_all_translations_are_reached_at_150_percent(
    driver, set_text_size, qtbot, protocol, outputs
):
    set_text_size(150)
    driver.window.resize(1190, 740)
    # a source of two lines, with context, and translations of three
    source = [f"{LONG}{LONG[: len(LONG) // 4]}"] * 4
    driver.begin(make_project(protocol, outputs=outputs, texts=[LONG * 2] * 4, source=source, context=1))
    driver.press(Qt.Key.Key_Right)
    card = driver.card
    assert not card.fit.context_lines
    pane, view = card.context_texts.panes()[0], card.context_texts.view

    def judged() -> QRect:
        """Return the rectangle of the judged segment in the visible part of the source."""
        rect = pane.judged_rect().toAlignedRect()
        return QRect(pane.mapTo(view.viewport(), rect.topLeft()), rect.size())

    # the first two lines are fully visible, without context above them
    line = pane.document().findBlockByNumber(pane.judged_paragraph_index).layout().lineAt(0).height()
    qtbot.waitUntil(lambda: 0 <= judged().top() <= line and judged().top() + 2 * line <= view.viewport().height() + 2)
    assert pane.judged_paragraph_index == 1
    assert card.view.viewport().height() >= 2 * line
    # every translation is reached by scrolling
    last, bar = card.cards[outputs - 1], card.view.verticalScrollBar()
    bottom = last.mapTo(card.view.widget(), last.rect().bottomLeft()).y()
    assert bottom <= card.view.viewport().height() + bar.maximum()
    if protocol == "rank":
        # the rows have the ranks too, so the slots give their space to the translations
        assert not card.slots.isVisible()
        assert all(button.isVisible() for button in card.cards[0].buttons)
        driver.press(Qt.Key.Key_A, Qt.Key.Key_2)
        assert card.ranks[0] == 2
    else:
        # the answers, which are lower, stay below the texts
        assert card.row.height() < 80 * 1.5
        assert driver.window.rect().contains(QRect(card.row.mapTo(driver.window, QPoint()), card.row.size()))


def test_steps_are_in_one_row_in_the_order_of_their_keys(driver, qtbot):
    driver.begin(make_project("adequacy"))
    buttons = driver.card.rows["adequacy"].buttons
    qtbot.waitUntil(lambda: buttons[0].width() > 0)
    assert [button.key for button in buttons] == ["1", "2", "3", "4", "5"]
    assert len({button.y() for button in buttons}) == 1
    assert [button.x() for button in buttons] == sorted(button.x() for button in buttons)
    assert all(button.form is MeaningPosition.BELOW for button in buttons)


def test_columns_are_stacked_in_a_narrow_window(driver, qtbot):
    driver.begin(make_project("adequacy"))
    texts = driver.card.texts
    assert texts.is_side_by_side
    driver.window.resize(560, 700)
    qtbot.waitUntil(lambda: not texts.is_side_by_side)
    qtbot.waitUntil(lambda: texts.translation.y() < texts.source.mapTo(texts, QPoint(0, 0)).y())


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_every_status_has_a_distinct_shape(qapp, apply_theme, name):
    apply_theme(name)
    drawn = set()
    for status in ScreenStatus:
        image = QImage(20, 20, QImage.Format.Format_ARGB32)
        image.fill(theme.current().surface)
        painter = QPainter(image)
        paint_status(painter, QRectF(3, 3, 14, 14), status, theme.current())
        painter.end()
        background = image.pixel(0, 0)
        # compare shapes without colours
        drawn.add(tuple(image.pixel(x, y) != background for x in range(20) for y in range(20)))
    assert len(drawn) == len(ScreenStatus)


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
@pytest.mark.parametrize("protocol", ["adequacy-fluency", "rank", "pairwise", "direct-assessment"])
def test_cards_follow_the_theme(driver, apply_theme, qtbot, protocol, name):
    driver.begin(make_project(protocol, outputs=2 if protocol in ("rank", "pairwise") else 1))
    apply_theme(name)
    qtbot.waitUntil(lambda: driver.window.palette().window().color() == theme.current().window)
    image = driver.window.grab().toImage()
    pane = driver.card.panes()[-1]
    assert pane.palette().text().color() == theme.current().text
    assert image.pixelColor(2, image.height() - 2) == theme.current().window


def test_buttons_of_the_instructions_stay_visible_below_long_and_short_texts(driver, qtbot):
    """Regression: in large text, the button Start was below the edge of the window."""
    driver.open(make_project("adequacy-fluency", instructions="Names stay as they are. " * 200).with_profile())
    page = driver.rater.instructions

    def gap() -> int:
        QApplication.processEvents()
        start = page.buttons["done"]
        top = start.mapTo(page, QPoint(0, 0)).y()
        assert 0 <= top <= page.height() - start.height()
        return top - page.text.mapTo(page, QPoint(0, page.text.height())).y()

    assert gap() < 0, "the text continues below the button"
    before = gap()
    driver.press(Qt.Key.Key_PageDown)
    assert gap() > before, "the text was scrolled"
    driver.press(Qt.Key.Key_PageUp)
    assert gap() == before
    driver.open(make_project("adequacy-fluency", uid="c2").with_profile())
    driver.window.resize(1200, 2000)
    qtbot.waitUntil(lambda: 0 < gap() < 60)
