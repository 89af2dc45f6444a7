"""Bad translators' files that are dropped on the window: one notice in words, and what was open stays as it was."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.formats.bilingual.samples import bytes_of_sample
from tests.formats.bilingual.test_bad_input import ENTITY, IN_XML, OUTSIDE, with_doctype
from tests.formats.bilingual.workbook import packed, parts
from tests.ui.driving import Desk, drive
from tests.ui.program.jobs import correct
from tests.ui.program.test_jobs_opened import drop

LINE = "Die Pumpe läuft an."


def deep(name: str) -> bytes:
    whole = bytes_of_sample(name)
    at = whole.index(b">", whole.index(b"<seg>" if name.endswith(".tmx") else b"<source")) + 1
    return whole[:at] + b"<g id='1'>" * 5000 + whole[at:]


def wrongly_encoded(name: str) -> bytes:
    data = bytes_of_sample(name)
    return data[: len(data) // 2] + b"\xfc\xff" + data[len(data) // 2 :]


def spoilt() -> dict[str, bytes]:
    """Files by name, each bad in another way."""
    found: dict[str, bytes] = {}
    for name in IN_XML:
        found[f"entity-{name}"] = with_doctype(name, ENTITY)
        found[f"outside-{name}"] = with_doctype(name, OUTSIDE)
        found[f"deep-{name}"] = deep(name)
        found[f"encoding-{name}"] = wrongly_encoded(name)
        data = bytes_of_sample(name)
        found[f"cut-{name}"] = data[: len(data) * 2 // 3]
    held = parts()
    found["cut.xlsx"] = packed(held)[:-200]
    found["sheetless.xlsx"] = packed({name: data for name, data in held.items() if "sheet" not in name})
    found["manual.pdf"] = b"%PDF-1.7\n"
    found["empty.xlf"] = b""
    found["empty.xlsx"] = b""
    return found


@pytest.fixture
def bad(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "bad"
    folder.mkdir()
    for name, data in spoilt().items():
        (folder / name).write_bytes(data)
    with zipfile.ZipFile(folder / "letter.docx", "w") as packed_file:
        packed_file.writestr("[Content_Types].xml", "<Types/>")
        packed_file.writestr("word/document.xml", "<w:document/>")
    return sorted(folder.iterdir())


def test_each_is_refused_in_words_and_nothing_else_happens(qtbot, job, bad, answers, caplog):
    """What looks good at its beginning is refused in the sheet; what does not, in the window."""
    wanted, asked = answers

    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        session = controller.workspace.session
        opener, jobs = controller.wiring.opener, controller.shell.jobs
        for path in bad:
            controller.shell.notices.clear()
            drop(controller, path)
            yield lambda: (controller.shell.notices.notices() or opener.sheet) and not jobs.running()
            notices = controller.shell.notices
            if opener.sheet is not None:
                sheet = opener.sheet
                assert sheet.open_button.isEnabled(), path.name
                # what is unsaved is asked about before it would go; it does not go
                wanted.append("Discard edits")
                sheet.open_button.click()
                yield lambda sheet=sheet: sheet.notices.notices() and not jobs.running()
                notices = sheet.notices
            shown = [one.message for one in notices.notices()]
            assert len(shown) == 1, path.name
            assert path.name in f"{shown[0].where} {shown[0].title}", path.name
            for bad_sign in ("Error", "inside the program", "Traceback"):
                assert bad_sign not in shown[0].title, (path.name, shown[0].title)
            assert shown[0].advice, path.name
            if opener.sheet is not None:
                opener.sheet.reject()
                yield lambda: opener.sheet is None
            assert controller.workspace.session is session
            assert session.reviewing.unsaved() == [0]
            assert controller.workspace.view.target(0) == LINE

    assert drive([str(job)], script) == 0
    assert set(asked) == {"The review of 1 segment is not saved."}
    assert "Traceback" not in caplog.text


def test_a_folder_of_too_many_files_is_refused(qtbot, job, tmp_path):
    many = tmp_path / "many"
    many.mkdir()
    for number in range(2_001):
        (many / f"{number}.xlf").write_bytes(b"")

    def script(controller: Desk):
        yield controller.is_open
        session = controller.workspace.session
        drop(controller, many)
        yield lambda: controller.shell.notices.notices() and not controller.shell.jobs.running()
        assert [one.message.title for one in controller.shell.notices.notices()] == [
            "this folder contains more than 2,000 files"
        ]
        assert controller.workspace.session is session

    assert drive([str(job)], script) == 0
