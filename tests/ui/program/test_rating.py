"""Rating in the whole window: messages in the status bar, undo from there, and a new campaign."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ratings.campaign_draft import CampaignDraft, SegmentScope
from tests.ui.program_driver import run_script


def rate_first_item(driver):
    """Start the trial on the sample and rate its first item."""
    driver.shell.commands["view.area-rate"].trigger()
    area = driver.wiring.rating.area
    button = area.rater.quiet.buttons["try"]
    yield button.hasFocus
    QTest.keyClick(button, Qt.Key.Key_Return)
    yield lambda: area.rater.page is area.rater.items
    assert "rate fluency" in area.rater.items.header.guide.text()
    QTest.keyClick(area.rater.items, Qt.Key.Key_4)
    yield lambda: area.rater.session.revealed
    QTest.keyClick(area.rater.items, Qt.Key.Key_3)
    yield lambda: area.rater.session.work.progress()[0] == 1
    yield lambda: not driver.wiring.projects.service.pending


def test_last_rating_is_in_the_status_bar_and_can_be_undone_there(qtbot):
    def script(driver):
        yield driver.is_open
        yield from rate_first_item(driver)
        act, work = driver.shell.status.act, driver.wiring.rating.area.rater.session.work
        driver.wiring.rating.area.rater.items.messages.hint("")
        assert act.isVisible()
        assert act.text.text() == "Adequacy 3, item 1"
        assert act.key.text()
        assert not driver.shell.status._counts.isVisible()
        driver.shell.commands["view.area-inspect"].trigger()
        assert not act.isVisible()
        driver.shell.commands["view.area-rate"].trigger()
        assert act.isVisible()
        QTest.mouseClick(act.undo, Qt.MouseButton.LeftButton)
        assert work.progress()[0] == 0
        assert act.text.text() == "Fluency 4, item 1"
        yield lambda: not driver.wiring.projects.service.pending

    assert run_script(["demo"], script) == 0


def test_new_campaign_is_shown_on_all_pages_and_stays_selected(qtbot):
    """Saving it selected the campaign that was rated before."""

    def script(driver):
        yield driver.is_open
        yield from rate_first_item(driver)
        area, owner = driver.wiring.rating.area, driver.wiring.rating.owner
        trial = area.rater.session.work.campaign.uid
        area.show_page("set-up")
        page = owner.set_up
        page.form.set_draft(
            CampaignDraft(
                name="Second", raters=driver.workspace.person, systems=("MT", "fluent"), source_language="en",
                target_language="de", extent=SegmentScope.DRAWN, count=12,
            )
        )  # fmt: skip
        page.create_campaign()
        yield lambda: area.current == "progress"
        yield lambda: owner.service.view is not None and owner.service.view.title == "Second"
        driver.wiring.projects.service.saved.emit("Saved")
        yield lambda: not driver.wiring.projects.service.pending
        owner.service.refresh()
        yield lambda: not driver.shell.jobs.running()
        assert owner.service.view.title == "Second"
        bar = area.page("progress").bar
        assert bar.choice.isVisible()
        assert {bar.choice.itemText(index) for index in range(bar.choice.count())} >= {"Second"}
        area.show_page("results")
        yield lambda: not driver.shell.jobs.running()
        assert owner.service.view.title == "Second"
        area.show_page("rate")
        assert area.rater.session.work.campaign.name == "Second"
        assert area.rater.session.work.campaign.uid != trial

    assert run_script(["demo"], script) == 0
