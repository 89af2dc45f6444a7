"""Columns of the segment list while post-editing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.workspace import Workspace
from tests.ui.inspect.postedit.conftest import job_corpus

SCORES = LayerKey(Provenance.SYSTEM, "qe", Kind.SCORES)


def visible_columns(area: InspectArea) -> set[SegmentColumn]:
    return {column for column in SegmentColumn if not area.view.isColumnHidden(column)}


def test_first_edit_keeps_the_score_columns(area: InspectArea, workspace: Workspace) -> None:
    """The first post-edit adds tags to a corpus that has only scores; the scores must stay visible."""
    workspace.open(replace(job_corpus(), layers={SCORES: Layer(SCORES, np.array([0.1, 0.9, 0.5, 0.4]))}))
    before, bar = visible_columns(area), area.tags.isVisible()
    assert SegmentColumn.SCORE in before
    assert workspace.session is not None
    workspace.session.reviewing.set({1: {ReviewField.TARGET: "Der grüne Apfel!"}})
    assert len(workspace.session.view.tracks(Kind.WORDS)) == 1
    assert visible_columns(area) == before
    assert area.tags.isVisible() is bar, "without tags, the displayed text does not move"
    assert not area.tags.has_targets
    workspace.undo()
    assert visible_columns(area) == before
