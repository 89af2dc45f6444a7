"""Escaping of names and file contents, which may contain any characters, for each kind of output.

A terminal must not receive escape codes, and a spreadsheet must not run a formula. A line must remain one line, and
marks that change the writing direction must not affect surrounding text. Invisible characters are written as Python
escapes, such as `\\x1b` or `\\u202e`. Source of the formula rule: OWASP, CSV injection.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

MAX_LABEL_CHARS = 200
"""Maximum number of characters of a name or sentence in a label or a table cell of the window."""
MAX_TOOLTIP_CHARS = 2_000
"""Maximum number of characters of a tool tip."""
MAX_PAGE_CHARS = 20_000
"""Maximum number of characters of a multi-line text in the window, such as instructions."""

_INVISIBLE_CHARS = (
    r"\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    r"\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f"
)
"""Ranges of control characters, direction marks, zero-width characters, surrogates and tag characters."""
_JOINER = r"[\u200c\u200d]"
_BEYOND_LATIN = r"[^\x00-\u02ff]"
# patterns are compiled on first use, so that start-up does not wait for them;
# zero-width joiners are part of correct spelling in many scripts and of emoji, but are not used in Latin script
_HIDDEN = (
    rf"[{_INVISIBLE_CHARS}]|(?<!{_BEYOND_LATIN}){_JOINER}|{_JOINER}(?!{_BEYOND_LATIN})|[\u200c\u200d](?=[\u200c\u200d])"
)
# line ends occur only between JSON tokens: within strings they are already escaped
_ESCAPED_JSON_CHARS = _HIDDEN.replace(r"\x00-\x1f", "", 1)
_SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_RIGHT_TO_LEFT = r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
# a right-to-left name ends before Latin letters and before punctuation that follows names in sentences
_RIGHT_TO_LEFT_NAME = rf"{_RIGHT_TO_LEFT}(?:[^A-Za-z\u00c0-\u024f\n,:;.()]*[^\sA-Za-z\u00c0-\u024f\n,:;.()])?"
_ISOLATED = "\u2068{}\u2069"

_SURROGATE = "[\ud800-\udfff]"
_FORMULA = "[=+\\-@\t\r\n＝＋－＠]"
_ESCAPED_FORMULA = "'+[=+\\-@\t\r\n＝＋－＠]"
NUMBER_PATTERN = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
"""Pattern of a decimal number; it matches in linear time, as adjacent repetitions match different characters."""
_NUMBER = rf"{NUMBER_PATTERN}%?|[-+]"

_LATEX = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "[": "{[}", "]": "{]}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "●": r"$\bullet$", "◐": r"$\circ\!\bullet$", "○": r"$\circ$", "–": "--", "·": r"$\cdot$",
}  # fmt: skip

_INVALID_FILE_NAME_CHARS = rf'[{_INVISIBLE_CHARS}/\\:*?"<>|]+'
_RESERVED = r"(?i)(con|prn|aux|nul|(com|lpt)[0-9¹²³]) *(\.|$)"
_MAX_FILE_NAME_BYTES = 120
"""Maximum number of bytes that `safe_file_name` keeps; file systems allow 255, but suffixes may be added."""


def escape_invisible(text: str) -> str:
    """Escape invisible characters, so that the text is one line; joiners in non-Latin scripts and emoji are kept."""
    return text if text.isprintable() else re.sub(_HIDDEN, _escape_match, text)


def _escape_match(match: re.Match[str]) -> str:
    character = match[0]
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def elide(text: str, max_chars: int) -> str:
    """Shorten a text to at most `max_chars` (≥ 1) characters; keep its beginning and end, which distinguish names."""
    if len(text) <= max_chars:
        return text
    head = (max_chars - 1) // 2
    return f"{text[:head]}…{text[len(text) - (max_chars - 1 - head) :]}"


def escape_terminal(text: str, max_chars: int | None = None) -> str:
    """Escape a line or a table cell for a terminal; shorten it to at most `max_chars` characters (None: no limit)."""
    escaped = escape_invisible(text if max_chars is None else elide(text, max_chars))
    return escaped if max_chars is None else elide(escaped, max_chars)


def escape_label(text: str, max_chars: int = MAX_LABEL_CHARS) -> str:
    """Escape a name or a sentence for a label or a table cell of the window, as one line of limited length."""
    return escape_terminal(text, max_chars)


def isolate_bidi(text: str, max_chars: int = MAX_LABEL_CHARS) -> str:
    """Escape a name for a sentence in the window; put it in a bidi isolate if it has right-to-left characters."""
    escaped = escape_terminal(text, max_chars)
    return _ISOLATED.format(escaped) if has_right_to_left(escaped) else escaped


def has_right_to_left(text: str) -> bool:
    """Return whether a text contains right-to-left characters."""
    return re.search(_RIGHT_TO_LEFT, text) is not None


def escape_paragraphs(text: str, max_chars: int = MAX_PAGE_CHARS) -> str:
    """Shorten a multi-line text to at most `max_chars` characters, then escape it for the window; keep line breaks."""
    return "\n".join(escape_invisible(line) for line in elide(text, max_chars).split("\n"))


def isolate_bidi_text(text: str) -> str:
    """Escape a multi-line text for the window, and put right-to-left names in bidi isolates, even at line starts."""
    return re.sub(_RIGHT_TO_LEFT_NAME, lambda match: _ISOLATED.format(match[0]), escape_paragraphs(text))


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which occur in damaged input, with U+FFFD, so that the text can be encoded."""
    return re.sub(_SURROGATE, "\ufffd", text)


def encode_utf8(text: str) -> bytes:
    """Encode a text as UTF-8, with lone surrogates replaced."""
    return replace_surrogates(text).encode()


def escape_csv_cell(text: str) -> str:
    """Escape a cell of a TSV or CSV file so that no spreadsheet parses it as a formula; see `unescape_csv_cell`.

    An apostrophe is prefixed to a text that begins with a formula character: =, +, - or @ (also in full-width form), a
    tab or a line end. Numbers, percentages and a single + or - are not changed. An apostrophe is also prefixed to a
    text that begins with one or more apostrophes followed by a formula character.
    """
    if re.match(_ESCAPED_FORMULA, text) or (re.match(_FORMULA, text) and not re.fullmatch(_NUMBER, text)):
        return f"'{text}"
    return text


def unescape_csv_cell(text: str) -> str:
    """Undo `escape_csv_cell`: remove one of the apostrophes before a formula character at the beginning of a text."""
    return text[1:] if re.match(_ESCAPED_FORMULA, text) else text


def display_csv_cell(text: str) -> str:
    """Escape a table cell that is displayed but not read back: it becomes one line that is not parsed as a formula."""
    return escape_csv_cell(escape_invisible(text))


def dumps_json(value: Any, indent: int | None = None) -> str:
    """Serialize a value as JSON that is safe for any terminal and parser, with invisible characters escaped.

    Lone surrogates, which parsers reject, become U+FFFD. Raises ValueError for NaN and infinities, which JSON lacks,
    and TypeError for values of types that JSON lacks.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return text if text.isprintable() else re.sub(_ESCAPED_JSON_CHARS, _json_escape, replace_surrogates(text))


def _json_escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def escape_latex(text: str) -> str:
    """Escape invisible characters, so that the text is one line, and the special characters of LaTeX."""
    return "".join(_LATEX.get(character, character) for character in escape_invisible(text))


def escape_html(text: str, max_chars: int | None = None) -> str:
    """Escape a text for literal display on one line of HTML; at most `max_chars` characters are shown (None: all)."""
    return html.escape(escape_terminal(text, max_chars))


def safe_file_name(text: str, fallback: str) -> str:
    """Convert a name to a part of a file name valid on every operating system; `fallback` if nothing is left."""
    name = re.sub(_INVALID_FILE_NAME_CHARS, "-", unicodedata.normalize("NFC", text))
    name = name.encode()[:_MAX_FILE_NAME_BYTES].decode("utf-8", "ignore").strip(" .")
    if not name.strip("-"):
        return fallback
    return f"-{name}" if re.match(_RESERVED, name) else name


def shorten_names(names: Sequence[str]) -> tuple[str, ...]:
    """Escape names as labels, without the dot-separated parts that all of them begin or end with.

    Each name keeps at least one part.

    >>> shorten_names(["newstest.uedin.1.en-ro", "newstest.KIT.2.en-ro"]), shorten_names(["A.x"])
    (('uedin.1', 'KIT.2'), ('A.x',))
    """
    parts = [name.split(".") for name in names]
    if len(set(names)) < 2 or min(map(len, parts)) < 2:
        return tuple(map(escape_label, names))
    max_parts = min(map(len, parts)) - 1
    head = next((index for index in range(max_parts) if len({part[index] for part in parts}) > 1), max_parts)
    tail = next(
        (index for index in range(max_parts - head) if len({part[-1 - index] for part in parts}) > 1), max_parts - head
    )
    return tuple(escape_label(".".join(part[head : len(part) - tail])) for part in parts)
