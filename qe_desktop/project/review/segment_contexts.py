"""Contexts of segments with the same source: the sources before and after them, and their notes and rules in the file.

Equal sources in different contexts may need different translations, such as “Open” on a button and on a shop door.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, TextColumn, TranslationJob
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.target_rules import NO_RULES
from qe_desktop.escaping import elide
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.local_qe.qa_checks.repetitions import normalized_sources

UNORDERED_FORMS = frozenset({"po", "tmx"})
"""File formats whose segments are independent entries, so that neighboring segments are not a context."""
MAX_QUOTED_CHARS = 60
_STEPS = (-1, 1)


def differing_contexts(corpus: Corpus, segment: int, others: Ints) -> NDArray[np.bool_]:
    """Mask over `others`: segments whose context differs from that of `segment`."""
    differs = differing_entries(corpus, segment, others)
    column = _ordered_sources(corpus, segment)
    if column is not None:
        for step in _STEPS:
            differs |= _differing_neighbors(corpus, column, segment, others, step)
    return differs


def differing_entries(corpus: Corpus, segment: int, others: Ints) -> NDArray[np.bool_]:
    """Mask over `others`: segments whose notes or rules in the file differ from those of `segment`."""
    listed = others.tolist()
    differs = np.zeros(len(listed), bool)
    job = corpus.job
    if job is not None:
        for values, default in ((job.notes, ()), (job.rules, NO_RULES)):
            if values:
                expected = values.get(segment, default)
                differs |= np.array([values.get(number, default) != expected for number in listed], bool)
    return differs


def describe_contexts(corpus: Corpus, segment: int, others: Ints) -> list[str]:
    """Describe, for each segment in `others`, how its context differs from that of `segment`."""
    differences: list[list[str]] = [[] for _ in others]
    column = _ordered_sources(corpus, segment)
    if column is not None:
        for step in _STEPS:
            line, *lines = _neighbor_sources(corpus, column, np.concatenate([[segment], others]), step)
            for texts, other_line in zip(differences, lines, strict=True):
                if other_line != line:
                    texts.append(_describe_neighbor(other_line, step))
    listed = others.tolist()
    for texts, other in zip(differences, listed, strict=True):
        texts += _describe_entry(corpus.job, segment, other)
    return [
        tr("Segment {number:,}: {text}", number=other + 1, text=join_localized(" · ", texts))
        for texts, other in zip(differences, listed, strict=True)
    ]


def _describe_entry(job: TranslationJob | None, segment: int, other: int) -> Iterator[str]:
    """Describe the notes and rules of the segment `other` in its file if they differ from those of `segment`."""
    if job is None:
        return
    known, notes = job.notes.get(segment, ()), job.notes.get(other, ())
    yield from (_quoted(note) for note in notes if note not in known)
    if known and not notes:
        yield tr("without a note")
    elif notes != known and set(notes) <= set(known):
        yield tr("with only some of the notes") if len(notes) < len(known) else tr("with the notes in another order")
    # the context of an entry is one of its notes
    rules, other_rules = (replace(job.rules.get(number, NO_RULES), context="") for number in (segment, other))
    if rules != other_rules:
        yield tr("with another length limit, other format strings or other plural forms")


def _describe_neighbor(raw: bytes | None, step: int) -> str:
    if raw is None:
        return tr("at the beginning of the file") if step < 0 else tr("at the end of the file")
    text = _quoted(strip_codes(raw.decode("utf-8", "replace")))
    return tr("after “{text}”", text=text) if step < 0 else tr("before “{text}”", text=text)


def _quoted(text: str) -> str:
    return elide(" ".join(text.split()), MAX_QUOTED_CHARS)


def _ordered_sources(corpus: Corpus, segment: int) -> TextColumn | None:
    """Sources of a corpus if the file of the segment is running text; otherwise None."""
    is_ordered = corpus.job is None or corpus.job.file_of(segment).form not in UNORDERED_FORMS
    return normalized_sources(corpus) if is_ordered else None


def _differing_neighbors(
    corpus: Corpus, column: TextColumn, segment: int, others: Ints, step: int
) -> NDArray[np.bool_]:
    """Mask over `others`: segments whose neighbor has a different source from the neighbor of `segment`."""
    (line,) = _neighbor_sources(corpus, column, np.array([segment]), step)
    neighbors, is_inside = _neighbors(corpus, others, step)
    if line is None:
        return is_inside
    equal = column.equal_lines(line, neighbors[is_inside])
    return ~(is_inside & np.isin(neighbors, equal))


def _neighbor_sources(corpus: Corpus, column: TextColumn, segments: Ints, step: int) -> list[bytes | None]:
    """Return the source `step` positions after each segment; None outside the segment's file or document."""
    neighbors, is_inside = _neighbors(corpus, segments, step)
    pairs = zip(neighbors.tolist(), is_inside.tolist(), strict=True)
    return [column.raw(neighbor) if inside else None for neighbor, inside in pairs]


def _neighbors(corpus: Corpus, segments: Ints, step: int) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the segment `step` positions after each segment, and a mask of those in the same file or document."""
    neighbors = np.clip(segments + step, 0, corpus.size - 1)
    is_inside = neighbors == segments + step
    if corpus.job is not None:
        starts = [file.first for file in corpus.job.files]
        is_inside &= np.searchsorted(starts, neighbors, "right") == np.searchsorted(starts, segments, "right")
    elif corpus.documents is not None:
        is_inside &= corpus.documents.of_segment[neighbors] == corpus.documents.of_segment[segments]
    return neighbors, is_inside
