"""The user's own words, by language."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.local_qe.spelling import dictionaries as module
from qe_desktop.local_qe.spelling.dictionaries import PersonalWords


def test_a_word_is_known_afterwards_in_all_regions_and_cases(tmp_path):
    words = PersonalWords(tmp_path, "de-AT")
    assert "Wortzähler" not in words
    words.add("Wortzähler")
    assert "wortzähler" in words
    again = PersonalWords(tmp_path, "de-DE")
    assert "Wortzähler" in again
    assert "Wortza\u0308hler" in again
    assert "Wortzähler" not in PersonalWords(tmp_path, "nl")
    assert (tmp_path / "spelling" / "de.txt").read_text(encoding="utf-8") == "Wortzähler\n"


def test_words_that_another_program_added_remain(tmp_path):
    words = PersonalWords(tmp_path, "de")
    words.add("eins")
    words.path.write_text("\ufeffzwei\r\n\r\neins\n", encoding="utf-8")
    words.add("drei")
    assert words.path.read_text(encoding="utf-8").split() == ["drei", "eins", "zwei"]


def test_words_of_a_list_that_was_deleted_are_not_written_again(tmp_path):
    words = PersonalWords(tmp_path, "de")
    words.add("eins")
    words.path.unlink()
    words.add("zwei")
    assert words.path.read_text(encoding="utf-8").split() == ["zwei"]


def test_damaged_and_large_lists(tmp_path, monkeypatch):
    path = tmp_path / "spelling" / "de.txt"
    path.parent.mkdir()
    path.write_bytes(b"gut\n\xff\xfe\n")
    assert "gut" in PersonalWords(tmp_path, "de")
    monkeypatch.setattr(module, "MAX_LIST_BYTES", 3)
    with pytest.raises(QeError, match="more than 3 bytes"):
        PersonalWords(tmp_path, "de")


def test_nothing_is_added_if_the_list_cannot_be_written(tmp_path):
    words = PersonalWords(tmp_path, "de")
    (tmp_path / "spelling").write_text("in the way")
    with pytest.raises(QeError):
        words.add("eins")
    assert "eins" not in words
    assert len(words) == 0
