"""Registry of the metric checks; a new check needs a module and an entry here."""

from __future__ import annotations

from qe_desktop.ui.scores.studies.labelling_study import SyntheticLabellings
from qe_desktop.ui.scores.studies.sampling_study import RepeatedSampling
from qe_desktop.ui.scores.studies.study import Study
from qe_desktop.ui.scores.studies.threshold_study import ThresholdSearch

STUDIES: tuple[Study, ...] = (SyntheticLabellings(), RepeatedSampling(), ThresholdSearch())
