"""Checks for untranslated text: empty targets, copies of the source, and single words left untranslated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from qe_desktop.corpus.text import Span
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, OtherSegments, QaIssue, SegmentPair, SegmentPairs
from qe_desktop.local_qe.qa_checks.copied_words import (
    MIN_WORD_LETTERS,
    CopiedWordCounter,
    CopiedWords,
    is_cognate,
    is_foreign,
    share_spellings,
)
from qe_desktop.local_qe.qa_checks.text_shape import CASED_LETTERS, is_laid_out, is_sentence

_WORD = re.compile(
    rf"(?<![{CASED_LETTERS}\d@#/.\\&$%<_=\[({{|-])[{CASED_LETTERS}]+(?:['’][{CASED_LETTERS}]+)?(?![{CASED_LETTERS}\d_@/\\>=(\])}}|]|[.:-][{CASED_LETTERS}\d])"
)
_WORD_BEFORE = re.compile(rf"(?<![{CASED_LETTERS}])[{CASED_LETTERS}]{{{MIN_WORD_LETTERS},}} $")
_WORD_AFTER = re.compile(rf" [{CASED_LETTERS}]{{{MIN_WORD_LETTERS},}}(?![{CASED_LETTERS}])")
_NAME = re.compile(r"(?<!\S)(\S+)\s+$")
_QUOTED = re.compile(r"(?<!\w)['\"`‘“„«‚»][^'\"`‘’“”„«»‚‛]{1,80}['\"`’”“«»‘](?!\w)")
"""Pattern of quoted text in a target; the quoted words may be code, titles or quotations."""
_COMMAND_BEFORE = re.compile(
    rf"(?<![{CASED_LETTERS}-])(?:type|run|execute|invoke|call|Befehls?|Kommandos?|Programms?"
    r"|commande|comando|команд[ауые]) $",
    re.IGNORECASE,
)
_COMMAND_AFTER = re.compile(r" (?:sub|built-?in )?(?:commands?|utilit(?:y|ies)|programs?|tools?|scripts?|daemons?)\b")
"""Patterns of the words before (`_COMMAND_BEFORE`) and after the name of a command, in a source or a target."""
_SYNTAX = re.compile(r"\[[-<(]|<[\w-]+>(?:\.{3})?\s*$")
"""Pattern of command-line syntax: options in square brackets, or a parameter in angle brackets at the end."""
_LIST_AFTER = re.compile(r"(?: -\w)?, ?[\w-]+")
_LIST_BEFORE = re.compile(r"(?<![\w-])[\w-]+, ?$|[−-] $")


def _find_untranslated(pairs: SegmentPairs) -> Iterator[tuple[int, QaIssue]]:
    candidates: list[tuple[int, int, int, str, bool]] = []
    counter = CopiedWordCounter()
    for pair in pairs:
        for issue in _foreign_text(pair):
            yield pair.segment, issue
        if any(map(str.islower, counter.add(pair.source, pair.mt))):
            candidates += [
                (pair.segment, *match.span(), match[0], _is_evident(pair, match)) for match in _untranslated_words(pair)
            ]
    words = counter.result()
    for segment, start, stop, word, is_evident in candidates:
        if _is_untranslated(word, is_evident, words):
            yield segment, _issue(start, stop, word)


def _find_untranslated_in_segment(pair: SegmentPair, other_segments: OtherSegments) -> Iterator[QaIssue]:
    yield from _foreign_text(pair)
    for match in _untranslated_words(pair):
        if _is_untranslated(match[0], _is_evident(pair, match), other_segments.copied_words):
            yield _issue(*match.span(), match[0])


def _foreign_text(pair: SegmentPair) -> Iterator[QaIssue]:
    """Yield issues for copied text in a script that the target language does not use.

    An MT that is a copy of the whole source is reported by another check instead.
    """
    if pair.mt != pair.source:
        for (start, stop), text in copied_foreign_runs(pair.source, pair.mt, pair.target_language):
            yield _issue(start, stop, text)


def _is_untranslated(word: str, is_evident: bool, words: CopiedWords) -> bool:
    """Return whether a copied word should be translated.

    Code and words of the target language should not be translated. Any other word should be if `is_evident`, or if far
    more segments translate the word than copy it.
    """
    return not words.may_be_copied(word) and (is_evident or word in words.translated)


def _is_evident(pair: SegmentPair, word: re.Match[str]) -> bool:
    """Return whether a copied word is in a sentence and evidently not a cognate.

    A word is evidently not a cognate if the two languages share few spellings, if the spelling of the word is unusual
    in the target language, or if the word has the same neighbouring word in source and MT.
    """
    if not is_sentence(pair.source):
        return False
    return (
        not share_spellings(pair.source_language, pair.target_language)
        or is_foreign(word[0], pair.source_language, pair.target_language)
        or _is_next_to_copy(pair, word)
    )


def _is_next_to_copy(pair: SegmentPair, word: re.Match[str]) -> bool:
    """Return whether a copied word has the same neighbouring word in source and MT."""
    before = _WORD_BEFORE.search(pair.mt, max(0, word.start() - 40), word.start())
    after = _WORD_AFTER.match(pair.mt, word.end())
    phrases = before and f"{before[0]}{word[0]}", after and f"{word[0]}{after[0]}"
    return any(phrase is not None and phrase in pair.source for phrase in phrases)


def _issue(start: int, stop: int, word: str) -> QaIssue:
    return QaIssue((start, stop), tr("“{word}” is the same as in the source", word=word))


def _untranslated_words(pair: SegmentPair) -> Iterator[re.Match[str]]:
    """Yield matches of lower-case words (`_is_common`) that are in the source, and in the MT at least as often.

    Names of commands and known cognates are left out, and so are words in quotations, at the end of names and in lists
    of values. Yield nothing if another check reports the MT as a copy of the whole source, or if the source is
    command-line syntax instead of a sentence.
    """
    if pair.mt == pair.source and _is_copied_sentence(pair):
        return
    source_words = Counter(match[0] for match in _WORD.finditer(pair.source) if _is_common(match[0]))
    if not source_words or (_SYNTAX.search(pair.source) and not is_sentence(pair.source)):
        return
    commands = _commands(pair.source) | _commands(pair.mt)
    matches = [match for match in _WORD.finditer(pair.mt) if match[0] in source_words]
    counts = Counter(match[0] for match in matches)
    quoted: list[re.Match[str]] | None = None
    for match in matches:
        # a word that is copied in one position and translated in another counts as the name of a command
        is_command = match[0] in commands or counts[match[0]] < source_words[match[0]]
        is_correct = is_command or is_cognate(match[0], pair.source_language, pair.target_language)
        if is_correct or _ends_a_name(pair, match) or _is_listed(pair, match):
            continue
        if quoted is None:
            quoted = list(_QUOTED.finditer(pair.mt))
        if not any(quotation.start() < match.start() < quotation.end() for quotation in quoted):
            yield match


def _commands(text: str) -> set[str]:
    """Words that a text introduces as commands: “the mount command”, “type exit”, “der Befehl mount”."""
    return {
        match[0]
        for match in _WORD.finditer(text)
        if _COMMAND_AFTER.match(text, match.end())
        or _COMMAND_BEFORE.search(text, max(0, match.start() - 20), match.start())
    }


def _ends_a_name(pair: SegmentPair, word: re.Match[str]) -> bool:
    """Return whether a word follows the same capitalized word in MT and source, as in “Calosoma sycophanta”."""
    before = _NAME.search(pair.mt, max(0, word.start() - 40), word.start())
    return before is not None and before[1][:1].isupper() and f"{before[1]} {word[0]}" in pair.source


def _is_listed(pair: SegmentPair, word: re.Match[str]) -> bool:
    """Return whether a word is in a list of values, such as “up, down, nearest”, that source and MT share.

    False if the source is a sentence.
    """
    start = max(0, word.start() - 40)
    listed = _LIST_AFTER.match(pair.mt, word.end()) or _LIST_BEFORE.search(pair.mt, start, word.start())
    if listed is None or is_sentence(pair.source):
        return False
    first, last = min(listed.start(), word.start()), max(listed.end(), word.end())
    return pair.mt[first:last] in pair.source


def _is_common(word: str) -> bool:
    """Return whether a word is in lower case and has at least `MIN_WORD_LETTERS` characters.

    Shorter or capitalized words may be names, abbreviations or code.
    """
    return len(word) >= MIN_WORD_LETTERS and word.islower()


UNTRANSLATED_CHECK = Check(
    "untranslated",
    tr("Untranslated words"),
    tr(
        "A word of at least four lower-case letters that is in both source and target, if it is in a sentence or "
        "usually translated elsewhere. Some languages, such as English and French, share many words. Between such "
        "languages, being in a sentence is not enough: the spelling must also be English, or a neighbouring word must "
        "also be copied. Not marked: quoted words, code, options, names of commands, and the last word of a name. Also "
        "not marked: words that any segment contains in its target but not in its source. Known words of both "
        "languages, such as “orange” in English and German, are not marked either. Copied text in a script that the "
        "target language does not use is marked. If the whole target is a copy, only the check “Empty and copied "
        "targets” reports it."
    ),
    _find_untranslated,
    _find_untranslated_in_segment,
)


_LETTERS_BY_SCRIPT = {  # only non-Latin scripts: texts of all languages may contain Latin letters
    "arabic": r"\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06fa-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "armenian": r"\u0531-\u0556\u0561-\u0587",
    "bengali": r"\u0980-\u09e3",
    "cyrillic": r"\u0400-\u052f",
    "devanagari": r"\u0900-\u0963\u0971-\u097f",
    "georgian": r"\u10a0-\u10ff\u1c90-\u1cbf",
    "greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "han": r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "hangul": r"\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3",
    "hebrew": r"\u05b0-\u05ea",
    "kana": r"\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "khmer": r"\u1780-\u17d3",
    "tamil": r"\u0b80-\u0bd7",
    "telugu": r"\u0c00-\u0c63",
    "thai": r"\u0e01-\u0e4e",
}
_SCRIPTS_BY_LANGUAGE = {
    "ja": ("han", "kana"),
    "ko": ("hangul", "han"),
    **dict.fromkeys(("zh", "yue", "wuu"), ("han",)),
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ckb", "ug", "sd"), ("arabic",)),
    **dict.fromkeys(("he", "yi"), ("hebrew",)),
    **dict.fromkeys(("hi", "mr", "ne", "sa"), ("devanagari",)),
    **dict.fromkeys(("ru", "uk", "be", "bg", "mk", "kk", "ky", "tg", "tt"), ("cyrillic",)),
    "bn": ("bengali",), "as": ("bengali",), "el": ("greek",), "hy": ("armenian",), "ka": ("georgian",),
    "km": ("khmer",), "ta": ("tamil",), "te": ("telugu",), "th": ("thai",),
    **dict.fromkeys((
        "af", "ca", "cs", "cy", "da", "de", "en", "eo", "es", "et", "eu", "fi", "fr", "ga", "gl", "hr", "hu", "id",
        "is", "it", "la", "lb", "lt", "lv", "ms", "mt", "nb", "nl", "nn", "no", "pl", "pt", "ro", "sk", "sl", "sq",
        "sv", "sw", "tr", "vi",
    ), ()),
}  # fmt: skip
"""Non-Latin scripts that each language uses; languages with alternative scripts, such as Serbian, are omitted."""
MIN_FOREIGN_LETTERS = 4
"""Minimum number of letters in copied text; shorter copies are symbols or examples, as in “the kanji 東京”."""
_OPENING_MARKS = "([{（「『【《\"'“„«‘‚"


@lru_cache(maxsize=64)
def _foreign_run(language: str, min_letters: int) -> re.Pattern[str] | None:
    """Return a pattern of at least `min_letters` adjacent letters of scripts that a language does not use.

    None if the scripts of the language are not known.
    """
    used_scripts = _SCRIPTS_BY_LANGUAGE.get(language)
    if used_scripts is None:
        return None
    letters = "".join(letters for script, letters in _LETTERS_BY_SCRIPT.items() if script not in used_scripts)
    return re.compile(f"[{letters}]{{{min_letters},}}")


def has_foreign_letters(text: str, language: str) -> bool:
    """Whether a text has at least `MIN_FOREIGN_LETTERS` letters of non-Latin scripts that a language does not use.

    False if the scripts of the language are not known.
    """
    if text.isascii() or (pattern := _foreign_run(language, 1)) is None:
        return False
    return sum(map(len, pattern.findall(text))) >= MIN_FOREIGN_LETTERS


def copied_foreign_runs(source: str, mt: str, language: str) -> Iterator[tuple[Span, str]]:
    """Yield the span and text of each run of foreign letters in the MT that is also in the source.

    Foreign letters are those of non-Latin scripts that the language does not use. Runs of fewer than four
    letters, and runs after an opening bracket or quotation mark, are omitted. Yield nothing if the scripts of the
    language are not known.
    """
    if mt.isascii() or (pattern := _foreign_run(language, MIN_FOREIGN_LETTERS)) is None:
        return
    source_runs: set[str] | None = None
    for match in pattern.finditer(mt):
        if match.start() and mt[match.start() - 1] in _OPENING_MARKS:
            continue
        if source_runs is None:
            source_runs = set(pattern.findall(source))
        if match[0] in source_runs:
            yield match.span(), match[0]


_LOWER_CASE_WORD = re.compile(r"(?<!\S)[a-zà-öø-ÿͱ-ώа-џ]{2,}(?=[\s,.;:!?]|$)")
MIN_LOWER_CASE_WORDS = 3
"""Minimum number of lower-case words for a copied text to count as a sentence instead of a name or code."""


def _find_empty_or_copied(pair: SegmentPair) -> Iterator[QaIssue]:
    mt = pair.mt
    if not mt.strip():
        # a source without letters, such as a price, needs a target, too
        if pair.source.strip():
            yield QaIssue((0, 0), tr("the target is empty"))
    elif mt == pair.source and _is_copied_sentence(pair):
        yield QaIssue((0, len(mt)), tr("the target is the same as the source"))


def _is_copied_sentence(pair: SegmentPair) -> bool:
    """Whether a target that is equal to its source should have been translated.

    True if it has letters of a script that the target language does not use. Also true for a sentence: more than half
    of its words, and at least `MIN_LOWER_CASE_WORDS`, are in lower case, and it has no columns or line breaks
    (`is_laid_out`). Always false if source and target language are the same.
    """
    if pair.target_language and pair.source_language == pair.target_language:
        # a revision within one language
        return False
    if has_foreign_letters(pair.mt, pair.target_language):
        return True
    words = _LOWER_CASE_WORD.findall(pair.mt)
    return len(words) >= MIN_LOWER_CASE_WORDS and 2 * len(words) > len(pair.mt.split()) and not is_laid_out(pair.mt)


EMPTY_TARGETS_CHECK = Check.of_each(
    "empty",
    tr("Empty and copied targets"),
    tr(
        "A segment without a target, or with a copy of the source as its target. A copy is reported if it has letters "
        "of a script that the target language does not use. It is also reported if at least three of its words, and "
        "more than half, are in lower case."
    ),
    _find_empty_or_copied,
    empty_targets=True,
)
