"""TER: edits and shifts from a translation to its reference, exactly as tercom and sacreBLEU count them."""

from qe_desktop.metrics.ter.ter_metric import METRICS, ter_metric
from qe_desktop.metrics.ter.ter_tokens import TercomLineTokenizer

__all__ = [
    "METRICS",
    "TercomLineTokenizer",
    "ter_metric",
]
