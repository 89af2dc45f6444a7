"""Pages of the Scores area are built when first shown; their commands are available before."""

from __future__ import annotations

import sys
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ui.preload import CORE_MODULES
from qe_desktop.ui.scores.area import PAGES


def test_keys_pressed_at_once_build_and_show_a_page(qtbot):
    from tests.ui.program_driver import run_script

    def script(driver):
        shell = driver.shell
        yield driver.is_open
        # both keys are pressed before anything is built
        QTest.keyClick(shell, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(shell, Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
        yield lambda: shell.areas._stack.built_page("scores") is not None
        pages = shell.area("scores").pages
        assert pages.current == "people"
        yield lambda: pages.built_page("people") is not None
        page = pages.built_page("people")
        yield lambda: page.isVisible() and page.service.state == "ready"
        # no other page is built
        assert [entry.id for entry in PAGES if pages.built_page(entry.id) is not None] == ["people"]
        assert driver.wiring.score_pages.controller("studies").built_page is None

    assert run_script(["demo"], script) == 0


def test_commands_of_a_page_build_it(qtbot):
    from tests.ui.program_driver import run_script

    def script(driver):
        shell = driver.shell
        yield driver.is_open
        shell.commands["view.area-scores"].trigger()
        commands = shell.commands
        yield lambda: commands["scores.study-run"].isEnabled()
        pages = shell.area("scores").pages
        listed = {action.id for action in commands.available_actions()}
        assert {entry.show for entry in PAGES} <= listed
        assert {"scores.study-thresholds", "scores.people-by-z", "scores.people-view-systems"} <= listed
        # there is nothing to save yet
        assert not listed & {"scores.save-study", "scores.save-people", "scores.save-findings"}
        commands["scores.people-by-z"].trigger()
        assert pages.built_page("people") is None
        commands["scores.study-thresholds"].trigger()
        thresholds = driver.wiring.score_pages.controller("studies").thresholds
        assert pages.current == "systems"
        yield lambda: thresholds.tab.isVisible() and thresholds.service.state == "ready"
        commands["scores.study-sampling"].trigger()
        assert pages.current == "studies"
        yield (
            lambda: (
                pages.built_page("studies") is not None
                and pages.built_page("studies").displayed_service.study.name == "sampling"
            )
        )
        commands["scores.people-view-systems"].trigger()
        yield (
            lambda: (
                pages.built_page("people") is not None and pages.built_page("people").views.current_view == "systems"
            )
        )
        assert pages.built_page("people").service.study_options.by == "z"
        yield lambda: commands["scores.save-people"].isEnabled()

    assert run_script(["demo"], script) == 0


def test_modules_of_pages_are_preloaded_while_idle(qtbot):
    from tests.ui.program_driver import run_script

    def script(driver):
        yield driver.is_open
        yield lambda: all(name in sys.modules for name in (*CORE_MODULES, "qe_desktop.ui.scores.studies.studies_page"))

    assert run_script(["demo"], script) == 0


def test_bilingual_file_without_gold_opens_its_post_editing_first(qtbot, job):
    """The table of systems has only scores that need gold."""
    from tests.ui.program_driver import run_script

    def script(driver):
        yield driver.is_open
        driver.shell.show_area("scores")
        yield lambda: driver.wiring.score_pages is not None
        pages = driver.shell.area("scores").pages
        assert pages.current == "post-editing"
        yield lambda: not driver.shell.jobs.running_jobs()
        driver.shell.commands["scores.page-systems"].trigger()
        assert pages.current == "systems"
        driver.workspace.opened.emit()
        assert pages.current == "systems"

    assert run_script([str(job)], script) == 0


def test_opened_data_without_content_for_the_current_page_are_shown_on_the_systems_page(qtbot):
    from tests.ui.program_driver import run_script

    def script(driver):
        yield driver.is_open
        driver.shell.show_area("scores")
        yield lambda: driver.wiring.score_pages is not None
        pages = driver.wiring.score_pages._context.pages
        driver.shell.commands["scores.page-people"].trigger()
        yield lambda: pages.current == "people"
        workspace = driver.workspace
        workspace.open(replace(workspace.corpus, translations={}, references={}, metric_scores={}, ratings=None))
        yield lambda: pages.reason("people")
        yield lambda: pages.current == "systems"
        # a page that the user selects later stays
        pages.show_page("people")
        driver.wiring.score_pages._refresh_reasons()
        assert pages.current == "people"

    assert run_script(["demo"], script) == 0
