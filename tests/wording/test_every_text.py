"""Every text for people goes through one function, written so that a translator's tools find it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.wording.texts import sources

ROOT = Path(__file__).parents[2]
PRODUCT = ROOT / "qe_desktop"
LUPDATE = Path(sys.executable).with_name("pyside6-lupdate")


def test_every_call_is_one_that_tools_understand():
    assert [str(text) for source in sources(PRODUCT) for text in source.wrong_calls()] == []


def test_translators_find_every_text(tmp_path):
    """What `pyside6-lupdate` collects is what is said: with its comment, and once."""
    all_sources = sources(PRODUCT)
    said = {text for source in all_sources for text in source.said()}
    found = tmp_path / "all.ts"
    command = [LUPDATE, *(source.path for source in all_sources), "-ts", found]
    subprocess.run(command, check=True, capture_output=True)
    messages = [
        (message.findtext("source"), message.findtext("comment") or "")
        for message in ElementTree.parse(found).iter("message")
    ]
    assert len(messages) == len(set(messages))
    assert set(messages) ^ said == set()
