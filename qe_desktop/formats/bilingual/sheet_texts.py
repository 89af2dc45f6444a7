"""Text in the cells of a workbook: what XML cannot hold stands as `_x0007_` there (ECMA-376, part 1, 22.9.2.19)."""

from __future__ import annotations

import re

MOST_CHARACTERS = 32_767
"""Characters of a cell, counted as Excel does, at the most."""
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def read(text: str) -> str:
    """What is meant by the text of a cell."""
    return _ESCAPE.sub(_character, text) if "_x" in text else text


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    # half a character is none
    return found[0] if 0xD800 <= code < 0xE000 else chr(code)


def written(text: str) -> str:
    """A `t` element with a text, to stand in a cell."""
    text = _ESCAPED.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    space = ' xml:space="preserve"' if text != text.strip() or "\n" in text or "\t" in text or "  " in text else ""
    return f"<t{space}>{text}</t>"
