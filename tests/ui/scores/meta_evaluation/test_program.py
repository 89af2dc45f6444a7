"""Metrics against human scores in the whole program: the sample by keys, from the table to the segments and back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ui import icons
from qe_desktop.ui.scores.meta_evaluation import commands as names


def test_sample_can_be_followed_from_statistic_to_segments_by_keys(qtbot):
    from tests.ui.program_driver import run_script

    def script(driver):
        shell = driver.shell
        yield driver.is_open
        shell.commands["view.area-scores"].trigger()
        area = shell.area("scores")
        assert not shell.commands[names.SAVE].isEnabled()
        assert shell.commands[names.SHOW].shortcut().toString() == "Alt+3"
        shell.commands[names.SHOW].trigger()
        page = area.pages.page("people")
        service = page.service
        yield lambda: service.state == "ready" and not shell.jobs.running_jobs()
        assert set(service.result.study.systems) == {"MT", "fluent", "literal"}
        assert shell.commands[names.SAVE].isEnabled()
        view = page.view
        assert shell.focusWidget() is view
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Return)
        assert page.views.chart_pane.isVisible()
        yield (
            lambda: (
                not isinstance(page.views.chart_pane.content, str)
                and page.views.chart_pane.plot_widget.plot is not None
            )
        )
        shell.commands[f"{names.FIGURE}acc_eq"].trigger()
        assert shell.commands[f"{names.FIGURE}acc_eq"].isChecked()
        assert service.statistic.name == "acc_eq"
        shell.commands[f"{names.VIEW}better"].trigger()
        assert page.views.significance_page.view.model().rowCount() == 4
        shell.commands[f"{names.FIGURE}pearson"].trigger()
        # three systems are too few for the Williams test, but enough for PERM-BOTH, which swaps segment scores
        assert page.views.significance_page.view.model().rowCount() == 4
        shell.commands[f"{names.AGGREGATION}z"].trigger()
        yield lambda: service.state == "ready" and service.result.options.by == "z"
        shell.commands[f"{names.ORIENTATION}listed"].trigger()
        yield lambda: service.state == "ready" and service.result.options.orientation == "listed"
        shell.commands[f"{names.VIEW}systems"].trigger()
        systems = page.views.systems.view
        assert shell.focusWidget() is systems
        systems.setCurrentIndex(systems.model().index(0, 2))
        QTest.keyClick(systems, Qt.Key.Key_Return)
        inspect = shell.area("inspect")
        yield lambda: shell.areas.current == "inspect" and inspect.filters.query.rank_gap is not None
        yield driver.is_open
        gap = inspect.filters.query.rank_gap
        assert gap.system == systems.table_data.rows[0][0].text
        listing = inspect.model.list_state
        ranked = abs(gap.values[listing.segments])
        assert len(ranked) == 24
        assert (ranked[:-1] >= ranked[1:]).all()
        assert listing.difference.title == "ranked higher by"
        assert listing.difference.text(int(listing.segments[0])).split(" +")[0] in (gap.metric, "human scores")
        inspect.filters.bad.toggle()
        yield lambda: not shell.jobs.running_jobs()
        assert inspect.filters.query.rank_gap is gap
        inspect.filters._title_button.click()
        assert inspect.filters.query.shows_all_segments
        assert not shell.commands[names.RATINGS].isEnabled()
        shell.commands["view.area-scores"].trigger()
        shell.commands[f"{names.SYSTEMS_ONLY}"].trigger()
        yield lambda: service.state == "ready" and service.result.options.systems_only
        assert shell.commands[names.SYSTEMS_ONLY].isChecked()

    assert run_script([str(icons.resource_folder() / "samples/en-de")], script) == 0
