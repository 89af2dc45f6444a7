"""Project paths and server addresses: detection, display names, and addresses without passwords."""

from __future__ import annotations

import pytest

from qe_desktop.project.store.location import is_project
from qe_desktop.ui.project_paths import (
    address_user,
    complete_address,
    display_entry,
    display_practice,
    display_project_name,
    display_server,
    is_practice,
    split_password,
    strip_user,
)


def test_project_is_detected_by_its_name_or_its_first_bytes(tmp_path):
    named, renamed, text, folder = (tmp_path / name for name in ("a.QEDESK", "a.backup", "a.tags", "b.qedesk"))
    renamed.write_bytes(b"SQLite format 3\0and more")
    text.write_text("OK BAD\n")
    folder.mkdir()
    assert is_project(str(named))
    assert is_project(str(renamed))
    assert is_project("postgresql://host/db")
    assert not is_project(str(text))
    assert not is_project(str(folder))
    assert not is_project(str(tmp_path / "nothing"))


def test_display_names_of_projects_and_servers():
    assert display_project_name("/a/b/wmt24 en-de.qedesk") == "wmt24 en-de"
    assert display_project_name("/a/b/old.backup") == "old.backup"
    assert display_project_name("postgresql://anna@db.example.org:5433/wmt24?sslmode=require") == "wmt24"
    assert display_server("postgresql://anna:secret@db.example.org:5433/wmt24") == "anna@db.example.org:5433"
    assert display_server("postgresql://[::1]/wmt24") == "[::1]"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("/home/anna/.local/share/qe-desktop/trials/en-de 2026-11-29 23.19.16.qedesk", "2026-11-29 23:19"),
        ("/Users/anna/Library/Application Support/QE Desktop/trials/en-de.qedesk", ""),
    ],
)
def test_practices_are_displayed_with_their_sample_and_start(place, expected):
    assert is_practice(place)
    assert display_practice(place) == ("Rating practice, en-de", expected)
    assert display_entry(place) == ", ".join(filter(None, ("Rating practice, en-de", expected)))


def test_other_projects_are_not_practices():
    for place in ("/data/trials/en-de.qedesk", "/qe-desktop/trials/a.txt", "postgresql://host/db", ""):
        assert not is_practice(place)


@pytest.mark.parametrize(
    ("address", "clean", "password"),
    [
        ("postgresql://anna:s%40cret@host/db", "postgresql://anna@host/db", "s@cret"),
        ("postgresql://anna:a@b@host:1/db?x=1", "postgresql://anna@host:1/db?x=1", "a@b"),
        ("postgresql://:only@host/db", "postgresql://host/db", "only"),
        ("postgresql://anna@host/db", "postgresql://anna@host/db", ""),
        ("postgresql:///db", "postgresql:///db", ""),
        ("postgresql://anna@host/db?password=a%26b&x=1", "postgresql://anna@host/db?x=1", "a&b"),
        ("postgresql://host/db?Password=a", "postgresql://host/db", "a"),
    ],
)
def test_password_is_split_from_the_address(address, clean, password):
    assert split_password(address) == (clean, password)


@pytest.mark.parametrize(
    "address", ["postgresql://u:12/secret@h/db", "postgresql://u:12#secret@h/db", "postgresql://u:12?secret@h/db",
                "postgresql://u@h?password=secret", "postgresql://u:secret@[::1/db"],
)  # fmt: skip
def test_display_names_contain_no_part_of_a_mistyped_password(address):
    shown = split_password(address)[0]
    assert "secret" not in display_project_name(shown)
    assert "secret" not in display_server(shown)
    assert isinstance(complete_address(address, "") + strip_user(address) + address_user(address), str)


def test_typed_address_is_completed():
    assert complete_address(" host/db ", "") == "postgresql://host/db"
    assert complete_address("host:5433/db", "änna x") == "postgresql://%C3%A4nna%20x@host:5433/db"
    assert complete_address("postgres://ben:x@host/db", "anna") == "postgres://anna@host/db"
    assert complete_address("postgresql://ben:x@host/db", "") == "postgresql://ben@host/db"
    assert address_user("postgresql://%C3%A4nna%20x@host/db") == "änna x"
    assert strip_user("postgresql://anna@host:1/db") == "postgresql://host:1/db"
