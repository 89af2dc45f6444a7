"""Check for markup that is part of the text: HTML elements and entities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.text_shape import ENTITY

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:_-]{0,40})((?:\s[^<>]{0,300})?)(/?)>")
_VOID = frozenset(("br", "hr", "img", "wbr", "input", "p", "li"))
"""Elements that may be written without an end tag."""
_ENTITY = re.compile(ENTITY)
_BROKEN = re.compile(r"&\s?(?:amp|lt|gt|quot|apos|nbsp|#\s?[0-9]{2,5})(?:\s;|(?![\w;]))|&\s(?:amp|lt|gt|quot|nbsp);")
_SIGNS = {"&lt;": "<", "&gt;": ">"}
"""Entities whose absence changes the markup of a page."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    if "<" in source and ">" in source:
        yield from _tags(pair)
    if "&" not in source:
        return
    if _ENTITY.search(source) and "&" in mt:
        for match in _BROKEN.finditer(mt):
            yield QaIssue(match.span(), tr("“{text}” is not a valid HTML entity", text=match[0]))
    for entity, sign in _SIGNS.items():
        if entity in source and entity not in mt and sign not in mt:
            reason = tr("the HTML entity {name} of the source is missing", name=entity)
            yield QaIssue((len(mt), len(mt)), reason)


def _tags(pair: SegmentPair) -> Iterator[QaIssue]:
    """Compare the tags of elements: those with an end tag in the source, and those that need none."""
    there = [(match[1], match[2]) for match in _TAG.finditer(pair.source)]
    elements = {name for slash, name in there if slash or name.lower() in _VOID}
    if not elements:
        return
    expected = Counter(tag for tag in there if tag[1] in elements)
    for match in _TAG.finditer(pair.mt):
        tag = (match[1], match[2])
        if expected[tag] > 0:
            expected[tag] -= 1
        elif match[2] in elements:
            yield QaIssue(match.span(), tr("{tag} occurs more often than in the source", tag=match[0]))
    for slash, name in expected.elements():
        reason = tr("the tag {tag} of the source is missing", tag=f"<{slash}{name}>")
        yield QaIssue((len(pair.mt), len(pair.mt)), reason)


CHECK = Check.of_each(
    "markup",
    tr("HTML elements and entities"),
    tr("HTML elements in the text that are missing or surplus, and entities such as &lt; that are missing or broken."),
    _find,
)
