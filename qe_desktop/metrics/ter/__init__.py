"""TER: edits, including shifts, that turn a translation into its reference, counted as in tercom and sacreBLEU."""

from qe_desktop.metrics.ter.ter_metric import METRICS, ter_metric
from qe_desktop.metrics.ter.ter_tokens import TercomLineTokenizer

__all__ = [
    "METRICS",
    "TercomLineTokenizer",
    "ter_metric",
]
