"""The studies of the window. A new one is a module and a line here."""

from __future__ import annotations

from qe_desktop.ui.scores.studies.labellings import Labellings
from qe_desktop.ui.scores.studies.sampling import Sampling
from qe_desktop.ui.scores.studies.study import Study
from qe_desktop.ui.scores.studies.thresholds import Thresholds

STUDIES: tuple[Study, ...] = (Labellings(), Sampling(), Thresholds())
