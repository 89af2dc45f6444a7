"""Translators' files as a corpus: their texts, and what they say of their quality as layers.

Texts are as written, without codes; their words are found by the rule of `words`, and the columns of tokens hold them.
Words that an issue lies on are BAD; an issue of a whole segment tags none. Each kind of score is a layer, not a number
where a segment has none. What tables hold in columns (`beside`) are layers too. The MT is what a file says that its
target was made of, else the target. The job (`job_of`) keeps the files themselves, codes and statuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    Corpus,
    Documents,
    JobFile,
    Kind,
    Layer,
    LayerKey,
    Offsets,
    Provenance,
    TagColumn,
    TextColumn,
    TextRole,
    TranslationJob,
    offsets_from_lengths,
)
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.bilingual.column_choice import ColumnChoice
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.gc_pause import gc_paused
from qe_desktop.formats.bilingual.inline_codes import Code, Content, content_text
from qe_desktop.formats.bilingual.segment_columns import SegmentColumns, SegmentTexts, segment_columns
from qe_desktop.formats.bilingual.segments import Issue, Quality, Segment
from qe_desktop.formats.bilingual.tokenization import tokenize_lines, word_spans
from qe_desktop.formats.io.files import CheckCancelled, never_cancelled
from qe_desktop.i18n.messages import tr


def side_words(documents: Sequence[Document], found: TextColumn) -> TextColumn:
    """The words of each MT: those that a document says, else those that were `found`."""
    if all(document.beside.words is None for document in documents):
        return found
    lines: list[str] = []
    for document in documents:
        low = len(lines)
        said = document.beside.words
        lines += [found[low + row] for row in range(len(document.segments))] if said is None else said.lines()
    return TextColumn.of(lines)


def with_side_layers(corpus: Corpus, documents: Sequence[Document]) -> Corpus:
    """The corpus of documents with the layers that these hold in columns, beside those that it has of their issues.

    Where a document has none of a layer that another one has, its segments have no score, and no word is BAD.
    """
    keys = dict.fromkeys(key for one in documents for key in (*one.beside.tags, *one.beside.scores))
    if not keys and all(one.beside.words is None for one in documents):
        return corpus
    layers = {key: _fit_layer(layer, corpus) for key, layer in corpus.layers.items()}
    origin = documents[0].name if len(documents) == 1 else ""
    for key in keys:
        there = layers.get(key)
        if key.kind is Kind.SCORES:
            scores = _scores(documents, key)
            scores = scores if there is None else np.where(np.isnan(scores), there.scores, scores)
            scores.flags.writeable = False
            layers[key] = Layer(key, scores, origin)
            continue
        tags, without = _tags(documents, key, corpus)
        if there is not None:
            tags = TagColumn(tags.values | there.tags.values, tags.offsets)
        said = tr("{n:,} {n:segment|segments} of other files {n:has|have} no such tags, and {n:is|are} OK", "", without)
        layers[key] = Layer(key, tags, origin, notes=(said,) if without and there is None else ())
    return replace(corpus, layers=layers)


def _offsets(corpus: Corpus, kind: Kind) -> Offsets:
    offsets = corpus.offsets(kind)
    assert offsets is not None
    return offsets


def _fit_layer(layer: Layer, corpus: Corpus) -> Layer:
    """A layer made of issues, whose words are those of the rule: others are of documents that bring no issues."""
    if not layer.key.kind.is_tags:
        return layer
    tags, offsets = layer.tags, _offsets(corpus, layer.key.kind)
    if np.array_equal(tags.offsets, offsets):
        return layer
    same = tags.lengths() == np.diff(offsets)
    values = np.zeros(int(offsets[-1]), np.uint8)
    values[np.repeat(same, np.diff(offsets))] = tags.values[np.repeat(same, tags.lengths())]
    return replace(layer, column=TagColumn(values, offsets))


def _scores(documents: Sequence[Document], key: LayerKey) -> Scores:
    empty = (np.full(len(one.segments), np.nan) for one in documents)
    return np.concatenate([one.beside.scores.get(key, none) for one, none in zip(documents, empty, strict=True)])


def _tags(documents: Sequence[Document], key: LayerKey, corpus: Corpus) -> tuple[TagColumn, int]:
    """The tags of a layer, and how many segments have none of their own."""
    offsets = _offsets(corpus, key.kind)
    parts: list[NDArray[np.uint8]] = []
    low = without = 0
    for document in documents:
        high = low + len(document.segments)
        tags = document.beside.tags.get(key)
        if tags is None:
            parts.append(np.zeros(int(offsets[high] - offsets[low]), np.uint8))
            without += high - low
        else:
            surplus = document.beside.eos and not corpus.eos and key.kind is Kind.WORDS
            parts.append(tags.without_last().values if surplus else tags.values)
        low = high
    return TagColumn(np.concatenate(parts), offsets), without


_Value = TypeVar("_Value")


def build_job(
    documents: Sequence[Document], columns: SegmentColumns, loaded: SegmentTexts, paths: Sequence[Path] = ()
) -> TranslationJob:
    """The job of documents, in their order, with what all their segments have.

    `loaded` is the MT that the targets were made of; the same object where no file tells one from the other. `paths`
    say where they lie, without them their names do.

    A segment is locked or confirmed where its file says so (`statuses`), and open where it says nothing.
    """
    sources, targets = columns.sources, columns.targets
    places = list(paths) or [Path(document.name) for document in documents]
    found = np.fromiter(_statuses(documents, columns), np.uint8, len(columns.states))
    without = np.asarray(targets.are_empty, bool)
    for column in (found, without):
        column.flags.writeable = False
    return TranslationJob(
        tuple(_files(documents, places)),
        sources.lines(),
        targets.lines(),
        found,
        without,
        _non_empty(columns.notes),
        _non_empty(columns.states),
        _non_empty(columns.origins),
        {
            number: labels
            for number in sorted({*sources.coded, *targets.coded, *loaded.coded})
            if (labels := _labels(*[texts.coded.get(number, ()) for texts in (sources, targets, loaded)]))
        },
        None if loaded is targets else loaded.lines(),
    )


def _statuses(documents: Sequence[Document], columns: SegmentColumns) -> Iterator[int]:
    """The status of each segment."""
    rows = zip(columns.states, columns.locks, columns.origins, strict=True)
    for document in documents:
        told: dict[tuple[str, bool, str], int] = {}
        for row in islice(rows, len(document.segments)):
            # no rule asks for more of a segment than these, which most have in common
            status = told.get(row)
            if status is None:
                state, locked, origin = row
                status = told[row] = int(document.status(Segment("", 0, (), None, None, state, locked, origin)))
            yield status


def _non_empty(column: Sequence[_Value]) -> dict[int, _Value]:
    """What is said of segments, by the numbers of those of which something is."""
    return {number: value for number, value in enumerate(column) if value}


def _files(documents: Sequence[Document], paths: Sequence[Path]) -> list[JobFile]:
    files: list[JobFile] = []
    names: set[str] = set()
    first = 0
    for document, path in zip(documents, paths, strict=True):
        name = _free(path, names)
        names.add(name)
        count = len(document.segments)
        kept = document.choice.as_kept()
        files.append(JobFile(name, str(path), document.form, document.text.data, first, count, kept))
        first += count
    return files


def _free(path: Path, taken: set[str]) -> str:
    """A file's name, with its folder where another file is called so, and a number where that is not enough."""
    for name in (path.name, f"{path.parent.name}/{path.name}"):
        if name not in taken:
            return name
    return next(name for number in range(2, len(taken) + 3) if (name := f"{path.name} ({number})") not in taken)


def _labels(*contents: Content) -> dict[int, str]:
    """What may be said of the codes of a segment, by number; the source says it first."""
    found: dict[int, str] = {}
    for run in chain(*contents):
        # what opens comes before what closes
        if isinstance(run, Code) and run.label:
            found.setdefault(run.number, run.label)
    return found


def job_column_choice(file: JobFile) -> ColumnChoice:
    """What was said of a file, as reading it again takes it."""
    return ColumnChoice(file.choice.get("source", ""), file.choice.get("target", ""))


RELEASE_BATCH_SEGMENTS = 1000
"""Values that are given back at once."""
ISSUES_LAYER = "issues"
"""What the layer of tags is called that a file brings."""


@gc_paused()
def corpus_from_documents(
    documents: Sequence[Document], name: str, paths: Sequence[Path] = (), watch: CheckCancelled = never_cancelled
) -> Corpus:
    """One corpus of one or several documents, in their order, and the job that it is.

    `paths` say where the documents lie, the same number; without them their names do. What `watch` raises ends it.
    """
    columns = segment_columns([document.segments for document in documents])
    sources, targets = columns.sources, columns.targets
    watch()
    loaded = targets
    if columns.has_loaded:
        loaded = SegmentTexts()
        for document in documents:
            loaded.add([(one.target or ()) if one.loaded is None else one.loaded for one in document.segments])
        watch()
    texts = {
        TextRole.SOURCE: tokenize_lines(sources.written),
        TextRole.MT: tokenize_lines(loaded.written),
        TextRole.RAW_SOURCE: sources.written,
        TextRole.RAW_MT: loaded.written,
    }
    watch()
    texts[TextRole.MT] = side_words(documents, texts[TextRole.MT])
    eos = all(document.beside.eos for document in documents)
    layers: dict[LayerKey, Layer] = {}
    origin = documents[0].name if len(documents) == 1 else ""
    if columns.has_issues:
        segments = [_of_mt(segment) for document in documents for segment in document.segments]
        for kind, of_source in ((Kind.WORDS, False), (Kind.SOURCE, True)):
            tags = issue_tags(segments, of_source=of_source)
            if tags is not None:
                key = LayerKey(Provenance.SYSTEM, ISSUES_LAYER, kind)
                layers[key] = Layer(key, tags, origin)
    forms: dict[str, set[str]] = {}
    for quality, scores in quality_scores(columns.qualities, forms).items():
        key = LayerKey(Provenance.SYSTEM, quality, Kind.SCORES)
        layers[key] = Layer(key, scores, origin, *forms[quality] if len(forms[quality]) == 1 else ())
    job = build_job(documents, columns, loaded, paths)
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
    return with_side_layers(corpus, documents)


def _documents(documents: Sequence[Document], job: TranslationJob) -> Documents | None:
    """Those that files name, else the files where there are several."""
    if len(documents) == 1:
        return Documents.from_names(documents[0].beside.documents) if documents[0].beside.documents else None
    names: list[str] = []
    for document, file in zip(documents, job.files, strict=True):
        within = document.beside.documents
        # two files may have documents of one name
        names += [f"{file.name}: {one}" for one in within] if len(set(within)) > 1 else [file.name] * file.count
    return Documents.from_names(names)


def release_documents(documents: list[Document]) -> None:
    """Give documents back, their segments piece by piece: all at once, no other thread would have a turn meanwhile."""
    made = [[*document.segments] for document in documents]
    documents.clear()
    for segments in made:
        _let_go(segments)


def _let_go(values: list[Any]) -> None:
    while values:
        del values[-RELEASE_BATCH_SEGMENTS:]


def issue_tags(segments: Sequence[Segment], *, of_source: bool) -> TagColumn | None:
    """BAD where an issue lies on a word of the target, or of the source; None where no issue lies on any."""
    if not any(_on_words(segment, of_source) for segment in segments if segment.issues):
        return None
    rows: list[list[bool]] = []
    for segment in segments:
        text = content_text(segment.source if of_source else segment.target or ())
        issues = _on_words(segment, of_source)
        rows.append([any(one.start < high and low < one.end for one in issues) for low, high in word_spans(text)])
    if not any(map(any, rows)):
        return None
    return TagColumn(
        np.asarray([tag for row in rows for tag in row], np.uint8), offsets_from_lengths([len(row) for row in rows])
    )


def _of_mt(segment: Segment) -> Segment:
    """A segment with the MT for its target: issues of a target that is another one lie on words that the MT has not."""
    if segment.loaded is None or segment.loaded == (segment.target or ()):
        return segment
    return segment._replace(target=segment.loaded, issues=tuple([one for one in segment.issues if one.of_source]))


def _on_words(segment: Segment, of_source: bool) -> list[Issue]:
    return [one for one in segment.issues if one.on_words and one.of_source == of_source]


def quality_scores(
    qualities: Sequence[Sequence[Quality]], forms: dict[str, set[str]] | None = None
) -> dict[str, Scores]:
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
