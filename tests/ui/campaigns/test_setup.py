from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.campaign_draft import SegmentScope
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ui.campaigns.empty_states import PROGRESS, SET_UP
from qe_desktop.ui.campaigns.setup.form_fields import ExtentChoice
from qe_desktop.ui.campaigns.setup.setup_page import SetUpPage

from .conftest import SYSTEMS, Desk


@pytest.fixture
def kept() -> list[CampaignDesign]:
    return []


@pytest.fixture
def page(world: Any, corpus: Callable[..., Corpus], kept: list[CampaignDesign], qtbot: QtBot) -> SetUpPage:
    made = SetUpPage(world.workspace, kept.append, lambda: ["Taken"])
    qtbot.addWidget(made)
    made.resize(1208, 690)
    made.begin(CampaignTexts.of_corpus(corpus()))
    return made


def note(page: SetUpPage, name: str) -> str:
    page.refresh()
    form = page.form
    line = next(fields.notes[name] for fields in (form.what, form.who, form.words) if name in fields.notes)
    return line.note.text if line.note is not None else ""


def test_it_begins_with_what_the_texts_suggest(page: SetUpPage) -> None:
    draft = page.form.draft
    assert draft.systems == SYSTEMS
    assert draft.name == "news, adequacy and fluency"
    assert (draft.source_language, draft.target_language) == ("en", "de")
    assert draft.rater_names() == ("Olga",)
    assert draft.context == 1
    assert page.footer.words.text().startswith("The campaign is complete")
    # three systems of 24 segments, a tenth of them again, and three screens of training
    assert [label.text() for label in page.footer.sums[0]] == ["82", "screens/rater"]


def test_the_name_follows_the_protocol_until_it_is_ones_own(page: SetUpPage, qtbot: QtBot) -> None:
    page.form.protocol.group.choose("rank")
    assert page.form.draft.name == "news, ranking"
    type_name(page, qtbot, "My own")
    page.form.protocol.group.choose("fluency")
    assert page.form.draft.name == "My own"


def test_creating_makes_a_design_of_what_stands_in_the_form(
    page: SetUpPage, kept: list[CampaignDesign], world: Any, qtbot: QtBot
) -> None:
    form = page.form
    form.protocol.group.choose("rank")
    form.raters.setPlainText("Ana\n王芳\nمريم")
    form.extent.scope.choose(SegmentScope.RANGE)
    form.extent.first.setValue(2)
    form.extent.last.setValue(11)
    form.inputs.set_values({"overlap": 50, "repeats": 20, "seed": 9, "per_screen": 3, "training": 0})
    form.instructions.setPlainText("Names stay as they are.")
    with qtbot.waitSignal(page.made) as told:
        page.footer.make.click()
    assert told.args == kept
    design = kept[0]
    assert len(design.secret) == 32, "who knows the seed alone must not know the systems"
    assert design.campaign.protocol == "rank"
    assert design.campaign.raters == ("Ana", "王芳", "مريم")
    assert design.campaign.instructions == "Names stay as they are."
    assert design.setup.segments == tuple(range(1, 11))
    assert (design.setup.overlap, design.setup.repeats, design.setup.seed) == (0.5, 0.2, 9)
    assert {screen.rater for screen in design.screens} == {"Ana", "王芳", "مريم"}
    world.wait()
    assert page.footer.make.isVisibleTo(page)


def test_the_range_of_segments_is_that_of_the_corpus_that_is_open(qtbot: QtBot) -> None:
    extent = ExtentChoice()
    qtbot.addWidget(extent)
    extent.show_size(1000)
    extent.first.setValue(500)
    extent.show_size(100)
    assert (extent.first.value(), extent.last.value()) == (1, 100)


def test_the_button_is_never_locked_but_leads_to_what_is_missing(
    page: SetUpPage, kept: list[CampaignDesign], world: Any, qtbot: QtBot
) -> None:
    page.show()
    qtbot.waitExposed(page)
    page.form.raters.setPlainText("")
    page.form.systems.choose([])
    page.footer.make.click()
    world.wait()
    assert kept == []
    assert note(page, "systems") == "Select at least one system."
    assert note(page, "raters") == "Enter at least one rater, one name per line."
    assert page.footer.words.text() == "Select at least one system. 1 more to fix."
    assert not any(number.isVisibleTo(page) for number, _ in page.footer.sums)
    qtbot.waitUntil(lambda: page.focusWidget() is page.form.systems.list)
    page.form.systems.choose(SYSTEMS)
    page.footer.make.click()
    qtbot.waitUntil(lambda: page.focusWidget() is page.form.raters)


def type_name(page: SetUpPage, qtbot: QtBot, text: str) -> None:
    page.form.name.selectAll()
    qtbot.keyClicks(page.form.name, text)


def test_notes_stand_beside_their_fields_and_go(page: SetUpPage, qtbot: QtBot) -> None:
    type_name(page, qtbot, "Taken")
    assert "This name is already in use" in note(page, "name")
    type_name(page, qtbot, "Free")
    assert note(page, "name") == ""
    page.form.protocol.group.choose("rank")
    page.form.inputs.set_values({"overlap": 0})
    page.form.raters.setPlainText("Ana\nBen")
    # the same line serves two fields
    assert note(page, "overlap") in (
        "Without common items there is no inter-annotator agreement.",
        "A screen shows all 3 systems.",
    )


def test_what_a_protocol_does_not_ask_is_not_shown(page: SetUpPage) -> None:
    form = page.form
    against = next(label for label in form.what.findChildren(QLabel) if label.text() == "&Judged against")
    assert against.isVisibleTo(form)
    form.protocol.group.choose("fluency")
    assert not against.isVisibleTo(form)
    assert not form.numbers.boxes["per_screen"].isVisibleTo(form)
    form.protocol.group.choose("rank")
    assert form.numbers.boxes["per_screen"].isVisibleTo(form)


def test_raters_instructions_are_shown_as_they_will_read_them(page: SetUpPage) -> None:
    page.form.target_language.setText("he")
    assert "in Hebrew" in page.form.preview.toPlainText()
    page.form.instructions.setPlainText("<b>Names</b> stay.")
    assert page.form.preview.toPlainText().endswith("<b>Names</b> stay.")


def test_translations_are_added_from_files(page: SetUpPage, world: Any, tmp_path: Path) -> None:
    good, short = tmp_path / "online-C.txt", tmp_path / "short.txt"
    good.write_text("".join(f"C {line}\n" for line in range(24)), encoding="utf-8")
    short.write_text("one line\n", encoding="utf-8")
    page.form.systems.choose(["MT"])
    page.form.systems.read([str(good), str(short)])
    world.wait()
    assert page.form.draft.systems == ("MT", "online-C"), "it is ticked at once, other choices stay"
    assert world.failures == [
        (
            "short.txt: the file has 1 line, but there are 24 segments. Select a file with one segment per "
            "line, in corpus order."
        )
    ]


def test_why_a_campaign_cannot_be_kept_is_said(world: Any, corpus: Callable[..., Corpus], qtbot: QtBot) -> None:
    def refuse(design: CampaignDesign) -> None:
        raise QeError("the disk is full", hint="Make room.")

    page = SetUpPage(world.workspace, refuse)
    qtbot.addWidget(page)
    page.begin(CampaignTexts.of_corpus(corpus()))
    page.footer.make.click()
    world.wait()
    assert page.footer.words.text() == "The disk is full. Make room."
    type_name(page, qtbot, "Again")
    page.refresh()
    assert page.footer.words.text().startswith("The campaign is complete")


def test_without_a_corpus_the_form_says_what_to_open(world: Any, qtbot: QtBot) -> None:
    page = SetUpPage(world.workspace, lambda design: None)
    qtbot.addWidget(page)
    page.begin(None)
    assert "No corpus is open" in note(page, "systems")
    page.footer.make.click()


def test_everything_is_reached_by_tab_in_order(page: SetUpPage, qtbot: QtBot) -> None:
    page.show()
    qtbot.waitExposed(page)
    page.form.name.setFocus()
    seen = []
    for _ in range(40):
        seen.append(page.focusWidget())
        qtbot.keyClick(seen[-1], Qt.Key.Key_Tab)
    form = page.form
    wanted = [
        form.name, form.protocol.cards["adequacy-fluency"], form.source_language, form.original, form.by_document,
        form.systems.list, form.systems.add, form.raters, form.numbers.boxes["overlap"], form.numbers.boxes["seed"],
        form.instructions, page.footer.cancel, page.footer.make,
    ]  # fmt: skip
    places = [seen.index(widget) for widget in wanted]
    assert places == sorted(places)


def test_no_two_fields_have_the_same_key(page: SetUpPage) -> None:
    texts = [label.text() for label in page.findChildren(QLabel) if label.buddy() is not None]
    texts.append(page.form.by_document.text())
    keys = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
    assert len(keys) == len(texts) >= 14
    assert sorted(keys) == sorted(set(keys))


def test_a_narrow_page_has_fewer_columns(page: SetUpPage, qtbot: QtBot) -> None:
    page.show()
    qtbot.waitExposed(page)
    page.resize(1400, 700)
    assert page.form.what.y() == page.form.words.y()
    page.resize(700, 700)
    qtbot.waitUntil(lambda: page.form.words.y() > page.form.what.y())


def test_a_campaign_is_set_up_and_kept(world: Any, controller: Desk) -> None:
    project = world.open()
    controller.show(SET_UP)
    form = controller.pages.set_up.form
    form.raters.setPlainText("Ana\n王芳")
    controller.pages.set_up.footer.make.click()
    controller.settle()
    (campaign,) = project.campaigns()
    assert campaign.raters == ("Ana", "王芳")
    assert controller.area.current == PROGRESS
    assert controller.pages.service.view.uid == campaign.uid
    assert "no rater has started yet" in controller.area.page(PROGRESS).content.summary.text()
    controller.show(SET_UP)
    assert form.draft.raters == "Olga", "the form begins anew"
    assert form.name.text() == f"{campaign.name} 2"
    form.name.textEdited.emit(campaign.name)
    form.name.setText(campaign.name)
    assert "This name is already in use" in note(controller.pages.set_up, "name")
    controller.pages.set_up.cancelled.emit()
    assert controller.area.current == PROGRESS
