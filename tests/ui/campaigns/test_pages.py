from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop import wording
from qe_desktop.corpus import Corpus, ItemRole, QeError, Ratings
from qe_desktop.formats.ratings import read_journal, read_ratings, write_ratings
from qe_desktop.project import Session
from qe_desktop.project.events import News
from qe_desktop.project.store.conflicts import EventConflict
from qe_desktop.project.store.imports import Imported
from qe_desktop.ratings.findings import Options
from qe_desktop.ratings.merging import Conflict
from qe_desktop.report.rating_exports import exports_of
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.campaigns import commands, files, situations
from qe_desktop.ui.campaigns.commands import ACTIONS
from qe_desktop.ui.campaigns.exporting import ExportDialog
from qe_desktop.ui.campaigns.importing import ImportReport
from qe_desktop.ui.campaigns.pages import RESULTS, OwnerPages
from qe_desktop.ui.campaigns.results.page import ResultsView
from qe_desktop.ui.campaigns.situations import PROGRESS, SET_UP
from qe_desktop.ui.campaigns.table_question import TableQuestion
from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.rate.area import RATE, RateArea
from tests.project.store.test_event_checks import put

from .conftest import SYSTEMS, adequacy_fluency


class Desk:
    """The Rate area with the owner's pages."""

    def __init__(self, world: Any, qtbot: QtBot) -> None:
        self.world = world
        self.area = RateArea(world.settings)
        qtbot.addWidget(self.area)
        self.pages = OwnerPages(world.workspace, self.area, self.area)
        self.pages.results.options = Options(runs=50, rounds=100)
        self.area.resize(1208, 730)
        self.area.show()
        qtbot.waitExposed(self.area)

    def show(self, page: str) -> Any:
        self.area.show_page(page)
        self.settle()
        return self.area.page(page)

    def campaign(self, **choices: object) -> Any:
        """A campaign that is in the project, and looked at."""
        design = self.world.campaign(**choices)
        self.pages.keeper.choose(design.campaign.uid)
        self.settle()
        return design

    def settle(self) -> None:
        keeper, pages = self.pages.keeper, self.pages
        self.world.qtbot.waitUntil(
            lambda: self.world.jobs.idle() and not keeper._timer.isActive() and not pages._later.isActive(),
        )

    def texts(self) -> str:
        return " | ".join(label.text() for label in self.area.findChildren(Label) if label.isVisible())

    def systems(self) -> list[str]:
        return [system.name for system in self.pages.results.computed.results.systems]


@pytest.fixture
def desk(world: Any, qtbot: QtBot) -> Desk:
    return Desk(world, qtbot)


# --- without what it takes


def test_without_anything_the_pages_say_what_to_open(desk: Desk, qtbot: QtBot) -> None:
    for page in (PROGRESS, RESULTS, SET_UP):
        desk.show(page)
        assert "Campaigns are kept in a project" in desk.texts()
    with qtbot.waitSignal(desk.pages.command_wanted) as told:
        desk.pages._set_up_place.quiet.buttons[situations.OPEN].click()
    assert told.args == ["file.open-project"]


def test_an_open_corpus_is_offered_to_be_saved(
    world: Any, desk: Desk, corpus: Callable[..., Corpus], qtbot: QtBot
) -> None:
    world.workspace.open(corpus())
    page = desk.show(PROGRESS)
    with qtbot.waitSignal(desk.pages.command_wanted) as told:
        page.quiet.buttons[situations.SAVE].click()
    assert told.args == ["file.project"]


def test_ratings_that_came_with_a_corpus_need_no_project(world: Any, desk: Desk, corpus: Callable[..., Corpus]) -> None:
    world.workspace.open(replace(corpus(), ratings=adequacy_fluency(8)))
    assert desk.pages.keeper.view is not None
    desk.show(RESULTS)
    assert set(desk.systems()) == set(SYSTEMS)
    assert "Ratings of news" in desk.texts()
    assert "They came with the corpus" in desk.texts()
    buttons = [one.text() for one in desk.area.findChildren(QPushButton) if one.isVisible()]
    assert "Export…" in buttons
    assert "Import…" not in buttons, "there is nothing to import into"
    desk.show(PROGRESS)
    assert "Campaigns are kept in a project" in desk.texts()
    world.workspace.close()
    assert desk.pages.keeper.view is None


def test_a_project_without_a_campaign_leads_to_setting_one_up(world: Any, desk: Desk) -> None:
    world.open()
    page = desk.show(PROGRESS)
    assert "There is no campaign yet" in desk.texts()
    page.quiet.buttons[situations.SET_UP].click()
    assert desk.area.current == SET_UP
    assert desk.pages.set_up.isVisible()


def test_what_cannot_be_read_is_said(world: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()

    def away() -> list[object]:
        raise QeError("the server is away", hint="Try again later.")

    monkeypatch.setattr(project, "campaigns", away)
    page = desk.show(PROGRESS)
    desk.pages.keeper.refresh()
    desk.settle()
    assert "The server is away" in desk.texts()
    monkeypatch.undo()
    page.quiet.buttons[situations.AGAIN].click()
    desk.settle()
    assert "There is no campaign yet" in desk.texts()


def test_raters_do_not_see_the_owners_side(world: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()
    world.campaign()
    monkeypatch.setattr(project, "role", "rater")
    desk.pages.keeper._on_project()
    desk.settle()
    assert desk.pages.keeper.view is None
    desk.show(RESULTS)
    assert "Only the owner of the project sees this" in desk.texts()


# --- set up, watch


def test_a_campaign_is_set_up_and_kept(world: Any, desk: Desk) -> None:
    project = world.open()
    desk.show(SET_UP)
    form = desk.pages.set_up.form
    form.raters.setPlainText("Ana\n王芳")
    desk.pages.set_up.footer.make.click()
    desk.settle()
    (campaign,) = project.campaigns()
    assert campaign.raters == ("Ana", "王芳")
    assert desk.area.current == PROGRESS
    assert desk.pages.keeper.view.uid == campaign.uid
    assert "nobody has begun yet" in desk.area.page(PROGRESS).content.summary.text()
    desk.show(SET_UP)
    assert form.draft.raters == "Olga", "the form begins anew"
    assert form.name.text() == f"{campaign.name} 2"
    form.name.textEdited.emit(campaign.name)
    form.name.setText(campaign.name)
    desk.pages.set_up.refresh()
    note = form.what.notes["name"].note
    assert note is not None
    assert "of this name already" in note.text
    desk.pages.set_up.cancelled.emit()
    assert desk.area.current == PROGRESS


def test_progress_follows_the_ratings(world: Any, desk: Desk) -> None:
    world.open()
    design = desk.campaign()
    page = desk.show(PROGRESS)
    rows = page.content.raters.table.rows
    total = sum(screen.rater == "Ana" and not screen.training for screen in design.screens)
    assert [row[0].text for row in rows] == ["Ana", "王芳"]
    assert rows[0][1].text == f"0 of {total}"
    assert rows[0][8].text == "not yet"
    done = world.rate(design, "Ana", 0.5)
    desk.pages.keeper.on_saved()
    desk.settle()
    row = page.content.raters.table.rows[0]
    assert row[1].text == f"{done} of {total}"
    assert row[2].share == done / total
    assert row[3].text == "21 s"
    assert row[8].text == "just now"
    assert f"{done} of {2 * total} items done" in page.content.summary.text()
    assert "1 of 2 raters have begun" in page.content.summary.text()
    world.rate(design, "Ana", 1.0)
    desk.pages.keeper.on_news(News(campaigns=("another",)))
    desk.settle()
    assert page.content.raters.table.rows[0][5].text == "done"


def test_progress_says_whose_rows_could_not_be_read(world: Any, desk: Desk) -> None:
    """They are left out of all figures, and nobody is kept from the rest."""
    world.open()
    design = desk.campaign()
    done = world.rate(design, "Ana", 0.5)
    page = desk.show(PROGRESS)
    assert page.content.left_out.text() == ""
    screen = next(screen for screen in design.screens if screen.rater == "王芳")
    odd = [{"campaign": design.campaign.uid, "value": value, "uid": value} for value in ("007", "1e105", "4.7")]
    put(world.project, odd, screen.uid, "王芳")
    desk.pages.keeper.refresh()
    desk.settle()
    assert page.content.left_out.text().startswith("Of 王芳, 3 rows were left out: ")
    assert page.content.raters.table.rows[0][1].text.startswith(f"{done} of ")
    assert any("王芳" in note for note in world.project.ratings(design.campaign.uid).notes)
    desk.show(RESULTS)
    assert any("of 王芳, 3 rows were left out" in note for note in desk.pages.results.computed.results.notes)


def test_news_of_ratings_are_read_once_for_a_burst(world: Any, desk: Desk, qtbot: QtBot) -> None:
    world.open()
    design = desk.campaign()
    desk.show(PROGRESS)
    keeper = desk.pages.keeper
    looks = []
    keeper.moved.connect(lambda: looks.append(1))
    world.rate(design, "Ana", 0.2)
    event = world.project.events(design.campaign.uid)[0]
    for _ in range(20):
        keeper.on_news(News(ratings=(event,)))
    desk.settle()
    assert looks == [1]


def test_nothing_is_read_while_nobody_looks(world: Any, desk: Desk) -> None:
    world.open()
    design = desk.campaign()
    page = desk.show(PROGRESS)
    desk.area.show_page(RATE)
    looks: list[int] = []
    desk.pages.keeper.moved.connect(lambda: looks.append(1))
    done = world.rate(design, "Ana", 0.4)
    desk.pages.keeper.on_saved()
    desk.settle()
    assert looks == []
    desk.show(PROGRESS)
    assert looks == [1]
    assert page.content.raters.table.rows[0][1].text.startswith(f"{done} of ")


# --- blind and unblinded


def test_results_are_blind_until_a_logged_act_opens_the_key(world: Any, desk: Desk, qtbot: QtBot) -> None:
    project = world.open()
    design = desk.campaign()
    for rater in design.campaign.raters:
        world.rate(design, rater)
    page = desk.show(RESULTS)
    blind = desk.systems()
    assert sorted(blind) == ["System A", "System B", "System C"]
    assert page.bar.blind.text() == "Blind: systems go by letters"
    shown = desk.texts()
    # WMT is a word that may be said
    assert not any(re.search(rf"\b{re.escape(system)}\b", shown) for system in SYSTEMS)
    figures = [system.scores.raw["total"].value for system in desk.pages.results.computed.results.systems]

    page.bar.unblind.click()
    dialog = desk.pages.dialog
    assert "This cannot be taken back" in " ".join(label.text() for label in dialog.findChildren(Label))
    dialog.reject()
    desk.settle()
    assert desk.systems() == blind
    assert not any(row.what == "unblinded" for row in project.audit())

    page.bar.unblind.click()
    assert not desk.pages.dialog.open_button.isEnabled(), "a reason goes into the log"
    desk.pages.dialog.field.setText("all ratings are in")
    desk.pages.dialog.open_button.click()
    desk.settle()
    assert sorted(desk.systems()) == sorted(SYSTEMS)
    assert [system.scores.raw["total"].value for system in desk.pages.results.computed.results.systems] == figures
    (entry,) = [row for row in project.audit() if row.what == "unblinded"]
    assert entry.who == "Olga"
    assert entry.details["campaign"] == design.campaign.uid
    assert entry.details["reason"] == "all ratings are in"
    assert page.bar.blind.text().startswith("Unblinded by Olga, 20")
    assert not page.bar.unblind.isVisible()
    log = desk.show(PROGRESS).content.log
    assert log.table.rows[0][2].text == "unblinded"
    assert "reason: all ratings are in" in log.table.rows[0][3].text


def test_letters_stay_the_same_after_opening_the_project_again(world: Any, desk: Desk) -> None:
    project = world.open()
    world.campaign()
    desk.pages.keeper.refresh()
    desk.settle()
    names = desk.pages.keeper.view.names
    assert set(names) == set(SYSTEMS)
    world.workspace.close()
    world.workspace.open_project(project, Session(project.corpus(), person="Olga"))
    desk.settle()
    assert desk.pages.keeper.view.names == names


def test_a_key_that_cannot_be_logged_stays_closed(world: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()
    design = desk.campaign()
    world.rate(design, "Ana", 0.3)
    desk.show(RESULTS)
    monkeypatch.setattr(project, "flush", lambda timeout=None: False)
    monkeypatch.setattr(project, "log", lambda what, details=None: None)
    desk.pages.keeper.unblind("")
    desk.settle()
    assert "the key stays closed" in world.failures[0]
    assert all(name.startswith("System ") for name in desk.systems())


def test_results_follow_new_ratings_while_they_are_in_view(world: Any, desk: Desk) -> None:
    world.open()
    design = desk.campaign()
    desk.show(PROGRESS)
    page = desk.show(RESULTS)
    assert "Nothing has been rated yet" in desk.texts()
    world.rate(design, "Ana", 0.5)
    desk.pages.keeper.on_saved()
    desk.settle()
    assert isinstance(page.content, ResultsView)
    before = page.content.facts.text()
    assert "1 rater" in before
    desk.area.show_page(RATE)
    world.rate(design, "王芳", 0.5)
    desk.pages.keeper.on_saved()
    desk.settle()
    assert page.content.facts.text() == before, "out of view nothing is computed"
    desk.show(RESULTS)
    assert "2 raters" in page.content.facts.text()


# --- in and out


def test_exports_are_blind_as_what_is_shown_and_logged(world: Any, desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    project = world.open()
    design = desk.campaign()
    world.rate(design, "Ana")
    world.rate(design, "王芳")
    desk.show(RESULTS)
    view = desk.pages.keeper.view
    names = [export.name for export in exports_of(view, scored=True, ranked=False)]
    assert names == ["jsonl", "long", "wide", "journal", "totals", "report"]
    for name in names:
        with qtbot.waitSignal(desk.pages.files.exported):
            desk.pages.files.export(name, str(tmp_path / name))
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "System A" in text
        assert not any(system in text for system in SYSTEMS[1:])
    ratings = read_ratings(tmp_path / "jsonl")
    own = project.ratings(design.campaign.uid)
    assert len(ratings.scores) == len(own.scores)
    assert ratings.scores.raters == ("Ana", "王芳")
    assert np.allclose(np.sort(ratings.scores.started), np.sort(own.scores.started))
    journal = read_journal(tmp_path / "journal")
    assert len(journal.lines) == len(project.events(design.campaign.uid))
    assert all(line.rater and line.at for line in journal.lines)
    found = json.loads((tmp_path / "report").read_text(encoding="utf-8"))
    assert sorted(found["systems"]) == ["System A", "System B", "System C"]
    logged = [row.details for row in project.audit() if row.what == "ratings exported"]
    assert [details["form"] for details in logged] == names
    assert all(details["blind"] for details in logged)
    desk.pages.keeper.unblind("")
    desk.settle()
    with qtbot.waitSignal(desk.pages.files.exported):
        desk.pages.files.export("totals", str(tmp_path / "open"))
    assert "online-B" in (tmp_path / "open").read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_said(world: Any, desk: Desk, tmp_path: Path) -> None:
    world.open()
    world.rate(desk.campaign(), "Ana")
    desk.show(RESULTS)
    desk.pages.files.export("totals", str(tmp_path / "missing" / "totals.tsv"))
    desk.settle()
    assert "Check that the folder exists" in world.failures[0]


def test_imported_files_are_looked_at_with_their_conflicts(world: Any, desk: Desk, tmp_path: Path) -> None:
    world.open()
    ratings = adequacy_fluency(10)
    write_ratings(ratings, tmp_path / "one.tsv", "long")
    values = np.array(ratings.scores.value)
    values[:4] = np.where(values[:4] > 2, 1, 5)
    write_ratings(replace(ratings, scores=replace(ratings.scores, value=values)), tmp_path / "two.tsv", "long")
    (tmp_path / "three.txt").write_text("nothing of the kind\n", encoding="utf-8")
    desk.pages.keeper.import_files([str(tmp_path / name) for name in ("one.tsv", "two.tsv", "three.txt")])
    desk.settle()
    report = desk.pages.files.dialog
    assert isinstance(report, ImportReport)
    rows = report.files.table.rows
    assert [row[0].text for row in rows] == ["one.tsv", "two.tsv", "three.txt"]
    assert rows[0][1].text == f"{len(ratings.scores):,}"
    assert rows[1][4].text == "4"
    assert "no file of ratings that is known" in rows[2][5].text
    listed = report.conflicts.table.rows
    assert len(listed) == 4
    assert listed[0][0].text == "Ana"
    assert {listed[0][3].text, listed[0][4].text} != {listed[0][3].text}
    report.accept()
    assert desk.pages.keeper.view.title == "Ratings from files"
    desk.show(RESULTS)
    assert set(desk.systems()) == set(SYSTEMS), "names that stand in a file are not hidden"
    log = desk.show(PROGRESS).content
    assert "conflicts: 4" in log.log.table.rows[0][3].text
    log.log.entered_cell.emit(log.log.table.index(0, 0))
    assert "Ana, segment" in log.entry.text.toPlainText()
    log.entry.accept()


def test_a_table_that_does_not_say_what_it_holds_is_asked_about(world: Any, desk: Desk, tmp_path: Path) -> None:
    project = world.open()
    text = "segment,Ada,Ben,age\n1,61,33,34\n2,70,20,51\n"
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_ratings(adequacy_fluency(3), tmp_path / "sure.tsv", "long")
    desk.pages.keeper.import_files([str(tmp_path / name) for name in ("one.csv", "two.csv", "sure.tsv")])
    desk.settle()
    question = desk.pages.files.dialog
    assert isinstance(question, TableQuestion)
    assert question.raters == ("Ada", "Ben", "age")
    items = [question.columns.topLevelItem(place) for place in range(4)]
    assert [item.text(1) for item in items] == ["segment", "rater", "rater", "rater"]
    assert items[3].text(2).split() == ["34", "51"]
    for item in items[1:]:
        item.setCheckState(0, Qt.CheckState.Unchecked)
    assert not question.take.isEnabled()
    for item in items[1:3]:
        item.setCheckState(0, Qt.CheckState.Checked)
    question.take.click()
    desk.settle()
    question = desk.pages.files.dialog
    assert isinstance(question, TableQuestion), "each table is asked about"
    question.reject()
    desk.settle()
    report = desk.pages.files.dialog
    assert isinstance(report, ImportReport)
    assert [row[0].text for row in report.files.table.rows] == ["sure.tsv", "one.csv", "two.csv"]
    assert report.files.table.rows[1][1].text == "4"
    assert "left out" in report.files.table.rows[2][5].text
    assert 'one.csv: column not read: "age"' in report.notes.text()
    assert {"Ada", "Ben"} <= set(project.ratings().scores.raters)


def test_conflicts_are_shown_in_the_language_spoken_and_copied_in_english(
    world: Any, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {("nothing", ""): ("nic",), ("segment {segment}, {system}", ""): ("segment nr {segment}, {system}",)}
    monkeypatch.setattr(wording, "_spoken", wording.Language("pl", told, lambda number: 0))
    conflicts = (
        Conflict("Ana", "3", "MT", "adequacy", ItemRole.SYSTEM, (("/here", 4.0), ("/in/b.tsv", 2.5))),
        Conflict("Ana", "4", "MT", "rank", ItemRole.BAD, (("/here", 1.0), ("/in/b.tsv", -1.0))),
        EventConflict("Ana", 4, "skip", None, "unclear", "/in/c.jsonl"),
    )
    report = ImportReport([Imported("/in/b.tsv", 1, conflicts=conflicts)], [], world.settings)
    qtbot.addWidget(report)
    shown = [[cell.text for cell in row] for row in report.conflicts.table.rows]
    assert shown[0] == ["Ana", "segment nr 3, MT", "adequacy", "4", "2.5", "b.tsv"]
    assert shown[2][3] == "nic"
    report.copy.click()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "rater\titem\tof\tfirst, which counts\tother\tfile of the other",
        "Ana\tsegment 3, MT\tadequacy\t4\t2.5\tb.tsv",
        "Ana\tsegment 4, MT (bad)\trank\t1\t-1\tb.tsv",
        "Ana\tsegment 5\tskip\tnothing\tunclear\tc.jsonl",
    ]


def test_an_import_is_taken_back_from_its_report(world: Any, desk: Desk, tmp_path: Path) -> None:
    project = world.open()
    write_ratings(adequacy_fluency(6), tmp_path / "one.tsv", "long")
    desk.pages.keeper.import_files([str(tmp_path / "one.tsv")])
    desk.settle()
    assert [title for _, title in desk.pages.keeper.choices] == ["Ratings from files"]
    report = desk.pages.files.dialog
    assert report.back.isVisibleTo(report)
    report.back.click()
    desk.settle()
    assert desk.pages.keeper.choices == ()
    assert len(project.ratings().scores) == 0
    assert [row.what for row in project.audit()][-2:] == ["ratings imported", "import taken back"]


def test_ratings_of_several_campaigns_are_looked_at_apart(world: Any, desk: Desk, tmp_path: Path) -> None:
    world.open()
    world.rate(world.campaign(), "Ana")
    rows = [row._replace(campaign="c9") for row in adequacy_fluency(4).scores.rows()]
    write_ratings(Ratings.of(rows), tmp_path / "other.tsv", "long")
    write_ratings(adequacy_fluency(3), tmp_path / "none.tsv", "long")
    desk.pages.keeper.import_files([str(tmp_path / name) for name in ("other.tsv", "none.tsv")])
    desk.settle()
    desk.pages.files.dialog.accept()
    keeper = desk.pages.keeper
    assert [title for _, title in keeper.choices] == ["News", "Campaign c9, from files", "Ratings from files"]
    for uid, segments in (("c9", 4), ("files", 3)):
        keeper.choose(uid)
        desk.settle()
        desk.show(RESULTS)
        assert set(desk.systems()) == set(SYSTEMS)
        found = keeper.source()()
        assert len({row.segment for row in found.scores.rows()}) == segments


def test_all_ratings_keep_the_systems_of_a_blind_campaign_hidden(world: Any, desk: Desk, tmp_path: Path) -> None:
    world.open()
    design = world.campaign()
    world.rate(design, "Ana")
    write_ratings(adequacy_fluency(6), tmp_path / "one.tsv", "long")
    desk.pages.keeper.import_files([str(tmp_path / "one.tsv")])
    desk.settle()
    desk.pages.files.dialog.accept()
    keeper = desk.pages.keeper
    assert [title for _, title in keeper.choices] == ["News", "All ratings, with those from files"]
    keeper.choose("")
    desk.settle()
    desk.show(RESULTS)
    assert all(name.startswith("System ") for name in desk.systems())
    keeper.choose(design.campaign.uid)
    desk.settle()
    keeper.unblind("")
    desk.settle()
    keeper.choose("")
    desk.settle()
    desk.show(RESULTS)
    assert set(desk.systems()) == set(SYSTEMS)


def test_one_chooses_among_campaigns(world: Any, desk: Desk) -> None:
    world.open()
    first = world.campaign()
    second = world.campaign(name="Second", protocol="rank", repeats=0, training=0)
    page = desk.show(PROGRESS)
    desk.pages.keeper.refresh()
    desk.settle()
    assert desk.pages.keeper.view.uid == second.campaign.uid, "the latest at first"
    assert "Ranking · English to German · 24 segments · 2 raters" in page.bar.facts.text()
    page.bar.choice.setCurrentIndex(page.bar.choice.findData(first.campaign.uid))
    page.bar.choice.activated.emit(0)
    desk.settle()
    assert page.bar.facts.text().startswith("Adequacy and fluency")
    assert [export.name for export in exports_of(desk.pages.keeper.view, scored=False, ranked=True)][2] == "wmt"


def test_the_export_dialog_says_what_a_form_holds(world: Any, desk: Desk) -> None:
    world.open()
    world.campaign()
    desk.show(PROGRESS)
    desk.pages.keeper.refresh()
    desk.settle()
    button = next(one for one in desk.area.findChildren(QPushButton) if one.text() == "Export…" and one.isVisible())
    button.click()
    dialog = desk.pages.files.dialog
    said = " ".join(label.text() for label in dialog.findChildren(Label) if label.isVisible())
    assert "Everything, one rating a line" in said
    assert "systems are written as their letters" in said
    dialog.form.setCurrentIndex(2)
    assert dialog.chosen().name == "wide"
    dialog.reject()


def test_another_project_is_another_list(world: Any, desk: Desk, qtbot: QtBot) -> None:
    world.open()
    world.campaign()
    desk.pages.keeper.refresh()
    desk.settle()
    assert desk.pages.keeper.view is not None
    world.workspace.close()
    assert desk.pages.keeper.state == "none"
    assert desk.pages.keeper.campaigns == ()
    assert desk.pages.results.computed is None


@pytest.mark.published
def test_wmt21_czech_english_is_shown_as_published(world: Any, desk: Desk, data_folder: Path) -> None:
    world.open()
    folder = data_folder / "ratings" / "wmt21_da_toen"
    desk.pages.keeper.import_files([str(folder / "ad-csen-good-stnd-redup.csv.gz")])
    desk.settle()
    desk.pages.files.dialog.accept()
    page = desk.show(RESULTS)
    lines = (folder / "ad-sys-ranking-cs-en-z.csv").read_text(encoding="utf-8").splitlines()
    published = [line.split() for line in lines if line.strip()]
    model = page.content.systems.table.systems
    shown = [[model.index(row, column).data() for column in (0, 2, 3, 4)] for row in range(model.rowCount())]
    wanted = [[name, n, f"{int(ratings):,}", z] for _, z, n, ratings, name in published]
    assert [row[:3] for row in shown] == [row[:3] for row in wanted]
    assert [float(row[3].replace("−", "-")) for row in shown] == [float(row[3]) for row in wanted]
    assert len(desk.pages.results.computed.results.clusters) == 2


def test_an_owner_does_all_by_command_too(world: Any, desk: Desk, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QMainWindow

    window = QMainWindow()
    qtbot.addWidget(window)
    table = ActionTable(window, world.settings)
    table.add_all(ACTIONS)
    desk.pages.connect_actions(table)
    assert not any(table[action.id].isEnabled() for action in ACTIONS)
    world.open()
    desk.campaign()
    assert all(table[action.id].isEnabled() for action in ACTIONS)
    table[commands.SET_UP].trigger()
    assert desk.area.current == SET_UP
    table[commands.EXPORT].trigger()
    assert desk.pages.files.dialog.isVisible()
    desk.pages.files.dialog.reject()
    table[commands.UNBLIND].trigger()
    desk.pages.dialog.accept()
    desk.settle()
    assert desk.pages.keeper.view.unblinded is not None
    assert not table[commands.UNBLIND].isEnabled()


def test_an_export_is_chosen_by_keys_alone(
    world: Any, desk: Desk, tmp_path: Path, qtbot: QtBot, monkeypatch: Any
) -> None:
    """The dialog had no button that Enter meant."""
    world.open()
    world.rate(desk.campaign(), "Ana")
    desk.show(RESULTS)
    asked: list[str] = []

    def answer(parent: object, export: Any, view: object, folder: str) -> str:
        asked.append(export.name)
        return str(tmp_path / "out")

    monkeypatch.setattr(files, "ask_path", answer)
    desk.pages.files.ask_export()
    dialog = desk.pages.files.dialog
    assert isinstance(dialog, ExportDialog)
    qtbot.waitUntil(dialog.form.hasFocus)
    with qtbot.waitSignal(desk.pages.files.exported):
        QTest.keyClick(dialog.form, Qt.Key.Key_Down)
        QTest.keyClick(dialog.form, Qt.Key.Key_Return)
    assert asked == ["long"]
    assert not dialog.isVisible()
    assert (tmp_path / "out").exists()
    # and whoever has walked to another button means that one
    desk.pages.files.ask_export()
    dialog = desk.pages.files.dialog
    assert isinstance(dialog, ExportDialog)
    cancel = next(button for button in dialog.findChildren(FlatButton) if button.text() == "Cancel")
    cancel.setFocus()
    QTest.keyClick(cancel, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert asked == ["long"]
