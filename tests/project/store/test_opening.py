from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing as closed
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project, is_server
from qe_desktop.project.store.place import locate
from qe_desktop.project.store.schema import VERSION
from tests.patience import PATIENCE, wait_until
from tests.project.store.made import GOLD, an_edit, full_corpus, rows_of, tags_project


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A closed project with one edit."""
    made = tmp_path / "a.qedesk"
    with Project.create(made, full_corpus(), person="ann") as project:
        project.append([an_edit(project, 0, 1)])
    return made


def refused(place: Path, *words: str) -> QeError:
    """The error of opening; the file is as it was, and nothing else is there."""
    before, beside = place.read_bytes(), sorted(place.parent.iterdir())
    with pytest.raises(QeError) as caught:
        Project.open(place, person="ann")
    for word in words:
        assert word in caught.value.message
    assert caught.value.hint
    assert str(place) in caught.value.line()
    assert place.read_bytes() == before
    assert sorted(place.parent.iterdir()) == beside
    return caught.value


def test_what_is_no_project_is_said_in_words(tmp_path):
    garbage = tmp_path / "garbage.qedesk"
    garbage.write_bytes(os.urandom(5000))
    refused(garbage, "no project")
    empty = tmp_path / "empty.qedesk"
    empty.touch()
    refused(empty, "empty")
    text = tmp_path / "text.qedesk"
    text.write_text("OK BAD OK\n" * 50)
    refused(text, "no project")


def test_a_database_of_another_program_is_left_alone(tmp_path):
    other = tmp_path / "other.qedesk"
    with closed(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE meta(key, value)")
        connection.commit()
    refused(other, "another program")


def test_nothing_and_a_folder(tmp_path):
    with pytest.raises(QeError, match="no such project"):
        Project.open(tmp_path / "missing.qedesk", person="ann")
    with pytest.raises(QeError, match="folder"):
        Project.open(tmp_path, person="ann")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("share", [0.0005, 0.01, 0.5, 0.9])
def test_a_file_that_is_cut_short(place, share):
    whole = place.read_bytes()
    place.write_bytes(whole[: max(20, int(len(whole) * share))])
    refused(place, "damaged")


def test_a_newer_schema_is_left_alone(place):
    with closed(sqlite3.connect(place)) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(VERSION + 1),))
        connection.commit()
        connection.execute("PRAGMA journal_mode=DELETE")
    error = refused(place, "newer version", str(VERSION + 1))
    assert "Install the newest" in error.hint


def test_tables_that_are_missing(place):
    with closed(sqlite3.connect(place)) as connection:
        connection.execute("DROP TABLE meta")
        connection.commit()
        connection.execute("PRAGMA journal_mode=DELETE")
    refused(place, "damaged")


@given(damage=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=300)), min_size=1))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_damage_is_a_qe_error_or_none_at_all(damage, place, tmp_path):
    """Whatever bytes are overwritten, what is read is either as it was or an error in words."""
    broken = tmp_path / "broken.qedesk"
    data = bytearray(place.read_bytes())
    for where, bytes_ in damage:
        begin = int(where * len(data))
        data[begin : begin + len(bytes_)] = bytes_[: len(data) - begin]
    broken.write_bytes(data)
    for suffix in ("-wal", "-shm"):
        Path(f"{broken}{suffix}").unlink(missing_ok=True)
    try:
        with Project.open(broken, person="ann") as project:
            corpus = project.corpus()
            project.history()
            project.campaigns()
            project.settings()
            project.audit()
            project.ratings()
        if corpus is not None:
            for key, layer in corpus.layers.items():
                if key in full_corpus().layers and key.kind.is_tags:
                    assert layer.column.values.tolist() == full_corpus().layers[key].column.values.tolist()
    except QeError:
        pass


def test_another_program_that_writes_is_waited_for(place):
    told = []
    project = Project.open(place, person="ann")
    project.writer.on_trouble.append(told.append)
    with closed(sqlite3.connect(place, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        project.append([an_edit(project, 0, 0)])
        # reading goes on meanwhile
        assert len(project.history()) == 1
        wait_until(lambda: told)
        assert "another program is writing" in told[0].message
        assert project.writer.pending == 1
        holder.execute("COMMIT")
    assert project.flush(PATIENCE)
    assert told[-1] is None
    assert len(project.history()) == 2
    assert project.close() == 0


def test_a_file_that_another_program_keeps_to_itself(place):
    with closed(sqlite3.connect(place, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        holder.execute("BEGIN IMMEDIATE")
        holder.execute("UPDATE meta SET value = value")
        with pytest.raises(QeError, match="another program"):
            Project.open(place, person="ann")


def test_a_full_disk_keeps_the_work_and_spoils_nothing(tmp_path):
    project = tags_project(tmp_path / "a.qedesk")
    told = []
    project.writer.on_trouble.append(told.append)
    saved = []
    project.writer.on_saved.append(lambda count, at: saved.append(count))
    limit = _limit_pages(project, 0)
    rows = [an_edit(project, segment % 200, segment % 8, text="x" * 2000) for segment in range(400)]
    project.append(rows)
    wait_until(lambda: told)
    assert "disk is full" in told[0].message
    assert not saved
    assert project.writer.pending == 400
    assert rows_of(project.place, "PRAGMA integrity_check") == [("ok",)]
    limit(1 << 30)
    assert project.flush(PATIENCE)
    assert told[-1] is None
    assert sum(saved) == 400
    assert [row.uid for row in project.edit_rows(project.history().seq.tolist())] == [row.uid for row in rows]
    project.close()


def test_work_that_a_full_disk_kept_back_can_be_saved_elsewhere(tmp_path):
    project = tags_project(tmp_path / "a.qedesk")
    limit = _limit_pages(project, 0)
    rows = [an_edit(project, segment, 0, text="x" * 3000) for segment in range(200)]
    project.append(rows)
    with project.save_as(tmp_path / "b.qedesk") as copy:
        assert copy.flush(PATIENCE)
        assert [row.uid for row in copy.edit_rows(copy.history().seq.tolist())] == [row.uid for row in rows]
    limit(1 << 30)
    project.close()


def _limit_pages(project: Project, more: int):
    """Let the file have no more pages than it has, as on a full disk; returns what sets another limit."""
    from sqlalchemy import event

    engine = project._database.engine
    pages = rows_of(project.place, "PRAGMA page_count")[0][0] + more
    allowed = [pages]

    @event.listens_for(engine, "checkout")
    def limit(connection, record, proxy) -> None:
        connection.execute(f"PRAGMA max_page_count={allowed[0]}")

    def allow(count: int) -> None:
        allowed[0] = count

    return allow


def test_a_project_that_is_open_is_not_replaced(place, tmp_path):
    """What is done in the other window would be lost."""
    with Project.open(place, person="ann") as project:
        project.append([an_edit(project, 0, 0)])
        with pytest.raises(QeError, match="open in a window"):
            Project.create(place, None, person="bob", replace=True)
        with (
            Project.create(tmp_path / "b.qedesk", None, person="bob") as other,
            pytest.raises(QeError, match="open in"),
        ):
            other.save_as(place, replace=True)
        assert project.flush(PATIENCE)
        assert len(project.history()) == 2
    Project.create(place, None, person="bob", replace=True).close()
    with Project.open(place, person="bob") as project:
        assert len(project.history()) == 0


def test_a_journal_that_was_left_behind_is_not_taken_for_that_of_a_new_project(place):
    with closed(sqlite3.connect(place)) as connection:
        connection.execute("UPDATE meta SET value = '\"old\"' WHERE key = 'title'")
        connection.commit()
        journal = Path(f"{place}-wal").read_bytes()
    assert journal
    place.unlink()
    Path(f"{place}-wal").write_bytes(journal)
    with Project.create(place, full_corpus(), person="ann", title="new") as project:
        assert project.title == "new"
        project.check()
    assert Path(place).exists()


@pytest.mark.skipif(os.name != "posix", reason="names are those of POSIX")
@pytest.mark.parametrize("name", ["with space%20and?#&.qedesk", "ünï ∀.qedesk", "odd \udcff.qedesk", "no-suffix"])
def test_any_name_will_do(tmp_path, name):
    place = tmp_path / name
    with Project.create(place, full_corpus(), person="ann") as project:
        project.append([an_edit(project)])
        assert project.flush(PATIENCE)
        with project.save_as(tmp_path / f"copy of {name}") as copy:
            assert len(copy.history()) == 1
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == sorted([name, f"copy of {name}"])
    with pytest.raises(QeError) as caught:
        Project.create(place, None, person="ann")
    caught.value.line().encode()


# --- what can only be read; root may write everywhere, so another user looks


@pytest.fixture
def open_folder(place: Path) -> Iterator[Path]:
    """A copy of the project in a folder that every user may look into."""
    folder = Path(tempfile.mkdtemp(prefix="qe-desktop-readable-"))
    folder.chmod(0o755)
    shutil.copy(place, folder / "a.qedesk")
    (folder / "a.qedesk").chmod(0o644)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


SCRIPT = """
import os, sys
from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
warm, place = sys.argv[1:]
with Project.open(warm, person="root") as project:
    project.corpus(); project.history(); project.campaigns(); project.news()
from tests.project.store.made import an_edit
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    with Project.open(place, person="ann") as project:
        print(project.read_only or "writable")
        print(len(project.corpus().layers), len(project.history()), len(project.news().edits), project.campaigns())
        for act in (lambda: project.append([an_edit(project)]), lambda: project.extend(project.corpus())):
            try:
                act()
                print("written")
            except QeError as error:
                print("refused:", error.message)
except QeError as error:
    print("error:", error.message)
"""


def look(place: Path, warm: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(warm), str(place)], capture_output=True, text=True,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


READ = "The project can only be read: its file or its folder takes no changes."


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")
@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_a_project_that_can_only_be_read(open_folder, place, what):
    copy = open_folder / "a.qedesk"
    if os.geteuid() == 0:
        # another user looks at it, to whom neither belongs
        owner = 65534
        os.chown(copy, owner if what == "folder" else 0, -1)
        os.chown(open_folder, owner if what == "file" else 0, -1)
    if what != "folder":
        copy.chmod(0o444)
    if what != "file":
        open_folder.chmod(0o555)
    before = copy.read_bytes()
    said = look(copy, place)
    open_folder.chmod(0o755)
    assert said == [READ, "5 1 0 []", f"refused: {READ}", f"refused: {READ}"]
    assert copy.read_bytes() == before


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")
def test_a_project_that_was_not_closed_in_a_folder_without_rights(open_folder, place):
    copy = open_folder / "a.qedesk"
    with closed(sqlite3.connect(copy)) as connection:
        connection.execute("INSERT INTO settings(uid, \"window\", at, scope, name) VALUES ('u', 1, 0, '', 'n')")
        connection.commit()
        journal = Path(f"{copy}-wal").read_bytes()
        data = copy.read_bytes()
    copy.write_bytes(data)
    Path(f"{copy}-wal").write_bytes(journal)
    open_folder.chmod(0o555)
    said = look(copy, place)
    open_folder.chmod(0o755)
    if os.geteuid() == 0:
        assert len(said) == 1
        assert "was not closed properly" in said[0]


# --- places


def test_places_are_told_apart(tmp_path):
    assert is_server("postgresql://ann@host/db")
    assert is_server("postgres://host/db")
    assert not is_server(str(tmp_path / "a.qedesk"))
    assert not is_server(tmp_path)
    with pytest.raises(QeError, match="cannot be kept at mysql"):
        Project.open("mysql://host/db", person="ann")
    for wrong in ("postgresql://host", "postgresql://host:port/db", "postgresql://u:1/secret@h/db",
                  "postgresql://u:1#secret@h/db", "postgresql://h/db#secret"):  # fmt: skip
        with pytest.raises(QeError, match="address") as caught:
            locate(wrong)
        assert "secret" not in caught.value.line()


SECRET = "s3cret word%/@"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:s3cret%20word%25%2F%40@host:5433/db", "postgresql://ann@host:5433/db"),
        ("postgres://ann:s3cret%20word%25%2F%40@host/db?sslmode=require", "postgresql://ann@host/db?sslmode=require"),
        ("postgresql://ann@host/db?password=s3cret%20word%25%2F%40", "postgresql://ann@host/db"),
        ("postgresql+psycopg://ann:s3cret%20word%25%2F%40@[::1]/db", "postgresql://ann@[::1]/db"),
        ("postgresql:///db?host=%2Fvar%2Frun&password=s3cret%20word%25%2F%40", "postgresql:///db?host=%2Fvar%2Frun"),
    ],
)
def test_a_password_in_an_address_is_taken_out_of_it(url, shown):
    found = locate(url)
    assert str(found) == shown
    assert found.password == SECRET
    assert SECRET not in repr(found)
    assert found.engine_url().password == SECRET
    assert locate(url, "another").password == "another"
    assert locate(str(found)).password is None


def test_an_edit_is_still_there_after_all_this(place):
    with Project.open(place, person="ann") as project:
        assert project.history().layers[0] == GOLD
        assert len(project.history()) == 1


def test_a_project_behind_a_link_is_the_project(tmp_path, monkeypatch):
    """Its journal is beside what the link leads to, and a link that is set anew is noticed."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        tags_project(tmp_path / name / "real.qedesk").close()
    link = tmp_path / "link.qedesk"
    link.symlink_to(tmp_path / "one" / "real.qedesk")
    project = Project.open(link, person="ann")
    project.append([an_edit(project)])
    assert project.flush(PATIENCE)
    assert project._database.watch.journal == tmp_path / "one" / "real.qedesk-wal"
    assert project._database.watch.journal.exists()
    link.unlink()
    link.symlink_to(tmp_path / "two" / "real.qedesk")
    project.append([an_edit(project, 1)])
    assert not project.flush(0.3)
    assert "moved, removed or replaced" in str(project.writer.trouble)
    assert project.close(0.2) == 1
    with Project.open(tmp_path / "one" / "real.qedesk", person="ann") as again:
        assert len(again.history()) >= 1


def test_what_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.qedesk")
    (tmp_path / "to-a-device.qedesk").symlink_to(os.devnull)
    for name in ("pipe.qedesk", "to-a-device.qedesk"):
        with pytest.raises(QeError, match="not an ordinary file"):
            Project.open(tmp_path / name, person="ann")
    with pytest.raises(QeError, match="folder"):
        Project.open(tmp_path, person="ann")


def test_a_journal_that_is_a_pipe_keeps_nobody_waiting(tmp_path):
    tags_project(tmp_path / "a.qedesk").close()
    os.mkfifo(tmp_path / "a.qedesk-wal")
    with Project.open(tmp_path / "a.qedesk", person="ann") as project:
        assert project.corpus().size == 200
