"""Translators' files of a project: where it may write them, and what is asked where only the project says so."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document, read_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.project.events import ReviewField, ReviewRow, SettingRow, new_uid
from qe_desktop.project.reviewed_files import sha256_hex
from qe_desktop.project.store import Project
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.formats.bilingual.samples import FOLDER
from tests.patience import PATIENCE
from tests.ui.driving import Desk, drive
from tests.ui.program.jobs import correct, said, saving

LINE = "Die Pumpe läuft an."


def planted(folder: Path, path: str, sha256: str = "") -> Path:
    """A project that somebody else made: its file lies at `path`, where it says that these bytes are."""
    made = Path(shutil.copy(FOLDER / "studio.sdlxliff", folder / "theirs.sdlxliff"))
    corpus = corpus_from_documents([read_document(made)], "theirs")
    assert corpus.job is not None
    corpus = replace(corpus, job=replace(corpus.job, files=(replace(corpus.job.files[0], path=path),)))
    place = folder / "planted.qedesk"
    with Project.create(place, corpus, person="Mallory") as project:
        row = ReviewRow(
            new_uid(), 0, (ReviewField.TARGET,), (LINE,), (None,), text="edited", at=1.7e9, person="Mallory"
        )
        rows: list = [row]
        if sha256:
            rows.append(SettingRow("job/written/0", {"path": path, "sha256": sha256}, "", 1.7e9, "Mallory", "w"))
        project.append(rows)
        assert project.flush(PATIENCE)
    made.unlink()
    return place


@pytest.mark.parametrize("name", [".bashrc", "run.desktop", "notes.txt", "other.xlf"])
def test_a_planted_project_writes_over_nothing_that_is_no_such_file(qtbot, tmp_path, answers, name):
    """Also where it knows the bytes that are there: they are the same on many computers."""
    victim = tmp_path / name
    before = b"export PATH\n" if name != "other.xlf" else (FOLDER / "plain.xlf").read_bytes()
    victim.write_bytes(before)
    project = planted(tmp_path, str(victim), sha256_hex(before))

    def script(controller: Desk):
        yield controller.is_open
        ended, over = saving(controller)
        yield over
        assert ended == [False]
        assert "is not valid for this file" in said(controller)[-1]

    assert drive([str(project)], script) == 0
    assert victim.read_bytes() == before
    assert answers[1] == []


def test_a_planted_path_is_shown_whole_before_anything_is_written(qtbot, tmp_path, answers):
    wanted, asked = answers
    folder = tmp_path / "a" / ("long " * 30).strip()
    folder.mkdir(parents=True)
    victim = Path(shutil.copy(FOLDER / "studio.sdlxliff", folder / "mine.sdlxliff"))
    before = victim.read_bytes()
    project = planted(tmp_path, str(victim), sha256_hex(before))

    def script(controller: Desk):
        yield controller.is_open
        wanted.append("Cancel")
        ended, over = saving(controller)
        yield over
        assert (ended, victim.read_bytes()) == ([False], before)
        assert asked == [f"Save to {victim}?"]
        wanted.append("Save")
        ended, over = saving(controller)
        yield over
        assert ended == [True]
        assert LINE.encode() in victim.read_bytes()
        correct(controller, 5, "Noch eins.")
        ended, over = saving(controller)
        yield over
        assert ended == [True]
        assert len(asked) == 2

    def once_more(controller: Desk):
        yield controller.is_open
        correct(controller, 5, "Noch eines.")
        _, over = saving(controller)
        yield over
        assert len(asked) == 2
        assert b"Noch eines." in victim.read_bytes()

    assert drive([str(project)], script) == 0
    assert drive([str(project)], once_more) == 0


def test_a_planted_path_where_nothing_is_is_asked_about(qtbot, tmp_path, answers, monkeypatch):
    wanted, asked = answers
    nowhere, chosen = tmp_path / "startup.xlf", tmp_path / "mine.sdlxliff"
    project = planted(tmp_path, str(nowhere))
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(chosen), ""))

    def script(controller: Desk):
        yield controller.is_open
        wanted.append("Save as…")
        ended, over = saving(controller)
        yield over
        assert ended == [True]

    assert drive([str(project)], script) == 0
    assert asked == [f"Save to {nowhere}?"]
    assert not nowhere.exists()
    assert LINE.encode() in chosen.read_bytes()


@pytest.mark.parametrize("path", ["job.sdlxliff", "", "/dev/full", "/etc/cron.d/job", "/tmp/\0.xlf"])
def test_paths_that_lead_nowhere_are_refused(qtbot, tmp_path, answers, path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    project = planted(tmp_path, path)

    def script(controller: Desk):
        yield controller.is_open
        ended, over = saving(controller)
        yield over
        assert ended == [False]
        assert "is not valid for this file" in said(controller)[-1]

    assert drive([str(project)], script) == 0
    assert answers[1] == []
    assert [one for one in tmp_path.rglob("*") if one.is_file() and one.suffix in (".sdlxliff", ".xlf")] == []


def test_a_colleagues_later_path_is_asked_about(qtbot, tmp_path, job, answers):
    """The place is news of the project, as it comes from a server."""
    wanted, asked = answers
    project, other = tmp_path / "mine.qedesk", tmp_path / "other.sdlxliff"
    shutil.copy(job, other)

    def script(controller: Desk):
        yield controller.is_open
        controller.wiring.projects.opener.make(str(project))
        yield lambda: controller.workspace.project is not None
        row = SettingRow("job/written/0", {"path": str(other), "sha256": sha256_hex(other.read_bytes())}, "")
        controller.workspace.session._hear_matches([row])
        correct(controller, 0, LINE)
        wanted.append("Cancel")
        ended, over = saving(controller)
        yield over
        assert ended == [False]
        assert asked == [f"Save to {other}?"]

    assert drive([str(job)], script) == 0
    assert other.read_bytes() == (FOLDER / "studio.sdlxliff").read_bytes() == job.read_bytes()


def test_a_project_of_ones_own_goes_on_where_it_was_without_a_question(qtbot, tmp_path, job, answers):
    project = tmp_path / "mine.qedesk"

    def first(controller: Desk):
        yield controller.is_open
        correct(controller, 1, "⟨1⟩Halten⟨/1⟩ Sie sie an.", ReviewStatus.CONFIRMED)
        controller.wiring.projects.opener.make(str(project))
        yield lambda: controller.workspace.project is not None
        correct(controller, 0, LINE)
        controller.workspace.session.reviewing.set({2: {ReviewField.NOTE: "Warum?"}})
        _, over = saving(controller)
        yield over
        assert LINE.encode() in job.read_bytes()
        # in a project nothing is unsaved, notes neither
        assert not controller.shell.isWindowModified()
        controller.shell.commands["file.close"].trigger()

    def again(controller: Desk):
        yield controller.is_open
        session = controller.workspace.session
        view = session.view
        assert (view.target(0), view.note(2)) == (LINE, "Warum?")
        assert view.status(1) is ReviewStatus.CONFIRMED
        assert len(session.reviewing.history(0)) == 1
        assert session.places[0].path == str(job)
        assert "note on segment 3" in session.undo_text
        session.undo()
        session.undo()
        ended, over = saving(controller)
        yield over
        assert ended == [True]
        found = parse_document(job.read_bytes(), "job")
        assert found.segments[0].target_line != LINE
        assert found.segments[1].target_line == "⟨1⟩Halten⟨/1⟩ Sie sie an."

    assert drive([str(job)], first) == 0
    assert drive([str(project)], again) == 0
    assert answers[1] == []


def test_a_planted_project_brings_no_command(qtbot, tmp_path):
    """Settings of a project, those of everybody and those of its person, that are called as the program's own are."""
    ran = tmp_path / "ran"
    command = [{"name": "Trustworthy", "command": f"touch '{ran}' {{mt}} {{out}}", "minutes": 5.0}]
    project = planted(tmp_path, str(tmp_path / "job.sdlxliff"))
    with Project.open(project, person="Anna") as opened:
        names = ("qe/systems", "files/job-places")
        opened.append([SettingRow(name, command, of, 1.7e9, "Mallory", "w") for name in names for of in ("", "Anna")])
        assert opened.flush(PATIENCE)

    def script(controller: Desk):
        controller.workspace.settings.person = "Anna"
        yield controller.is_open
        assert controller.workspace.settings.qe_systems == []
        assert controller.workspace.settings.job_places == []
        assert controller.wiring.highlighting.systems() == []

    assert drive([str(project)], script) == 0
    assert not ran.exists()
