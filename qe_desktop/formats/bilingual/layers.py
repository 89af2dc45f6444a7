"""Translators' files as a corpus: their texts, and what they say of their quality as layers.

Texts are as written, without codes; their words are found by the rule of `words`, and the columns of tokens hold them.
Words that an issue lies on are BAD; an issue of a whole segment tags none. Each kind of score is a layer, not a number
where a segment has none. What tables hold in columns (`beside`) are layers too. The MT is what a file says that its
target was made of, else the target. The job (`job_of`) keeps the files themselves, codes and statuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import (
    Corpus,
    Documents,
    Job,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    TagColumn,
    TextRole,
    offsets_of,
)
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.bilingual.codes import text_of
from qe_desktop.formats.bilingual.columns import columns_of
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.job import job_of
from qe_desktop.formats.bilingual.layers_beside import with_layers_beside, words_beside
from qe_desktop.formats.bilingual.quality import Issue, Quality
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.text_columns import Texts
from qe_desktop.formats.bilingual.without_collecting import without_collecting
from qe_desktop.formats.bilingual.words import words_of
from qe_desktop.formats.bilingual.words_at_once import words_column
from qe_desktop.formats.regular_files import Watch, nobody

PIECE = 1000
"""Values that are given back at once."""
ISSUES = "issues"
"""What the layer of tags is called that a file brings."""


@without_collecting()
def corpus_of(documents: Sequence[Document], name: str, paths: Sequence[Path] = (), watch: Watch = nobody) -> Corpus:
    """One corpus of one or several documents, in their order, and the job that it is.

    `paths` say where the documents lie, the same number; without them their names do. What `watch` raises ends it.
    """
    columns = columns_of([document.segments for document in documents])
    sources, targets = columns.sources, columns.targets
    watch()
    loaded = targets
    if columns.has_loaded:
        loaded = Texts()
        for document in documents:
            loaded.add([(one.target or ()) if one.loaded is None else one.loaded for one in document.segments])
        watch()
    texts = {
        TextRole.SOURCE: words_column(sources.written),
        TextRole.MT: words_column(loaded.written),
        TextRole.RAW_SOURCE: sources.written,
        TextRole.RAW_MT: loaded.written,
    }
    watch()
    texts[TextRole.MT] = words_beside(documents, texts[TextRole.MT])
    eos = all(document.beside.eos for document in documents)
    layers: dict[LayerKey, Layer] = {}
    origin = documents[0].name if len(documents) == 1 else ""
    if columns.has_issues:
        segments = [_of_mt(segment) for document in documents for segment in document.segments]
        for kind, of_source in ((Kind.WORDS, False), (Kind.SOURCE, True)):
            tags = tags_of(segments, of_source=of_source)
            if tags is not None:
                key = LayerKey(Provenance.SYSTEM, ISSUES, kind)
                layers[key] = Layer(key, tags, origin)
    forms: dict[str, set[str]] = {}
    for quality, scores in scores_of(columns.qualities, forms).items():
        key = LayerKey(Provenance.SYSTEM, quality, Kind.SCORES)
        layers[key] = Layer(key, scores, origin, *forms[quality] if len(forms[quality]) == 1 else ())
    job = job_of(documents, columns, loaded, paths)
    watch()
    told = {(document.source_language, document.target_language) for document in documents}
    languages = next(iter(told)) if len(told) == 1 else ("", "")
    pair = "-".join(languages) if all(languages) else ""
    size = len(columns.states)
    _let_go(columns.notes)
    within = _documents(documents, job)
    corpus = Corpus(
        name, size, texts, layers, documents=within, eos=eos, language_pair=pair, job=job, languages=languages
    )
    return with_layers_beside(corpus, documents)


def _documents(documents: Sequence[Document], job: Job) -> Documents | None:
    """Those that files name, else the files where there are several."""
    if len(documents) == 1:
        return Documents.from_names(documents[0].beside.documents) if documents[0].beside.documents else None
    names: list[str] = []
    for document, file in zip(documents, job.files, strict=True):
        within = document.beside.documents
        # two files may have documents of one name
        names += [f"{file.name}: {one}" for one in within] if len(set(within)) > 1 else [file.name] * file.count
    return Documents.from_names(names)


def let_documents_go(documents: list[Document]) -> None:
    """Give documents back, their segments piece by piece: all at once, no other thread would have a turn meanwhile."""
    made = [[*document.segments] for document in documents]
    documents.clear()
    for segments in made:
        _let_go(segments)


def _let_go(values: list[Any]) -> None:
    while values:
        del values[-PIECE:]


def tags_of(segments: Sequence[Segment], *, of_source: bool) -> TagColumn | None:
    """BAD where an issue lies on a word of the target, or of the source; None where no issue lies on any."""
    if not any(_on_words(segment, of_source) for segment in segments if segment.issues):
        return None
    rows: list[list[bool]] = []
    for segment in segments:
        text = text_of(segment.source if of_source else segment.target or ())
        issues = _on_words(segment, of_source)
        rows.append([any(one.start < high and low < one.end for one in issues) for low, high in words_of(text)])
    if not any(map(any, rows)):
        return None
    return TagColumn(np.asarray([tag for row in rows for tag in row], np.uint8), offsets_of([len(row) for row in rows]))


def _of_mt(segment: Segment) -> Segment:
    """A segment with the MT for its target: issues of a target that is another one lie on words that the MT has not."""
    if segment.loaded is None or segment.loaded == (segment.target or ()):
        return segment
    return segment._replace(target=segment.loaded, issues=tuple([one for one in segment.issues if one.of_source]))


def _on_words(segment: Segment, of_source: bool) -> list[Issue]:
    return [one for one in segment.issues if one.on_words and one.of_source == of_source]


def scores_of(qualities: Sequence[Sequence[Quality]], forms: dict[str, set[str]] | None = None) -> dict[str, Scores]:
    """The scores of segments by their kind, each of shape (segments,), NaN where a segment has none; those that most
    segments have come first, for matches of a memory stand at few. `qualities` are those of each segment; `forms` gets
    those of each kind (`Quality.form`).
    """
    told = {} if forms is None else forms
    found: dict[str, Scores] = {}
    for number, own in enumerate(qualities):
        for quality in own:
            if quality.kind not in found:
                found[quality.kind], told[quality.kind] = np.full(len(qualities), np.nan), set()
            found[quality.kind][number] = quality.value
            told[quality.kind].add(quality.form)
    return dict(sorted(found.items(), key=lambda one: int(np.isnan(one[1]).sum())))
