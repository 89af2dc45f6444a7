"""BAD words marked as issues in copies and exports: asked, off by default, and never by Ctrl+S."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document_corpus import issue_tags
from qe_desktop.ui.files.bilingual.save_dialogs import IssueMarksDialog
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.formats.bilingual.samples import FOLDER
from tests.ui.driving import Desk, drive
from tests.ui.program.jobs import correct, said, saving

TAGS = "OK OK BAD OK\n\nOK OK OK\nBAD OK OK\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An XLIFF 2 with a system's tags beside it."""
    place = tmp_path / "job"
    place.mkdir()
    shutil.copy(FOLDER / "two.xlf", place / "two.xlf")
    (place / "papago.tags").write_text(TAGS)
    return place


@pytest.fixture
def question(monkeypatch) -> list[list[str]]:
    """What was offered each time it was asked; marks are wanted from the second time on, those of the system."""
    offered: list[list[str]] = []

    def answer(asked: IssueMarksDialog) -> None:
        assert not asked.marks.isChecked()
        assert not asked.whose.isEnabled()
        offered.append([asked.whose.itemText(place) for place in range(asked.whose.count())])
        if len(offered) > 1:
            asked.marks.click()
            asked.whose.setCurrentIndex(asked.whose.findText("papago"))
        asked.accept()

    monkeypatch.setattr(IssueMarksDialog, "open", answer)
    return offered


def tags_in(path: Path) -> list[list[int]]:
    segments = parse_document(path.read_bytes(), path.name).segments
    found = issue_tags(segments, of_source=False)
    return [found[row].tolist() for row in range(len(segments))]


def test_a_copy_is_marked_where_it_is_wanted_and_ctrl_s_marks_nothing(qtbot, folder, question, monkeypatch):
    job, plain, marked = folder / "two.xlf", folder / "plain.xlf", folder / "marked.xlf"
    copies = iter((plain, marked))
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(next(copies)), ""))

    def script(controller: Desk):
        yield controller.is_open
        segments = controller.workspace.corpus.job.targets
        correct(controller, 3, segments[3].replace("Drei", "Vier"))
        for _ in range(2):
            ended: list[bool] = []
            controller.wiring.job_saver.ended.connect(ended.append)
            controller.shell.commands["file.save-copy"].trigger()
            yield lambda ended=ended: ended and not controller.shell.jobs.running()
            assert ended == [True]
        # who edited has said something of words as well; the issues that the file brought are in it already
        assert question == [["papago", f"post-edit {controller.workspace.person} (annotator)"]] * 2
        assert said(controller)[0] == "1 segment changed, 1 word of papago marked, nothing else differs"
        (notice,) = controller.shell.notices.notices()
        assert notice.message.advice == "1 BAD word is not marked: edited or in a locked segment."
        # what the file is saved as has none of it
        ended, over = saving(controller)
        yield over
        assert ended == [True]

    assert drive([str(folder)], script) == 0
    assert len(question) == 2
    assert job.read_bytes() == plain.read_bytes()
    assert tags_in(plain) == [[0, 0, 0, 0], [], [0, 0, 0], [0, 1, 1]]
    assert tags_in(marked) == [[0, 0, 1, 0], [], [0, 0, 0], [0, 1, 1]]
    assert b"localization-quality-issue|papago" in marked.read_bytes()


@pytest.mark.parametrize("name", ["out.xlf", "out.xliff"])
def test_an_export_is_marked(qtbot, folder, question, monkeypatch, name):
    path = folder / name
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    question.append([])

    def script(controller: Desk):
        yield controller.is_open
        controller.shell.commands["file.export-as"].trigger()
        yield lambda: said(controller) and not controller.shell.jobs.running()
        assert said(controller)[0].endswith(", 2 words of papago marked")

    assert drive([str(folder)], script) == 0
    # the issues that the file brought are one of the layers here
    assert question[1] == ["issues", "papago"]
    assert tags_in(path) == [[0, 0, 1, 0], [], [0, 0, 0], [1, 0, 0]]


def test_who_changes_their_mind_writes_nothing(qtbot, folder, monkeypatch):
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(folder / "out.xlf"), ""))
    destroyed = []

    def cancel(asked: IssueMarksDialog) -> None:
        asked.destroyed.connect(lambda: destroyed.append(True))
        asked.reject()

    monkeypatch.setattr(IssueMarksDialog, "open", cancel)

    def script(controller: Desk):
        yield controller.is_open
        for number, action in enumerate(("file.save-copy", "file.export-as"), 1):
            controller.shell.commands[action].trigger()
            yield lambda number=number: len(destroyed) == number
            assert not controller.shell.jobs.running()

    assert drive([str(folder)], script) == 0
    assert not (folder / "out.xlf").exists()


def test_nothing_is_asked_where_there_is_no_place_for_marks(qtbot, job, monkeypatch):
    """Studio's files have none, nor have memories, catalogues and tables."""
    (job.parent / "papago.tags").write_text("\n".join(["OK OK OK OK", *["OK"] * 5]) + "\n")
    monkeypatch.setattr(IssueMarksDialog, "open", lambda asked: pytest.fail("it was asked"))
    names = iter(("copy.sdlxliff", "out.tmx", "out.po", "out.csv", "out.xlsx"))
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(job.parent / next(names)), ""))

    def script(controller: Desk):
        yield controller.is_open
        for action in ("file.save-copy", *["file.export-as"] * 4):
            controller.shell.commands[action].trigger()
            yield lambda: not controller.shell.jobs.running()

    assert drive([str(job)], script) == 0
    assert len(list(job.parent.iterdir())) == 7


def test_an_export_is_proposed_beside_its_file_and_never_over_it(qtbot, job, monkeypatch):
    proposed: list[str] = []
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (proposed.append(args[2]), ("", ""))[1])

    def script(controller: Desk):
        yield controller.is_open
        controller.shell.commands["file.export-as"].trigger()

    assert drive([str(job)], script) == 0
    assert Path(proposed[0]).name == f"{job.stem}.reviewed.xlf"
