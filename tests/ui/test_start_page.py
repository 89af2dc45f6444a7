import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QLabel

from qe_desktop.ui.project_paths import join_paths
from qe_desktop.ui.shell.link_list import LinkList
from qe_desktop.ui.shell.start_page import MAX_RECENT_SHOWN, SAMPLES, StartPage
from qe_desktop.ui.widgets.buttons import FlatButton


@pytest.fixture
def page(qtbot):
    page = StartPage()
    qtbot.addWidget(page)
    return page


def test_it_tells_once_that_it_stands_on_the_screen(page, qtbot):
    with qtbot.waitSignal(page.painted):
        page.show()
    with qtbot.assertNotEmitted(page.painted):
        page.grab()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_samples_are_opened_by_keyboard(page, qtbot, key):
    entry = page._samples.entries()[1]
    with qtbot.waitSignal(page.open_sample) as told:
        qtbot.keyClick(entry, key)
    assert told.args == [SAMPLES[1][0]]


def test_the_first_sample_has_a_button(page, qtbot):
    with qtbot.waitSignal(page.open_sample) as told:
        button = next(one for one in page.findChildren(FlatButton) if one.text() == "Open the sample")
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert told.args == ["en-de"]


def test_recent_things_are_opened_and_forgotten(page, qtbot, tmp_path):
    file = tmp_path / "R&D <b>.tags"
    file.touch()
    page.set_recent([str(file), str(tmp_path)])
    first, second = page._recent.entries()
    assert first.accessibleName().startswith("R&D <b>.tags, ")
    assert "&lt;b&gt;" in first.toolTip()
    with qtbot.waitSignal(page.open_paths) as told:
        qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    assert told.args == [[str(tmp_path)]]
    with qtbot.waitSignal(page.forget) as told:
        qtbot.keyClick(first, Qt.Key.Key_Delete)
    assert told.args == [str(file)]
    page.set_recent([])
    assert page._recent.entries() == []
    assert not page._no_recent.isHidden()


def test_samples_cannot_be_taken_off_the_list(page, qtbot):
    with qtbot.assertNotEmitted(page._samples.removed):
        qtbot.keyClick(page._samples.entries()[0], Qt.Key.Key_Delete)


@pytest.mark.parametrize("size", [(400, 300), (1280, 800), (1920, 1080)])
def test_it_can_be_drawn_in_any_size(page, size, tmp_path):
    page.set_recent([str(tmp_path / ("long" * 40))])
    page.resize(*size)
    page.show()
    assert not page.grab().isNull()


def test_samples_keep_their_whole_sentence_in_larger_text(qtbot):
    """The room for what is said of a sample followed the width alone."""
    samples = LinkList("Samples")
    samples.fill([("en-he", "English–Hebrew", "Right-to-left translation", "sample")])
    samples.setFixedWidth(320)
    qtbot.addWidget(samples)
    samples.show()
    qtbot.waitExposed(samples)
    (entry,) = samples.entries()
    font, before = QApplication.font(), entry.height()
    larger = QFont(font)
    larger.setPointSizeF(font.pointSizeF() * 2)
    QApplication.setFont(larger)
    try:
        qtbot.waitUntil(lambda: entry.height() > 1.5 * before)
    finally:
        QApplication.setFont(font)


def test_it_names_the_files_of_translators_first(page):
    said = [label.text() for label in page.findChildren(QLabel)]
    assert any(text.startswith("XLIFF, SDLXLIFF, TMX, PO, Excel") for text in said)


def test_files_that_were_opened_together_are_one_entry_and_opened_together(page, qtbot, tmp_path):
    files = [str(tmp_path / name) for name in ("a.src", "b.mt", "c.tags")]
    page.set_recent([join_paths(files)])
    (entry,) = page._recent.entries()
    assert entry.accessibleName().startswith("a.src and 2 more, ")
    assert "\0" not in entry.toolTip()
    with qtbot.waitSignal(page.open_paths) as told:
        qtbot.mouseClick(entry, Qt.MouseButton.LeftButton)
    assert told.args == [files]


def test_the_field_to_drop_on_begins_where_the_lists_beside_it_begin(page, tmp_path, qtbot):
    page.set_recent([str(tmp_path / f"{number}.xlf") for number in range(MAX_RECENT_SHOWN)])
    page.resize(1200, 700)
    page.show()
    qtbot.waitExposed(page)
    tops = [one.mapTo(page._body, one.rect().topLeft()).y() for one in (page._drop, page._samples)]
    # the heading of the list stands above it
    assert 0 < tops[1] - tops[0] < 2 * page.fontMetrics().height()
