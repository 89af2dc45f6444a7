"""Status bar text about the open corpus: its gold, and the numbers of segments, systems and edited tags."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, ReviewStatus, TextRole, View
from qe_desktop.i18n.messages import tr
from qe_desktop.project import Session
from qe_desktop.ui.inspect.inspect_view import InspectView

COUNTED_STATUSES = (
    ReviewStatus.CONFIRMED, ReviewStatus.EDITED, ReviewStatus.REJECTED, ReviewStatus.OPEN, ReviewStatus.LOCKED,
)  # fmt: skip
"""Review statuses in the order in which the counts of their segments are listed."""


def counts_text(session: Session, reference: LayerKey | None, user_name: str, view_mode: InspectView) -> str:
    """Return a text such as "25 segments · 2 systems · gold: gold.tags · 3 tags edited · as Anna".

    `reference` is the current reference; `user_name` is the user's name in a project, empty otherwise. If `view_mode`
    does not show all layers, segments of bilingual files are counted per review status, as in "4 confirmed · 17 open".
    """
    corpus = session.corpus
    if view_mode.all_layers or corpus.job is None:
        parts = [tr("{n:,} {n:segment|segments}", "", corpus.size)]
    else:
        parts = _status_counts(session.view)
    if view_mode.all_layers:
        parts += _layer_counts(corpus, reference, session.edited_tags())
    if user_name:
        parts.append(tr("as {person}", person=user_name))
    return " · ".join(parts)


def _status_counts(view: View) -> list[str]:
    counts = np.bincount(view.statuses(), minlength=len(ReviewStatus))
    statuses = [status for status in COUNTED_STATUSES if counts[status]]
    return [tr("{n:,} {status}", "", int(counts[status]), status=status.display_name) for status in statuses]


def _layer_counts(corpus: Corpus, reference: LayerKey | None, edited: int) -> list[str]:
    parts = []
    systems = len(corpus.names(Provenance.SYSTEM))
    if corpus.translations:
        # if there are other translations, the MT is counted with them
        translation_count = len(corpus.translations) + (TextRole.MT in corpus.texts)
        parts.append(tr("{n} {n:translation|translations}", "", translation_count))
    only_metrics = bool(corpus.metric_scores) and not systems and not corpus.translations
    if only_metrics:
        parts.append(tr("{n} {n:metric|metrics}", "", len(corpus.metric_scores)))
    elif systems or not corpus.translations:
        # systems whose translations are rated are counted as translations
        has_both = bool(systems and corpus.translations)
        parts.append(
            tr("{n} QE {n:system|systems}", "", systems) if has_both else tr("{n} {n:system|systems}", "", systems)
        )
    gold = _gold(corpus, reference)
    if gold is not None:
        parts.append(tr("gold: {file}", file=gold.origin))
    elif not corpus.references and not only_metrics:
        parts.append(tr("no gold"))
    if edited:
        parts.append(tr("{n:,} {n:tag|tags} edited", "", edited))
    return parts


def _gold(corpus: Corpus, reference: LayerKey | None) -> Layer | None:
    """Return the current reference if it is gold, otherwise the first gold layer; None if there is no gold."""
    # references are texts, which are not in any layer
    if reference is not None and reference.provenance is Provenance.GOLD and reference in corpus.layers:
        return corpus.layers[reference]
    return next((layer for kind in Kind if (layer := corpus.gold(kind)) is not None), None)
