"""What the whole program is driven over."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from qe_desktop.ui import icons


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the bundled sample that may be written to."""
    folder = tmp_path / "corpus"
    shutil.copytree(icons.resources() / "samples/en-de", folder)
    for name in ("authored.tsv", "lexicon.tsv", "translations.tsv"):
        (folder / name).unlink()
    return folder
