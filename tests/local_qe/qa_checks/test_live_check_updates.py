"""Findings that are updated after edits, undo and redo equal those of a new check."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.local_qe.qa_checks import repetitions
from qe_desktop.local_qe.qa_checks.live_checks import TargetChecks
from qe_desktop.local_qe.qa_checks.runner import CHECKS
from qe_desktop.project import Session, SessionChange
from qe_desktop.project.events import ReviewField
from tests.local_qe.qa_checks.test_live_checks import open_workspace

SOURCES = ["OK", "with 3 men", "OK", "12", " OK", "with  3 men", "12", "OK", "alone", "with 3 men"]
LOADED = ["Gut", "mit 3 Mann", "OK", "12", "Gut", "mit drei Mann", "1 2", "", "allein", "mit 3 Mann"]

places = st.integers(0, len(SOURCES) - 1)
targets = st.sampled_from(["Gut", "OK", "Gut  ", "mit 3 Mann", "mit 4 Mann", "12", ""])
statuses = st.sampled_from([ReviewStatus.OPEN, ReviewStatus.CONFIRMED, ReviewStatus.REJECTED])
edits = st.one_of(
    st.dictionaries(places, targets.map(lambda text: {ReviewField.TARGET: text}), min_size=1),
    st.dictionaries(places, st.just({ReviewField.TARGET: None}), min_size=1),
    st.dictionaries(places, statuses.map(lambda status: {ReviewField.STATUS: int(status)}), min_size=1),
)
steps = st.lists(st.one_of(edits, st.sampled_from(["undo", "redo"])), max_size=12)


def all_findings(checks: TargetChecks) -> list[object]:
    return [
        checks.flagged_segments().tolist(),
        [checks.issues(segment, checks.view.target(segment)) for segment in range(len(SOURCES))],
        [checks.issues(segment, "OK") for segment in range(len(SOURCES))],
    ]


@given(steps)
def test_updated_findings_equal_those_of_a_new_check(steps):
    session = Session(open_workspace(SOURCES, LOADED).corpus)
    updated = TargetChecks(session.view, CHECKS)
    latest_copy = updated.copy()

    def follow(change: SessionChange) -> None:
        nonlocal latest_copy
        copied = latest_copy.copy()
        for checks in (updated, copied):
            checks.update_to_view(session.view, change.segments)
        latest_copy = copied

    session.subscribe(follow)
    for step in steps:
        if step == "undo":
            session.undo()
        elif step == "redo":
            session.redo()
        else:
            session.reviewing.set(step)
        expected = all_findings(TargetChecks(session.view, CHECKS))
        assert all_findings(updated) == expected
        assert all_findings(latest_copy) == expected


def test_updating_a_copy_does_not_change_the_original():
    view = open_workspace(SOURCES, LOADED)
    checks = TargetChecks(view, CHECKS)
    before = all_findings(checks)
    session = Session(view.corpus)
    session.reviewing.set({0: {ReviewField.TARGET: "Fein  fein"}})
    copied = checks.copy()
    copied.update_to_view(session.view, [0])
    assert copied.flagged_segments().tolist() != before[0]
    assert all_findings(checks) == before


def test_an_update_reads_only_targets_of_edited_segments(monkeypatch):
    """Only edited targets are read again, however many sources are repeated."""
    size, same = 2_000, 500
    sources = ["OK" if index < same else f"text {index // 4}" for index in range(size)]
    checks = TargetChecks(view := open_workspace(sources, sources), CHECKS)
    compared: list[int] = []
    usual = repetitions._most_frequent_text

    def counted(texts, settled):
        compared.append(len(texts))
        return usual(texts, settled)

    monkeypatch.setattr(repetitions, "_most_frequent_text", counted)
    read: list[int] = []

    class Watched(View):
        def target(self, segment: int) -> str:
            read.append(segment)
            return super().target(segment)

    session = Session(view.corpus)
    session.reviewing.set({3: {ReviewField.TARGET: "Gut"}, same + 1: {ReviewField.TARGET: "Text"}})
    edited = Watched(view.corpus, review=session.view.review)
    checks.update_to_view(edited, [3, same + 1])
    assert checks.flagged_segments()[:same].sum() == same - 1
    assert set(read) == {3, same + 1}
    assert sorted(compared) == [4, same]
