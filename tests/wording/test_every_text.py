"""Every text for people goes through one function, written so that a translator's tools find it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.wording.not_for_people import KEPT, WHOLE
from tests.wording.texts import sources

ROOT = Path(__file__).parents[2]
PRODUCT = ROOT / "qe_desktop"
LUPDATE = Path(sys.executable).with_name("pyside6-lupdate")


def test_every_call_is_one_that_tools_understand():
    assert [str(text) for source in sources(PRODUCT) for text in source.wrong_calls()] == []


def test_what_looks_like_a_text_is_said_or_known_to_be_none():
    """A text that is forgotten is found here at once, wherever it would have been shown."""
    left: dict[str, set[str]] = {}
    for source in sources(PRODUCT):
        # what is kept in English and said by a table of the same module stands there twice
        said = {text for text, _ in source.said()}
        left[source.path.relative_to(PRODUCT).as_posix()] = {literal.text for literal in source.left_out()} - said
    found = {module: texts for module, texts in left.items() if texts and module not in WHOLE}
    assert found == KEPT
    assert [module for module in WHOLE if not left[module]] == []


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
