"""Reports on a review, exported from the window: the page and the statistics, with the edits so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.ui.files.bilingual.bilingual_exporter import _resolve_path
from tests.ui.program.bilingual_saving import edit_target, notice_titles
from tests.ui.program_driver import run_script
from tests.ui.save_dialog_answers import answer_save_dialogs

EDITED = "⟨1⟩Halten⟨/1⟩ Sie sie an."


def test_both_reports_have_the_edits_which_stay_unsaved(qtbot, job, tmp_path, monkeypatch):
    page, table = tmp_path / "review.html", tmp_path / "job.statistics.tsv"
    opened = answer_save_dialogs(monkeypatch, (page, "review with changes, HTML page (*.html)"), table)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 1, EDITED, ReviewStatus.CONFIRMED)
        exporter, ended = driver.wiring.exporter, []
        exporter.ended.connect(ended.append)
        exporter.ask_and_export()
        yield lambda: ended == [True]
        assert notice_titles(driver)[0].startswith("review.html written: ")
        (tmp_path / "second.tsv").write_text("before\n")
        table.hardlink_to(tmp_path / "second.tsv")
        exporter.ask_and_export()
        yield lambda: ended == [True, True]
        advice = driver.shell.notices.notices()[0].message.advice
        assert advice == "1 other hard link to job.statistics.tsv still has the old content."
        assert driver.workspace.session.reviewing.is_unsaved
        # a folder that does not exist causes a message
        exporter.export(tmp_path / "missing" / "a.html", "review-page")
        yield lambda: ended == [True, True, False]
        driver.workspace.session.reviewing.mark_saved()

    assert run_script([str(job)], script) == 0
    text = page.read_text(encoding="utf-8")
    assert "<ins>" in text
    assert "Halten" in text
    assert "confirmed" in text
    assert table.read_text().splitlines()[1].split("\t")[7] == "2"
    assert "job statistics, TSV (*.statistics.tsv)" in opened[0][1]


@pytest.mark.parametrize(
    ("name", "kind", "path", "form"),
    [
        ("a", "review-page", "a.html", "review-page"),
        ("a.html", "xliff-1", "a.html", "review-page"),
        ("a.HTML", "review-page", "a.HTML", "review-page"),
        ("a.tsv", "statistics", "a.tsv", "tsv"),
        ("a", "statistics", "a.statistics.tsv", "statistics"),
        ("a.statistics.tsv", "xliff-1", "a.statistics.tsv", "statistics"),
        ("a.statistics.tsv", "tsv", "a.statistics.tsv", "tsv"),
        ("a.b", "po", "a.b.po", "po"),
    ],
)
def test_the_name_decides_then_the_filter(name, kind, path, form):
    resolved, export = _resolve_path(Path(name), kind)
    assert (str(resolved), export.name) == (path, form)
