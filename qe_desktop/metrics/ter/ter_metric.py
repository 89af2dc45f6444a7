"""TER, the translation edit rate, as a metric: edits for each token of the references (Snover et al. 2006)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Floats, Metric, ScoreTerm, ratio
from qe_desktop.metrics.ter.ter_tokens import TercomLineTokenizer
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair

COLUMNS = ("edits", "shifts", "length")


def ter_metric(cutting: TercomLineTokenizer | None = None) -> Metric:
    """TER of tokens that are cut in this way; as sacreBLEU cuts unless it is told otherwise."""
    cutting = cutting or TercomLineTokenizer()
    family: Family[TokenizedPair] = Family(
        f"edits {cutting.signature}",
        COLUMNS,
        shared=(COLUMNS.index("length"),),
        rows=partial(_rows, cutting=cutting),
    )
    return Metric(
        "TER", family, (ScoreTerm(_edits, _rate),), 0, np.inf,
        tr("The edits that turn a translation into its reference, in per cent of the reference's length: words "
           "inserted, deleted, replaced, and blocks of words moved."),
        tr("Snover et al. 2006, as tercom and sacreBLEU count"),
        caution=tr("With several references, the one that needs the fewest edits counts, and their mean length."),
        better=-1, usual=100, signature=cutting.signature,
    )  # fmt: skip


def _rows(translated: TokenizedPair, cutting: TercomLineTokenizer) -> Floats:
    # whoever asks for other metrics does not wait for what finds edits
    from qe_desktop.metrics.ter.edit_rows import edit_rows

    return edit_rows(translated, cutting)


def _edits(edits: Any, shifts: Any, length: Any) -> tuple[Any, Any]:
    return edits, length


def _rate(edits: Any, length: Any, out: Floats | None = None) -> Any:
    """100 · edits / length; 100 where edits stand beside empty references, and 0 where both are empty."""
    length = np.asarray(length, np.float64)
    # an empty reference counts as if it were as long as the edits
    return np.multiply(ratio(edits, np.where(length == 0, edits, length), out), 100.0, out=out)


METRICS = (ter_metric(),)
