"""TER: edits and shifts from a translation to its reference, exactly as tercom and sacreBLEU count them."""

from qe_desktop.metrics.ter.alignment import Alignment, Step, alignment
from qe_desktop.metrics.ter.counting import edit_rows, token_rows
from qe_desktop.metrics.ter.cutting import TercomTokens
from qe_desktop.metrics.ter.metric import METRICS, ter
from qe_desktop.metrics.ter.shifts import Shift

__all__ = [
    "METRICS",
    "Alignment",
    "Shift",
    "Step",
    "TercomTokens",
    "alignment",
    "edit_rows",
    "ter",
    "token_rows",
]
