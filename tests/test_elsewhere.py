"""All that the program does to files, on a double of Windows and macOS that refuses what they refuse."""

from __future__ import annotations

import ast
import os
import unicodedata
from pathlib import Path

import pytest

import qe_desktop
from qe_desktop.cli.main import main as command
from qe_desktop.escaping import safe_file_name
from qe_desktop.formats.io.atomic_write import atomic_write
from qe_desktop.project.store import Project
from qe_desktop.project.store.write_queue.spool import Spool
from qe_desktop.ui.shell import crash_handler
from tests.elsewhere import MISSING, MISSING_MODULES, RESERVED, Elsewhere, elsewhere, is_open, windows
from tests.patience import PATIENCE
from tests.project.store.made import a_campaign, an_edit, full_corpus, rate_all, tags_project

__all__ = ["elsewhere", "windows"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for projects; what programs keep for themselves stands beside it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "projects").mkdir()
    return tmp_path / "projects"


def test_the_double_refuses_what_windows_refuses(windows: Elsewhere, tmp_path):
    path = tmp_path / "a.txt"
    with path.open("w") as file:
        file.write("x")
        with pytest.raises(PermissionError):
            path.unlink()
        with pytest.raises(PermissionError):
            os.replace(path, tmp_path / "b.txt")
        with pytest.raises(PermissionError):
            path.rename(tmp_path / "b.txt")
    (tmp_path / "b.txt").write_text("y")
    with pytest.raises(FileExistsError):
        path.rename(tmp_path / "b.txt")
    for name in ("a:b", "CON", "nul.txt", "ends.", "ends ", "a|b", "x" * 300):
        with pytest.raises(OSError, match="incorrect"):
            (tmp_path / name).write_text("z")
    assert (tmp_path / "A.TXT").read_text() == "x"
    with pytest.raises(PermissionError):
        os.open(tmp_path, os.O_RDONLY)
    with path.open("rb") as file, pytest.raises(OSError, match="Bad file"):
        os.fsync(file.fileno())
    path.unlink()
    assert not path.exists()


def test_a_projects_whole_life(elsewhere: Elsewhere, folder, capsys):
    """Made, edited, rated, copied, replaced, exported, imported, moved and removed."""
    place, copy = folder / "a.qedesk", folder / "b.qedesk"
    Project.create(place, full_corpus(), person="ann").close()
    with Project.open(place, person="ann") as project:
        project.append([an_edit(project)])
        project.add_campaign(a_campaign())
        rate_all(project, "campaign-1", "ann")
        assert project.flush(PATIENCE)
        assert project.writer.trouble is None
        for _ in range(2):
            project.save_as(copy, replace=True).close()
        assert command(["ratings", "export", "--form", "journal", "-o", str(folder / "j.jsonl"), str(place)]) == 0
        assert command(["ratings", "import", "--dry-run", str(copy), str(folder / "j.jsonl")]) == 0
        project.import_ratings(folder / "j.jsonl")
    Project.create(place, full_corpus(), person="ann", replace=True).close()
    moved = place.rename(folder / "moved.qedesk")
    for path in (moved, copy, folder / "j.jsonl"):
        assert not is_open(str(path))
        path.unlink()
    assert list(folder.iterdir()) == []
    capsys.readouterr()


def test_what_a_killed_program_kept_comes_in_and_its_file_goes(elsewhere: Elsewhere, folder, tmp_path):
    """It was read through an open file, which Windows does not remove: then no project ever opened again."""
    place = folder / "a.qedesk"
    with tags_project(place) as project:
        row = an_edit(project)
        left = Spool(str(place), project.uid, "window of a program that was killed")
        left.keep([row])
        left.close()
    for _ in range(2):
        with Project.open(place, person="ann") as project:
            assert [one.uid for one in project.edit_rows(project.history().seq)] == [row.uid]
    assert not list((tmp_path / "data").rglob("*.jsonl"))


def test_a_file_of_rows_is_left_to_the_program_that_still_writes_it(elsewhere: Elsewhere, folder):
    place = folder / "a.qedesk"
    with tags_project(place) as project:
        running = Spool(str(place), project.uid, "a window that is still there")
        running.keep([an_edit(project)])
        another = Spool(str(place), project.uid, "another one")
        assert [rows for rows, _ in another.left()] == []
        running.clear()
        assert not running.path.exists()
        assert [rows for rows, _ in another.left()] == []


def test_a_file_that_another_program_looks_at_is_emptied_and_removed_later(windows: Elsewhere, folder):
    place = folder / "a.qedesk"
    with tags_project(place) as project:
        spool = Spool(str(place), project.uid, "a window")
        spool.keep([an_edit(project)])
        with spool.path.open("rb"):
            spool.clear()
            assert spool.path.stat().st_size == 0
    Project.open(place, person="ann").close()
    assert not spool.path.exists() or spool.path.stat().st_size == 0


def test_a_file_is_written_over_and_left_alone_where_that_fails(elsewhere: Elsewhere, folder):
    path = folder / "a.tsv"
    for text in (b"one", b"two"):
        with atomic_write(path) as file:
            file.write(text)
    assert path.read_bytes() == b"two"
    with pytest.raises(TypeError), atomic_write(path) as file:
        file.write([b"half", "what is no bytes"])
    assert path.read_bytes() == b"two"
    assert [one.name for one in folder.iterdir()] == ["a.tsv"]


def test_a_log_that_another_window_writes_to_is_no_reason_to_log_nothing(windows: Elsewhere, tmp_path, monkeypatch):
    monkeypatch.setattr(crash_handler, "MAX_LOG_BYTES", 10)
    log = tmp_path / "qe-desktop.log"
    log.write_text("a line of another window\n")
    with log.open("a"):
        kept = crash_handler.CrashHandler(tmp_path)
        kept.install()
        try:
            crash_handler.log.warning("said here")
        finally:
            kept.remove()
    assert "said here" in log.read_text()


@pytest.mark.parametrize(
    "name", ["A/B", "online: best?", "CON", "aux.old", "a.", "..", "a\0b", "", " ", "\ud800", "x" * 400, "é"]
)
def test_names_made_from_names_in_the_data_are_taken_everywhere(windows: Elsewhere, tmp_path, name):
    made = safe_file_name(name, "unnamed")
    assert made
    assert len(made) <= 130
    assert made.partition(".")[0].lower() not in RESERVED
    (tmp_path / f"{made}.tsv").write_text("x")
    assert (tmp_path / unicodedata.normalize("NFD", f"{made}.TSV")).read_text() == "x"


def test_names_that_are_in_order_stay_as_they_are():
    assert [safe_file_name(name, "unnamed") for name in ("HW-TSC", "uedin.2022 (b)", "日本語", "می‌خواهم")] == [
        "HW-TSC", "uedin.2022 (b)", "日本語", "می‌خواهم",
    ]  # fmt: skip


def sources() -> list[Path]:
    return sorted(Path(qe_desktop.__file__).parent.rglob("*.py"))


def test_nothing_is_imported_unguarded_that_windows_does_not_have():
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        guarded = {id(node) for block in ast.walk(tree) if isinstance(block, ast.Try) for node in block.body}
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            wrong = set(names) & {*MISSING_MODULES, "msvcrt", "winreg"}
            assert not wrong or id(node) in guarded, f"{path}:{node.lineno} imports {wrong}"


def test_nothing_of_os_is_used_unasked_that_windows_does_not_have():
    """`getattr` and `hasattr` may ask for it."""
    for path in sources():
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                asked = f'hasattr(os, "{node.attr}")' in text
                assert node.attr not in MISSING or asked, f"{path}:{node.lineno} uses os.{node.attr}"


def test_a_project_is_one_however_its_name_is_written(elsewhere: Elsewhere, folder):
    place = folder / "a.qedesk"
    tags_project(place).close()
    with Project.open(folder / "A.QEDESK", person="ben") as other, Project.open(place, person="ann") as project:
        project.append([an_edit(project)])
        assert project.flush(PATIENCE)
        assert len(other.news().edits) == 1
