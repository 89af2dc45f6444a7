"""The tokeniser of mteval-v13a, which sacreBLEU calls 13a: punctuation apart, numbers whole, for languages with blanks.

It works on many lines at once. They stand apart by a line feed between blanks, which none of the rules reaches across,
so each is cut as if it stood alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

# where a rule puts blanks around what it found, splitting and joining takes a fraction of the time of replacing
_APART = re.compile(r"([!-&(-+/:-@\[-`{-~])")
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_NOT_BETWEEN_DIGITS = re.compile(r"([.,](?:(?![0-9])|(?<![0-9].)))")
# a pattern that begins with what it looks for is found faster than one that begins with what stands around it
_SEVERAL_BEFORE_DIGIT = re.compile(r"[.,][.,][0-9]")
_DASH_AFTER_DIGIT = re.compile(r"-(?<=[0-9]-)")

_SKIPPED = "<skipped>"
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_BETWEEN = " \n "
LINES_AT_ONCE = 1 << 12
"""Few enough that the pieces of long texts take little memory, many enough that calls do not count."""

Change = Callable[[str], str]


def sacrebleu_13a(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    """The tokens of each line as sacreBLEU's `13a` gives them; all letters are lowered first where that is asked."""
    return _tokens(lines, str.lower if lowercase else str, str)


def mteval_13a(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    """The tokens of each line as mteval-v13a.pl gives them: it lowers A to Z alone, after it has read entities."""
    return _tokens(lines, str, ascii_lower if lowercase else str)


def ascii_lower(text: str) -> str:
    """The text with A to Z lowered and all else as it is."""
    return text.lower() if text.isascii() else text.encode("utf-8", _AS_IS).lower().decode("utf-8", _AS_IS)


_AS_IS = "surrogatepass"


def _tokens(lines: Sequence[str], before: Change, after: Change) -> list[list[str]]:
    """What `before` makes of the text is read, what `after` makes of what was read is cut."""
    blocks = (lines[first : first + LINES_AT_ONCE] for first in range(0, len(lines), LINES_AT_ONCE))
    return [tokens for block in blocks for tokens in _tokens_of(block, before, after)]


def _tokens_of(lines: Sequence[str], before: Change, after: Change) -> list[list[str]]:
    text = before(_joined(lines))
    if text.count("\n") == len(lines) + 1:
        text = text.replace(_SKIPPED, "")
    else:
        text = _joined([_in_one_line(before(line)) for line in lines])
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return [line.split() for line in _apart(after(text)).split("\n")[1:-1]]


def _joined(lines: Sequence[str]) -> str:
    return _BETWEEN.join(("", *lines, ""))


def _in_one_line(line: str) -> str:
    """A line that holds line feeds without them: a word that is broken by a dash and a line feed is joined."""
    return line.rstrip().replace(_SKIPPED, "").replace("-\n", "").replace("\n", " ")


def _apart(text: str) -> str:
    """Blanks around what is a token of its own: punctuation, then full stops and commas, then dashes after digits."""
    text = " ".join(_APART.split(text))
    text = _stops_in_turn(text) if _SEVERAL_BEFORE_DIGIT.search(text) else " ".join(_NOT_BETWEEN_DIGITS.split(text))
    return _DASH_AFTER_DIGIT.sub(" - ", text)


def _stops_in_turn(text: str) -> str:
    """Blanks around full stops and commas by the two rules as they are written: after no digit, then before no digit.

    A rule does not look again at what it has just looked at, so "a..5" is "a . .5"; where no digit follows several of
    them, both rules together are one.
    """
    pieces = _AFTER_NO_DIGIT.split(text)
    pieces[2::3] = [f" {mark} " for mark in pieces[2::3]]
    pieces = _BEFORE_NO_DIGIT.split("".join(pieces))
    pieces[1::3] = [f" {mark} " for mark in pieces[1::3]]
    return "".join(pieces)
