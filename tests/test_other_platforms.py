"""All file operations of the program on the test double of Windows and macOS (`tests/other_platforms.py`)."""

from __future__ import annotations

import ast
import os
import unicodedata
from pathlib import Path

import pytest

import qe_desktop
from qe_desktop.cli.main import main as command
from qe_desktop.escaping import safe_file_name
from qe_desktop.formats.atomic_write import atomic_write
from qe_desktop.project.store import Project
from qe_desktop.project.store.spool import Spool
from qe_desktop.ui.shell import crash_handler
from tests.other_platforms import MISSING, MISSING_MODULES, RESERVED, OtherPlatform, is_open, other_platform, windows
from tests.project.store.small_projects import full_corpus, make_design, make_edit_row, rate_all, tags_project
from tests.timeouts import PATIENCE

__all__ = ["other_platform", "windows"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for projects; application data is stored in a folder next to it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "projects").mkdir()
    return tmp_path / "projects"


def test_double_refuses_what_windows_refuses(windows: OtherPlatform, tmp_path):
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


def test_project_can_be_created_edited_copied_moved_and_removed(other_platform: OtherPlatform, folder, capsys):
    path_a, copy = folder / "a.qedesk", folder / "b.qedesk"
    Project.create(path_a, full_corpus(), person="ann").close()
    with Project.open(path_a, person="ann") as project:
        project.append([make_edit_row(project)])
        project.add_campaign(make_design())
        rate_all(project, "campaign-1", "ann")
        assert project.flush(PATIENCE)
        assert project.writer.error is None
        for _ in range(2):
            project.save_as(copy, replace=True).close()
        assert command(["ratings", "export", "--form", "journal", "-o", str(folder / "j.jsonl"), str(path_a)]) == 0
        assert command(["ratings", "import", "--dry-run", str(copy), str(folder / "j.jsonl")]) == 0
        project.import_ratings(folder / "j.jsonl")
    Project.create(path_a, full_corpus(), person="ann", replace=True).close()
    moved = path_a.rename(folder / "moved.qedesk")
    for path in (moved, copy, folder / "j.jsonl"):
        assert not is_open(str(path))
        path.unlink()
    assert list(folder.iterdir()) == []
    capsys.readouterr()


def test_rows_of_a_killed_program_are_recovered_and_their_file_removed(other_platform: OtherPlatform, folder, tmp_path):
    """Windows does not remove a file that is open for reading; the project could then never be opened again."""
    path = folder / "a.qedesk"
    with tags_project(path) as project:
        row = make_edit_row(project)
        spool = Spool(str(path), project.uid, "window of a program that was killed")
        spool.append([row])
        spool.close()
    for _ in range(2):
        with Project.open(path, person="ann") as project:
            assert [edit.uid for edit in project.edit_rows(project.history().seq)] == [row.uid]
    assert not list((tmp_path / "data").rglob("*.jsonl"))


def test_spool_of_a_running_program_is_not_read(other_platform: OtherPlatform, folder):
    path = folder / "a.qedesk"
    with tags_project(path) as project:
        running = Spool(str(path), project.uid, "a window that is still there")
        running.append([make_edit_row(project)])
        another = Spool(str(path), project.uid, "another")
        assert [rows for rows, _ in another.earlier_sessions()] == []
        running.clear()
        assert not running.path.exists()
        assert [rows for rows, _ in another.earlier_sessions()] == []


def test_spool_opened_by_another_program_is_truncated_and_removed_later(windows: OtherPlatform, folder):
    path = folder / "a.qedesk"
    with tags_project(path) as project:
        spool = Spool(str(path), project.uid, "a window")
        spool.append([make_edit_row(project)])
        with spool.path.open("rb"):
            spool.clear()
            assert spool.path.stat().st_size == 0
    Project.open(path, person="ann").close()
    assert not spool.path.exists() or spool.path.stat().st_size == 0


def test_atomic_write_replaces_the_file_or_keeps_it_on_error(other_platform: OtherPlatform, folder):
    path = folder / "a.tsv"
    for text in (b"one", b"two"):
        with atomic_write(path) as file:
            file.write(text)
    assert path.read_bytes() == b"two"
    with pytest.raises(TypeError), atomic_write(path) as file:
        file.write([b"half", "not bytes"])
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in folder.iterdir()] == ["a.tsv"]


def test_long_log_opened_by_another_window_is_appended_to(windows: OtherPlatform, tmp_path, monkeypatch):
    monkeypatch.setattr(crash_handler, "MAX_LOG_BYTES", 10)
    log = tmp_path / "qe-desktop.log"
    log.write_text("a line of another window\n")
    with log.open("a"):
        crash_handlers = crash_handler.CrashHandler(tmp_path)
        crash_handlers.install()
        try:
            crash_handler.log.warning("logged here")
        finally:
            crash_handlers.remove()
    assert "logged here" in log.read_text()


@pytest.mark.parametrize(
    "name", ["A/B", "online: best?", "CON", "aux.old", "a.", "..", "a\0b", "", " ", "\ud800", "x" * 400, "é"]
)
def test_safe_file_names_are_valid_on_all_systems(windows: OtherPlatform, tmp_path, name):
    safe_name = safe_file_name(name, "unnamed")
    assert safe_name
    assert len(safe_name) <= 130
    assert safe_name.partition(".")[0].lower() not in RESERVED
    (tmp_path / f"{safe_name}.tsv").write_text("x")
    assert (tmp_path / unicodedata.normalize("NFD", f"{safe_name}.TSV")).read_text() == "x"


def test_valid_file_names_are_unchanged():
    assert [safe_file_name(name, "unnamed") for name in ("HW-TSC", "uedin.2022 (b)", "日本語", "می‌خواهم")] == [
        "HW-TSC", "uedin.2022 (b)", "日本語", "می‌خواهم",
    ]  # fmt: skip


def sources() -> list[Path]:
    return sorted(Path(qe_desktop.__file__).parent.rglob("*.py"))


def test_posix_modules_are_imported_only_in_try_blocks():
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        guarded = {id(node) for block in ast.walk(tree) if isinstance(block, ast.Try) for node in block.body}
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            wrong = set(names) & {*MISSING_MODULES, "msvcrt", "winreg"}
            assert not wrong or id(node) in guarded, f"{path}:{node.lineno} imports {wrong}"


def test_posix_functions_of_os_are_used_only_after_hasattr():
    """`getattr` with a default is allowed, too."""
    for path in sources():
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                is_checked = f'hasattr(os, "{node.attr}")' in text
                assert node.attr not in MISSING or is_checked, f"{path}:{node.lineno} uses os.{node.attr}"


def test_project_opened_by_names_in_different_case_is_the_same(other_platform: OtherPlatform, folder):
    path = folder / "a.qedesk"
    tags_project(path).close()
    with Project.open(folder / "A.QEDESK", person="ben") as other, Project.open(path, person="ann") as project:
        project.append([make_edit_row(project)])
        assert project.flush(PATIENCE)
        assert len(other.new_changes().edits) == 1
