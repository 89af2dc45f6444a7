"""List of QA check results: rows, excerpts, update of edited segments, filter, and the table that shows them."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from qe_desktop.local_qe.qa_checks.check_results import QaResult, qa_result_position
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME
from qe_desktop.ui.inspect import qa_result_panel as module
from qe_desktop.ui.inspect.qa_result_panel import (
    QaResultList,
    QaResultPanel,
    no_problem_state,
    summary_text,
    target_excerpt,
)
from qe_desktop.ui.settings import Settings

ROLE = Qt.ItemDataRole


def qa_result(
    segment: int, start: int = 0, check: str = "numbers", message: str = "wrong", target: str = ""
) -> QaResult:
    title = CHECK_BY_NAME[check].title
    return QaResult(segment, str(segment + 1), check, title, message, "source", target or "x" * 50, (start, start))


def make_result_list(*results: QaResult) -> QaResultList:
    return QaResultList.of(sorted(results, key=qa_result_position))


RESULTS = st.lists(
    st.builds(
        qa_result, st.integers(0, 5), st.integers(0, 3), st.sampled_from(["empty", "numbers", "spaces"]), st.text("ab")
    ),
    unique_by=qa_result_position,
)


@given(RESULTS, RESULTS, st.sets(st.integers(0, 5)))
def test_results_of_edited_segments_are_replaced_in_order(before, after, segments):
    new = [row for row in after if row.segment in segments]
    kept = [row for row in before if row.segment not in segments]
    expected = make_result_list(*kept, *new)
    updated = make_result_list(*before).with_segments(segments, new)
    assert (updated.items, updated.rows, updated.total) == (expected.items, expected.rows, expected.total)


def test_segment_numbers_have_the_format_of_the_segment_list():
    in_one_file = qa_result(1544)
    in_two_files = in_one_file._replace(id="b.xlf:1545")
    (row,), (row_of_two,) = make_result_list(in_one_file).rows, make_result_list(in_two_files).rows
    assert (row[0].text, row_of_two[0].text) == ("1,545", "b.xlf:1545")


@given(RESULTS, st.integers(0, 6))
def test_row_from_a_segment_is_its_first_or_that_of_a_later_one(drawn, segment):
    results = make_result_list(*drawn)
    row = results.first_row_from((segment,))
    assert all(item.segment < segment for item in results.items[:row])
    assert all(item.segment >= segment for item in results.items[row:])


@pytest.mark.parametrize(
    ("target", "start", "excerpt"),
    [
        ("Das ist kurz.", 4, "Das ist kurz."),
        ("eins zwei drei vier fünf sechs sieben acht neun", 40, "…vier fünf sechs sieben acht neun"),
        ("eins\u2028zwei", 99, "eins zwei"),
        ("長" * 60, 50, "…" + "長" * 40),
    ],
)
def test_excerpt_is_the_target_around_the_place(target, start, excerpt):
    assert target_excerpt(qa_result(0, start, target=target)) == excerpt


@given(st.text(max_size=400), st.integers(0, 500))
def test_excerpt_is_short_and_part_of_the_target(target, start):
    text = target_excerpt(qa_result(0, start, target=target or "x"))
    assert len(text) <= module.MAX_EXCERPT_CHARS + 2
    assert text.removeprefix("…").removesuffix("…") in (target or "x").replace("\u2028", " ")


def test_only_the_first_results_are_listed(monkeypatch):
    monkeypatch.setattr(module, "MAX_RESULTS", 2)
    results = make_result_list(*map(qa_result, range(5)))
    assert (len(results.rows), results.total) == (2, 5)
    assert summary_text(results, outdated=False) == "The first 2 of 5 QA check results"


@pytest.fixture
def panel(qtbot, tmp_path) -> QaResultPanel:
    widget = QaResultPanel(Settings(str(tmp_path / "s.ini")))
    qtbot.addWidget(widget)
    widget.resize(900, 300)
    widget.show()
    return widget


def test_table_model_is_valid_while_results_change(panel):
    tester = QAbstractItemModelTester(panel.table.table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    first = make_result_list(qa_result(0), qa_result(0, 3, "spaces", "<b>two</b> spaces"), qa_result(4, 1))
    for results in (
        first,
        first.with_segments([0], []),
        first.with_segments([4], [qa_result(4)]),
        QaResultList(),
        first,
    ):
        panel.show_results(results)
        panel.show_state(None)
    model = panel.table.table
    cells = [[model.index(row, column).data() for column in range(4)] for row in range(3)]
    assert cells[1] == ["1", "Spaces", "<b>two</b> spaces", "x" * 50]
    assert model.index(2, 2).data(ROLE.AccessibleTextRole) == "Problem: wrong"
    assert [model.headerData(column, Qt.Orientation.Horizontal) for column in range(4)] == [
        "Segment", "Check", "Problem", "Target",
    ]  # fmt: skip
    del tester


def test_results_of_one_check_can_be_listed(panel):
    panel.show_results(make_result_list(qa_result(0), qa_result(1, 0, "spaces"), qa_result(2)))
    panel.show_state(None)
    texts = [panel.check_combo_box.itemText(index) for index in range(panel.check_combo_box.count())]
    assert texts == ["All checks (3)", "Numbers and units (2)", "Spaces (1)"]
    panel.check_combo_box.setCurrentIndex(1)
    panel.check_combo_box.activated.emit(1)
    assert [item.segment for item in panel.listed.items] == [0, 2]
    # the check stays selected as long as it has results
    panel.show_results(make_result_list(qa_result(1, 0, "spaces"), qa_result(2)))
    assert [item.segment for item in panel.listed.items] == [2]
    panel.show_results(make_result_list(qa_result(1, 0, "spaces")))
    assert panel.check_combo_box.currentText() == "All checks (1)"


def test_keys_of_the_table_go_to_results_and_back(panel, qtbot):
    rows, ended = [], []
    panel.row_activated.connect(rows.append)
    panel.closed.connect(lambda: ended.append(True))
    panel.show_results(make_result_list(qa_result(0), qa_result(1)))
    panel.show_state(None)
    panel.select_row(0)
    panel.setFocus()
    moved = []
    panel.current_row_changed.connect(moved.append)
    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    QTest.keyClick(panel.table, Qt.Key.Key_Return)
    QTest.keyClick(panel.table, Qt.Key.Key_Escape)
    assert (moved, rows, ended) == ([1], [1], [True])


def test_text_without_results_states_what_was_checked():
    checks = [CHECK_BY_NAME[name] for name in ("numbers", "terms", "forbidden")]
    state = no_problem_state(1200, checks, {"terms"})
    assert state.title == "No check found a problem"
    assert state.text.startswith(
        "Checks run on 1,200 segments: Numbers and units, Forbidden words. Turned off: Empty and copied targets, "
    )
    assert "Terms" not in state.text
    assert state.text.endswith("select your lists in Preferences ▸ QA checks.")
    # a check for files of another format neither ran nor was turned off
    every_check = tuple(CHECK_BY_NAME.values())
    assert "PO rules" in no_problem_state(1, every_check).text
    assert "PO rules" not in no_problem_state(1, every_check, (), ("gettext",)).text
    assert "PO rules" not in no_problem_state(1, checks, {"terms"}, ("gettext",)).text
    assert no_problem_state(1, ()).title == "All QA checks are turned off"
    everything = no_problem_state(1, tuple(CHECK_BY_NAME.values()))
    assert "Turned off" not in everything.text
    assert "Preferences" not in everything.text


def test_text_without_results_does_not_claim_a_check_if_none_could_run():
    """Without word lists, the two checks that need them found nothing: "Checks run on 5 segments: ."."""
    checks = [CHECK_BY_NAME[name] for name in ("terms", "forbidden")]
    state = no_problem_state(5, checks, {"terms", "forbidden"})
    assert state.title == "Nothing was checked"
    assert state.text.startswith("Turned off: Empty and copied targets, ")
    assert state.text.endswith("select your lists in Preferences ▸ QA checks.")
