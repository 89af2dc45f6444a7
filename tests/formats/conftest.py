"""Fixtures of the tests of formats."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a file and returns its path; folders are created as needed."""

    def make(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder with real corpora."""
    folder = os.environ.get("QE_DESKTOP_DATA", "")
    if not folder:
        pytest.skip("QE_DESKTOP_DATA names no folder with real corpora")
    return Path(folder)
