"""A segment as one line of text: codes as `⟨1⟩ … ⟨/1⟩` and `⟨2/⟩`, a ⟨ of the text doubled, line breaks as U+2028."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import groupby

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.codes import Code, CodeKind, Content, codes_in, text_of
from qe_desktop.wording import tr

BREAK = "\u2028"
BREAKS = re.compile("\r\n|\r|\n|\u2028")
_MARKED = re.compile("⟨⟨|⟨(/?[0-9]{1,6}|[0-9]{1,6}/)⟩|⟨")
_UNNUMBERED = ("⟨0/⟩", "⟨0⟩", "⟨/0⟩")
NO_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML does not hold, not even as a reference (XML 1.0, production 2)."""


def line_of(content: Content) -> str:
    """The line that stands for a source or a target."""
    return "".join([_line_of_text(run) if isinstance(run, str) else run.shown for run in content])


def _line_of_text(text: str) -> str:
    if "\n" in text or "\r" in text:
        text = BREAKS.sub(BREAK, text)
    return text.replace("⟨", "⟨⟨")


class OtherCodesError(QeError):
    """A line in which codes are missing or there too often, which a person may want all the same."""


def content_of(line: str, source: Content, target: Content | None, *, other_codes: bool = False) -> Content:
    """What a line stands for, in a segment with such a source, and such a target until now.

    A line break is of the kind that the segment has, else LF. QeError without a place where a code is unknown, in no
    order or without its other end, or where the text holds what no file does; OtherCodesError where a code is missing
    or there too often, unless there may be `other_codes`.
    """
    kind = _break(target) or _break(source) or "\n"
    known = {code.shown: code for code in (*codes_in(source), *codes_in(target or ()))}
    runs: list[str | Code] = []
    low = 0
    for found in _MARKED.finditer(line):
        runs.append(line[low : found.start()])
        runs.append(_run(found[0], known))
        low = found.end()
    runs.append(line[low:])
    content = _joined(runs, kind)
    _refuse_disorder(content)
    unwritable = NO_CHARACTER.search(text_of(content))
    if unwritable:
        shown = f"U+{ord(unwritable[0]):04X}"
        raise QeError(
            tr("the text holds the character {code}, which such a file may not hold", code=shown), hint=tr("Remove it.")
        )
    if not other_codes:
        # last, so that whoever is told of this alone may have it written
        _refuse_other_codes(content, source, target)
    return content


def _run(mark: str, known: dict[str, Code]) -> str | Code:
    if mark == "⟨⟨":
        return "⟨"
    if mark in known:
        return known[mark]
    if mark == "⟨":
        message = tr("a ⟨ of the text is not doubled")
        raise QeError(message, hint=tr("Write ⟨⟨ for the sign itself, and ⟨1⟩ for a code."))
    alone = set(known.values())
    if mark in _UNNUMBERED and len(alone) == 1:
        # lines that were kept before a code that is the whole of a segment had a number
        return alone.pop()
    message = tr("the code {code} is none of this segment", code=mark)
    raise QeError(message, hint=tr("Keep the codes of the source, each once."))


def _joined(runs: list[str | Code], kind: str) -> Content:
    joined: list[str | Code] = []
    for is_code, group in groupby(runs, lambda run: isinstance(run, Code)):
        if is_code:
            joined += group
        elif text := "".join([run for run in group if isinstance(run, str)]):
            joined.append(text.replace(BREAK, kind))
    return tuple(joined)


def _break(content: Content | None) -> str:
    found = BREAKS.search(text_of(content)) if content else None
    return found[0] if found else ""


def _refuse_other_codes(content: Content, source: Content, target: Content | None) -> None:
    """The codes must be those of the source, or those that the target had before."""
    have = Counter(code.shown for code in codes_in(content))
    must = Counter(code.shown for code in codes_in(source))
    if have == must or (target is not None and have == Counter(code.shown for code in codes_in(target))):
        return
    missing, extra = list((must - have).elements()), list((have - must).elements())
    hint = tr("Keep the codes of the source, each once.")
    if missing:
        raise OtherCodesError(tr("the code {code} is missing", code=missing[0]), hint=hint)
    raise OtherCodesError(tr("the code {code} is there too often", code=extra[0]), hint=hint)


def _refuse_disorder(content: Content) -> None:
    """Ends must come behind their beginnings, and elements must lie wholly within each other."""
    opened: dict[int, Code] = {}
    by_number: dict[int, list[int]] = defaultdict(list)
    nesting: list[int] = []
    """Those that are open and must lie within each other, by their places among all codes."""
    for place, code in enumerate(codes_in(content)):
        if code.kind is CodeKind.OPEN:
            opened[place] = code
            by_number[code.number].append(place)
            if code.nests:
                nesting.append(place)
        elif code.kind is CodeKind.CLOSE:
            begun = by_number[code.number].pop() if by_number[code.number] else None
            if begun is None or (code.nests and nesting and nesting[-1] > begun):
                message = tr("the code {code} stands in the wrong place", code=code.shown)
                hint = tr("An end comes behind its beginning, and codes that lie within others end before those do.")
                raise QeError(message, hint=hint)
            if opened.pop(begun).nests:
                nesting.remove(begun) if nesting[-1] != begun else nesting.pop()
    if opened:
        message = tr("the code {code} has no end", code=next(iter(opened.values())).shown)
        raise QeError(message, hint=tr("Put both of its ends into the text, or none."))
