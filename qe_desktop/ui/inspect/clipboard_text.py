"""Clipboard text of a segment (its texts, selected words or tags) and of the whole segment list."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from qe_desktop.corpus import RAW_ROLES, Corpus, Kind, LayerKey, Provenance, TextRole, View
from qe_desktop.corpus.layers import score_label
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.levels.translations.side_by_side import SideBySide
from qe_desktop.report.render.tables import Cell, Table
from qe_desktop.ui.inspect.segment_list.row_tags import RowTagCache
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn, SegmentListState

_ROLES = {Kind.SOURCE: TextRole.SOURCE, Kind.TRANSLATION: TextRole.POST_EDIT}
"""Text that contains the words of each kind; words of kinds that are not listed are in the MT."""
_TAG_NAMES = ("OK", "BAD")


def segment_text(corpus: Corpus, role: TextRole, segment: int) -> str:
    """Return the raw text of a role in a segment or, without one, the tokenized text; empty if there is neither."""
    column = corpus.texts.get(RAW_ROLES.get(role, role)) or corpus.text(role)
    return "" if column is None else column[segment]


def current_target(view: View, segment: int) -> str:
    """Return the current target of a segment: the target without inline codes if it was edited, otherwise the MT."""
    return (
        strip_codes(view.target(segment))
        if view.is_edited(segment)
        else segment_text(view.corpus, TextRole.MT, segment)
    )


def word_text(view: View, kind: Kind, segment: int, indices: Sequence[int]) -> str:
    """Return the words at `indices`, joined by spaces.

    For gaps, these are the words from the one before the first gap to the one after the last gap.
    """
    tokens = view.corpus.tokens(_ROLES.get(kind, TextRole.MT), segment)
    if kind is Kind.GAPS and indices:
        indices = range(max(0, min(indices) - 1), max(indices) + 1)
    return " ".join(tokens[index] for index in indices if index < len(tokens))


def pair_line(view: View, segment: int) -> str:
    """Return source and current target as two tab-separated spreadsheet cells; missing texts are omitted."""
    corpus = view.corpus
    texts: dict[str, Cell] = {}
    if corpus.text(TextRole.SOURCE) is not None:
        texts["source"] = segment_text(corpus, TextRole.SOURCE, segment)
    if corpus.text(TextRole.MT) is not None:
        texts["target"] = current_target(view, segment)
    return Table("", tuple(texts), (tuple(texts.values()),)).tsv().partition("\n")[2].rstrip("\n")


def tags_as_table(view: View, segment: int) -> Table:
    """Return a table of tags: a row per source word, MT word and gap, and a column per system, gold or annotator."""
    names = _layer_names(view)
    rows: list[tuple[Cell, ...]] = []
    for kind, text_name in ((Kind.SOURCE, "source"), (Kind.WORDS, "MT"), (Kind.GAPS, "gap")):
        for index, word in _tag_positions(view, kind, segment):
            rows.append((segment + 1, text_name, index + 1, word, *_tags(view, kind, names, segment, index)))
    return Table("", ("segment", "text", "place", "word", *(_layer_label(*name) for name in names)), tuple(rows))


def _layer_names(view: View) -> list[tuple[Provenance, str]]:
    keys = [key for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE) for key in view.displayed_layers(kind)]
    return list(dict.fromkeys((key.provenance, key.name) for key in keys))


def _layer_label(provenance: Provenance, name: str) -> str:
    # a system and a user may have the same name
    return name if provenance is Provenance.SYSTEM else f"{provenance.value} {name}"


def _tag_positions(view: View, kind: Kind, segment: int) -> Iterator[tuple[int, str]]:
    if kind is not Kind.GAPS:
        yield from enumerate(view.corpus.tokens(_ROLES.get(kind, TextRole.MT), segment))
        return
    keys = view.displayed_layers(kind)
    for index in range(len(view.segment_tags(keys[0], segment)) if keys else 0):
        yield index, ""


def _tags(
    view: View, kind: Kind, names: Sequence[tuple[Provenance, str]], segment: int, index: int
) -> Iterator[str | None]:
    displayed = set(view.displayed_layers(kind))
    for provenance, name in names:
        key = LayerKey(provenance, name, kind)
        tags = view.segment_tags(key, segment) if key in displayed else ()
        yield _TAG_NAMES[int(tags[index])] if index < len(tags) else None


def segment_table(comparison: SideBySide) -> Table:
    """Return a table with a row per text: segment number, name of the text, score (if there is a metric), and words."""
    scored = bool(comparison.metric)
    header = ("segment", "text", *((comparison.metric,) if scored else ()), "words")
    number = comparison.segment + 1
    rows: list[tuple[Cell, ...]] = []
    if comparison.source:
        rows.append((number, "source", *((None,) if scored else ()), comparison.source))
    for line in comparison.lines:
        rows.append((number, line.name, *((line.score,) if scored else ()), line.text))
    return Table("", header, tuple(rows))


REPORT_INTERVAL = 256
"""Number of rows after which `check_cancelled` is called."""
_LIST_HEADERS = {
    SegmentColumn.NUMBER: "segment",
    SegmentColumn.STATUS: "status",
    SegmentColumn.DISPUTED: "disputed",
    SegmentColumn.ERROR: "error",
}
"""Headers of columns that differ from the titles on screen, for example because these are symbols."""


def list_table(
    listing: SegmentListState, titles: dict[SegmentColumn, str], check_cancelled: Callable[[], object]
) -> Table:
    """Return a row for each listed segment, in the order of the list, with the columns of `titles`.

    `titles` are the titles of the columns on screen. `check_cancelled` raises JobCancelled to stop.
    """
    marks = RowTagCache(listing.view, listing.agreement)
    header: list[str] = []
    for column, title in titles.items():
        header += (
            _difference_headers(listing) if column is SegmentColumn.DIFFERENCE else [_LIST_HEADERS.get(column, title)]
        )
    rows: list[tuple[Cell, ...]] = []
    for index, segment in enumerate(listing.segments.tolist()):
        if not index % REPORT_INTERVAL:
            check_cancelled()
        rows.append(tuple(cell for column in titles for cell in _list_cells(listing, marks, segment, column)))
    return Table("", tuple(header), tuple(rows))


def _difference_headers(listing: SegmentListState) -> Sequence[str]:
    return () if listing.difference is None else listing.difference.exported_headers


def _list_cells(listing: SegmentListState, marks: RowTagCache, segment: int, column: SegmentColumn) -> Sequence[Cell]:
    view, scores = listing.view, listing.scores
    match column:
        case SegmentColumn.NUMBER:
            return (segment + 1,)
        case SegmentColumn.DOCUMENT:
            return ("" if view.corpus.documents is None else view.corpus.documents.name(segment),)
        case SegmentColumn.SOURCE:
            return (segment_text(view.corpus, TextRole.SOURCE, segment),)
        case SegmentColumn.MT:
            return (current_target(view, segment),)
        case SegmentColumn.STATUS:
            return (view.status(segment).name.lower(),)
        case SegmentColumn.BAD:
            return (marks.bad_count(listing.kind, segment),)
        case SegmentColumn.DISPUTED:
            return (marks.disputed_count(listing.kind, segment),)
        case SegmentColumn.DIFFERENCE:
            return () if listing.difference is None else listing.difference.exported_cells(segment)
    if scores is None:
        return (None,)
    if column is SegmentColumn.SCORE and scores.system_layer is not None:
        label = score_label(scores.system_layer, segment)
        if label:
            return (label,)
    columns = {SegmentColumn.GOLD: scores.gold_scores, SegmentColumn.SCORE: scores.system_scores}
    values = columns.get(column, scores.errors)
    return (math.nan if values is None else float(values[segment]),)
