from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop import wording
from qe_desktop.corpus import ItemRole, QeError, Ratings, Score
from qe_desktop.ratings.findings import Options
from qe_desktop.ratings.results import results_of
from qe_desktop.ui.campaigns import situations
from qe_desktop.ui.campaigns.results.agreement_rows import RANKINGS, in_words, measures
from qe_desktop.ui.campaigns.results.page import ResultsView
from qe_desktop.ui.campaigns.results.pictures.contents import Boxes, Histogram, Pace, Pairs, Shares
from qe_desktop.ui.campaigns.results.results_keeper import ResultsKeeper, facts_of
from qe_desktop.ui.campaigns.results.systems_model import SystemsModel
from qe_desktop.ui.parts.dots import Dots
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.table_model import CHOSEN_ROLE, LAST_ROLE

from .conftest import adequacy_fluency, rankings


@pytest.fixture
def keeper(world: Any) -> ResultsKeeper:
    made = ResultsKeeper(world.workspace)
    made.options = Options(runs=100, rounds=200)
    return made


@pytest.fixture
def view(keeper: ResultsKeeper, qtbot: QtBot) -> ResultsView:
    made = ResultsView(keeper)
    qtbot.addWidget(made)
    made.resize(1208, 690)
    return made


def texts(view: ResultsView) -> str:
    return " | ".join(label.text() for label in view.findChildren(Label) if label.isVisibleTo(view))


def look_at(view: ResultsView, pane: Any) -> Any:
    view.tabs.setCurrentWidget(pane)
    return pane


# --- the four states


def test_nothing_rated_says_so_and_leads_on(world: Any, keeper: ResultsKeeper, view: ResultsView, qtbot: QtBot) -> None:
    assert "Nothing has been rated yet" in texts(view)
    keeper.show(Ratings.of, None)
    world.wait()
    assert keeper.state == "empty"
    with qtbot.waitSignal(view.asked) as told:
        view.quiet.buttons[situations.PROGRESS].click()
    assert told.args == [situations.PROGRESS]


def test_training_alone_makes_no_results(world: Any, keeper: ResultsKeeper) -> None:
    only = Ratings.of([Score("Ana", "MT", "1", "adequacy", 3.0, ItemRole.TRAINING)])
    keeper.show(lambda: only, None)
    world.wait()
    assert keeper.state == "empty"


def test_working_can_be_stopped_and_begun_again(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    keeper.show(lambda: adequacy_fluency(10), None)
    assert keeper.state == "working"
    assert "Computing the results" in texts(view)
    keeper.stop()
    assert "No results: the computing was stopped" in texts(view)
    view.quiet.buttons[situations.AGAIN].click()
    world.wait()
    assert keeper.state == "ready"
    assert (
        view.facts.text().startswith("756 ratings · 3 systems · 10 segments · 3 raters")
        or "3 raters" in view.facts.text()
    )


def test_what_went_wrong_is_said_and_old_results_stay(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    broken = [False]

    def source() -> Ratings:
        if broken[0]:
            raise QeError("the server is away", hint="Try again later.")
        return adequacy_fluency(10)

    keeper.show(source, None)
    world.wait()
    broken[0] = True
    keeper.run()
    world.wait()
    assert keeper.state == "failed"
    assert view.facts.text() == "Not brought up to date: the server is away. Try again later."
    assert view.systems.table.systems.rowCount() == 3
    keeper.show(lambda: source(), None)
    world.wait()
    assert "No results: the server is away" in texts(view)
    broken[0] = False
    view.quiet.buttons[situations.AGAIN].click()
    world.wait()
    assert keeper.state == "ready"


def test_the_latest_request_wins(world: Any, keeper: ResultsKeeper) -> None:
    keeper.show(lambda: adequacy_fluency(10), None)
    keeper.show(rankings, None)
    world.wait()
    assert keeper.computed is not None
    assert keeper.computed.results.ranked
    assert not keeper.computed.results.scales


# --- systems


def test_the_table_shows_the_results_figures_and_clusters(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    keeper.show(lambda: adequacy_fluency(40), None)
    world.wait()
    results, model = keeper.computed.results, view.systems.table.systems
    assert len(results.clusters) == 3
    headers = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert headers == [
        "system", "ranks", "segments", "ratings", "adequacy", "fluency", "total 2–10", "z adequacy", "z fluency",
        "z total", "95 % of total 2–10",
    ]  # fmt: skip
    for row, system in enumerate(results.systems):
        assert model.index(row, 0).data() == system.name
        assert system.scores is not None
        total = system.scores.raw["total"]
        assert model.index(row, 6).data() == f"{total.value:.3f}"
        assert model.index(row, 10).data() == f"[{total.low:.3f}, {total.high:.3f}]"
        assert model.index(row, 6).data(CHOSEN_ROLE)
        assert model.index(row, 0).data(LAST_ROLE) is (row < 2)
        assert f"{total.value:.3f}, 95 % interval" in model.index(row, 6).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "3 clusters by" in texts(view)


def test_choosing_a_figure_draws_it(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    keeper.show(lambda: adequacy_fluency(20), None)
    world.wait()
    pane = view.systems
    content = pane.means.content
    assert isinstance(content, Dots)
    assert [dot.name for dot in content.rows] == [system.name for system in keeper.computed.results.systems]
    assert all(dot.low < dot.value < dot.high for dot in content.rows)
    pane.table.entered_cell.emit(pane.table.systems.index(0, 5))
    assert pane.means.title.text() == "fluency"
    assert pane.means.content.rows[0].value == keeper.computed.results.systems[0].scores.raw["fluency"].value
    pane.table.entered_cell.emit(pane.table.systems.index(0, 2))
    assert pane.means.title.text() == "fluency", "a count is no figure to compare systems by"
    keeper.run()
    world.wait()
    assert pane.means.title.text() == "fluency", "a person's choice stays"


def test_the_model_keeps_to_the_rules(world: Any) -> None:
    model = SystemsModel(world.workspace)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    for ratings in (adequacy_fluency(6), rankings(10)):
        model.show_results(results_of(ratings, options=Options(runs=20, rounds=20)))
        assert model.rowCount() == 3
        model.choose("fluency")
        model.set_decimals(4)
    model.show_results(None)
    assert tester.model() is model
    assert (model.rowCount(), model.columnCount()) == (0, 0)


def test_rankings_show_first_all_but_trueskill_then_that_too(
    world: Any, keeper: ResultsKeeper, view: ResultsView, qtbot: QtBot
) -> None:
    seen: list[tuple[bool, bool, str]] = []

    def look() -> None:
        if keeper.computed is not None:
            seen.append((keeper.computed.results.trueskill is None, keeper.refining, view.systems.table.systems.chosen))

    # each state as it comes: TrueSkill may follow within a moment
    keeper.changed.connect(look)
    keeper.show(rankings, None)
    world.wait()
    assert (True, True, "expected-wins") in seen
    assert not keeper.refining
    assert view.systems.table.systems.chosen == "trueskill"
    assert "ranges of TrueSkill" in texts(view)
    content = view.systems.ranks.content
    assert isinstance(content, Dots)
    assert content.whole
    assert [dot.value for dot in content.rows] == [1.0, 2.0, 3.0]
    assert "100 bootstrap runs of TrueSkill over 360 judgements" in view.systems.ranks.caption.text()
    assert view.systems.means.caption.text().startswith("360 judgements")


def test_spreads_are_shares_of_few_values_and_boxes_of_many(
    world: Any, keeper: ResultsKeeper, view: ResultsView
) -> None:
    ratings = adequacy_fluency(10)
    keeper.show(lambda: ratings, None)
    world.wait()
    shares = view.systems.spreads["adequacy"].content
    assert isinstance(shares, Shares)
    assert shares.values == ("1", "2", "3", "4", "5")
    scores = ratings.scores
    best = (scores.system == scores.systems.index(shares.names[0])) & np.isin(scores.role, (0, 1))
    given = scores.value[best & (scores.scale == scores.scales.index("adequacy"))]
    assert shares.counts[0].tolist() == [int((given == value).sum()) for value in range(1, 6)]
    assert view.systems.spreads["adequacy"].caption.text().startswith(f"{int(shares.counts.sum())} ratings")
    adequacy = scores.take(scores.scale == scores.scales.index("adequacy"))
    long = replace(adequacy, scales=("score", "x"), value=adequacy.value * 19.7)
    long = replace(long, scale=np.zeros(len(long), np.int32))
    keeper.show(lambda: replace(ratings, scores=long), None)
    world.wait()
    boxes = view.systems.spreads["score"].content
    assert isinstance(boxes, Boxes)
    assert boxes.bounds == (0.0, 100.0)
    assert np.all(np.diff(boxes.quantiles, axis=1) >= 0)


# --- pairs


def test_a_cell_of_the_matrix_is_p_and_says_a_sentence(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    keeper.show(lambda: adequacy_fluency(40), None)
    world.wait()
    pane = look_at(view, view.pairs)
    ranking = keeper.computed.results.scale_ranking
    model = pane.pairs
    assert model.index(0, 1).data() == "<.001 ●"
    one, other = ranking.systems[:2]
    pane.view.setCurrentIndex(pane.pairs.index(0, 1))
    assert pane.words.text().startswith(f"{one} is significantly better than {other}: p < .001. total 2–10: ")
    totals = {system.name: system.scores.raw["total"].value for system in keeper.computed.results.systems}
    assert model.index(1, 0).data() == f"+{totals[one] - totals[other]:.3f}".replace("+0.", "+.")
    assert "6 one-sided tests, not corrected for their number" in pane.method.text()
    view.correction.setCurrentIndex(view.correction.findData("holm"))
    view.correction.activated.emit(1)
    world.wait()
    assert "corrected by Holm" in pane.method.text()
    pane.view.setCurrentIndex(pane.pairs.index(0, 1))
    assert "after Holm" in pane.words.text()


def test_the_matrix_is_copied_as_shown_and_in_full(
    world: Any, keeper: ResultsKeeper, view: ResultsView, qtbot: QtBot
) -> None:
    keeper.show(rankings, None)
    world.wait()
    pane = look_at(view, view.pairs)
    pane.copy_tsv()
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    ranking = keeper.computed.results.wins_ranking
    assert rows[0] == ["system, uncorrected p", *ranking.systems]
    assert float(rows[1][2]) == ranking.p[0, 1]
    assert rows[1][1] == ""
    pane.view.selectAll()
    qtbot.keyClick(pane.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t")[1] == pane.pairs.index(0, 1).data()
    won = keeper.computed.shapes.wins
    a, b = (won.systems.index(name) for name in ranking.systems[:2])
    share = won.wins[a, b] / (won.wins[a, b] + won.wins[b, a])
    assert lines[1].split("\t")[0] == f"{100 * share:.0f} %"
    pane.view.setCurrentIndex(pane.pairs.index(1, 0))
    assert f"was better {won.wins[a, b]:,} times, worse {won.wins[b, a]:,} times" in pane.words.text()


def test_what_is_copied_is_of_these_results_though_nobody_looked_at_the_pairs(
    world: Any, keeper: ResultsKeeper, view: ResultsView
) -> None:
    for ratings in (rankings, lambda: adequacy_fluency(10)):
        keeper.show(ratings, None)
        world.wait()
        look_at(view, view.comments)
        [menu] = [button.menu() for button in view.findChildren(QPushButton) if button.menu() is not None]
        menu.aboutToShow.emit()
        menu.actions()[-1].trigger()
        found = keeper.computed.results
        ranking = found.wins_ranking or found.scale_ranking
        assert QGuiApplication.clipboard().text().startswith("\t".join(["system, uncorrected p", *ranking.systems]))
        menu.actions()[0].trigger()
        rows = csv.DictReader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t")
        assert [row["system"] for row in rows] == [system.name for system in found.systems]


def test_the_totals_are_copied_as_tsv(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    keeper.show(lambda: adequacy_fluency(10), None)
    world.wait()
    view.systems.table.copy_tsv()
    rows = list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    for row, system in zip(rows, keeper.computed.results.systems, strict=True):
        assert row["system"] == system.name
        assert float(row["total"]) == system.scores.raw["total"].value
    view.systems.table.copy_latex()
    assert "\\begin{tabular}" in QGuiApplication.clipboard().text()


def test_one_system_has_nothing_to_be_compared_with(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    one = Ratings.of([Score("Ana", "MT", str(place), "adequacy", 1.0 + place % 5) for place in range(9)])
    keeper.show(lambda: one, None)
    world.wait()
    look_at(view, view.pairs)
    assert "With one system there is nothing to compare." in texts(view)
    assert view.systems.table.systems.rowCount() == 1


# --- agreement and raters


def test_agreement_stands_with_its_items_and_words(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    keeper.show(lambda: adequacy_fluency(40), None)
    world.wait()
    pane = look_at(view, view.agreement)
    results = keeper.computed.results
    alpha = results.agreement["adequacy"].krippendorff["ordinal"]
    rows = measures(results, "adequacy")
    assert rows[0].value == alpha.value
    assert (rows[0].n, rows[0].low, rows[0].high) == (120, alpha.low, alpha.high)
    assert pane.table.table.index(0, 1).data() == f"{alpha.value:.3f}".removeprefix("0")
    assert in_words(results, "adequacy").startswith("Ordinal alpha (Krippendorff) is")
    assert pane.figure.content.rows[0].value == alpha.value
    pairs = results.agreement["adequacy"].pairs
    assert pane.rater_pairs.rowCount() == 3
    assert pane.rater_pairs.index(0, 1).data() == f"{pairs.figures.quadratic[0]:.2f}".removeprefix("0")
    assert pane.rater_pairs.index(1, 0).data() == "120"
    assert "over 120 items" in pane.rater_pairs.sentence(pane.rater_pairs.index(0, 1))


def test_degenerate_agreement_is_said_in_words(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    same = Ratings.of([Score(rater, "MT", str(place), "adequacy", 4.0) for rater in ("a", "b") for place in range(8)])
    keeper.show(lambda: same, None)
    world.wait()
    pane = look_at(view, view.agreement)
    assert pane.table.table.index(0, 1).data() == "–"
    assert "all ratings are the same value" in pane.table.table.index(0, 4).data()
    assert isinstance(pane.figure.content, str)
    alone = Ratings.of([Score("a", "MT", str(place), "adequacy", 1.0 + place % 5) for place in range(8)])
    keeper.show(lambda: alone, None)
    world.wait()
    assert "no item has ratings of two raters" in in_words(keeper.computed.results, "adequacy")
    assert "NaN" not in texts(view)
    assert "nan" not in texts(view).split()


def test_agreement_on_rankings_is_given_both_ways(world: Any, keeper: ResultsKeeper) -> None:
    keeper.show(rankings, None)
    world.wait()
    rows = measures(keeper.computed.results, RANKINGS)
    found = keeper.computed.results.ranking_agreement
    assert [row.value for row in rows] == [
        found.inter.kappa, found.inter_as_published.kappa, found.intra.kappa, found.intra_as_published.kappa,
    ]  # fmt: skip
    assert f"{found.inter.agree:,} of {found.inter.comparable:,} agree" in rows[0].reading
    assert rows[2].value is None
    assert rows[2].reading


def test_a_raters_page_shows_values_pace_repeats_and_controls(
    world: Any, keeper: ResultsKeeper, view: ResultsView, qtbot: QtBot
) -> None:
    keeper.show(lambda: adequacy_fluency(40), None)
    world.wait()
    pane = look_at(view, view.raters)
    assert [row[0].text for row in pane.view.table.rows] == ["Ana", "Björn", "王芳"]
    page = keeper.computed.results.raters[0].scales["adequacy"]
    row = pane.view.table.rows[0]
    assert row[1].text == f"{page.n}"
    assert row[2].text == f"{page.mean:.2f}"
    assert "passes" in row[8].text
    assert isinstance(pane.values.content, Histogram)
    assert pane.values.content.counts.tolist() == page.histogram.tolist()
    assert isinstance(pane.repeats.content, Pairs)
    assert len(pane.repeats.content.first) == page.repeats.n == 24
    assert isinstance(pane.controls.content, Pairs)
    assert pane.controls.content.first.mean() > pane.controls.content.second.mean() + 1
    assert pane.controls.caption.text().startswith("24 control items")
    assert isinstance(pane.pace.content, Pace)
    # two scales of one screen are one item
    assert len(pane.pace.content.seconds) == 40 * 3 + 8 * 3 * 2
    qtbot.keyClick(pane.view, Qt.Key.Key_Down)
    assert pane.page().name == "Björn"


def test_without_times_repeats_and_controls_the_page_says_so(
    world: Any, keeper: ResultsKeeper, view: ResultsView
) -> None:
    bare = Ratings.of([Score("a", "MT", str(place), "adequacy", 1.0 + place % 5) for place in range(8)])
    keeper.show(lambda: bare, None)
    world.wait()
    pane = look_at(view, view.raters)
    assert "do not say when" in pane.pace.content
    assert "No item was shown to this rater twice" in pane.repeats.content
    assert "damaged on purpose" in pane.controls.content
    assert pane.view.table.rows[0][5].text == "–"


def test_comments_are_plain_text_and_notes_are_told(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    keeper.show(lambda: replace(adequacy_fluency(6), notes=("the raters are simulated",)), None)
    world.wait()
    pane = look_at(view, view.comments)
    assert pane.table.table.rows[0][4].text == "<b>unclear</b>"
    assert pane.table.table.index(0, 4).data(Qt.ItemDataRole.ToolTipRole) == "<span>&lt;b&gt;unclear&lt;/b&gt;</span>"
    assert pane.table.table.rows[1][3].text == "skipped"
    assert "• The raters are simulated" in pane.notes.text()
    assert "the raters are simulated" in view.facts.text()


@pytest.mark.parametrize(
    ("repeats", "rule"), [("each", "each rating counts"), ("rater", "the mean of a rater's ratings counts")]
)
def test_the_facts_say_what_counts_where_a_rater_rated_again(repeats: Any, rule: str) -> None:
    options = Options(runs=20, rounds=20, repeats=repeats)
    again = adequacy_fluency(6)
    assert facts_of(again, results_of(again, options=options)).endswith(f" · {rule}")
    once = Ratings.of([Score("Ana", "MT", str(place), "adequacy", 1.0 + place % 5) for place in range(9)])
    assert facts_of(once, results_of(once, options=options)) == "9 ratings · 1 system · 9 segments · 1 rater"


def test_simulated_raters_are_told_of_in_the_language_spoken_and_as_a_file_had_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {("the raters are simulated", ""): ("oceniający są symulowani",)}
    monkeypatch.setattr(wording, "_spoken", wording.Language("pl", told, lambda number: 0))
    for note in ("the raters are simulated", "oceniający są symulowani", "50 % simulated"):
        ratings = replace(adequacy_fluency(6), notes=(note,))
        facts = facts_of(ratings, results_of(ratings, options=Options(runs=20, rounds=20)))
        assert told.get((note, ""), (note,))[0] in facts


def test_every_picture_is_drawn_in_every_theme(
    world: Any, keeper: ResultsKeeper, view: ResultsView, qtbot: QtBot
) -> None:
    from PySide6.QtWidgets import QApplication

    from qe_desktop.ui import theme
    from qe_desktop.ui.campaigns.results.pictures.figure import Figure

    keeper.show(lambda: adequacy_fluency(12), None)
    view.show()
    qtbot.waitExposed(view)
    world.wait()
    app = QApplication.instance()
    drawn = set()
    try:
        for name in ("dark", "contrast", "light"):
            theme.apply(app, name)
            for pane in range(view.tabs.count()):
                view.tabs.setCurrentIndex(pane)
                world.wait()
                for figure in view.findChildren(Figure):
                    place = figure.place
                    if place is not None and figure.isVisible():
                        qtbot.waitUntil(lambda place=place: place.plot is not None)
                        assert not place.grab().isNull()
                        assert place.plot.widget.accessibleDescription()
                        header, *rows = place.exported.numbers()().splitlines()
                        assert rows
                        assert {row.count("\t") for row in rows} == {header.count("\t")}
                        drawn.add(type(figure.content))
    finally:
        theme.apply(app, "light")
    assert drawn == {Dots, Shares, Histogram, Pace, Pairs}


def test_letters_for_names_change_no_figure_of_trueskill(world: Any, keeper: ResultsKeeper) -> None:
    def figures(names: dict[str, str] | None) -> dict[str, tuple[float, int, int]]:
        keeper.show(lambda: rankings(), names)
        world.wait()
        skills = keeper.computed.results.trueskill
        return {
            name: (float(skills.score[place]), int(skills.rank_low[place]), int(skills.rank_high[place]))
            for place, name in enumerate(skills.systems)
        }

    plain = figures(None)
    # the letters sort the other way round
    names = {name: letter for name, letter in zip(sorted(plain), ("Z", "Y", "X"), strict=True)}
    assert figures(names) == {names[name]: values for name, values in plain.items()}


def test_on_how_little_clusters_rest_is_said_beside_them_and_beside_the_pairs(
    world: Any, keeper: ResultsKeeper, view: ResultsView
) -> None:
    keeper.show(lambda: adequacy_fluency(8, raters=("Ana",)), None)
    world.wait()
    # another rater only left a comment
    assert "1 rater" in view.facts.text().split(" · ")
    said = "This rests on one rater and 8 segments a system."
    assert look_at(view, view.systems).warning.text().startswith(said)
    assert look_at(view, view.pairs).warning.text().startswith(said)
    keeper.show(lambda: adequacy_fluency(100), None)
    world.wait()
    assert look_at(view, view.systems).warning.text() == ""
    assert look_at(view, view.pairs).warning.text() == ""
