"""Words that a QA check marks."""

from __future__ import annotations

from qe_desktop.corpus import Corpus
from qe_desktop.local_qe.qa_checks.check import SegmentPair, parse_languages
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME


def marks_of(name: str, *pairs: tuple[str, str], languages: str = "en-de", written: bool = True) -> list[str]:
    """Marks of a check: words of the MT, `|` for a gap after the preceding characters, and source words with an S."""
    source_language, language, _ = parse_languages(*Corpus("made", 0, language_pair=languages).source_and_target())
    rows = [
        SegmentPair(number, source, mt, written, written, source_language=source_language, target_language=language)
        for number, (source, mt) in enumerate(pairs)
    ]
    marked_texts = []
    for segment, (span, reason, of_source) in CHECK_BY_NAME[name].find(rows):
        assert reason
        text = rows[segment].source if of_source else rows[segment].mt
        start, stop = span
        assert 0 <= start <= stop <= len(text)
        marked_texts.append(("S " if of_source else "") + (text[start:stop] or f"{text[max(0, start - 4) : start]}|"))
    return marked_texts
