"""Bilingual files of a project: where it may write them, and the questions about paths only the project states."""

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
from tests.formats.bilingual.samples import FOLDER
from tests.timeouts import PATIENCE
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save
from tests.ui.program_driver import ProgramDriver, run_script
from tests.ui.save_dialog_answers import answer_save_dialogs

LINE = "Die Pumpe läuft an."


def untrusted_project(folder: Path, path: str, sha256: str = "") -> Path:
    """Return a project of another person that states `path` and `sha256` for its file."""
    source = Path(shutil.copy(FOLDER / "studio.sdlxliff", folder / "theirs.sdlxliff"))
    corpus = corpus_from_documents([read_document(source)], "theirs")
    assert corpus.job is not None
    corpus = replace(corpus, job=replace(corpus.job, files=(replace(corpus.job.files[0], path=path),)))
    project_path = folder / "planted.qedesk"
    with Project.create(project_path, corpus, person="Mallory") as project:
        row = ReviewRow(
            new_uid(), 0, (ReviewField.TARGET,), (LINE,), (None,), text="edited", at=1.7e9, person="Mallory"
        )
        rows: list = [row]
        if sha256:
            rows.append(SettingRow("job/written/0", {"path": path, "sha256": sha256}, "", 1.7e9, "Mallory", "w"))
        project.append(rows)
        assert project.flush(PATIENCE)
    source.unlink()
    return project_path


@pytest.mark.parametrize("name", [".bashrc", "run.desktop", "notes.txt", "other.xlf"])
def test_untrusted_project_overwrites_no_other_kind_of_file(qtbot, tmp_path, answers, name):
    """Not even if it knows the hash of the file: common files have the same hash on many computers."""
    victim = tmp_path / name
    before = b"export PATH\n" if name != "other.xlf" else (FOLDER / "plain.xlf").read_bytes()
    victim.write_bytes(before)
    project = untrusted_project(tmp_path, str(victim), sha256_hex(before))

    def script(driver: ProgramDriver):
        yield driver.is_open
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [False]
        assert "stored in the project is not valid for" in notice_titles(driver)[-1]

    assert run_script([str(project)], script) == 0
    assert victim.read_bytes() == before
    assert answers[1] == []


def test_untrusted_path_is_shown_in_full_before_writing(qtbot, tmp_path, answers):
    replies, questions = answers
    folder = tmp_path / "a" / ("long " * 30).strip()
    folder.mkdir(parents=True)
    victim = Path(shutil.copy(FOLDER / "studio.sdlxliff", folder / "mine.sdlxliff"))
    before = victim.read_bytes()
    project = untrusted_project(tmp_path, str(victim), sha256_hex(before))

    def script(driver: ProgramDriver):
        yield driver.is_open
        replies.append("Cancel")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert (ended, victim.read_bytes()) == ([False], before)
        assert questions == [f"Save to {victim}?"]
        replies.append("Save")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]
        assert LINE.encode() in victim.read_bytes()
        edit_target(driver, 5, "Noch eins.")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]
        assert len(questions) == 2

    def edit_again(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 5, "Noch eines.")
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert len(questions) == 2
        assert b"Noch eines." in victim.read_bytes()

    assert run_script([str(project)], script) == 0
    assert run_script([str(project)], edit_again) == 0


def test_untrusted_path_of_a_missing_file_is_asked_about(qtbot, tmp_path, answers, monkeypatch):
    replies, questions = answers
    nowhere, chosen = tmp_path / "startup.xlf", tmp_path / "mine.sdlxliff"
    project = untrusted_project(tmp_path, str(nowhere))
    answer_save_dialogs(monkeypatch, chosen)

    def script(driver: ProgramDriver):
        yield driver.is_open
        replies.append("Save as…")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]

    assert run_script([str(project)], script) == 0
    assert questions == [f"Save to {nowhere}?"]
    assert not nowhere.exists()
    assert LINE.encode() in chosen.read_bytes()


@pytest.mark.parametrize("path", ["job.sdlxliff", "", "/dev/full", "/etc/cron.d/job", "/tmp/\0.xlf"])
def test_invalid_paths_are_refused(qtbot, tmp_path, answers, path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    project = untrusted_project(tmp_path, path)

    def script(driver: ProgramDriver):
        yield driver.is_open
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [False]
        assert "stored in the project is not valid for" in notice_titles(driver)[-1]

    assert run_script([str(project)], script) == 0
    assert answers[1] == []
    assert [file for file in tmp_path.rglob("*") if file.is_file() and file.suffix in (".sdlxliff", ".xlf")] == []


def test_later_path_from_a_colleague_is_asked_about(qtbot, tmp_path, job, answers):
    """The path arrives while the project is open, as from a server."""
    replies, questions = answers
    project, other = tmp_path / "mine.qedesk", tmp_path / "other.sdlxliff"
    shutil.copy(job, other)

    def script(driver: ProgramDriver):
        yield driver.is_open
        driver.wiring.projects.opener.create(str(project))
        yield lambda: driver.workspace.project is not None
        row = SettingRow("job/written/0", {"path": str(other), "sha256": sha256_hex(other.read_bytes())}, "")
        driver.workspace.session._apply_remote_settings([row])
        edit_target(driver, 0, LINE)
        replies.append("Cancel")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [False]
        assert questions == [f"Save to {other}?"]

    assert run_script([str(job)], script) == 0
    assert other.read_bytes() == (FOLDER / "studio.sdlxliff").read_bytes() == job.read_bytes()


def test_own_project_saves_to_its_file_without_a_question(qtbot, tmp_path, job, answers):
    project = tmp_path / "mine.qedesk"

    def create_project(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 1, "⟨1⟩Halten⟨/1⟩ Sie sie an.", ReviewStatus.CONFIRMED)
        driver.wiring.projects.opener.create(str(project))
        yield lambda: driver.workspace.project is not None
        edit_target(driver, 0, LINE)
        driver.workspace.session.reviewing.set({2: {ReviewField.NOTE: "Warum?"}})
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert LINE.encode() in job.read_bytes()
        # a project stores everything, notes included
        assert not driver.shell.isWindowModified()
        driver.shell.commands["file.close"].trigger()

    def reopen(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        view = session.view
        assert (view.target(0), view.note(2)) == (LINE, "Warum?")
        assert view.status(1) is ReviewStatus.CONFIRMED
        assert len(session.reviewing.history(0)) == 1
        assert session.written_files[0].path == str(job)
        assert "note on segment 3" in session.undo_text
        session.undo()
        session.undo()
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]
        document = parse_document(job.read_bytes(), "job")
        assert document.segments[0].target_line != LINE
        assert document.segments[1].target_line == "⟨1⟩Halten⟨/1⟩ Sie sie an."

    assert run_script([str(job)], create_project) == 0
    assert run_script([str(project)], reopen) == 0
    assert answers[1] == []


def test_untrusted_project_cannot_define_commands(qtbot, tmp_path):
    """Project settings with the names of program settings are ignored, both shared and personal ones."""
    ran = tmp_path / "ran"
    command = [{"name": "Trustworthy", "command": f"touch '{ran}' {{mt}} {{out}}", "minutes": 5.0}]
    project = untrusted_project(tmp_path, str(tmp_path / "job.sdlxliff"))
    with Project.open(project, person="Anna") as opened:
        names = ("qe/systems", "files/job-places")
        opened.append([SettingRow(name, command, of, 1.7e9, "Mallory", "w") for name in names for of in ("", "Anna")])
        assert opened.flush(PATIENCE)

    def script(driver: ProgramDriver):
        driver.workspace.settings.person = "Anna"
        yield driver.is_open
        assert driver.workspace.settings.qe_systems == []
        assert driver.workspace.settings.trusted_path_digests == []
        assert driver.wiring.highlighting.systems() == []

    assert run_script([str(project)], script) == 0
    assert not ran.exists()
