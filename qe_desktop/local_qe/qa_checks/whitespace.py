"""Check for spacing errors in raw text: repeated spaces, spaces before punctuation, leading or trailing spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_SPACE_RUN = re.compile("(?<=\\S)[ \u00a0\u202f]{2,}(?=\\S)")
_SPACE_BEFORE_MARK = re.compile(
    r"(?<=[^\s,.;:!?])[ \u00a0\u202f]([,.!?](?=[\s\"”»)\]]|$)|,(?=[^\W\d_])|[:;](?=[\s\"”»\]]|$))"
)
_SPACE_BEFORE_WIDE_MARK = re.compile("(?<=\\S)[ \u00a0\u202f\u3000]([。、，．；：！？])")
_MARKS_WITHOUT_SPACE = frozenset(",.")
"""Characters that have no space before them in any language."""
_SPACES = " \t\u00a0\u202f\u3000"
"""Spaces and tabs that are checked at the start and end of a text; line breaks have a separate check."""
_SPACED_PUNCTUATION_LANGUAGES = frozenset({"fr", "br"})
"""Languages with a space before ; : ! and ?."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    if not pair.is_raw:
        return
    mt, source = pair.mt, pair.source
    if not _SPACE_RUN.search(source):
        for match in _SPACE_RUN.finditer(mt):
            yield QaIssue((match.start(), match.start()), tr("several spaces in a row"))
    yield from _space_before_issues(pair)
    if pair.is_source_raw and source.strip() and mt.strip():
        if mt[0] in _SPACES and not source[0].isspace():
            yield QaIssue((0, 0), tr("a leading space that is not in the source"))
        if mt[-1] in _SPACES and not source[-1].isspace():
            yield QaIssue((len(mt), len(mt)), tr("a trailing space that is not in the source"))
        if source[0] in _SPACES and not mt[0].isspace() and not _is_wide(mt[0]):
            yield QaIssue((0, 0), tr("the leading space of the source is missing from the target"))
        if source[-1] in _SPACES and not mt[-1].isspace() and not _is_wide(mt[-1]):
            yield QaIssue((len(mt), len(mt)), tr("the trailing space of the source is missing from the target"))


def _is_wide(sign: str) -> bool:
    """Return whether a character is full-width, as in Chinese and Japanese; it needs no space next to it."""
    return unicodedata.east_asian_width(sign) in ("W", "F")


def _space_before_issues(pair: SegmentPair) -> Iterator[QaIssue]:
    source_signs: set[str] | None = None
    for pattern in (_SPACE_BEFORE_MARK, _SPACE_BEFORE_WIDE_MARK):
        for match in pattern.finditer(pair.mt):
            sign = match[1]
            # some characters depend on the language; if it is unknown, they are not checked
            if (
                pattern is _SPACE_BEFORE_MARK
                and sign not in _MARKS_WITHOUT_SPACE
                and (not pair.target_language or pair.target_language in _SPACED_PUNCTUATION_LANGUAGES)
            ):
                continue
            if source_signs is None:
                source_signs = {source_match[1] for source_match in _SPACE_BEFORE_MARK.finditer(pair.source)}
            if sign not in source_signs:
                yield QaIssue(match.span(1), tr("a space before “{sign}”", sign=sign))


CHECK = Check.of_each(
    "spaces",
    tr("Spaces"),
    tr(
        "Several spaces in a row, or a space before punctuation. If the target language is French, Breton or unknown, "
        "only spaces before commas and full stops are reported. Also a leading or trailing space in only one of source "
        "and target."
    ),
    _find,
)
