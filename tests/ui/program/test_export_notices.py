"""Results of exports share one notice: a later export replaces the notice of the previous one."""

from __future__ import annotations

from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.program.bilingual_saving import correct, said, saves
from tests.ui.program_driver import drive


def test_notice_of_an_export_replaces_the_previous_one(qtbot, job, tmp_path, monkeypatch):
    out = tmp_path / "out"
    monkeypatch.setattr(FileDialog, "getExistingDirectory", staticmethod(lambda *_: str(out)))

    def script(controller):
        yield controller.is_open
        correct(controller, 1, "⟨1⟩Halten⟨/1⟩ Sie sie an.")
        controller.shell.show_area("scores")
        yield controller.shell.jobs.idle
        page = controller.wiring.score_pages.controller("post-editing")
        page.service.set_watched(True)
        yield lambda: page.service.result is not None
        exporter = controller.wiring.exporter
        exporter.export(tmp_path / "missing" / "a.tmx", "tmx")
        yield lambda: len(said(controller)) == 1
        # a successful export replaces the notice of the failed one
        exporter.export(tmp_path / "a.tmx", "tmx", unconfirmed=True)
        yield lambda: "a.tmx written" in said(controller)[0]
        assert len(said(controller)) == 1
        page.export("pet", out)
        yield lambda: ".per written" in said(controller)[0]
        assert len(said(controller)) == 1
        [written] = out.glob("*.per")
        written.unlink()
        written.mkdir()
        page.export("pet", out)
        yield lambda: said(controller)[0] == "this is a folder"
        assert len(said(controller)) == 1
        # the notice of a save is shown in addition
        yield saves(controller)
        assert len(said(controller)) == 2

    assert drive([str(job)], script) == 0
