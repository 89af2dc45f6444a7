"""How long the study of post-editing takes for many reviewed segments, and after one more edit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, ReviewStatus, TextColumn, TextRole
from qe_desktop.project import ReviewField, Session
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy, RecordedVisit, study_post_editing
from qe_desktop.studies.post_editing.reviewed_segments import (
    Pair,
    RecentCache,
    SegmentEdits,
    TextCache,
    select_reviewed,
)
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import measure_with_slowness, wall_and_processor_time
from tests.small_corpora import random_tags

REVIEWED, WORDS, SYSTEMS = 10_000, 36, 2
CHANGED = 0.15
"""Share of words that the post-edits change."""


def reviewed_session() -> Session:
    """A session in which all segments were edited and confirmed."""
    rng = np.random.default_rng(1)
    words = np.array([f"w{number}" for number in range(5_000)])
    before = rng.integers(0, len(words), (REVIEWED, WORDS))
    after = np.where(rng.random(before.shape) < CHANGED, rng.integers(0, len(words), before.shape), before)
    mt, targets = ([" ".join(words[line]) for line in lines] for lines in (before, after))
    text = TextColumn.of(mt)
    keys = [LayerKey(Provenance.SYSTEM, f"s{number}", Kind.WORDS) for number in range(SYSTEMS)]
    layers = {key: Layer(key, random_tags([WORDS] * REVIEWED, 0.1, index)) for index, key in enumerate(keys)}
    session = Session(Corpus("made", REVIEWED, {TextRole.SOURCE: text, TextRole.MT: text}, layers), person="me")
    confirmed = int(ReviewStatus.CONFIRMED)
    session.reviewing.set(
        {index: {ReviewField.TARGET: line, ReviewField.STATUS: confirmed} for index, line in enumerate(targets)}
    )
    return session


@pytest.mark.benchmark
def test_time_of_post_editing_study_after_one_edit(benchmark):
    session, texts, edits = reviewed_session(), TextCache(), RecentCache[Pair, SegmentEdits]()
    works = [RecordedVisit(segment, "me", 20.0, keys={"letter": 30, "erase": 8}) for segment in range(REVIEWED)]
    edited: Iterator[int] = iter(range(REVIEWED))

    def study() -> PostEditingStudy:
        segments = select_reviewed(session.view, cache=texts)
        return study_post_editing(segments, works, cache=edits)

    def study_after_edit() -> PostEditingStudy:
        segment = next(edited)
        session.reviewing.set({segment: {ReviewField.TARGET: f"{session.view.target(segment)} more"}})
        return study()

    first, slower = measure_with_slowness(lambda: wall_and_processor_time(study)[1])
    record_figure(f"post-editing of {REVIEWED:,} segments, for the first time", first, 10, "s", slower=slower)
    result = benchmark.pedantic(study_after_edit, rounds=1)
    assert len(result.reviewed) == REVIEWED
    seconds, slower = measure_with_slowness(lambda: min(wall_and_processor_time(study_after_edit)[1] for _ in range(3)))
    assert (
        record_figure(f"post-editing of {REVIEWED:,} segments, after one edit", seconds, 1, "s", slower=slower).value
        < 20
    )
