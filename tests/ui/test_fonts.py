"""Fonts of the tests: DejaVu alone, so that texts have the same size on every machine that has it."""

from __future__ import annotations

import os

import pytest
from PySide6.QtGui import QFontDatabase

from tests.conftest import FONTS

FAMILIES = {"DejaVu Sans", "DejaVu Sans Mono", "DejaVu Serif"}
GENERIC = {"Sans Serif", "Serif", "Monospace"}


@pytest.mark.skipif(
    os.environ.get("FONTCONFIG_FILE") != str(FONTS), reason="DejaVu is missing, or other fonts are chosen"
)
def test_only_dejavu_is_available(qapp):
    families = {family for family in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(family)} - GENERIC
    assert families, "no font at all"
    assert families <= FAMILIES
