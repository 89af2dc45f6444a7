"""View ▸ Evaluation through main(argv): a bilingual file opens for translators and is switched by key and menu."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from qe_desktop.corpus import Kind
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.help_dialog import ShortcutPage
from tests.ui.program_driver import run_script

KEY, SHIFT = Qt.Key, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def tagged_job(job: Path) -> Path:
    """Add the tags of a system that flags the first word of every segment."""
    from qe_desktop.corpus import TextRole
    from qe_desktop.formats import build_corpus, plan_imports

    column = build_corpus(plan_imports([job])[0]).texts[TextRole.MT]
    lines = [column.tokens(segment) for segment in range(len(column))]
    text = "\n".join(" ".join("OK" if index else "BAD" for index in range(len(words))) for words in lines)
    (job.parent / "mine.tags").write_text(f"{text}\n", encoding="utf-8")
    return job.parent


def view_menu_texts(driver) -> list[str]:
    menus = driver.shell.menuBar().findChildren(QMenu)
    menu = next(menu for menu in menus if menu.title() == "&View")
    return [action.text() for action in menu.actions() if action.isVisible()]


def test_evaluation_is_switched_on_and_off_while_a_target_is_edited(qtbot, tagged_job):
    def script(driver):
        yield driver.is_open
        commands, workspace, status = driver.shell.commands, driver.workspace, driver.shell.status
        area = driver.shell.area("inspect")
        texts = view_menu_texts(driver)
        assert texts.index("&Evaluation") == texts.index("QE &highlights") + 1
        assert "view.evaluation" in [action.id for action in commands.available_actions()]
        assert not area.reader.page.blocks[1].tag_rows
        assert status._counts.text() == "1 confirmed · 4 open · 1 locked"
        assert status._positive.isHidden()
        listed = [action.id for action in commands.actions_by_relevance()]
        assert commands.action(listed[0]).group == "Post-edit"
        assert listed.index("file.save") < listed.index("file.project")
        assert listed.index("inspect.toggle") > listed.index("file.quit")
        help_page = ShortcutPage(commands)
        assert help_page._tree.topLevelItem(0).text(0) == "Post-edit"
        assert help_page._tree.topLevelItem(1).child(0).text(0) == "Next flagged word"
        help_page.deleteLater()
        area.view.setFocus()
        QTest.keyClick(QApplication.focusWidget(), KEY.Key_F2)
        edit = area.review.controller.panel.edit
        QTest.keyClicks(edit, "Neu ")
        segment, line = workspace.segment, edit.line
        QTest.keyClick(edit, KEY.Key_F4, SHIFT)
        names = [track.name for track in area.reader.page.blocks[1].tag_rows]
        # the edit marks the words, and has no row of its own
        assert names == ["mine"]
        # the word at the cursor is described instead of the counts
        assert not status._word.isHidden()
        assert status._counts.text().endswith("no gold")
        assert (workspace.segment, edit.line, edit.hasFocus()) == (segment, line, True)
        assert workspace.view.target(segment) == line
        QTest.keyClick(edit, KEY.Key_F4, SHIFT)
        assert not area.reader.page.blocks[1].tag_rows
        assert (workspace.segment, edit.line, edit.hasFocus()) == (segment, line, True)
        assert len(workspace.view.tag_layers(Kind.WORDS)) == 2
        QTest.keyClick(edit, KEY.Key_Escape)
        assert area.view.hasFocus()
        assert workspace.view.target(segment) == line
        commands["view.evaluation"].trigger()

    assert run_script([str(tagged_job)], script) == 0
    assert Settings().evaluation == {"sdlxliff": True}


def test_choice_is_remembered_in_the_next_window(qtbot, tagged_job):
    Settings().evaluation = {"sdlxliff": True}

    def script(driver):
        yield driver.is_open
        assert [track.name for track in driver.shell.area("inspect").reader.page.blocks[1].tag_rows] == ["mine"]
        assert driver.shell.commands["view.evaluation"].isChecked()

    assert run_script([str(tagged_job)], script) == 0


def test_other_files_have_no_evaluation_command(qtbot, sample):
    def script(driver):
        yield driver.is_open
        commands = driver.shell.commands
        assert "&Evaluation" not in view_menu_texts(driver)
        assert "view.evaluation" not in [action.id for action in commands.available_actions()]
        assert commands["inspect.toggle"].isEnabled()
        assert "no gold" in driver.shell.status._counts.text() or "gold: " in driver.shell.status._counts.text()
        assert driver.shell.area("inspect").reader.page.blocks[1].tag_rows

    assert run_script([str(sample)], script) == 0
