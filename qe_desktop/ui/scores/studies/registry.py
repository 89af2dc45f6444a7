"""Registry of studies; a new study needs a module and an entry in `STUDIES`."""

from __future__ import annotations

from qe_desktop.ui.scores.studies.labelling_study import SyntheticLabellings
from qe_desktop.ui.scores.studies.sampling_study import RepeatedSampling
from qe_desktop.ui.scores.studies.study import Study

STUDIES: tuple[Study, ...] = (SyntheticLabellings(), RepeatedSampling())
"""Studies on the Studies page; the threshold search has its own view on the Systems page."""
