"""Where a project is: a file, what a link leads to, or an address whose password nobody sees."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project, is_server
from qe_desktop.project.store.place import locate
from tests.patience import PATIENCE, wait_until
from tests.project.store.made import an_edit, tags_project

SECRET = "s3cret word%/@"


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
    wait_until(lambda: project.writer.trouble)
    assert "moved, removed or replaced" in str(project.writer.trouble)
    assert project.close(0.2) == 1
    with Project.open(tmp_path / "one" / "real.qedesk", person="ann") as again:
        assert len(again.history()) == 1
