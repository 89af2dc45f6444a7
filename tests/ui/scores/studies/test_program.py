"""Studies in the whole program: the sample, by keys and commands."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ui import icons
from qe_desktop.ui.scores.studies import commands as names


def test_sample_can_be_studied_by_keys_and_commands(qtbot):
    from tests.ui.program_driver import run_script

    def script(driver):
        shell = driver.shell
        yield driver.is_open
        shell.commands["view.area-scores"].trigger()
        area = shell.area("scores")
        assert not shell.commands[names.SAVE].isEnabled()
        assert shell.commands[names.SHOW].shortcut().toString() == "Alt+4"
        shell.commands[names.SHOW].trigger()
        page = area.pages.page("studies")
        service = page.displayed_service
        yield lambda: service.state == "ready" and not shell.jobs.running_jobs()
        assert shell.commands[names.SAVE].isEnabled()
        assert not shell.commands[names.REMOVE_BASELINES].isEnabled()
        page.setFocus()
        view = page.view
        assert shell.focusWidget() is view
        column = [header_column.header for header_column in view.cells.columns].index("random")
        # the first key press enters the table
        for _ in range(column + 1):
            QTest.keyClick(view, Qt.Key.Key_Right)
        assert "below random" in page.description_label.text()
        QTest.keyClick(view, Qt.Key.Key_Return)
        yield lambda: shell.commands[names.REMOVE_BASELINES].isEnabled() and not shell.jobs.running_jobs()
        added = [key.name for key in driver.workspace.corpus.layers if key.provenance.value == "synthetic"]
        assert added == ["synthetic-random"]
        shell.commands[f"{names.VIEW}second"].trigger()
        assert page.views.current_view == "second"
        assert page.views.tables[1].view.cells.rows[0][1].text == "strong"
        shell.commands[names.THRESHOLDS].trigger()
        assert area.pages.current == "systems"
        thresholds = driver.wiring.score_pages.controller("studies").thresholds
        yield lambda: thresholds.service.state == "ready" and not shell.jobs.running_jobs()
        chart = thresholds.tab.page.picture
        yield lambda: not isinstance(chart.content, str) and len(chart.content) == 2
        assert [panel.title for panel in chart.content][1] == "Precision vs. recall of BAD"
        shell.commands[f"{names.VIEW}picture"].trigger()
        assert area.pages.current == "studies"
        picture = page.views.picture
        shell.commands[names.REMOVE_BASELINES].trigger()
        assert not any(key.provenance.value == "synthetic" for key in driver.workspace.corpus.layers)
        shell.commands[f"{names.STUDY}sampling"].trigger()
        assert shell.commands[names.RUN].isEnabled()
        page.bar.errors.setText("5 6 8")
        page.bar.sizes.setText("10 100")
        page.bar.errors.editingFinished.emit()
        shell.commands[names.RUN].trigger()
        assert shell.commands[names.CANCEL].isEnabled()
        sampling = page.displayed_service
        yield lambda: sampling.state == "ready" and not shell.jobs.running_jobs()
        yield lambda: "where metrics differ most" in picture.content[-1].title
        assert [header_column.header for header_column in page.view.cells.columns] == ["Metric", "1", "2", "3"]

    assert run_script([str(icons.resource_folder() / "samples/en-de")], script) == 0
