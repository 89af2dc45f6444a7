"""Pseudo-language: every text is longer, marked at both ends, and has changed but readable letters.

Texts shown without marks do not go through `tr` or were concatenated with one that does; texts that are cut off would
be cut off in German or Finnish, too.
"""

from __future__ import annotations

import math
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from qe_desktop.i18n.messages import PLURAL_SEPARATOR

LUPDATE = Path(sys.executable).with_name("pyside6-lupdate")
BEGIN, END = "⟦", "⟧"
LONGER = 0.4
"""Share of its letters by which a text grows."""
_LETTERS = str.maketrans("aceinouyzAEINOUY", "áçéîñóúýžÁÉÎÑÓÚÝ")
_INNERMOST = re.compile(rf"{BEGIN}[^{BEGIN}{END}]*{END}")


def to_pseudo_language(text: str) -> str:
    """Return the text in the pseudo-language with its placeholders; it wraps where its source does."""
    words, letters = [], 0
    for literal, name, written, conversion in string.Formatter().parse(text):
        letters += len(literal)
        words.append(_changed(literal.replace("{", "{{").replace("}", "}}")))
        if name is not None:
            forms = PLURAL_SEPARATOR.join(_changed(form) for form in (written or "").split(PLURAL_SEPARATOR))
            way = forms if PLURAL_SEPARATOR in forms else written
            words.append("{" + name + (f"!{conversion}" if conversion else "") + (f":{way}" if way else "") + "}")
    return f"{BEGIN}{''.join(words)}{_padding(math.ceil(letters * LONGER) - 2)}{END}"


def _changed(text: str) -> str:
    # the letter after & is a shortcut key and stays the same
    return "".join(
        letter if index and text[index - 1] == "&" else letter.translate(_LETTERS) for index, letter in enumerate(text)
    )


def _padding(letters: int) -> str:
    """Return padding of this many letters, in words as long as German ones."""
    return "".join("-" if index % 8 == 0 else "~" for index in range(max(0, letters)))


def unmarked_parts(text: str) -> str:
    """Return the parts of a shown text that are outside the marks."""
    while True:
        shorter = _INNERMOST.sub(" ", text)
        if shorter == text:
            return text
        text = shorter


def collect_texts(folder: Path, sources: list[Path]) -> Path:
    """Return the translation file with every text of the program, as a translator gets it."""
    path = folder / "all.ts"
    subprocess.run([LUPDATE, *sources, "-ts", path], check=True, capture_output=True)
    return path


def messages(path: Path) -> Iterator[ElementTree.Element]:
    """Return the messages of a translation."""
    return ElementTree.parse(path).iter("message")


def translate(path: Path) -> None:
    """Fill every message of a translation."""
    tree = ElementTree.parse(path)
    # a language with the plural forms of English for which Qt has no translation
    tree.getroot().set("language", "eo")
    for message in tree.iter("message"):
        translated = to_pseudo_language(message.findtext("source", ""))
        translation = message.find("translation")
        assert translation is not None
        translation.attrib.clear()
        forms = list(translation.iter("numerusform"))
        if message.get("numerus") == "yes":
            for form in forms:
                translation.remove(form)
            for _ in range(2):
                ElementTree.SubElement(translation, "numerusform").text = translated
        else:
            translation.text = translated
    tree.write(path, encoding="utf-8")
