"""Tags of one of the sample's QE systems, mapped to the words of a bilingual file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.corpus.text_spans import token_offsets
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.registry import read_document

JOB = "jobs/en-de/manuals.sdlxliff"
TAGS = "jobs/qe/sample-qe.tags"
"""Tags for `JOB`; not in its folder, whose two bilingual files open as one corpus with twice as many segments."""
SYSTEM = "systems/strong.tags"


def job_tags(job: Path, written: Sequence[str], tokens: Sequence[str], tags: Sequence[str]) -> list[list[bool]]:
    """Return for each word of a bilingual file whether it is BAD, that is, overlaps a word that the system tagged BAD.

    `written`, `tokens` and `tags` are lines of a sample: detokenized MT, its tokens, and tags of gaps and words
    interleaved. Words of segments whose MT is not among `written` are OK, because the system did not tag them.
    """
    corpus = corpus_from_documents([read_document(job)], "job")
    places = {text: number for number, text in enumerate(written)}
    return [_of_segment(corpus, segment, places, tokens, tags) for segment in range(corpus.size)]


def _of_segment(
    corpus: Corpus, segment: int, places: dict[str, int], tokens: Sequence[str], tags: Sequence[str]
) -> list[bool]:
    words, text = corpus.tokens(TextRole.MT, segment), corpus.texts[TextRole.RAW_MT][segment]
    number = places.get(text)
    if number is None:
        return [False] * len(words)
    spans, theirs = token_offsets(words, text), token_offsets(tokens[number].split(), text)
    assert spans is not None
    assert theirs is not None
    bad = [span for span, tag in zip(theirs, tags[number].split()[1::2], strict=True) if tag == "BAD"]
    return [any(low < last and first < high for first, last in bad) for low, high in spans]
