"""What exports came to is said in one place of the window: a later one takes it from the one before."""

from __future__ import annotations

from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.driving import drive
from tests.ui.program.jobs import correct, said, saves


def test_an_export_is_told_where_the_one_before_it_was(qtbot, job, tmp_path, monkeypatch):
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
        # what went wrong is no longer to be read where it went well
        exporter.export(tmp_path / "a.tmx", "tmx")
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
        # what a save came to stays beside it
        yield saves(controller)
        assert len(said(controller)) == 2

    assert drive([str(job)], script) == 0
