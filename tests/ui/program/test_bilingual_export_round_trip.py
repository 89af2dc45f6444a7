"""Exported tables are opened again as the same job, and saving changes only the edited cells."""

from __future__ import annotations

import json

from qe_desktop.corpus import Kind, LayerKey, Provenance, ReviewStatus, TextRole
from qe_desktop.formats.bilingual import read_document
from qe_desktop.project import ReviewField
from tests.command_line import run_command
from tests.formats.bilingual.samples import read_sample
from tests.ui.program.bilingual_saving import edit_target, start_save
from tests.ui.program_driver import run_script

ISSUES = LayerKey(Provenance.SYSTEM, "issues", Kind.WORDS)
CONFIDENCE = LayerKey(Provenance.SYSTEM, "mtConfidence", Kind.SCORES)
EDITED = "⟨1⟩Pumpen⟨/1⟩ laufen."


def export_table(tmp_path):
    """Return a table exported from a job with one edited and one rejected target."""
    job, out = tmp_path / "okapi.xlf", tmp_path / "out.csv"
    job.write_bytes(read_sample("okapi.xlf"))

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, EDITED)
        driver.workspace.session.reviewing.set(
            {1: {ReviewField.STATUS: ReviewStatus.REJECTED, ReviewField.NOTE: "nein"}}
        )
        done = []
        driver.wiring.exporter.ended.connect(done.append)
        driver.wiring.exporter.export(out, "csv")
        yield lambda: done
        assert done == [True]
        driver.workspace.session.reviewing.mark_saved()

    assert run_script([str(job)], script) == 0
    return out


def test_export_is_opened_as_the_same_job_and_saved_by_cell(qtbot, tmp_path, capsys):
    out = export_table(tmp_path)
    before = out.read_bytes()
    code, output, _ = run_command(capsys, "info", out, "--json")
    (document,) = json.loads(output)["documents"]
    assert code == 0
    assert (document["format"], document["segments"], document["with another MT"]) == ("bilingual-table", 2, 1)
    assert [document["statuses"][name] for name in ("edited", "rejected", "open")] == [1, 1, 0]
    assert document["tags"]["system issues"] > 0
    assert document["scores"]["system mtConfidence"] == 1
    assert "BAD tags in layer system issues" in run_command(capsys, "info", out)[1]

    def script(driver):
        yield driver.is_open
        view, corpus = driver.workspace.view, driver.workspace.corpus
        assert corpus.job.files[0].form == "bilingual-table"
        assert (corpus.mt_line(0), view.target(0)) == ("Die ⟨1⟩Pumpe⟨/1⟩ startet.", EDITED)
        assert corpus.text(TextRole.MT)[0] == "Die Pumpe startet ."
        assert [view.status(segment) for segment in (0, 1)] == [ReviewStatus.EDITED, ReviewStatus.REJECTED]
        assert view.note(1) == "nein"
        assert {ISSUES, CONFIDENCE} <= set(corpus.layers)
        assert corpus.layers[ISSUES].tags[0].tolist() == [0, 1, 0, 0]
        assert not driver.workspace.session.reviewing.is_unsaved
        # saving without changes does not change the file
        yield start_save(driver)
        assert out.read_bytes() == before
        # undo restores the target of the table, not the MT
        edit_target(driver, 0, "⟨1⟩Sie⟨/1⟩ laufen.")
        driver.workspace.session.undo()
        assert driver.workspace.view.target(0) == EDITED
        # the target may be set back to the MT
        edit_target(driver, 0, corpus.mt_line(0), ReviewStatus.CONFIRMED)
        assert not driver.workspace.view.is_edited(0)
        yield start_save(driver)

    assert run_script([str(out)], script) == 0
    expected = before.replace(EDITED.encode(), "Die ⟨1⟩Pumpe⟨/1⟩ startet.".encode()).replace(
        b",edited,", b",confirmed,"
    )
    assert out.read_bytes() == expected
    assert read_document(out).segments[0].target_line == "Die ⟨1⟩Pumpe⟨/1⟩ startet."
