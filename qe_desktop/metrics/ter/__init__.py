"""TER: edits and shifts from a translation to its reference, identical to tercom and sacreBLEU."""

from qe_desktop.metrics.ter.ter_metric import METRICS, ter_metric
from qe_desktop.metrics.ter.ter_tokens import TercomLineTokenizer

__all__ = [
    "METRICS",
    "TercomLineTokenizer",
    "ter_metric",
]
