"""What a corpus offers to the list of segments: the columns that it fills, and whether what is asked for is there."""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextRole, View
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.project import Session
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.inspect.reader.tag_legend import LegendState
from qe_desktop.ui.inspect.segment_list.score_columns import score_layers
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.inspect.translations.comparison_request import scores_translations


def visible_columns(view: View, kind: Kind, numbers: bool, reviewing: bool = False) -> Iterator[SegmentColumn]:
    """The columns that there is something for; those of scores where `numbers` are wanted, that of statuses where
    `reviewing` says that segments have any. What a person's own post-edit says brings none and takes none away.
    """
    corpus = view.corpus
    tags = len(view.tracks(kind))
    golds, systems = score_layers(corpus, gold=True), score_layers(corpus, gold=False)
    there = {
        SegmentColumn.STATUS: reviewing,
        SegmentColumn.DOCUMENT: corpus.documents is not None,
        SegmentColumn.SOURCE: corpus.text(TextRole.SOURCE) is not None,
        SegmentColumn.MT: corpus.text(TextRole.MT) is not None or not (corpus.layers or corpus.translations),
        SegmentColumn.BAD: has_mt_tags(view, kind),
        SegmentColumn.DISPUTED: tags > 1,
        SegmentColumn.GOLD: numbers and bool(golds),
        SegmentColumn.SCORE: numbers and bool(systems),
        SegmentColumn.ERROR: numbers and bool(golds and systems),
    }
    return (column for column, filled in there.items() if filled)


def has_mt_tags(view: View, kind: Kind) -> bool:
    """Whether anybody tagged the MT: whoever corrects it is not somebody who judges it."""
    return any(not view.follows_text(key) for key in view.tracks(kind))


def corpus_facets(corpus: Corpus) -> tuple[object, ...]:
    """What columns, filters and orders of the list hang on, beside who tagged what."""
    scores = tuple(layer for key, layer in corpus.layers.items() if key.kind is Kind.SCORES)
    return corpus.size, dict(corpus.texts), dict(corpus.references), corpus.documents, corpus.eos, scores


def is_query_valid(query: SegmentQuery, view: View) -> bool:
    """Whether what a query sets side by side is still there."""
    if query.between is None:
        return True
    if query.level is not None and scores_translations(query.level, view):
        level = query.level.of_view(view)
        reference = level.reference(view, query.reference)
        return reference is not None and set(query.between) <= set(level.subjects(view, reference))
    against = () if query.reference is None else (query.reference,)
    return all(key in view.corpus.layers for key in (*query.between, *against))


def legend_state(
    session: Session | None, agreement: VotingRule, *, found: bool, reviewing: bool = False, checked: bool = False
) -> LegendState:
    """For the legend; `found` says that text was searched for, `reviewing` that targets are corrected, `checked` that
    checks mark one.
    """
    if session is None:
        return LegendState(agreement, {}, found=found)
    systems = [layer.key.name for layer in session.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)]
    thresholds = {
        name: session.threshold(name)
        for name in systems
        if session.from_probabilities(LayerKey(Provenance.SYSTEM, name, Kind.WORDS))
    }
    edited = session.edited_tags() > 0
    return LegendState(agreement, thresholds, edited=edited, found=found, reviewing=reviewing, checked=checked)
