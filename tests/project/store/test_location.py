"""Locations of projects: files, symbolic links, and server addresses, whose passwords are never displayed."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project, is_server_url
from qe_desktop.project.store.database import make_engine
from qe_desktop.project.store.location import Location, is_local, locate
from tests.project.store.small_projects import make_edit_row, tags_project
from tests.timeouts import PATIENCE, wait_until

SECRET = "s3cret word%/@"


def test_files_and_server_addresses_are_distinguished(tmp_path):
    assert is_server_url("postgresql://ann@host/db")
    assert is_server_url("postgres://host/db")
    assert not is_server_url(str(tmp_path / "a.qedesk"))
    assert not is_server_url(tmp_path)
    with pytest.raises(QeError, match="cannot be stored at mysql"):
        Project.open("mysql://host/db", person="ann")
    for wrong in ("postgresql://host", "postgresql://host:port/db", "postgresql://u:1/secret@h/db",
                  "postgresql://u:1#secret@h/db", "postgresql://h/db#secret"):  # fmt: skip
        with pytest.raises(QeError, match="address") as caught:
            locate(wrong)
        assert "secret" not in caught.value.line()


def test_a_file_name_may_begin_with_a_tilde(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ann")
    assert locate("~copy-of-nobody.qedesk").path == tmp_path / "~copy-of-nobody.qedesk"
    assert str(locate("~/a.qedesk")) == "/home/ann/a.qedesk"


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
def test_a_password_is_removed_from_an_address(url, shown):
    location = locate(url)
    assert str(location) == shown
    assert location.password == SECRET
    assert SECRET not in repr(location)
    assert location.engine_url().password == SECRET
    assert locate(url, "another").password == "another"
    assert locate(str(location)).password is None


def test_a_symbolic_link_opens_its_target(tmp_path, monkeypatch):
    """The journal is next to the target, and a link that is changed later is detected."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        tags_project(tmp_path / name / "real.qedesk").close()
    link = tmp_path / "link.qedesk"
    link.symlink_to(tmp_path / "one" / "real.qedesk")
    project = Project.open(link, person="ann")
    project.append([make_edit_row(project)])
    assert project.flush(PATIENCE)
    assert project._database.watch.journal == tmp_path / "one" / "real.qedesk-wal"
    assert project._database.watch.journal.exists()
    link.unlink()
    link.symlink_to(tmp_path / "two" / "real.qedesk")
    project.append([make_edit_row(project, 1)])
    wait_until(lambda: project.writer.error)
    assert "moved, removed or replaced" in str(project.writer.error)
    assert project.close(0.2) == 1
    with Project.open(tmp_path / "one" / "real.qedesk", person="ann") as again:
        assert len(again.history()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("sslkeylogfile=/tmp/keys", "the option sslkeylogfile is not allowed in the address. Allowed options: "),
        ("options=-c%20role%3Dpostgres", "the option options is not allowed in the address"),
        ("service=other", "the option service is not allowed"),
        ("passfile=/tmp/x", "the option passfile is not allowed"),
        ("SSLMODE=disable", "the option SSLMODE is not allowed"),
        ("port=abc", "invalid value abc for the option port in the address"),
        ("port=70000", "invalid value 70000 for the option port in the address"),
        ("connect_timeout=soon", "invalid value soon for the option connect_timeout in the address"),
        ("sslmode=yes", "invalid value yes for the option sslmode in the address"),
        ("require_auth=anything", "invalid value anything for the option require_auth in the address"),
        ("sslmode=require&sslmode=disable", "the option sslmode occurs twice in the address"),
        ("host=", "invalid value  for the option host in the address"),
        ("host=%2Fnonexistent%2Cevil.example", "invalid value /nonexistent,evil.example for the option host"),
    ],
)
def test_only_some_options_are_allowed_in_an_address(options, message):
    """One option of libpq wrote a file, and another caused a traceback."""
    with pytest.raises(QeError) as caught:
        locate(f"postgresql://ann@host/db?{options}")
    assert message in caught.value.line()
    assert "\n" not in caught.value.line()


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann@localhost/db?host=evil.example",
        "postgresql://ann:secret@localhost,evil.example/db",
        "postgresql://ann@localhost:5432/db?port=5433",
    ],
)
def test_an_address_with_several_servers_is_rejected(address):
    """The program connects only to the server that is displayed."""
    with pytest.raises(QeError, match="the address specifies more than one server") as caught:
        locate(address)
    assert "secret" not in caught.value.line()


@pytest.mark.parametrize(
    ("address", "password"),
    [
        ("postgresql://u:x%00@127.0.0.1:1/db?sslmode=verify-full", None),
        ("postgresql://u%00@127.0.0.1:1/db", None),
        ("postgresql://127.0.0.1:1/db%00?sslmode=verify-full", None),
        ("postgresql://127.0.0.1%00:1/db", None),
        ("postgresql://u@127.0.0.1:1/d%0Ab", None),
        ("postgresql://u@127.0.0.1:1/db", "x\0"),
        ("postgresql://u@127.0.0.1:1/db?password=x%00", None),
    ],
)
def test_control_characters_that_would_cut_off_the_address_are_rejected(address, password):
    with pytest.raises(QeError, match="control character"):
        locate(address, password)


def test_port_0_is_rejected():
    # libpq would use the default port instead
    with pytest.raises(QeError, match="from 1 to 65535"):
        locate("postgresql://u@127.0.0.1:0/db")


def test_allowed_options_are_kept():
    options = "sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem&require_auth=scram-sha-256%2Cmd5&connect_timeout=5"
    assert str(locate(f"postgresql://ann@host/db?{options}")).endswith(options)


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("postgresql://ann@host/db", "scram-sha-256"),
        ("postgresql://ann@host/db?require_auth=md5", None),
        ("postgresql:///db?host=%2Fvar%2Frun", None),
    ],
)
def test_scram_is_required_by_default_on_remote_servers(address, asked, monkeypatch):
    pytest.importorskip("psycopg")
    monkeypatch.setattr("psycopg.pq.version", lambda: 160000)
    engine_options = {}
    monkeypatch.setattr(
        "qe_desktop.project.store.database.create_engine", lambda url, **more: engine_options.update(more)
    )
    make_engine(locate(address))
    assert engine_options["connect_args"].get("require_auth") == asked
    # `locate` rejects such a location, but it must not reveal the password either
    make_engine(Location(None, "postgresql:///db?host=%2Fnonexistent%2Cevil.example", "secret"))
    assert engine_options["connect_args"].get("require_auth") == "scram-sha-256"


@pytest.mark.parametrize(
    ("host", "local"),
    [("", True), ("/var/run", True), ("localhost", True), ("127.0.0.2", True), ("[::1]", True), ("10.0.0.1", False),
     ("db.example.org", False)],
)  # fmt: skip
def test_local_hosts_are_recognized(host, local):
    assert is_local(host) is local
