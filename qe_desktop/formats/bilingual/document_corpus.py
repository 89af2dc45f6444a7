"""Conversion of bilingual files to a corpus: their texts, and their quality annotations as layers.

Raw texts are the texts without codes; tokenized texts are the words of raw texts, as split by `word_tokenization`.
Words with an issue are BAD; an issue of a whole segment tags no word. Each kind of score is a layer, with NaN for
segments without such a score. Layers stored in table columns (`side_columns`) are added. The MT is the text from which
the target was made, if the file has it, else the target. The job (`build_job`) stores the files, codes and statuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain, islice
from operator import attrgetter
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
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.corpus.translation_job import NO_RULES
from qe_desktop.formats.bilingual.columns import ColumnChoice
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.inline_codes import Code, content_text
from qe_desktop.formats.bilingual.segment_columns import SegmentColumns, SegmentTexts, segment_columns
from qe_desktop.formats.bilingual.segments import Issue, Quality, Segment, gc_paused
from qe_desktop.formats.bilingual.word_tokenization import tokenize_lines, word_spans
from qe_desktop.formats.files import never_cancelled
from qe_desktop.i18n.messages import tr


def side_words(documents: Sequence[Document], tokenized: TextColumn) -> TextColumn:
    """Words of the MT of each segment: the words stored in its document, else those in `tokenized`."""
    if all(document.side_columns.words is None for document in documents):
        return tokenized
    lines: list[str] = []
    for document in documents:
        offset = len(lines)
        words = document.side_columns.words
        lines += [tokenized[offset + row] for row in range(len(document.segments))] if words is None else words.lines()
    return TextColumn.of(lines)


def with_side_layers(corpus: Corpus, documents: Sequence[Document]) -> Corpus:
    """Add the layers stored in columns of documents to a corpus that already has the layers of issues and scores.

    If the corpus already has a layer, stored scores take precedence, and a tag is BAD if the stored or the existing tag
    is BAD. For a layer that only other documents store, a document contributes no scores and only OK tags.
    """
    keys = dict.fromkeys(
        key for document in documents for key in (*document.side_columns.tags, *document.side_columns.scores)
    )
    if not keys and all(document.side_columns.words is None for document in documents):
        return corpus
    layers = {key: _fit_layer(layer, corpus) for key, layer in corpus.layers.items()}
    origin = documents[0].name if len(documents) == 1 else ""
    for key in keys:
        issue_layer = layers.get(key)
        if key.kind is Kind.SCORES:
            scores = _scores(documents, key)
            scores = scores if issue_layer is None else np.where(np.isnan(scores), issue_layer.scores, scores)
            scores.flags.writeable = False
            layers[key] = Layer(key, scores, origin)
            continue
        tags, missing_count = _tags(documents, key, corpus)
        if issue_layer is not None:
            tags = TagColumn(tags.values | issue_layer.tags.values, tags.offsets)
        message = tr(
            "{n:,} {n:segment is|segments are} from files without this layer; all {n:its|their} tags count as OK",
            "",
            missing_count,
        )
        layers[key] = Layer(key, tags, origin, notes=(message,) if missing_count and issue_layer is None else ())
    return replace(corpus, layers=layers)


def _offsets(corpus: Corpus, kind: Kind) -> Offsets:
    offsets = corpus.offsets(kind)
    assert offsets is not None
    return offsets


def _fit_layer(layer: Layer, corpus: Corpus) -> Layer:
    """Fit a layer of issues to the tokens of the corpus; segments with a different token count get only OK tags."""
    if not layer.key.kind.is_tags:
        return layer
    tags, offsets = layer.tags, _offsets(corpus, layer.key.kind)
    if np.array_equal(tags.offsets, offsets):
        return layer
    same_length = tags.lengths() == np.diff(offsets)
    values = np.zeros(int(offsets[-1]), np.uint8)
    values[np.repeat(same_length, np.diff(offsets))] = tags.values[np.repeat(same_length, tags.lengths())]
    return replace(layer, column=TagColumn(values, offsets))


def _scores(documents: Sequence[Document], key: LayerKey) -> Scores:
    return np.concatenate(
        [document.side_columns.scores.get(key, np.full(len(document.segments), np.nan)) for document in documents]
    )


def _tags(documents: Sequence[Document], key: LayerKey, corpus: Corpus) -> tuple[TagColumn, int]:
    """Return the stored tags of a layer, and the number of segments in documents without the layer (all tags OK)."""
    offsets = _offsets(corpus, key.kind)
    parts: list[NDArray[np.uint8]] = []
    start = missing_count = 0
    for document in documents:
        stop = start + len(document.segments)
        tags = document.side_columns.tags.get(key)
        if tags is None:
            parts.append(np.zeros(int(offsets[stop] - offsets[start]), np.uint8))
            missing_count += stop - start
        else:
            has_surplus_eos = document.side_columns.eos and not corpus.eos and key.kind is Kind.WORDS
            parts.append(tags.without_last().values if has_surplus_eos else tags.values)
        start = stop
    return TagColumn(np.concatenate(parts), offsets), missing_count


_Value = TypeVar("_Value")


def build_job(
    documents: Sequence[Document], columns: SegmentColumns, loaded: SegmentTexts, paths: Sequence[Path] = ()
) -> TranslationJob:
    """Build the translation job of several documents, in their order.

    `loaded` is the MT from which the targets were made; it must be the object `columns.targets` if no file
    distinguishes MT and target. `paths` are the locations of the files (default: the names of the documents).

    The status of a segment is the status stored in its file (`status_rules`), or open if the file stores none.
    """
    sources, targets = columns.sources, columns.targets
    locations = list(paths) or [Path(document.name) for document in documents]
    statuses = np.fromiter(_statuses(documents, columns), np.uint8, len(columns.states))
    lacks_target = np.asarray(targets.are_empty, bool)
    for column in (statuses, lacks_target):
        column.flags.writeable = False
    # `loaded` may be `targets`
    contents = [texts.contents_with_codes for texts in dict.fromkeys((sources, targets, loaded))]
    numbers = sorted(set().union(*contents))
    coded = {number: list(chain(*[by_number.get(number, ()) for by_number in contents])) for number in numbers}
    return TranslationJob(
        tuple(_files(documents, locations)),
        sources.lines(),
        targets.lines(),
        statuses,
        lacks_target,
        _non_empty(columns.notes),
        _non_empty(columns.states),
        _non_empty(columns.origins),
        {number: labels for number, runs in coded.items() if (labels := _labels(runs))},
        None if loaded is targets else loaded.lines(),
        columns.rules,
        _non_empty(columns.reviewer_notes),
        {number: annotations for number, runs in coded.items() if (annotations := _annotations(runs))},
    )


def _statuses(documents: Sequence[Document], columns: SegmentColumns) -> Iterator[int]:
    rows = zip(columns.states, columns.locks, columns.origins, strict=True)
    for document in documents:
        known_statuses: dict[tuple[str, bool, str], int] = {}
        for row in islice(rows, len(document.segments)):
            # status rules use only these values, and most segments have the same ones
            status = known_statuses.get(row)
            if status is None:
                status = known_statuses[row] = int(document.status(Segment("", 0, (), None, None, *row)))
            yield status


def _non_empty(column: Sequence[_Value]) -> dict[int, _Value]:
    """Map segment numbers to values; empty values are omitted."""
    return {number: value for number, value in enumerate(column) if value}


def _files(documents: Sequence[Document], paths: Sequence[Path]) -> list[JobFile]:
    files: list[JobFile] = []
    names: set[str] = set()
    first = 0
    for document, path in zip(documents, paths, strict=True):
        name = _unique_file_name(path, names)
        names.add(name)
        count = len(document.segments)
        choice, data = document.choice.as_setting(), document.text.data
        files.append(JobFile(name, str(path), document.dialect, data, first, count, choice, document.faults))
        first += count
    return files


def _unique_file_name(path: Path, used_names: set[str]) -> str:
    """Return a file name that is not in `used_names`: the name of `path`, else with its folder, else with a number."""
    for name in (path.name, f"{path.parent.name}/{path.name}"):
        if name not in used_names:
            return name
    numbers = range(2, len(used_names) + 3)
    return next(name for number in numbers if (name := f"{path.name} ({number})") not in used_names)


def _annotations(runs: Iterable[str | Code]) -> frozenset[int]:
    return frozenset([run.number for run in runs if isinstance(run, Code) and run.is_annotation])


def _labels(runs: Iterable[str | Code]) -> dict[int, str]:
    """Labels of the codes of a segment, by number; the first label for a number takes precedence."""
    labels: dict[int, str] = {}
    for run in runs:
        # opening codes precede closing ones
        if isinstance(run, Code) and run.label:
            labels.setdefault(run.number, run.label)
    return labels


def job_column_choice(file: JobFile) -> ColumnChoice:
    """Selection of source and target stored with a file; empty if there is none."""
    return ColumnChoice(file.column_selection.get("source", ""), file.column_selection.get("target", ""))


RELEASE_BATCH_SEGMENTS = 1000
"""Maximum number of list items deleted per step when memory is freed."""
ISSUES_LAYER = "issues"
"""Name of the tag layer made from issues in files."""


@gc_paused()
def corpus_from_documents(
    documents: Sequence[Document],
    name: str,
    paths: Sequence[Path] = (),
    check_cancelled: CheckCancelled = never_cancelled,
) -> Corpus:
    """Build one corpus from several documents, in their order, with its translation job.

    `paths` are the locations of the files, one per document (default: the names of the documents). `check_cancelled`
    may raise an exception to stop.
    """
    columns = segment_columns([document.segments for document in documents])
    sources, targets = columns.sources, columns.targets
    check_cancelled()
    loaded = targets
    if columns.has_loaded_targets:
        loaded = SegmentTexts()
        for document in documents:
            loaded.add(
                [
                    (segment.target or ()) if segment.loaded_target is None else segment.loaded_target
                    for segment in document.segments
                ]
            )
        check_cancelled()
    texts = {
        TextRole.SOURCE: tokenize_lines(sources.plain_text_column),
        TextRole.MT: tokenize_lines(loaded.plain_text_column),
        TextRole.RAW_SOURCE: sources.plain_text_column,
        TextRole.RAW_MT: loaded.plain_text_column,
    }
    check_cancelled()
    texts[TextRole.MT] = side_words(documents, texts[TextRole.MT])
    eos = all(document.side_columns.eos for document in documents)
    layers: dict[LayerKey, Layer] = {}
    origin = documents[0].name if len(documents) == 1 else ""
    if columns.has_issues:
        segments = [_with_mt_target(segment) for document in documents for segment in document.segments]
        for kind, of_source in ((Kind.WORDS, False), (Kind.SOURCE, True)):
            tags = issue_tags(segments, of_source=of_source)
            if tags is not None:
                key = LayerKey(Provenance.SYSTEM, ISSUES_LAYER, kind)
                layers[key] = Layer(key, tags, origin)
    forms: dict[str, set[str]] = {}
    for quality, scores in quality_scores(columns.qualities, forms).items():
        key = LayerKey(Provenance.SYSTEM, quality, Kind.SCORES)
        layers[key] = Layer(key, scores, origin, *forms[quality] if len(forms[quality]) == 1 else ())
    source, target = (_single_value(_set_languages(documents, columns, side)) for side in ("source", "target"))
    job = build_job(documents, columns, loaded, paths)
    check_cancelled()
    pair = f"{source}-{target}" if source and target else ""
    size = len(columns.states)
    _release(columns.notes)
    corpus_documents = _documents(documents, job)
    corpus = Corpus(
        name, size, texts, layers, documents=corpus_documents, eos=eos, language_pair=pair, job=job,
        languages=(source, target),
    )  # fmt: skip
    return with_side_layers(corpus, documents)


def _single_value(values: Set[str]) -> str:
    """Single value of a set; empty if the set has no value or several."""
    return next(iter(values)) if len(values) == 1 else ""


def _set_languages(documents: Sequence[Document], columns: SegmentColumns, side: str) -> set[str]:
    """Return the languages of a side; if there are several, store the language of each segment in its rules."""
    rules, of_document = columns.rules, attrgetter(f"{side}_language")
    name = "language" if side == "target" else "source_language"
    segment_languages = {getattr(entry, name) for entry in rules.values()} - {""}
    languages = segment_languages | set(map(of_document, documents))
    if len(languages) > 1:
        segments = iter(range(len(columns.states)))
        for document in documents:
            for segment in islice(segments, len(document.segments)):
                entry = rules.get(segment, NO_RULES)
                rules[segment] = replace(entry, **{name: getattr(entry, name) or of_document(document)})
    return languages


def _documents(documents: Sequence[Document], job: TranslationJob) -> Documents | None:
    """Document of each segment; None for a single file without document names.

    If there are several files, each is one document unless the file itself names several.
    """
    if len(documents) == 1:
        single = documents[0].side_columns.documents
        return Documents.from_names(single) if single else None
    names: list[str] = []
    for document, file in zip(documents, job.files, strict=True):
        document_names = document.side_columns.documents
        # two files may have documents with the same name
        is_single = len(set(document_names)) < 2
        names += [file.name] * file.count if is_single else [f"{file.name}: {title}" for title in document_names]
    return Documents.from_names(names)


def release_documents(documents: list[Document]) -> None:
    """Clear a list of documents and release their segments in steps, so that other threads can run in between."""
    segments_by_document = [[*document.segments] for document in documents]
    documents.clear()
    for segments in segments_by_document:
        _release(segments)


def _release(values: list[Any]) -> None:
    while values:
        del values[-RELEASE_BATCH_SEGMENTS:]


def issue_tags(segments: Sequence[Segment], *, of_source: bool) -> TagColumn | None:
    """Tags of target words or, with `of_source`, source words: BAD for words with an issue; None if no word has one."""
    if not any(_on_words(segment, of_source) for segment in segments if segment.issues):
        return None
    rows: list[list[bool]] = []
    for segment in segments:
        text = content_text(segment.source if of_source else segment.target or ())
        issues = _on_words(segment, of_source)
        spans = word_spans(text)
        rows.append([any(issue.start < stop and start < issue.end for issue in issues) for start, stop in spans])
    if not any(map(any, rows)):
        return None
    return TagColumn(
        np.asarray([tag for row in rows for tag in row], np.uint8), offsets_from_lengths([len(row) for row in rows])
    )


def _with_mt_target(segment: Segment) -> Segment:
    """Return a segment with the MT as its target; if the target differed from the MT, its issues are dropped."""
    if segment.loaded_target is None or segment.loaded_target == (segment.target or ()):
        return segment
    return segment._replace(
        target=segment.loaded_target, issues=tuple([issue for issue in segment.issues if issue.is_in_source])
    )


def _on_words(segment: Segment, of_source: bool) -> list[Issue]:
    return [issue for issue in segment.issues if issue.is_on_words and issue.is_in_source == of_source]


def quality_scores(
    qualities: Sequence[Sequence[Quality]], forms: dict[str, set[str]] | None = None
) -> dict[str, Scores]:
    """Scores of each kind, shape (segments,), NaN for segments without one; kinds with the most scores come first.

    `qualities` are grouped by segment; if a segment has several scores of a kind, the last one counts. The score
    forms of each kind (`Quality.form`) are added to `forms`.
    """
    forms_by_kind = {} if forms is None else forms
    scores: dict[str, Scores] = {}
    for number, segment_qualities in enumerate(qualities):
        for quality in segment_qualities:
            if quality.kind not in scores:
                scores[quality.kind], forms_by_kind[quality.kind] = np.full(len(qualities), np.nan), set()
            scores[quality.kind][number] = quality.value
            forms_by_kind[quality.kind].add(quality.form)
    return dict(sorted(scores.items(), key=lambda item: int(np.isnan(item[1]).sum())))
