"""Folder of files for the import dialog."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.src").write_text("one two\nthree\n")
    (tmp_path / "a.mt").write_text("eins zwei\ndrei\n")
    (tmp_path / "a.tags").write_text("OK BAD\nOK\n")
    (tmp_path / "other.tags").write_text("OK OK\nBAD\n")
    (tmp_path / "broken.tags").write_bytes(b"\x00\x01\x02" * 40)
    return tmp_path
