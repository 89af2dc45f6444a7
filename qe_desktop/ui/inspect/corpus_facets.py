"""Columns of the segment list, and the validity and active filters of its query."""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.corpus import Corpus, Kind, ReviewStatus, TextRole, View
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.inspect.segment_list.score_columns import score_layers
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.inspect.translations.comparison_request import scores_translations


def visible_columns(
    view: View, kind: Kind, with_scores: bool, with_status: bool = False, view_mode: InspectView = EVALUATION_VIEW
) -> Iterator[SegmentColumn]:
    """Yield the columns that have content and that the view `view_mode` allows.

    Score columns require `with_scores`; the status column requires `with_status`.
    """
    corpus = view.corpus
    tags = len(view.tag_layers(kind))
    golds, systems = score_layers(corpus, gold=True), score_layers(corpus, gold=False)
    has_content = {
        SegmentColumn.STATUS: with_status,
        SegmentColumn.DOCUMENT: corpus.documents is not None and view_mode.all_layers,
        SegmentColumn.SOURCE: corpus.text(TextRole.SOURCE) is not None,
        SegmentColumn.MT: corpus.text(TextRole.MT) is not None or not (corpus.layers or corpus.translations),
        SegmentColumn.BAD: has_mt_tags(view, kind),
        SegmentColumn.DISPUTED: tags > 1 and view_mode.disagreement,
        SegmentColumn.GOLD: with_scores and bool(golds),
        SegmentColumn.SCORE: with_scores and bool(systems),
        SegmentColumn.ERROR: with_scores and bool(golds and systems),
    }
    return (column for column, filled in has_content.items() if filled)


def has_mt_tags(view: View, kind: Kind) -> bool:
    """Return whether there are tags of `kind` other than those derived from edited targets."""
    return any(not view.is_derived(key) for key in view.tag_layers(kind))


def corpus_facets(corpus: Corpus) -> tuple[object, ...]:
    """Return the contents of a corpus, except tag layers, that determine the columns, filters and sort orders."""
    scores = tuple(layer for key, layer in corpus.layers.items() if key.kind is Kind.SCORES)
    return corpus.size, dict(corpus.texts), dict(corpus.references), corpus.documents, corpus.eos, scores


def is_query_valid(query: SegmentQuery, view: View) -> bool:
    """Return whether the systems and the reference that a query compares exist; True if nothing is compared."""
    if query.compared_layers is None:
        return True
    if query.level is not None and scores_translations(query.level, view):
        level = query.level.of_view(view)
        reference = level.reference(view, query.reference)
        return reference is not None and set(query.compared_layers) <= set(level.subjects(view, reference))
    against = () if query.reference is None else (query.reference,)
    return all(key in view.corpus.layers for key in (*query.compared_layers, *against))


def active_filters(query: SegmentQuery) -> list[str]:
    """Return the names of the active filters of a query, except the search text and `listed_segments`."""
    names: list[str] = []
    for is_active, name in (
        (query.only_bad, "BAD"), (query.only_disagreement, tr("Disagreement")), (query.only_edited, tr("Tags edited")),
        (query.only_flagged, tr("flagged")), (query.only_with_notes, tr("notes")), (query.only_with_findings,
        tr("checks")),
    ):  # fmt: skip
        if is_active:
            names.append(name)
    names += [status.display_name for status in ReviewStatus if status in query.statuses]
    if query.document:
        names.append(escape_label(query.document))
    return names
