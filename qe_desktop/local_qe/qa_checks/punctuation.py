"""Checks of punctuation: marks at the ends of source and target, and brackets and quotation marks in pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import (
    Check,
    EndMarkPair,
    EndMarks,
    OtherSegments,
    QaIssue,
    SegmentPair,
    SegmentPairs,
    usual_deviations,
)
from qe_desktop.local_qe.qa_checks.placeholders.icu_messages import has_icu_arguments
from qe_desktop.local_qe.qa_checks.text_shape import ENTITY, count_inner_stops, is_laid_out, is_sentence

STOP, QUESTION, EXCLAMATION, COLON, ELLIPSIS = ".", "?", "!", ":", "…"
MARK_KINDS = {
    **dict.fromkeys(".。．｡।۔։።᠃᭟", STOP), **dict.fromkeys("?？؟՞፧⁇⁈", QUESTION),
    **dict.fromkeys("!！՜‼⁉", EXCLAMATION), **dict.fromkeys(":：፦", COLON), "…": ELLIPSIS,
}  # fmt: skip
"""Kind of each punctuation mark."""
_GREEK_QUESTION = ";\u037e"
MAX_ENTITY_CHARS = 34
_ENDS_WITH_ENTITY = re.compile(f"{ENTITY}$")
_ARMENIAN_STOPS = ("։", ":")
_ARMENIAN_QUESTION, _ARMENIAN_PAUSE = "՞", "՝"
_QUOTES = frozenset("\"'”“„’‘‚»«›‹」』「『")
CLOSING_CHARS = " \t\u00a0\u202f\u2028\u3000\"'”“’‘»«›‹」』】)）]］}>*_"
"""Characters that may follow the last mark of a sentence."""
_LANGUAGES_WITHOUT_STOPS = frozenset(("th", "lo", "km", "my", "bo", "dz"))
"""Languages that separate sentences by spaces or other signs instead of full stops."""
_INTERCHANGEABLE_MARKS = ({STOP, EXCLAMATION}, {QUESTION, EXCLAMATION}, {STOP, ELLIPSIS}, {ELLIPSIS, COLON})
"""Pairs of kinds of marks that are interchangeable in a translation."""
_ABBREVIATION_AT_END = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]{1,2}|(?:[^\W\d_]{1,3}\.)+[^\W\d_]{0,3}|\d+"
    r"|etc|usw|bzw|ggf|evtl|vgl|Abb|Tab|Kap|Min|Std|Inc|Ltd|Corp|Dept|Jan|Feb|Mar|Apr|Aug|Sept?|Okt|Oct|Nov|De[cz]"
    r"|Mio|Mrd|Stk|inkl|exkl|zzgl|enz|osv|stb|godz|proc|tys|мин|сек|млрд"
    r"|min|max|env|p\.ex|núm|pág|cap|fig|vol|art|ecc|kpl|tzn|itd|itp|tzv|atd|apod|руб|тыс|млн|стр|рис|гг|и др)\.$"
)
"""Pattern of a text that ends with an abbreviation, an initial or an ordinal number."""
_ABBREVIATIONS = frozenset((
    # French
    "janv", "févr", "juil", "sept", "oct", "nov", "déc", "lun", "jeu", "dim", "chap", "tél", "boul", "suiv", "réf",
    "qté", "maj", "approx", "hab", "coll", "fasc", "adj", "arr", "bibl", "c.-à-d", "cie",
    # Spanish
    "uds", "sra", "avda", "tel", "teléf", "págs", "aprox", "máx", "mín", "dpto", "depto", "prov", "cía", "ene", "feb",
    "abr", "jun", "jul", "ago", "dic", "mié", "jue", "sáb", "izq", "dcha", "gral", "admón", "ptas",
    # German
    "str", "sek", "mrz", "hrsg", "jahrh", "bsp", "anm", "aufl", "ausg", "bez", "geb", "jew", "mind", "entspr", "insb",
    "allg", "abs", "sog", "dgl", "prof", "gegr", "verh", "tsd", "einw", "wdh", "lfd", "stck", "chr", "verw", "vors",
    # Italian
    "pag", "dott", "apr", "giu", "lug", "ott",
))  # fmt: skip
MAX_LABEL_WORDS, MAX_LABEL_CHARS, MAX_ABBREVIATION_CHARS = 2, 40, 5
"""Maximum number of words and of characters of a label, and of characters of an abbreviation at the end of a label."""
_UNSPACED_LANGUAGES = frozenset(("zh", "ja", "yue"))
"""Languages with full stops and without spaces between words."""
_UNSPACED_LETTER = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]")
MIN_WORDS, MIN_UNSPACED_LETTERS = 3, 5
"""Minimum length of a target that needs a full stop: in words or, for languages without spaces, in letters."""


def end_mark(text: str, language: str) -> str:
    """Kind of the mark that ends a text, ignoring closing quotation marks and brackets.

    Empty if there is no mark, or if quotation marks enclose only the mark.
    """
    trimmed = text.rstrip(CLOSING_CHARS)
    last = trimmed[-1:]
    if last and last in _GREEK_QUESTION and language == "el":
        return "" if _ENDS_WITH_ENTITY.search(trimmed[-MAX_ENTITY_CHARS:]) else QUESTION
    if language == "hy":
        return _armenian_mark(trimmed)
    if text[len(trimmed) : len(trimmed) + 1] in _QUOTES and trimmed[-2:-1] in _QUOTES:
        # the mark itself is quoted
        return ""
    if last == "." and trimmed.endswith("..."):
        return ELLIPSIS
    return MARK_KINDS.get(last, "")


def _armenian_mark(text: str) -> str:
    """Kind of the mark of the last sentence of an Armenian text.

    The question mark is on a word within the sentence, and a colon may stand for a full stop.
    """
    sentence = max(text.rfind(stop, 0, -1) for stop in _ARMENIAN_STOPS) + 1
    if _ARMENIAN_QUESTION in text[sentence:]:
        return QUESTION
    return STOP if text.endswith(_ARMENIAN_STOPS) else MARK_KINDS.get(text[-1:], "")


def end_marks(source: str, mt: str, source_language: str, language: str) -> EndMarkPair:
    """Kinds of the marks that end a source and its target; equal if the marks correspond in the two languages."""
    last = source[-1:]
    if last == mt[-1:] and last in "?!:" and last:
        return last, last
    source_mark, mt_mark = end_mark(source, source_language), end_mark(mt, language)
    if source_mark == COLON and language == "hy" and mt.rstrip(CLOSING_CHARS).endswith(_ARMENIAN_PAUSE):
        return source_mark, source_mark
    if (source_mark == QUESTION and _may_be_question(mt, language)) or (
        mt_mark == QUESTION and _may_be_question(source, source_language)
    ):
        return QUESTION, QUESTION
    quotable_marks = {QUESTION, EXCLAMATION}
    if source_mark in quotable_marks and _is_quoted(source) and not _is_quoted(mt):
        source_mark = _mark_of_sentence(mt_mark)
    elif mt_mark in quotable_marks and _is_quoted(mt) and not _is_quoted(source):
        mt_mark = _mark_of_sentence(source_mark)
    return source_mark, mt_mark


def _mark_of_sentence(other_mark: str) -> str:
    """Mark implied by a text that ends with a quoted question or exclamation, given the mark of the other text.

    After such a quotation, a full stop is left out: He asked, “Why?” – „Warum?“, fragte er. Therefore, a full stop is
    implied if the other text ends with one, otherwise no mark.
    """
    return other_mark if other_mark == STOP else ""


def _is_quoted(text: str) -> bool:
    """Whether the last mark of a text is followed by a closing quotation mark."""
    trimmed = text.rstrip(CLOSING_CHARS)
    return not _QUOTES.isdisjoint(text[len(trimmed) :])


def _may_be_question(text: str, language: str) -> bool:
    """Whether a text is Japanese and ends in か, as questions without a question mark (and some other sentences) do."""
    return language == "ja" and text.rstrip(CLOSING_CHARS).removesuffix("。").endswith("か")


def usual_marks(marks: Iterable[EndMarks]) -> frozenset[EndMarks]:
    """Differences between the end marks of source and target that are conventions, such as an added full stop."""
    counts = Counter(marks)
    by_source: Counter[tuple[str, str]] = Counter()
    for (language, (source, _)), count in counts.items():
        by_source[language, source] += count
    deviations = {key: count for key, count in counts.items() if key[1][0] != key[1][1]}
    return usual_deviations(deviations, {key: by_source[key[0], key[1][0]] for key in deviations})


def usual_marks_of_texts(pairs: Iterable[tuple[str, str]], languages: Iterable[tuple[str, str]]) -> frozenset[EndMarks]:
    """Conventions in the end marks of pairs of source and target, given the languages of each pair.

    Pairs with an empty target are skipped.
    """

    def marks() -> Iterator[EndMarks]:
        for (source, mt), (source_language, language) in zip(pairs, languages, strict=False):
            if mt.strip():
                yield language, end_marks(source, mt, source_language, language)

    return usual_marks(marks())


def _find_end_marks(pairs: SegmentPairs) -> Iterator[tuple[int, QaIssue]]:
    conventions = usual_marks((pair.target_language, _marks(pair)) for pair in pairs)
    for pair in pairs:
        for issue in _issues(pair, conventions):
            yield pair.segment, issue


def _find_end_marks_in_segment(pair: SegmentPair, other_segments: OtherSegments) -> Iterator[QaIssue]:
    return _issues(pair, other_segments.conventions.end_marks)


def _marks(pair: SegmentPair) -> EndMarkPair:
    return end_marks(pair.source, pair.mt, pair.source_language, pair.target_language)


def _issues(pair: SegmentPair, conventions: Set[EndMarks]) -> Iterator[QaIssue]:
    if not pair.is_raw or not pair.is_source_raw or pair.target_language in _LANGUAGES_WITHOUT_STOPS:
        return
    if has_icu_arguments(pair.source) and pair.source.endswith("}"):
        # the text ends differently for each number
        return
    source_mark, mt_mark = _marks(pair)
    if (
        source_mark == mt_mark
        or (pair.target_language, (source_mark, mt_mark)) in conventions
        or any({source_mark, mt_mark} == equivalent_marks for equivalent_marks in _INTERCHANGEABLE_MARKS)
    ):
        return
    text_end = len(pair.mt.rstrip(CLOSING_CHARS))
    source_text, mt_text = _mark_as_written(pair.source, source_mark), _mark_as_written(pair.mt, mt_mark)
    if not mt_mark:
        # a short text may be a label whose full stop is dropped
        if source_mark in (QUESTION, COLON) or (source_mark == STOP and _has_words_of_sentence(pair)):
            reason = tr("the source ends with “{mark}”, the target without a punctuation mark", mark=source_text)
            yield QaIssue((len(pair.mt), len(pair.mt)), reason)
    elif not source_mark:
        # items of lists, and translations in several sentences, often get a full stop
        added_to_list = is_laid_out(pair.source) or count_inner_stops(pair.mt) > count_inner_stops(pair.source)
        if not added_to_list and not _is_abbreviated(pair.mt[:text_end]):
            reason = tr("the target ends with “{mark}”, the source without a punctuation mark", mark=mt_text)
            yield QaIssue((text_end - 1, text_end), reason)
    else:
        reason = tr("the source ends with “{mark}”, the target with “{other}”", mark=source_text, other=mt_text)
        yield QaIssue((text_end - 1, text_end), reason)


def _mark_as_written(text: str, kind: str) -> str:
    """Mark of this kind that ends a text, such as “。” for a full stop; an Armenian question is shown as “?”."""
    trimmed = text.rstrip(CLOSING_CHARS)
    if kind == ELLIPSIS and trimmed.endswith("..."):
        return "..."
    last = trimmed[-1:]
    is_greek_question = kind == QUESTION and last and last in _GREEK_QUESTION
    return last if is_greek_question or MARK_KINDS.get(last) == kind else kind


def _is_abbreviated(text: str) -> bool:
    """Whether the full stop at the end of a text belongs to an abbreviation."""
    if _ABBREVIATION_AT_END.search(text[-20:]):
        return True
    words = text[-MAX_LABEL_CHARS:].replace("(", " ").split()
    word = words[-1].removesuffix(".").casefold() if words else ""
    is_label = len(text) <= MAX_LABEL_CHARS and len(text.split()) <= MAX_LABEL_WORDS
    return word in _ABBREVIATIONS or word.endswith("str") or (is_label and len(word) <= MAX_ABBREVIATION_CHARS)


def _has_words_of_sentence(pair: SegmentPair) -> bool:
    """Whether the source does not end with an abbreviation, and the target is too long for a label."""
    source = pair.source.rstrip(CLOSING_CHARS)
    if pair.target_language in _UNSPACED_LANGUAGES:
        is_long = len(_UNSPACED_LETTER.findall(pair.mt)) >= MIN_UNSPACED_LETTERS
    else:
        is_long = len(pair.mt.split()) >= MIN_WORDS
    return is_long and not _ABBREVIATION_AT_END.search(source[-20:])


END_PUNCTUATION_CHECK = Check(
    "end-punctuation",
    tr("Punctuation at the end"),
    tr(
        "A segment whose source and target end with different kinds of punctuation mark, or in which only one of them "
        "ends with a mark. Corresponding marks of other scripts count as equal, and so do interchangeable ones, such "
        "as a full stop and an exclamation mark. A difference that is common in the targets is not reported."
    ),
    _find_end_marks,
    _find_end_marks_in_segment,
)


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


def _find_brackets_and_quotes(pair: SegmentPair) -> Iterator[QaIssue]:
    yield from _bracket_issues(pair)
    yield from _quote_issues(pair)


def _bracket_issues(pair: SegmentPair) -> Iterator[QaIssue]:
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


def _quote_issues(pair: SegmentPair) -> Iterator[QaIssue]:
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


BRACKETS_CHECK = Check.of_each(
    "brackets",
    tr("Brackets and quotation marks"),
    tr(
        "Unpaired brackets or quotation marks if those of the source are paired, brackets in only one of source and "
        "target, and missing quotation marks."
    ),
    _find_brackets_and_quotes,
)
