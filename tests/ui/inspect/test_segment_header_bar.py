"""Header of a segment: in narrow windows, its parts move to the menu, and nothing overlaps or is cut off."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Documents, Kind
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_text_panel import DOCUMENT, FOLD_ORDER, KEYS, KIND, LAYER, REJECT, SCORE
from qe_desktop.ui.widgets.labels import ElidedLabel
from tests.ui.program_driver import run_script


@pytest.fixture
def area(qtbot, rich_workspace) -> InspectArea:
    widget = InspectArea(rich_workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(2400, 900)
    widget.show()
    qtbot.waitExposed(widget)
    for button in widget.segment_pane.target.buttons.values():
        # as in a window with shortcuts
        button.set_key("Ctrl+Return")
    return widget


def narrow(area: InspectArea, folded: tuple[str, ...]) -> None:
    """Set the width of the header to the minimum if these parts are in the menu."""
    header = area.header
    header.setFixedWidth(header._needed_width(folded))
    header.layout().activate()


def shown(header: QWidget) -> list[QWidget]:
    widgets = [header.layout().itemAt(index).widget() for index in range(header.layout().count())]
    return [widget for widget in widgets if widget is not None and not widget.isHidden()]


def entries(header) -> dict[str, QAction]:
    header.fill_menu()
    return {action.text(): action for action in header.menu_button.popup.actions()}


@pytest.mark.parametrize("number", range(len(FOLD_ORDER) + 1))
def test_parts_move_to_the_menu_one_after_the_other(area, number):
    header = area.header
    area.review.controller.open()
    area.segment_pane.target.edit.insertPlainText("neue Wörter ")
    area.review.controller._show_draft()
    narrow(area, FOLD_ORDER[:number])
    assert header.folded_parts == FOLD_ORDER[:number]
    rects = [part.geometry() for part in shown(header)]
    assert not any(first.intersects(second) for first, second in combinations(rects, 2))
    for label in shown(header):
        if isinstance(label, ElidedLabel):
            assert label._elided_text() == label.text()
    area.segment_pane.target.edit.undo()


def test_shortcuts_on_buttons_are_hidden_before_anything_else(area):
    header, buttons = area.header, area.segment_pane.target.buttons
    assert [buttons[name].shown_key for name in ("correct", "confirm", "reject")] == ["Ctrl+Return"] * 3
    widths = {name: button.width() for name, button in buttons.items() if button.isVisible()}
    assert all(button.width() >= button.sizeHint().width() for button in buttons.values() if button.isVisible())
    narrow(area, (KEYS,))
    assert header.folded_parts == (KEYS,)
    assert not any(button.shown_key for button in buttons.values())
    assert all(buttons[name].width() < width for name, width in widths.items())
    assert header.score.isVisible()


def test_main_buttons_and_the_menu_show_the_shortcuts_of_the_user(qtbot):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(2400, 900)
        header, commands = driver.shell.area("inspect").header, driver.shell.commands
        buttons = driver.shell.area("inspect").segment_pane.target.buttons
        yield lambda: not header.folded_parts
        names = ("correct", "confirm", "reject")
        assert [buttons[name].shown_key for name in names] == ["F2", "Ctrl+Enter", "Ctrl+Shift+Enter"]
        picture = buttons["confirm"].grab().toImage()
        commands.set_keys("inspect.confirm", ["Alt+8"])
        assert buttons["confirm"].shown_key == "Alt+8"
        assert buttons["confirm"].grab().toImage() != picture
        commands.set_keys("inspect.confirm", [])
        assert buttons["confirm"].shown_key == ""
        assert list(entries(header)) == ["Note\tF6", "History\tShift+F2"]

    assert run_script([str(resource_folder() / "samples/en-de")], script) == 0


def test_wide_header_has_every_part_and_a_short_menu(area):
    header = area.header
    assert header.folded_parts == ()
    assert (header.document.text(), header.score.text()) == ("d1", "HTER .250")
    assert list(entries(header)) == ["Note", "History"]


def test_line_is_shown_only_between_facts_and_controls(area):
    header = area.header
    assert not header._separator.isHidden()
    area.tag_toolbar.set_taggable(False)
    assert not header.score.isHidden()
    assert header.lock.isHidden()
    assert header._separator.isHidden()


def test_parts_in_the_menu_work(area, rich_workspace):
    header, names = area.header, [LAYER, KIND, REJECT, SCORE, DOCUMENT]
    narrow(area, FOLD_ORDER)
    assert set(names) <= set(header.folded_parts)
    menu = entries(header)
    assert list(menu) == ["d1", "HTER .250", "Layer", "Tags", "Reject", "Note", "History"]
    kinds = menu["Tags"].menu().actions()
    assert [action.isChecked() for action in kinds] == [
        index == area.tag_toolbar.kind.currentIndex() for index in range(area.tag_toolbar.kind.count())
    ]
    kinds[area.tag_toolbar.kind.findData(Kind.GAPS)].trigger()
    assert rich_workspace.kind is Kind.GAPS
    assert entries(header)["Tags"].menu().actions()[area.tag_toolbar.kind.findData(Kind.GAPS)].isChecked()
    wanted = []
    area.segment_pane.target.action_requested.connect(wanted.append)
    menu = entries(header)
    menu["Reject"].trigger()
    assert wanted == ["reject"]


def test_the_line_between_facts_and_controls_is_a_border(area):
    line = area.header._separator
    image = line.grab().toImage()
    colours = {image.pixelColor(x, line.height() // 2).rgb() for x in range(line.width())}
    assert line.palette().color(QPalette.ColorRole.Mid).rgb() in colours
    assert line.palette().color(QPalette.ColorRole.WindowText).rgb() not in colours


def test_ampersand_of_a_document_is_shown_in_the_menu(area, rich_workspace):
    rich_workspace.open(replace(rich_workspace.corpus, documents=Documents.from_names(["R&D"] * 4)))
    narrow(area, FOLD_ORDER)
    assert "R&&D" in entries(area.header)
