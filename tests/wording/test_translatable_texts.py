"""Every text for people goes through `tr` in a form that translation tools can extract."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.wording.source_texts import sources
from tests.wording.untranslated_literals import KEPT, WHOLE

ROOT = Path(__file__).parents[2]
PRODUCT = ROOT / "qe_desktop"
LUPDATE = Path(sys.executable).with_name("pyside6-lupdate")


def test_calls_of_tr_can_be_parsed_by_translation_tools():
    assert [str(text) for source in sources(PRODUCT) for text in source.wrong_calls()] == []


def test_literals_that_look_like_texts_go_through_tr_or_are_listed():
    """Finds texts without `tr` in every module, whether a test shows them or not."""
    left: dict[str, set[str]] = {}
    for source in sources(PRODUCT):
        # a stored English text that a table of the same module translates occurs twice
        translated = {text for text, _ in source.texts_with_comments()}
        left[source.path.relative_to(PRODUCT).as_posix()] = {literal.text for literal in source.left_out()} - translated
    result = {module: texts for module, texts in left.items() if texts and module not in WHOLE}
    assert result == KEPT
    assert [module for module in WHOLE if not left[module]] == []


def test_a_part_of_a_campaign_that_is_rated_at_one_time_is_an_item():
    display = re.compile(r"full screen|on screen", re.IGNORECASE)
    texts = [text for source in sources(PRODUCT) for text, _ in source.texts_with_comments()]
    assert [text for text in texts if re.search(r"\bscreens?\b", display.sub("", text), re.IGNORECASE)] == []


def test_texts_have_straight_apostrophes():
    """One text in two spellings would be two texts to search for, and to translate."""
    texts = [text for source in sources(PRODUCT) for pair in source.texts_with_comments() for text in pair]
    assert [text for text in texts if re.search(r"\w’", text)] == []


def test_lupdate_extracts_every_text(tmp_path):
    """`pyside6-lupdate` collects each text with its comment once."""
    all_sources = sources(PRODUCT)
    translated = {text for source in all_sources for text in source.texts_with_comments()}
    path = tmp_path / "all.ts"
    command = [LUPDATE, *(source.path for source in all_sources), "-ts", path]
    subprocess.run(command, check=True, capture_output=True)
    messages = [
        (message.findtext("source"), message.findtext("comment") or "")
        for message in ElementTree.parse(path).iter("message")
    ]
    assert len(messages) == len(set(messages))
    assert set(messages) ^ translated == set()
