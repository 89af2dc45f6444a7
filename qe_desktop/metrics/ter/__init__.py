"""TER: edits and shifts from a translation to its reference, exactly as tercom and sacreBLEU count them."""

from qe_desktop.metrics.ter.cutting import TercomTokens
from qe_desktop.metrics.ter.metric import METRICS, ter

__all__ = [
    "METRICS",
    "TercomTokens",
    "ter",
]
