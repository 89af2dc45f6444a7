"""Check for unpaired brackets and quotation marks, brackets in source or MT only, and missing quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.text_shape import is_laid_out, is_sentence

_PAIRS = {
    "(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "｛": "｝", "【": "】", "〔": "〕",
}  # fmt: skip
_ENDS = {end: begin for begin, end in _PAIRS.items()}
_BRACKET = re.compile(r"[()\[\]{}（）［］｛｝【】〔〕]")
_PLACEHOLDER = re.compile(r"\{\{[^{}]{1,80}\}\}|\{[\w.:!\[\]>#/@-]{0,80}\}|%\([\w.-]{1,80}\)")
"""Pattern of placeholders with brackets; placeholders are covered by another check."""
_LIST_ITEM = re.compile(r"^\s*[\w.]{1,4}[)）\]]")
"""Pattern of the beginning of a list item, such as 1), a) or iv]."""
_OPTIONAL_ENDING = re.compile(r"(?<=\w)\((?:e?s|[a-z]{1,2})\)|\([cCrR]\)")
"""Pattern of an optional ending, as in “file(s)”, and of (c) and (r), the copyright and trademark symbols."""
_LETTER = re.compile(r"[^\W\d_]")
_EMOTICON = re.compile(r"(?<!\S)(?:[:;=][-^']?|[8xX][-^'])[()\[\]DPp]|(?<!\S)[()][-^']?[:;]")
"""Pattern of emoticons such as :-), whose characters do not count as brackets."""
_QUOTE = re.compile("[\"״“”„‟«»「」『』＂《》〈〉〝〞〟]|''|``")
_APPARENT_QUOTE = re.compile(r"(?<=[^\W\d_])[\"״](?=[^\W\d_])|(?<=\d)(\"|'')")
"""Pattern of characters that resemble quotation marks: gershayim between letters, inches and seconds after a digit.

A mark after a digit (group 1) is a quotation mark after all if it closes a quotation opened by an identical mark.
"""
_HEBREW_PREFIX_QUOTE = re.compile(r"(?<=[א-ת])[\"״](?=[א-ת]{2})")
"""Pattern of a quotation mark between a Hebrew prefix (article or preposition) and the word after the prefix."""
_NAME = re.compile("[A-Za-zÀ-ÖØ-öø-ɏ]+")
_NON_LATIN_LETTER = re.compile("[\u0370-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Pattern of a letter of a non-Latin script."""
_SINGLE_QUOTED = re.compile(r"(?<!\w)['‘‚‹][^'’‘›‚‹]*['’‘›](?!\w)")


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    yield from _brackets(pair)
    yield from _quotes(pair)


def _brackets(pair: SegmentPair) -> Iterator[QaIssue]:
    mt_match, source_match = _BRACKET.search(pair.mt), _BRACKET.search(pair.source)
    if mt_match is None and source_match is None:
        return
    unpaired, paired = _pair_brackets(pair.mt)
    unpaired_source, paired_source = _pair_brackets(pair.source)
    if unpaired and not unpaired_source:
        for offset in unpaired:
            yield QaIssue((offset, offset + 1), tr("the bracket “{sign}” is not paired", sign=pair.mt[offset]))
    elif not unpaired and not unpaired_source and bool(paired) != bool(paired_source):
        if paired:
            # labels, messages and lists of programs are often explained in brackets
            if is_sentence(pair.source) and not _is_gloss(pair, pair.mt[paired[0] + 1 : paired[-1]]):
                reason = tr("brackets that are not in the source")
                yield from (QaIssue((offset, offset + 1), reason) for offset in paired)
        elif _BRACKET.search(_PLACEHOLDER.sub("", _OPTIONAL_ENDING.sub("", pair.source))) and not is_laid_out(
            pair.source
        ):
            yield QaIssue((len(pair.mt), len(pair.mt)), tr("the brackets of the source are missing from the target"))
            yield from (QaIssue((offset, offset + 1), tr("missing from the target"), True) for offset in paired_source)


def _is_gloss(pair: SegmentPair, bracketed_text: str) -> bool:
    """Whether the text in brackets is a name from the source, repeated after its transliteration or translation.

    In an MT with letters of non-Latin scripts, any word in Latin letters counts as such a name.
    """
    words = _NAME.findall(bracketed_text)
    if _NON_LATIN_LETTER.search(pair.mt):
        return bool(words)
    source_names = set(_NAME.findall(pair.source))
    return any(word[0].isupper() for word in words) and all(word in source_names for word in words)


def _pair_brackets(text: str) -> tuple[list[int], list[int]]:
    """Return the offsets of unpaired and of paired brackets, except those of list items, emoticons and placeholders."""
    item = _LIST_ITEM.match(text)
    ignored = {offset for face in _EMOTICON.finditer(text) for offset in range(*face.span())}
    ignored |= {offset for holder in _PLACEHOLDER.finditer(text) for offset in range(*holder.span())}
    opened: list[tuple[str, int]] = []
    unpaired: list[int] = []
    paired: list[int] = []
    for match in _BRACKET.finditer(text):
        sign, offset = match[0], match.start()
        if offset in ignored or (item is not None and offset == item.end() - 1):
            continue
        if sign in _PAIRS:
            opened.append((sign, offset))
        elif opened and opened[-1][0] == _ENDS[sign]:
            paired += (opened.pop()[1], offset)
        else:
            unpaired.append(offset)
    return sorted([*unpaired, *(offset for _, offset in opened)]), sorted(paired)


def _quotes(pair: SegmentPair) -> Iterator[QaIssue]:
    mt_quotes, source_quotes = _quotes_in(pair.mt), _quotes_in(pair.source)
    if len(mt_quotes) % 2 and _HEBREW_PREFIX_QUOTE.search(pair.mt):
        # an apparent gershayim may open a quotation
        return
    if len(mt_quotes) % 2 and not len(source_quotes) % 2 and _LETTER.search(pair.source):
        start, stop = mt_quotes[-1]
        yield QaIssue((start, stop), tr("the quotation mark “{sign}” is not paired", sign=pair.mt[start:stop]))
    # quotation marks only in the MT depend on language and style guide, such as those around menu names
    elif source_quotes and not mt_quotes and not len(source_quotes) % 2 and not _SINGLE_QUOTED.search(pair.mt):
        yield QaIssue((len(pair.mt), len(pair.mt)), tr("the quotation marks of the source are missing from the target"))
        yield from (QaIssue(span, tr("missing from the target"), True) for span in source_quotes)


def _quotes_in(text: str) -> list[tuple[int, int]]:
    if not _QUOTE.search(text):
        return []
    apparent_quotes = {match.start(): match[1] for match in _APPARENT_QUOTE.finditer(text)}
    spans: list[tuple[int, int]] = []
    opened = {'"': False, "''": False}
    for match in _QUOTE.finditer(text):
        sign = match[0]
        if match.start() in apparent_quotes and not (apparent_quotes[match.start()] and opened[sign]):
            continue
        if sign in opened:
            opened[sign] = not opened[sign]
        spans.append(match.span())
    outside = [span for span in spans if span[0] not in apparent_quotes]
    return outside if len(spans) % 2 else spans


CHECK = Check.of_each(
    "brackets",
    tr("Brackets and quotation marks"),
    tr(
        "Unpaired brackets or quotation marks if those of the source are paired, brackets in only one of source and "
        "MT, and missing quotation marks."
    ),
    _find,
)
