"""TER, the translation edit rate: edits per reference token (Snover et al. 2006)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, ratio
from qe_desktop.metrics.ter.ter_tokens import TercomLineTokenizer
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair

COLUMNS = ("edits", "shifts", "length")


def ter_metric(tokenizer: TercomLineTokenizer | None = None) -> Metric:
    """Return TER, the translation edit rate.

    Parameters
    ----------
    tokenizer
        Tokenizer; None for sacreBLEU's default.

    Returns
    -------
    Metric
        100 · edits / mean reference length, at least 0; lower is better. With empty references, the score is 0 if
        the translation is also empty, else 100.

    References
    ----------
    Snover et al. 2006
    """
    tokenizer = tokenizer or TercomLineTokenizer()
    family: Family[TokenizedPair] = Family(
        f"edits {tokenizer.signature}",
        COLUMNS,
        shared=(COLUMNS.index("length"),),
        rows=partial(_rows, tokenizer=tokenizer),
    )
    return Metric(
        "TER", family, (ScoreTerm(_edits, _rate),), 0, np.inf,
        tr("Edits that turn a translation into its reference (insertions, deletions, substitutions and "
            "shifts of word blocks), as a percentage of the reference length."),
        tr("Snover et al. 2006, as in tercom and sacreBLEU"),
        caution=tr(
            "With several references, the smallest number of edits to any reference is divided by the mean reference "
            "length."
        ),
        better=-1, usual_max=100, signature=tokenizer.signature,
    )  # fmt: skip


def _rows(translated: TokenizedPair, tokenizer: TercomLineTokenizer) -> Floats:
    # lazy import: other metrics do not need the edit search
    from qe_desktop.metrics.ter.ter_edits import edit_rows

    return edit_rows(translated, tokenizer)


def _edits(edits: Any, shifts: Any, length: Any) -> tuple[Any, Any]:
    return edits, length


def _rate(edits: Any, length: Any, out: Floats | None = None) -> Any:
    """100 · edits / length; if the length is 0, the rate is 100 if there are edits, else 0."""
    length = np.asarray(length, np.float64)
    # an empty reference counts as being as long as the edits
    return np.multiply(ratio(edits, np.where(length == 0, edits, length), out), 100.0, out=out)


METRICS = (ter_metric(),)
