"""Text on its way out: made safe for each place that it goes to. Names and contents of files may hold anything.

A terminal must not be steered by escape codes, a spreadsheet must run no formula, a line must stay one line, and marks
that turn the direction of writing must not reach beyond the text that they are in. What cannot be seen is written as
Python writes it, such as `\\x1b` or `\\u202e`. Source of the formula rule: OWASP, CSV injection.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

MAX_LABEL_CHARS = 200
"""Characters that a label or a cell of the window shows of one name or sentence at the most."""
MAX_TOOLTIP_CHARS = 2_000
"""Characters that a tool tip shows at the most."""
MAX_PAGE_CHARS = 20_000
"""Characters of a text of several lines, such as instructions, that the window shows at the most."""

_INVISIBLE_CHARS = (
    r"\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    r"\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f"
)
"""Controls, marks of direction, signs of no width, halves of characters, tags."""
_JOINER = r"[\u200c\u200d]"
_BEYOND_LATIN = r"[^\x00-\u02ff]"
# patterns are compiled when they are first needed, which the start of the program need not wait for;
# joiners are a part of how many scripts and emoji are written, and of nothing in Latin script
_HIDDEN = (
    rf"[{_INVISIBLE_CHARS}]|(?<!{_BEYOND_LATIN}){_JOINER}|{_JOINER}(?!{_BEYOND_LATIN})|[\u200c\u200d](?=[\u200c\u200d])"
)
# line ends stand only between JSON's own parts: within strings they are escapes already
_IN_JSON = _HIDDEN.replace(r"\x00-\x1f", "", 1)
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_RIGHT_TO_LEFT = r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
# such a name ends before Latin letters, and before what sentences put behind names
_TURNED = rf"{_RIGHT_TO_LEFT}(?:[^A-Za-z\u00c0-\u024f\n,:;.()]*[^\sA-Za-z\u00c0-\u024f\n,:;.()])?"
_ISOLATED = "\u2068{}\u2069"

_HALF = "[\ud800-\udfff]"
_FORMULA = "[=+\\-@\t\r\n＝＋－＠]"
_MARKED = "'+[=+\\-@\t\r\n＝＋－＠]"
_NUMBER = r"(?a)[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?%?|[-+]"

_LATEX = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "[": "{[}", "]": "{]}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "●": r"$\bullet$", "◐": r"$\circ\!\bullet$", "○": r"$\circ$", "–": "--", "·": r"$\cdot$",
}  # fmt: skip

_NO_NAME = rf'[{_INVISIBLE_CHARS}/\\:*?"<>|]+'
_RESERVED = r"(?i)(con|prn|aux|nul|(com|lpt)[0-9¹²³]) *(\.|$)"
_MAX_FILE_NAME_CHARS = 120
"""Bytes of a file name that is made of a name; file systems take 255, and endings are added."""


def escape_invisible(text: str) -> str:
    """One line in which all that cannot be seen is written out; what can be seen stays as it is."""
    return text if text.isprintable() else re.sub(_HIDDEN, _escape_match, text)


def _escape_match(found: re.Match[str]) -> str:
    character = found[0]
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def elide(text: str, most: int) -> str:
    """A text of at most `most` characters: its beginning and its end, which tell names and messages apart."""
    if len(text) <= most:
        return text
    head = (most - 1) // 2
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def escape_terminal(text: str, most: int | None = None) -> str:
    """A line, or a cell of a table, for a terminal."""
    shown = escape_invisible(text if most is None else elide(text, most))
    return shown if most is None else elide(shown, most)


def escape_label(text: str, most: int = MAX_LABEL_CHARS) -> str:
    """A name or a sentence as a label or a cell of the window shows it: one line of bounded length."""
    return escape_terminal(text, most)


def isolate_bidi(text: str, most: int = MAX_LABEL_CHARS) -> str:
    """A name within a sentence of the window; one that runs from right to left turns nothing beside it."""
    shown = escape_terminal(text, most)
    return _ISOLATED.format(shown) if re.search(_RIGHT_TO_LEFT, shown) else shown


def escape_paragraphs(text: str, most: int = MAX_PAGE_CHARS) -> str:
    """A text of several lines as the window shows it, its line ends kept."""
    return "\n".join(escape_invisible(line) for line in elide(text, most).split("\n"))


def isolate_bidi_text(text: str) -> str:
    """Sentences of ours, of several lines, as the window shows them: a name that runs from right to left turns nothing
    beside it, also where it begins a line.
    """
    return re.sub(_TURNED, lambda found: _ISOLATED.format(found[0]), escape_paragraphs(text))


def replace_surrogates(text: str) -> str:
    """A text that can be encoded: half a character (a lone surrogate), as damaged input holds, becomes U+FFFD."""
    return re.sub(_HALF, "\ufffd", text)


def encode_utf8(text: str) -> bytes:
    """A text as the bytes of a file."""
    return replace_surrogates(text).encode()


def escape_csv_cell(text: str) -> str:
    """A cell of a TSV or CSV file that no spreadsheet takes for a formula; `unescape_csv_cell` restores the text.

    What begins with = + - @ (or their wide forms, a tab or a line end) and is no number gets an apostrophe in front,
    and so does what begins with apostrophes before such a sign.
    """
    if re.match(_MARKED, text) or (re.match(_FORMULA, text) and not re.fullmatch(_NUMBER, text)):
        return f"'{text}"
    return text


def unescape_csv_cell(text: str) -> str:
    """The text that `cell` wrote: without the apostrophe in front of a sign that a formula begins with."""
    return text[1:] if re.match(_MARKED, text) else text


def display_csv_cell(text: str) -> str:
    """A cell of a table that is read by people and spreadsheets, and not by us: on one line, and no formula."""
    return escape_csv_cell(escape_invisible(text))


def dumps_json(value: Any, indent: int | None = None) -> str:
    """A value as JSON that any terminal and any reader takes; what cannot be seen stands as an escape.

    Half a character, which readers refuse, becomes U+FFFD. ValueError for NaN and infinities, which JSON has not.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return text if text.isprintable() else re.sub(_IN_JSON, _json_escape, replace_surrogates(text))


def _json_escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def escape_latex(text: str) -> str:
    """Text with LaTeX's own characters escaped, on one line."""
    return "".join(_LATEX.get(character, character) for character in escape_invisible(text))


def escape_html(text: str, most: int | None = None) -> str:
    """Text that HTML shows letter for letter, tags and all."""
    return html.escape(escape_terminal(text, most))


def safe_file_name(text: str, otherwise: str) -> str:
    """A part of a file name made of a name: within its folder, on every system; `otherwise` where nothing is left."""
    name = re.sub(_NO_NAME, "-", unicodedata.normalize("NFC", text))
    name = name.encode()[:_MAX_FILE_NAME_CHARS].decode("utf-8", "ignore").strip(" .")
    if not name.strip("-"):
        return otherwise
    return f"-{name}" if re.match(_RESERVED, name) else name


def shorten_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names without the parts between full stops that all of them begin or end with, where there is little room.

    >>> shorten_names(["newstest.uedin.1.en-ro", "newstest.KIT.2.en-ro"]), shorten_names(["A.x"])
    (('uedin.1', 'KIT.2'), ('A.x',))
    """
    parts = [name.split(".") for name in names]
    if len(set(names)) < 2 or min(map(len, parts)) < 2:
        return tuple(map(escape_label, names))
    most = min(map(len, parts)) - 1
    head = next((place for place in range(most) if len({part[place] for part in parts}) > 1), most)
    tail = next((place for place in range(most - head) if len({part[-1 - place] for part in parts}) > 1), most - head)
    return tuple(escape_label(".".join(part[head : len(part) - tail])) for part in parts)
