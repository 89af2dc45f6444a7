"""A language that nobody speaks: every text longer by half, marked at both ends, its letters changed but readable.

What the window shows without marks does not go through `tr`, or was glued to what does; what it cuts off would be cut
off in German or Finnish too.
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
"""By which share of its letters a text grows."""
_LETTERS = str.maketrans("aceinouyzAEINOUY", "áçéîñóúýžÁÉÎÑÓÚÝ")
_INNERMOST = re.compile(rf"{BEGIN}[^{BEGIN}{END}]*{END}")


def pseudo(text: str) -> str:
    """A text in the language, with the places that it had; it wraps where its source does."""
    words, letters = [], 0
    for said, name, written, conversion in string.Formatter().parse(text):
        letters += len(said)
        words.append(_changed(said.replace("{", "{{").replace("}", "}}")))
        if name is not None:
            forms = PLURAL_SEPARATOR.join(_changed(form) for form in (written or "").split(PLURAL_SEPARATOR))
            way = forms if PLURAL_SEPARATOR in forms else written
            words.append("{" + name + (f"!{conversion}" if conversion else "") + (f":{way}" if way else "") + "}")
    return f"{BEGIN}{''.join(words)}{_padding(math.ceil(letters * LONGER) - 2)}{END}"


def _changed(text: str) -> str:
    # the letter behind & is a key, which stays
    return "".join(
        letter if place and text[place - 1] == "&" else letter.translate(_LETTERS) for place, letter in enumerate(text)
    )


def _padding(letters: int) -> str:
    """So many letters, in words as long as those of German."""
    return "".join("-" if place % 8 == 0 else "~" for place in range(max(0, letters)))


def unmarked(text: str) -> str:
    """What of a shown text is in no text of the language."""
    while True:
        shorter = _INNERMOST.sub(" ", text)
        if shorter == text:
            return text
        text = shorter


def collected(folder: Path, sources: list[Path]) -> Path:
    """Every text of the program, as a translator gets them."""
    found = folder / "all.ts"
    subprocess.run([LUPDATE, *sources, "-ts", found], check=True, capture_output=True)
    return found


def messages(path: Path) -> Iterator[ElementTree.Element]:
    """The messages of a translation."""
    return ElementTree.parse(path).iter("message")


def translate(path: Path) -> None:
    """Fill every message of a translation."""
    tree = ElementTree.parse(path)
    # a language with the forms of English, in which Qt says nothing
    tree.getroot().set("language", "eo")
    for message in tree.iter("message"):
        said = pseudo(message.findtext("source", ""))
        translation = message.find("translation")
        assert translation is not None
        translation.attrib.clear()
        forms = list(translation.iter("numerusform"))
        if message.get("numerus") == "yes":
            for form in forms:
                translation.remove(form)
            for _ in range(2):
                ElementTree.SubElement(translation, "numerusform").text = said
        else:
            translation.text = said
    tree.write(path, encoding="utf-8")
