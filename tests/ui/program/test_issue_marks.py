"""BAD words marked as issues in copies and exports: only on request, off by default, and never with Ctrl+S."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document_corpus import issue_tags
from qe_desktop.ui.files.bilingual.save_dialogs import IssueMarksDialog
from tests.formats.bilingual.samples import FOLDER
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save
from tests.ui.program_driver import ProgramDriver, run_script
from tests.ui.save_dialog_answers import answer_save_dialogs

TAGS = "OK OK BAD OK\n\nOK OK OK\nBAD OK OK\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder with an XLIFF 2 file and the tags of a system."""
    job_folder = tmp_path / "job"
    job_folder.mkdir()
    shutil.copy(FOLDER / "two.xlf", job_folder / "two.xlf")
    (job_folder / "papago.tags").write_text(TAGS)
    return job_folder


@pytest.fixture
def offered_layers(monkeypatch) -> list[list[str]]:
    """Layers offered by each question; from the second one on, it is answered with marks of the system."""
    offered: list[list[str]] = []

    def answer(dialog: IssueMarksDialog) -> None:
        assert not dialog.marks.isChecked()
        assert not dialog.layer_choice.isEnabled()
        offered.append([dialog.layer_choice.itemText(index) for index in range(dialog.layer_choice.count())])
        if len(offered) > 1:
            dialog.marks.click()
            dialog.layer_choice.setCurrentIndex(dialog.layer_choice.findText("papago"))
        dialog.accept()

    monkeypatch.setattr(IssueMarksDialog, "open", answer)
    return offered


def tags_in(path: Path) -> list[list[int]]:
    segments = parse_document(path.read_bytes(), path.name).segments
    tags = issue_tags(segments, of_source=False)
    return [tags[row].tolist() for row in range(len(segments))]


def test_copy_has_issue_marks_on_request_and_saving_adds_none(qtbot, folder, offered_layers, monkeypatch):
    job, plain, marked = folder / "two.xlf", folder / "plain.xlf", folder / "marked.xlf"
    answer_save_dialogs(monkeypatch, plain, marked)

    def script(driver: ProgramDriver):
        yield driver.is_open
        segments = driver.workspace.corpus.job.targets
        edit_target(driver, 3, segments[3].replace("Drei", "Vier"))
        for _ in range(2):
            ended: list[bool] = []
            driver.wiring.job_saver.ended.connect(ended.append)
            driver.shell.commands["file.save-copy"].trigger()
            yield lambda ended=ended: ended and not driver.shell.jobs.running_jobs()
            assert ended == [True]
        # the post-edit is offered as a layer, too; the issues of the file are not, because it already contains them
        assert offered_layers == [["papago", f"post-edit {driver.workspace.person} (annotator)"]] * 2
        assert notice_titles(driver)[0] == (
            "Saved with 1 changed segment and 1 issue mark from papago; everything else is unchanged"
        )
        (notice,) = driver.shell.notices.notices()
        assert notice.message.advice == (
            "1 BAD word was not marked: it was edited, or its segment is locked, is too long, or does not match the "
            "tags."
        )
        # saving the file itself adds no marks
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]

    assert run_script([str(folder)], script) == 0
    assert len(offered_layers) == 2
    assert job.read_bytes() == plain.read_bytes()
    assert tags_in(plain) == [[0, 0, 0, 0], [], [0, 0, 0], [0, 1, 1]]
    assert tags_in(marked) == [[0, 0, 1, 0], [], [0, 0, 0], [0, 1, 1]]
    assert b"localization-quality-issue|papago" in marked.read_bytes()


@pytest.mark.parametrize("name", ["out.xlf", "out.xliff"])
def test_export_has_issue_marks_on_request(qtbot, folder, offered_layers, monkeypatch, name):
    path = folder / name
    answer_save_dialogs(monkeypatch, path)
    offered_layers.append([])

    def script(driver: ProgramDriver):
        yield driver.is_open
        driver.shell.commands["file.export-as"].trigger()
        yield lambda: notice_titles(driver) and not driver.shell.jobs.running_jobs()
        assert notice_titles(driver)[0].endswith(", with 2 issue marks from papago")

    assert run_script([str(folder)], script) == 0
    # the issues of the file are offered as a layer
    assert offered_layers[1] == ["issues", "papago"]
    assert tags_in(path) == [[0, 0, 1, 0], [], [0, 0, 0], [1, 0, 0]]


def test_cancelling_the_question_writes_nothing(qtbot, folder, monkeypatch):
    answer_save_dialogs(monkeypatch, folder / "out.xlf")
    destroyed = []

    def cancel(dialog: IssueMarksDialog) -> None:
        dialog.destroyed.connect(lambda: destroyed.append(True))
        dialog.reject()

    monkeypatch.setattr(IssueMarksDialog, "open", cancel)

    def script(driver: ProgramDriver):
        yield driver.is_open
        for number, action in enumerate(("file.save-copy", "file.export-as"), 1):
            driver.shell.commands[action].trigger()
            yield lambda number=number: len(destroyed) == number
            yield lambda: not driver.shell.jobs.running_jobs()

    assert run_script([str(folder)], script) == 0
    assert not (folder / "out.xlf").exists()


def test_formats_without_issue_marks_do_not_ask_for_marks(qtbot, job, monkeypatch, answers):
    """SDLXLIFF files, translation memories, PO files and tables cannot store issue marks."""
    (job.parent / "papago.tags").write_text("\n".join(["OK OK OK OK", *["OK"] * 5]) + "\n")
    monkeypatch.setattr(IssueMarksDialog, "open", lambda dialog: pytest.fail("it was asked"))
    answers[0].append("Export all segments")
    names = ("copy.sdlxliff", "out.tmx", "out.po", "out.csv", "out.xlsx")
    answer_save_dialogs(monkeypatch, *(job.parent / name for name in names))

    def script(driver: ProgramDriver):
        yield driver.is_open
        for number, action in enumerate(("file.save-copy", *["file.export-as"] * 4), 3):
            driver.shell.commands[action].trigger()
            yield lambda number=number: len(list(job.parent.iterdir())) == number
            yield lambda: not driver.shell.jobs.running_jobs()

    assert run_script([str(job)], script) == 0
    assert len(list(job.parent.iterdir())) == 7


def test_proposed_name_of_an_export_differs_from_its_file(qtbot, job, monkeypatch):
    opened = answer_save_dialogs(monkeypatch, None)

    def script(driver: ProgramDriver):
        yield driver.is_open
        driver.shell.commands["file.export-as"].trigger()

    assert run_script([str(job)], script) == 0
    assert opened[0][0].name == f"{job.stem}.reviewed.xlf"
