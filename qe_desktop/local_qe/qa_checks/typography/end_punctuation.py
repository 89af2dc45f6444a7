"""Check of the punctuation mark that ends a sentence: the target has that of the source, in its own script."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.text_shape import inner_stops, is_laid_out

_STOP, _QUESTION, _EXCLAMATION, _COLON, _DOTS = ".", "?", "!", ":", "…"
_KINDS = {
    **dict.fromkeys(".。．｡।۔։።᠃᭟", _STOP), **dict.fromkeys("?？؟՞፧⁇⁈", _QUESTION),
    **dict.fromkeys("!！՜‼⁉", _EXCLAMATION), **dict.fromkeys(":：፦", _COLON), "…": _DOTS,
}  # fmt: skip
"""Kinds of marks by character."""
_GREEK_QUESTION = ";\u037e"
_QUOTES = "\"'”“’‘»«›‹」』"
_CLOSING = " \t\u00a0\u202f\u2028\u3000\"'”“’‘»«›‹」』】)）]］}>*_"
"""Characters that may follow the last mark of a sentence."""
_WITHOUT_STOPS = frozenset(("th", "lo", "km", "my", "bo", "dz"))
"""Languages that separate sentences by spaces."""
_SAME = ({_STOP, _EXCLAMATION}, {_QUESTION, _EXCLAMATION}, {_STOP, _DOTS}, {_DOTS, _COLON})
"""Marks of which a translator may choose one."""
_ABBREVIATED = re.compile(r"(?:^|[\s(])(?:[^\W\d_]{1,4}|(?:[^\W\d_]\.)+[^\W\d_]?|\d+)\.$")
"""Pattern of a text that ends with an abbreviation, an initial or an ordinal number."""
MIN_WORDS = 3
"""Minimum number of words of a target that needs a full stop; shorter ones are labels."""


def end_mark(text: str, language: str) -> str:
    """Kind of the mark that ends a text, without closing quotation marks and brackets; empty if there is none."""
    ended = text.rstrip(_CLOSING)
    last = ended[-1:]
    if last in _GREEK_QUESTION and last and language == "el":
        return _QUESTION
    if len(ended) < len(text) and ended[-2:-1] and ended[-2] in _QUOTES:
        # the mark itself is quoted
        return ""
    if last == "." and ended.endswith("..."):
        return _DOTS
    return _KINDS.get(last, "")


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    # the last characters are nearly always equal
    if pair.source[-1:] == pair.mt[-1:] and pair.mt[-1:] in _KINDS:
        return
    if not pair.written or not pair.source_written or pair.language in _WITHOUT_STOPS:
        return
    there, here = end_mark(pair.source, pair.source_language), end_mark(pair.mt, pair.language)
    if there == here or any({there, here} == same for same in _SAME):
        return
    ended = len(pair.mt.rstrip(_CLOSING))
    if not here:
        # a short text may be a label whose full stop is dropped
        if there in (_QUESTION, _COLON) or (there == _STOP and _is_sentence(pair)):
            reason = tr("the source ends with “{mark}”, the target without a punctuation mark", mark=there)
            yield QaIssue((len(pair.mt), len(pair.mt)), reason)
    elif not there:
        # items of lists, and translations in several sentences, often get a full stop
        added_to_list = is_laid_out(pair.source) or _is_split(pair)
        if not added_to_list and not _ABBREVIATED.search(pair.mt[max(0, ended - 20) : ended]):
            reason = tr("the target ends with “{mark}”, the source without a punctuation mark", mark=here)
            yield QaIssue((ended - 1, ended), reason)
    else:
        reason = tr("the source ends with “{mark}”, the target with “{other}”", mark=there, other=here)
        yield QaIssue((ended - 1, ended), reason)


def _is_split(pair: SegmentPair) -> bool:
    """Whether the target has more sentences than the source."""
    return inner_stops(pair.mt) > inner_stops(pair.source)


def _is_sentence(pair: SegmentPair) -> bool:
    """Whether the full stop of the source ends a sentence, not an abbreviation, and the target has several words."""
    source = pair.source.rstrip(_CLOSING)
    return len(pair.mt.split()) >= MIN_WORDS and not _ABBREVIATED.search(source[-20:])


CHECK = Check.of_each(
    "end-punctuation",
    tr("Punctuation at the end"),
    tr(
        "A sentence whose target ends with another kind of punctuation mark than its source, or with none. Marks of "
        "other scripts count as equal, and so do a full stop and an exclamation mark."
    ),
    _find,
)
