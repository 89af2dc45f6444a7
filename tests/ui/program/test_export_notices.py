"""Results of exports share one notice: a later export replaces the notice of the previous one."""

from __future__ import annotations

from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_save
from tests.ui.program_driver import run_script


def test_notice_of_an_export_replaces_the_previous_one(qtbot, job, tmp_path, monkeypatch):
    out = tmp_path / "out"
    monkeypatch.setattr(FileDialog, "getExistingDirectory", staticmethod(lambda *_: str(out)))

    def script(driver):
        yield driver.is_open
        edit_target(driver, 1, "⟨1⟩Halten⟨/1⟩ Sie sie an.")
        driver.shell.show_area("scores")
        yield driver.shell.jobs.is_idle
        page = driver.wiring.score_pages.controller("post-editing")
        page.service.set_page_visible(True)
        yield lambda: page.service.result is not None
        exporter = driver.wiring.exporter
        exporter.export(tmp_path / "missing" / "a.tmx", "tmx")
        yield lambda: len(notice_titles(driver)) == 1
        # a successful export replaces the notice of the failed one
        exporter.export(tmp_path / "a.tmx", "tmx", unconfirmed=True)
        yield lambda: "a.tmx written" in notice_titles(driver)[0]
        assert len(notice_titles(driver)) == 1
        page.export("pet", out)
        yield lambda: ".per written" in notice_titles(driver)[0]
        assert len(notice_titles(driver)) == 1
        [written] = out.glob("*.per")
        written.unlink()
        written.mkdir()
        page.export("pet", out)
        yield lambda: notice_titles(driver)[0] == "This is a folder"
        assert len(notice_titles(driver)) == 1
        # the notice of a save is shown in addition
        yield start_save(driver)
        assert len(notice_titles(driver)) == 2

    assert run_script([str(job)], script) == 0
