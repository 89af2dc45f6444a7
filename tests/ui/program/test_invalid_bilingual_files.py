"""Invalid bilingual files dropped on the window: one notice each, and the open corpus is unchanged."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.formats.bilingual.samples import read_sample
from tests.formats.bilingual.test_invalid_input import ENTITY, IN_XML, OUTSIDE, add_doctype
from tests.formats.bilingual.workbook import pack_workbook, workbook_parts
from tests.ui.program.bilingual_saving import edit_target
from tests.ui.program.test_bilingual_opening import drop_files
from tests.ui.program_driver import ProgramDriver, run_script

LINE = "Die Pumpe läuft an."


def deeply_nested(name: str) -> bytes:
    data = read_sample(name)
    start = data.index(b">", data.index(b"<seg>" if name.endswith(".tmx") else b"<source")) + 1
    return data[:start] + b"<g id='1'>" * 5000 + data[start:]


def wrongly_encoded(name: str) -> bytes:
    data = read_sample(name)
    return data[: len(data) // 2] + b"\xfc\xff" + data[len(data) // 2 :]


def invalid_files() -> dict[str, bytes]:
    """Return invalid files by name, each with a different defect."""
    files: dict[str, bytes] = {}
    for name in IN_XML:
        files[f"entity-{name}"] = add_doctype(name, ENTITY)
        files[f"outside-{name}"] = add_doctype(name, OUTSIDE)
        files[f"deep-{name}"] = deeply_nested(name)
        files[f"encoding-{name}"] = wrongly_encoded(name)
        data = read_sample(name)
        files[f"cut-{name}"] = data[: len(data) * 2 // 3]
    workbook = workbook_parts()
    files["cut.xlsx"] = pack_workbook(workbook)[:-200]
    files["sheetless.xlsx"] = pack_workbook({name: data for name, data in workbook.items() if "sheet" not in name})
    files["manual.pdf"] = b"%PDF-1.7\n"
    files["empty.xlf"] = b""
    files["empty.xlsx"] = b""
    return files


@pytest.fixture
def bad(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "bad"
    folder.mkdir()
    for name, data in invalid_files().items():
        (folder / name).write_bytes(data)
    with zipfile.ZipFile(folder / "letter.docx", "w") as packed_file:
        packed_file.writestr("[Content_Types].xml", "<Types/>")
        packed_file.writestr("word/document.xml", "<w:document/>")
    return sorted(folder.iterdir())


def test_invalid_files_are_refused_with_a_notice_and_change_nothing(qtbot, job, bad, answers, caplog):
    """Files that look valid at first are rejected in the import dialog, others in the main window."""
    replies, questions = answers

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        session = driver.workspace.session
        opener, jobs = driver.wiring.opener, driver.shell.jobs
        for path in bad:
            driver.shell.notices.clear()
            drop_files(driver, path)
            yield lambda: (driver.shell.notices.notices() or opener.sheet) and not jobs.running_jobs()
            notices = driver.shell.notices
            if opener.sheet is not None:
                sheet = opener.sheet
                assert sheet.open_button.isEnabled(), path.name
                # opening asks about unsaved edits, which are kept because opening fails
                replies.append("Discard edits")
                sheet.open_button.click()
                yield lambda sheet=sheet: sheet.notices.notices() and not jobs.running_jobs()
                notices = sheet.notices
            shown = [notice.message for notice in notices.notices()]
            assert len(shown) == 1, path.name
            assert path.name in f"{shown[0].location} {shown[0].title}", path.name
            for bad_sign in ("Error", "inside the program", "Traceback"):
                assert bad_sign not in shown[0].title, (path.name, shown[0].title)
            assert shown[0].advice, path.name
            if opener.sheet is not None:
                opener.sheet.reject()
                yield lambda: opener.sheet is None
            assert driver.workspace.session is session
            assert session.reviewing.unsaved_segments() == [0]
            assert driver.workspace.view.target(0) == LINE

    assert run_script([str(job)], script) == 0
    assert set(questions) == {"Save the changes to 1 segment of job.sdlxliff before closing?"}
    assert "Traceback" not in caplog.text


def test_a_folder_of_too_many_files_is_refused(qtbot, job, tmp_path):
    many = tmp_path / "many"
    many.mkdir()
    for number in range(2_001):
        (many / f"{number}.xlf").write_bytes(b"")

    def script(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        drop_files(driver, many)
        yield lambda: driver.shell.notices.notices() and not driver.shell.jobs.running_jobs()
        assert [notice.message.title for notice in driver.shell.notices.notices()] == [
            "This folder contains more than 2,000 files and folders"
        ]
        assert driver.workspace.session is session

    assert run_script([str(job)], script) == 0
