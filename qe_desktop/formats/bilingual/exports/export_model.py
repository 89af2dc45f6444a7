"""A reviewed corpus at one moment, as it is written to other files: texts, statuses, notes, tags and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from qe_desktop.corpus import EOS, Corpus, Kind, LayerKey, TextRole, View
from qe_desktop.corpus.bilingual_job import ReviewStatus
from qe_desktop.corpus.view import Tags
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LINE_BREAK_PATTERN, strip_codes
from qe_desktop.formats.bilingual.tabular.column_names import layer_title
from qe_desktop.formats.bilingual.tokenization import tokenize_column


class ExportSegment(NamedTuple):
    """One segment: `source`, the MT as `loaded` and the `target` as it is now, each a line with codes (`lines`).

    `notes` are those of its file, and behind them the reviewer's. `labels` is what may be said of its codes, by number.
    """

    source: str
    loaded: str
    target: str
    status: ReviewStatus = ReviewStatus.OPEN
    notes: tuple[str, ...] = ()
    document: str = ""
    labels: Mapping[int, str] = {}  # nobody changes it

    @property
    def is_edited(self) -> bool:
        """Whether the target is another one than was loaded."""
        return self.target != self.loaded


@dataclass(frozen=True, slots=True, eq=False)
class ExportData:
    """What is written. Languages are empty where nobody knows them.

    `tags` are those of layers, a line for each segment (`OK BAD`), of the words of the MT as loaded; `scores` are one
    number a segment, NaN where there is none; both by what the layer is called. `words` are those of the MT, a line for
    each segment, where tags are of others than the rule of `words` finds.
    """

    name: str
    pairs: tuple[ExportSegment, ...]
    source_language: str = ""
    target_language: str = ""
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    words: Sequence[str] = ()

    def by_document(self) -> Iterator[tuple[str, Iterator[tuple[int, ExportSegment]]]]:
        """The segments with their numbers from 1, document after document, as they follow each other."""
        for document, pairs in groupby(enumerate(self.pairs, 1), lambda pair: pair[1].document):
            yield document or self.name, pairs


def exported_layers(view: View) -> list[LayerKey]:
    """The layers whose tags of words and scores are written, where a kind has room for them.

    Those of people's post-edits are among them, for whoever reads the file elsewhere; opened again here, they are left
    out (`table_columns`).
    """
    scores = [key for key in view.corpus.layers if key.kind is Kind.SCORES]
    return list(dict.fromkeys([*view.tracks(Kind.WORDS), *scores, *view.scores_that_follow()]))


def export_view(
    view: View,
    layers: Sequence[LayerKey] = (),
    segments: Sequence[int] | None = None,
    languages: tuple[str, str] | None = None,
) -> ExportData:
    """What is open, as it is now; tags and scores of some `layers`, and only some `segments`, where they are said.

    `languages` are those that a person names, where the corpus does not tell. QeError for a layer that is not there.
    """
    corpus = view.corpus
    chosen = range(corpus.size) if segments is None else segments
    source, target = languages or corpus.source_and_target()
    names = _document_names(corpus)
    statuses = view.statuses()
    pairs = tuple(_pair(view, segment, ReviewStatus(int(statuses[segment])), names) for segment in chosen)
    tags: dict[str, list[str]] = {}
    scores: dict[str, list[float]] = {}
    for key in layers:
        if key.kind.is_tags:
            tags[layer_title(key)] = _tag_lines(view, key, chosen)
        elif key.kind is Kind.SCORES:
            column = view.scores(key)
            scores[layer_title(key)] = [float(column[segment]) for segment in chosen]
    words = _words(corpus, chosen, pairs) if tags else ()
    return ExportData(corpus.name, pairs, source, target, tags, scores, words)


def _tag_lines(view: View, key: LayerKey, chosen: Sequence[int]) -> list[str]:
    """Tags of segments; of a post-edit none where its person has not reviewed one: what nobody saw is not OK."""
    if not view.follows_text(key):
        return [format_tags(view.segment_tags(key, segment)) for segment in chosen]
    reviewed, tags = view.kept(key), view.tags(key)
    return [format_tags(tags[segment]) if reviewed is None or reviewed[segment] else "" for segment in chosen]


def _words(corpus: Corpus, chosen: Sequence[int], pairs: Sequence[ExportSegment]) -> Sequence[str]:
    """The words that tags are of; none where the rule finds them in the MT."""
    column = corpus.text(TextRole.MT)
    if column is None:
        return ()
    lines = [column[segment] for segment in chosen]
    if corpus.eos:
        return [f"{line} {EOS}".lstrip(" ") for line in lines]
    found = tokenize_column([strip_codes(pair.loaded) for pair in pairs])
    return () if list(found.lines()) == lines else lines


def _document_names(corpus: Corpus) -> Sequence[str]:
    if corpus.documents is not None:
        return [corpus.documents.names[place] for place in corpus.documents.of_segment.tolist()]
    if corpus.job is not None:
        return [file.name for file in corpus.job.files for _ in file.segments]
    return ()


def _pair(view: View, segment: int, status: ReviewStatus, names: Sequence[str]) -> ExportSegment:
    corpus, job = view.corpus, view.corpus.job
    said = job.notes.get(segment, ()) if job is not None else ()
    own = view.note(segment)
    return ExportSegment(
        _normalize_breaks(corpus.source_line(segment)),
        _normalize_breaks(corpus.mt_line(segment)),
        _normalize_breaks(view.target(segment)),
        status,
        tuple(map(_normalize_breaks, (*said, own) if own else said)),
        names[segment] if names else "",
        job.labels.get(segment, {}) if job is not None else {},
    )


def _normalize_breaks(text: str) -> str:
    return LINE_BREAK_PATTERN.sub(LINE_BREAK, text)


def format_tags(tags: Tags) -> str:
    """Tags of a segment as files have them."""
    return " ".join(["BAD" if tag else "OK" for tag in tags.tolist()])


def export_documents(documents: Sequence[Document], name: str, languages: tuple[str, str] | None = None) -> ExportData:
    """Translators' files as they are, one behind the other, with the statuses, issues and scores that they bring."""
    view = View(corpus_from_documents(documents, name))
    return export_view(view, exported_layers(view), languages=languages)
