"""What can be seen of studies, as values that are drawn: here of metrics and people, in `labellings`, `thresholds` and
`sampling` of the others.
"""

from __future__ import annotations

from qe_desktop.levels.drawings import Panels
from qe_desktop.studies.humans import HumansStudy
from qe_desktop.studies.pictures.curves import curve_panels
from qe_desktop.studies.pictures.pairs import pairs_panel
from qe_desktop.studies.pictures.side import Side, Write, three_digits
from qe_desktop.studies.pictures.systems import systems_panel

__all__ = ["Write", "curve_panels", "metric_against_people", "three_digits"]


def metric_against_people(study: HumansStudy, metric: int, number: Write = three_digits) -> Panels:
    """One metric, by its place in the study, beside people: the systems, and pairs of them."""
    side = Side(study, study.agreements[metric], number)
    return systems_panel(side), pairs_panel(side)
