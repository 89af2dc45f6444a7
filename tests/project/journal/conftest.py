"""Fixture of the tests of journals."""

from __future__ import annotations

import pytest

from tests.project.journal.journal_translator import TARGETS, Translator, xliff


@pytest.fixture
def translator(tmp_path):
    translator = Translator(tmp_path)
    translator.path.write_bytes(xliff(TARGETS))
    return translator
