"""At a text size of 150 %, all parts of a long segment stay in view in a window of 1280 × 800."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.inspect.segment_list.list_height import MIN_SHRUNK_ROWS
from qe_desktop.ui.shell.appearance import apply_text_size
from tests.ui.inspect.text_share import shown_rect
from tests.ui.program_driver import run_script

LARGE, SIZE = 150, (1280, 800)
LONGEST = 52
"""Index of the segment of 84 words in the sample."""


@pytest.fixture
def large_text(qapp):
    yield lambda: apply_text_size(qapp, LARGE)
    apply_text_size(qapp, 100)


@pytest.fixture
def five_systems(tmp_path):
    """Copy of the sample with the tags of a fifth system."""
    folder = tmp_path / "sample"
    shutil.copytree(resource_folder() / "samples/en-de", folder)
    shutil.copyfile(folder / "systems/weak.tags", folder / "systems/fifth.tags")
    return folder


def shown_rows(area) -> float:
    """Return the number of rows of the segment list that are in view."""
    return area.view.viewport().height() / area.view.verticalHeader().defaultSectionSize()


def check_mt(area, last_row: int = 4) -> None:
    """Check that the line of the word at the cursor is in view with its tag rows, except for the space above them."""
    reader, page = area.reader, area.reader.page
    block = page.block(Kind.WORDS)
    rect = page.position_rect(reader.word_cursor.index)
    bottom = (
        page.row_top(block, block.layout.rect_lines[reader.word_cursor.index][0], last_row)
        + page.metrics.thin_row_height
    )
    seen = reader.visibleRegion().boundingRect().translated(0, round(reader.visible_top))
    assert seen.top() <= rect.top() + 3
    # the text of the first visible line is complete, but perhaps not the space above it
    tops = [top for top in page.line_tops() if top >= reader.visible_top]
    space = rect.top() - max(top for top in tops if top <= rect.top())
    assert seen.top() <= tops[0] or any(-1 <= seen.top() - top <= space for top in tops), (seen, tops)
    assert bottom <= seen.bottom() + 1


def test_long_segment_keeps_its_mt_and_tag_rows_while_its_target_is_edited(qtbot, large_text, five_systems):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(*SIZE)
        large_text()
        area, pane = driver.shell.area("inspect"), driver.shell.area("inspect").segment_pane
        driver.workspace.go_to(LONGEST)
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        assert (driver.shell.width(), driver.shell.height()) == SIZE
        assert shown_rows(area) >= MIN_SHRUNK_ROWS
        check_mt(area)
        source = shown_rect(pane.source, driver.shell).topLeft()
        driver.shell.commands["inspect.correct"].trigger()
        yield pane.target.edit.isVisible
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        edit, line = pane.target.edit, area.reader.fontMetrics().height()
        assert shown_rows(area) >= MIN_SHRUNK_ROWS
        assert shown_rect(pane.source, driver.shell).topLeft() == source
        assert shown_rect(pane._pinned, driver.shell).height() >= 3 * line
        assert shown_rect(edit, driver.shell).height() >= 3 * line
        check_mt(area)
        # only the row for the changes is reserved between target and MT
        assert pane._scroll.geometry().top() - pane.target.geometry().bottom() == 1
        assert pane.target.height() - edit.height() <= pane.target.changes.height_of(1) + line / 2
        for _ in range(40):
            QTest.keyClicks(edit, "lange ")
        yield pane.target.changes.isVisible
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        # the changes have a second line, and there is a line for QA checks
        check_mt(area, last_row=3)
        # prevent a question when the window closes
        driver.workspace.close()

    assert run_script([str(five_systems)], script) == 0
