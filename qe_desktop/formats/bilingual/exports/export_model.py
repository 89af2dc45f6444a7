"""Snapshot of a reviewed corpus for export: texts, statuses, notes, tags and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from qe_desktop.corpus import EOS, Corpus, Kind, LayerKey, QeError, TextRole, View
from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.corpus.view import Tags
from qe_desktop.formats.bilingual.columns import layer_title
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LINE_BREAK_PATTERN, strip_codes
from qe_desktop.formats.bilingual.reviewer_notes import normalize_note
from qe_desktop.formats.bilingual.word_tokenization import tokenize_column
from qe_desktop.i18n.messages import tr


class ExportSegment(NamedTuple):
    """Segment to export. `source`, `mt` and the current `target` are lines with codes (`plain_lines`).

    `notes` are by other authors, `note` is by the reviewer. `labels` maps code numbers to labels. `language` is the
    target language; if it is empty, the language of the `ExportData` applies.
    """

    source: str
    mt: str
    target: str
    status: ReviewStatus = ReviewStatus.OPEN
    notes: tuple[str, ...] = ()
    document: str = ""
    labels: Mapping[int, str] = {}  # never mutated
    note: str = ""
    language: str = ""

    @property
    def file_note(self) -> str:
        """Note of the reviewer as it would be read back from a file, with LF line breaks; empty if there is no note."""
        return normalize_note(self.note)

    @property
    def is_edited(self) -> bool:
        """Whether the target differs from the loaded MT."""
        return self.target != self.mt


@dataclass(frozen=True, slots=True, eq=False)
class ExportData:
    """Data to export. Languages are empty if unknown.

    `tags` maps layer titles to one line per segment, such as `OK BAD`, with the tags of the words of the loaded MT.
    `scores` maps layer titles to one number per segment, which is NaN if the segment has no score. `words` has one line
    per segment with the words of the MT; it is empty without tags, or if `word_tokenization` yields these words.
    """

    name: str
    segments: tuple[ExportSegment, ...]
    source_language: str = ""
    target_language: str = ""
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    words: Sequence[str] = ()

    def select_confirmed(self) -> ExportData:
        """Return a copy with only the confirmed segments, and without tags and scores."""
        pairs = tuple([pair for pair in self.segments if pair.status is ReviewStatus.CONFIRMED])
        return replace(self, segments=pairs, tags={}, scores={}, words=())

    def by_document(self) -> Iterator[tuple[str, Iterator[tuple[int, ExportSegment]]]]:
        """Iterate over runs of segments with the same document and language, as (document name, numbered segments).

        The document name of segments without a document is the `name` of the data. The numbered segments are an
        iterator of (1-based number, segment) pairs, which is valid until the next run is requested.
        """
        for (document, _), pairs in groupby(
            enumerate(self.segments, 1), lambda pair: (pair[1].document, pair[1].language)
        ):
            yield document or self.name, pairs

    def only_target_language(self) -> str:
        """Target language that all segments share; empty if unknown. Raises QeError if there are several languages."""
        languages = list(dict.fromkeys(filter(None, map(self.language_of, self.segments))))
        if len(languages) > 1:
            message = tr(
                "this format supports only one target language, but the segments have several: {names}",
                names=", ".join(languages),
            )
            raise QeError(
                message, hint=tr("Export as XLIFF 1.2 or a table, or open the files of each language separately.")
            )
        return languages[0] if languages else self.target_language

    def language_of(self, pair: ExportSegment) -> str:
        """Target language of a segment; empty if unknown."""
        return pair.language or self.target_language


def exported_layers(view: View) -> list[LayerKey]:
    """Layers of word tags and scores to export, for formats that support them.

    Layers derived from post-edits are included for use in other programs; on import, this program skips them
    (`table_columns`).
    """
    scores = [key for key in view.corpus.layers if key.kind is Kind.SCORES]
    return list(dict.fromkeys([*view.tag_layers(Kind.WORDS), *scores, *view.derived_scores()]))


def export_view(
    view: View,
    layers: Sequence[LayerKey] = (),
    segments: Sequence[int] | None = None,
    languages: tuple[str, str] | None = None,
) -> ExportData:
    """Snapshot of a view, with tags and scores of `layers`, for `segments` (default: all).

    `languages`, source and target, override the languages of the corpus. Raises QeError if a layer of tags is unknown,
    and KeyError if a layer of scores is unknown.
    """
    corpus = view.corpus
    numbers = range(corpus.size) if segments is None else segments
    source, target = languages or corpus.source_and_target()
    names = _document_names(corpus)
    statuses = view.statuses()
    pairs = tuple(_pair(view, segment, ReviewStatus(int(statuses[segment])), names) for segment in numbers)
    if languages is None and not target:
        pairs = tuple(
            pair._replace(language=corpus.target_language_of(segment))
            for segment, pair in zip(numbers, pairs, strict=True)
        )
    tags: dict[str, list[str]] = {}
    scores: dict[str, list[float]] = {}
    for key in layers:
        if key.kind.is_tags:
            tags[layer_title(key)] = _tag_lines(view, key, numbers)
        elif key.kind is Kind.SCORES:
            column = view.scores(key)
            scores[layer_title(key)] = [float(column[segment]) for segment in numbers]
    words = _words(corpus, numbers, pairs) if tags else ()
    return ExportData(corpus.name, pairs, source, target, tags, scores, words)


def _tag_lines(view: View, key: LayerKey, numbers: Sequence[int]) -> list[str]:
    """One line of tags per segment; in post-edit layers, empty for unreviewed segments, which may still have errors."""
    if not view.is_derived(key):
        return [format_tags(view.segment_tags(key, segment)) for segment in numbers]
    reviewed, tags = view.scored_segments(key), view.tags(key)
    return [format_tags(tags[segment]) if reviewed is None or reviewed[segment] else "" for segment in numbers]


def _words(corpus: Corpus, numbers: Sequence[int], pairs: Sequence[ExportSegment]) -> Sequence[str]:
    """Words of the MT, one line per segment; empty if there is no MT, or if `word_tokenization` yields them."""
    column = corpus.text(TextRole.MT)
    if column is None:
        return ()
    lines = [column[segment] for segment in numbers]
    if corpus.eos:
        return [f"{line} {EOS}".lstrip(" ") for line in lines]
    tokenized = tokenize_column([strip_codes(pair.mt) for pair in pairs])
    return () if list(tokenized.lines()) == lines else lines


def _document_names(corpus: Corpus) -> Sequence[str]:
    if corpus.documents is not None:
        return [corpus.documents.names[index] for index in corpus.documents.of_segment.tolist()]
    if corpus.job is not None:
        return [file.name for file in corpus.job.files for _ in file.segments]
    return ()


def _pair(view: View, segment: int, status: ReviewStatus, names: Sequence[str]) -> ExportSegment:
    corpus, job = view.corpus, view.corpus.job
    file_notes = job.notes.get(segment, ()) if job is not None else ()
    return ExportSegment(
        _normalize_breaks(corpus.source_line(segment)),
        _normalize_breaks(corpus.mt_line(segment)),
        _normalize_breaks(view.target(segment)),
        status,
        tuple(map(_normalize_breaks, file_notes)),
        names[segment] if names else "",
        job.labels.get(segment, {}) if job is not None else {},
        view.note(segment),
    )


def _normalize_breaks(text: str) -> str:
    return LINE_BREAK_PATTERN.sub(LINE_BREAK, text)


def format_tags(tags: Tags) -> str:
    """Format the tags of a segment as `OK` and `BAD`, separated by spaces."""
    return " ".join(["BAD" if tag else "OK" for tag in tags.tolist()])


def export_documents(documents: Sequence[Document], name: str, languages: tuple[str, str] | None = None) -> ExportData:
    """Return the export data of concatenated bilingual files, with their statuses, issues and scores."""
    view = View(corpus_from_documents(documents, name))
    return export_view(view, exported_layers(view), languages=languages)
