"""The start page: samples, recent files, and its layout."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QLabel

from qe_desktop.ui import theme
from qe_desktop.ui.project_paths import join_paths
from qe_desktop.ui.shell.link_list import LinkList
from qe_desktop.ui.shell.start_page import MAX_RECENT_SHOWN, MIN_RECENT_SHOWN, SAMPLES, StartPage
from qe_desktop.ui.widgets.buttons import FlatButton


@pytest.fixture
def page(qtbot):
    page = StartPage()
    qtbot.addWidget(page)
    return page


def test_painted_is_emitted_once(page, qtbot):
    with qtbot.waitSignal(page.painted):
        page.show()
    with qtbot.assertNotEmitted(page.painted):
        page.grab()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_samples_can_be_opened_by_keyboard(page, qtbot, key):
    entry = page._samples.entries()[1]
    with qtbot.waitSignal(page.open_sample) as blocker:
        qtbot.keyClick(entry, key)
    assert blocker.args == [SAMPLES[1][0]]


def test_rating_can_be_practised_by_keyboard(page, qtbot):
    """Regression: the page named the samples, but none of its entries led to the practice for raters."""
    entry = page._samples.entries()[-1]
    assert entry.accessibleName() == "Rate the sample, Practice for raters, English–German"
    with qtbot.waitSignal(page.practice_requested), qtbot.assertNotEmitted(page.open_sample):
        qtbot.keyClick(entry, Qt.Key.Key_Return)


def test_the_first_sample_has_a_button(page, qtbot):
    with qtbot.waitSignal(page.open_sample) as blocker:
        button = next(candidate for candidate in page.findChildren(FlatButton) if candidate.text() == "Open the sample")
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert blocker.args == ["en-de"]


def test_recent_paths_can_be_opened_and_removed(page, qtbot, tmp_path):
    file = tmp_path / "R&D <b>.tags"
    file.touch()
    page.set_recent([str(file), str(tmp_path)])
    first, second = page._recent.entries()
    assert first.accessibleName().startswith("R&D <b>.tags, ")
    assert "&lt;b&gt;" in first.toolTip()
    with qtbot.waitSignal(page.open_paths) as blocker:
        qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    assert blocker.args == [[str(tmp_path)]]
    with qtbot.waitSignal(page.removal_requested) as blocker:
        qtbot.keyClick(first, Qt.Key.Key_Delete)
    assert blocker.args == [str(file)]
    page.set_recent([])
    assert page._recent.entries() == []
    assert not page._no_recent.isHidden()


def test_samples_cannot_be_removed(page, qtbot):
    with qtbot.assertNotEmitted(page._samples.removed):
        qtbot.keyClick(page._samples.entries()[0], Qt.Key.Key_Delete)


@pytest.mark.parametrize("size", [(400, 300), (1280, 800), (1920, 1080)])
def test_page_can_be_drawn_in_any_size(page, size, tmp_path):
    page.set_recent([str(tmp_path / ("long" * 40))])
    page.resize(*size)
    page.show()
    assert not page.grab().isNull()


def test_samples_show_their_whole_description_in_larger_text(qtbot):
    """Regression: the height of an entry depended only on its width."""
    samples = LinkList("Samples")
    samples.fill([("en-he", "English–Hebrew", "Right-to-left script", "sample")])
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


def test_page_names_bilingual_file_formats(page):
    texts = [label.text() for label in page.findChildren(QLabel)]
    assert any(text.startswith("XLIFF, SDLXLIFF, TMX, PO, Excel") for text in texts)


def test_files_opened_together_are_one_recent_entry(page, qtbot, tmp_path):
    files = [str(tmp_path / name) for name in ("a.src", "b.mt", "c.tags")]
    page.set_recent([join_paths(files)])
    (entry,) = page._recent.entries()
    assert entry.accessibleName().startswith("a.src and 2 more, ")
    assert "\0" not in entry.toolTip()
    with qtbot.waitSignal(page.open_paths) as blocker:
        qtbot.mouseClick(entry, Qt.MouseButton.LeftButton)
    assert blocker.args == [files]


def test_practice_is_named_in_the_recent_files(page):
    """Regression: it was listed as “en-de 2026-11-29 23.19.16, ~/.local/share/qe-desktop/trials”."""
    page.set_recent(["/home/anna/.local/share/qe-desktop/trials/en-de 2026-11-29 23.19.16.qedesk"])
    (entry,) = page._recent.entries()
    assert entry.accessibleName() == "Rating practice, en-de, 2026-11-29 23:19"


def test_drop_area_is_aligned_with_the_lists(page, tmp_path, qtbot):
    page.set_recent([str(tmp_path / f"{number}.xlf") for number in range(MAX_RECENT_SHOWN)])
    page.resize(1200, 700)
    page.show()
    qtbot.waitExposed(page)
    tops = [widget.mapTo(page._body, widget.rect().topLeft()).y() for widget in (page._drop, page._samples)]
    # the list has a heading above it
    assert 0 < tops[1] - tops[0] < 2 * page.fontMetrics().height()


def test_recent_files_that_do_not_fit_are_left_out_whole(page, tmp_path, qtbot):
    """Regression: the last recent file was cut at the bottom of the page."""
    page.set_recent([str(tmp_path / f"{number}.xlf") for number in range(MAX_RECENT_SHOWN)])
    page.resize(1200, 2000)
    page.show()
    qtbot.waitExposed(page)

    def count() -> int:
        QApplication.processEvents()
        return sum(entry.isVisible() for entry in page._recent.entries())

    assert count() == MAX_RECENT_SHOWN
    needed = page.widget().heightForWidth(1200)
    row = page._recent.entries()[0].height()
    for left_out in range(MAX_RECENT_SHOWN - MIN_RECENT_SHOWN + 1):
        page.resize(1200, needed - left_out * row)
        assert count() == MAX_RECENT_SHOWN - left_out
        assert page.verticalScrollBar().maximum() == 0
    page.resize(1200, needed // 2)
    assert count() == MIN_RECENT_SHOWN
    font = page.font()
    page.resize(1200, needed)
    assert count() == MAX_RECENT_SHOWN
    larger = QFont(font)
    larger.setPointSizeF(font.pointSizeF() * 1.3)
    page.setFont(larger)
    assert count() < MAX_RECENT_SHOWN


def test_focused_entry_has_an_outline_and_only_the_entry_under_the_pointer_is_filled(qtbot):
    samples = LinkList("Samples")
    samples.fill([(name, name, "", "sample") for name in ("one", "two", "three")])
    samples.setFixedWidth(320)
    qtbot.addWidget(samples)
    samples.show()
    samples.activateWindow()
    qtbot.waitUntil(samples.isActiveWindow)
    # the pointer may be over one of them
    first, second = [entry for entry in samples.entries() if not entry.underMouse()][:2]
    plain = second.grab().toImage().pixelColor(6, 20)
    first.setFocus()
    assert first.hasFocus()
    picture = first.grab().toImage()
    assert picture.pixelColor(6, 20) == plain
    assert picture.pixelColor(first.width() // 2, 1) == theme.current().accent


def test_only_folders_in_the_home_folder_are_abbreviated(page, monkeypatch):
    """Regression: the home folder of a user with a longer name was shown as a folder in the home folder."""
    monkeypatch.setenv("HOME", "/home/anna")
    monkeypatch.setenv("USERPROFILE", "/home/anna")
    page.set_recent(["/home/anna/a.tags", "/home/anna/jobs/b.tags", "/home/annabel/c.tags"])
    shown = [entry.accessibleName().partition(", ")[2] for entry in page._recent.entries()]
    assert shown == ["Home folder", "~/jobs", "/home/annabel"]
