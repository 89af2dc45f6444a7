"""The set-up page of a campaign: suggested values, validation, keyboard use, and layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.ratings.campaign import EvaluationBasis
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ratings.protocols import PROTOCOLS
from qe_desktop.ui.campaigns.form_fields import ExtentChoice
from qe_desktop.ui.campaigns.setup_page import SetUpPage

from .conftest import SYSTEMS


def note(page: SetUpPage, name: str) -> str:
    page.refresh()
    form = page.form
    line = next(
        fields.notes[name]
        for fields in (form.task_fields, form.rating_fields, form.instruction_fields)
        if name in fields.notes
    )
    return line.note.text if line.note is not None else ""


def test_form_starts_with_values_suggested_by_the_texts(page: SetUpPage) -> None:
    draft = page.form.draft
    assert draft.systems == SYSTEMS
    assert draft.name == "news, adequacy and fluency"
    assert (draft.source_language, draft.target_language) == ("en", "de")
    assert draft.rater_names() == ("Olga",)
    assert draft.context == 1
    assert page.footer.message_label.text().startswith("The form is complete")
    # three systems of 24 segments, 10 % repeats, and three training screens
    assert [label.text() for label in page.footer.sums[0]] == ["82", "items/rater"]


def test_fields_below_the_raters_keep_their_place_when_the_note_goes(page: SetUpPage, qtbot: QtBot) -> None:
    page.show()
    qtbot.waitExposed(page)
    assert "One rater is not enough" in note(page, "raters")
    places = []
    for names in ("Olga", "Olga\nBen"):
        page.form.raters.setPlainText(names)
        page.refresh()
        qtbot.wait(20)
        places.append(page.form.numbers.mapTo(page, page.form.numbers.rect().topLeft()))
    assert note(page, "raters") == ""
    assert places[0] == places[1]


@pytest.mark.parametrize(("training", "included"), [(3, True), (0, False)])
def test_message_says_what_items_and_times_include(page: SetUpPage, training: int, included: bool) -> None:
    page.form.inputs.set_values({"training": training})
    page.refresh()
    text = page.footer.message_label.text()
    assert ("Items include training" in text) is included
    assert text.endswith("assume 30 seconds per item.")


def test_name_follows_the_protocol_until_it_is_edited(page: SetUpPage, qtbot: QtBot) -> None:
    page.form.protocol.group.choose("rank")
    assert page.form.draft.name == "news, ranking"
    type_name(page, qtbot, "My own")
    page.form.protocol.group.choose("fluency")
    assert page.form.draft.name == "My own"


def test_segment_range_is_limited_to_the_open_corpus(qtbot: QtBot) -> None:
    extent = ExtentChoice()
    qtbot.addWidget(extent)
    extent.show_size(1000)
    extent.first.setValue(500)
    extent.show_size(100)
    assert (extent.first.value(), extent.last.value()) == (1, 100)


def type_name(page: SetUpPage, qtbot: QtBot, text: str) -> None:
    page.form.name.selectAll()
    qtbot.keyClicks(page.form.name, text)


def test_only_check_marks_select_systems(page: SetUpPage, qtbot: QtBot) -> None:
    systems = page.form.systems
    assert systems.list.selectedItems() == []
    before = systems.chosen
    systems.list.setFocus()
    qtbot.keyClick(systems.list, Qt.Key.Key_Down)
    qtbot.keyClick(systems.list, Qt.Key.Key_Space)
    assert systems.list.selectedItems() == []
    assert systems.chosen == (before[0], *before[2:])


def test_notes_appear_at_their_fields_and_disappear(page: SetUpPage, qtbot: QtBot) -> None:
    type_name(page, qtbot, "Taken")
    assert "This name is already in use" in note(page, "name")
    type_name(page, qtbot, "Free")
    assert note(page, "name") == ""
    page.form.protocol.group.choose("rank")
    page.form.inputs.set_values({"overlap": 0})
    page.form.raters.setPlainText("Ana\nBen")
    # two fields share the note
    assert note(page, "overlap") in (
        "Without overlap, inter-annotator agreement cannot be measured.",
        "Only 3 systems are selected, so each item shows all of them.",
    )


def test_fields_that_the_protocol_does_not_use_are_hidden(page: SetUpPage) -> None:
    form = page.form
    label_judged_against = next(
        label for label in form.task_fields.findChildren(QLabel) if label.text() == "&Judged against"
    )
    assert label_judged_against.isVisibleTo(form)
    form.protocol.group.choose("fluency")
    assert not label_judged_against.isVisibleTo(form)
    assert not form.numbers.boxes["per_screen"].isVisibleTo(form)
    form.protocol.group.choose("rank")
    assert form.numbers.boxes["per_screen"].isVisibleTo(form)


def test_context_cannot_be_chosen_if_only_the_translation_is_displayed(page: SetUpPage) -> None:
    """Regression: the field was enabled for fluency, but its value had no effect on the screen of raters."""
    form = page.form
    assert form.context.isEnabled()
    form.protocol.group.choose("fluency")
    assert not form.context.isEnabled()
    assert "see only the translation of one segment" in form.context.toolTip()
    assert form.by_document.isEnabled()
    form.protocol.group.choose("adequacy")
    assert form.context.isEnabled()
    assert form.draft.context == 1


def test_instructions_preview_shows_markup_as_plain_text(page: SetUpPage) -> None:
    page.form.target_language.setText("he")
    assert "in Hebrew" in page.form.preview.toPlainText()
    page.form.instructions.setPlainText("<b>Names</b> stay.")
    assert page.form.preview.toPlainText().endswith("<b>Names</b> stay.")


def test_translations_can_be_added_from_files(page: SetUpPage, environment: Any, tmp_path: Path) -> None:
    good, short = tmp_path / "online-C.txt", tmp_path / "short.txt"
    good.write_text("".join(f"C {line}\n" for line in range(24)), encoding="utf-8")
    short.write_text("one line\n", encoding="utf-8")
    page.form.systems.choose(["MT"])
    page.form.systems.read([str(good), str(short)])
    environment.wait()
    assert page.form.draft.systems == ("MT", "online-C"), "it is ticked at once, other choices stay"
    assert environment.failures == [
        (
            "short.txt: the file has 1 line, but there are 24 segments. Select a file with one segment per "
            "line, in corpus order."
        )
    ]


def test_translation_of_an_added_file_does_not_replace_another_system(
    page: SetUpPage, environment: Any, tmp_path: Path
) -> None:
    """Regression: the translation in the corpus was replaced silently, and the second of two files by the first."""
    texts = page.form.texts
    paths = [tmp_path / folder / f"{name}.txt" for folder, name in
             (("a", "MT"), ("a", "reference"), ("a", "post-edit"), ("a", "new"), ("b", "new"))]  # fmt: skip
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{path.parent.name} {line}\n" for line in range(24)), encoding="utf-8")
    page.form.systems.read([str(path) for path in paths])
    environment.wait()
    outputs = page.form.texts.outputs()
    assert outputs["MT"] is texts.outputs()["MT"]
    assert outputs["post-edit"] is texts.outputs()["post-edit"]
    assert outputs["new"][0] == "a 0"
    assert outputs["reference"][0] == "a 0"
    assert environment.failures == [
        f"{paths[place]}: there is already a translation by {paths[place].stem}. Rename the file."
        for place in (0, 2, 4)
    ]
    paths[3].write_text("".join(f"corrected {line}\n" for line in range(24)), encoding="utf-8")
    page.form.systems.read([str(paths[3])])
    environment.wait()
    assert page.form.texts.outputs()["new"][0] == "corrected 0"


def test_translations_are_not_added_to_texts_that_were_opened_meanwhile(
    page: SetUpPage, environment: Any, corpus: Callable[..., Corpus], tmp_path: Path
) -> None:
    """Regression: the translations were added to the other texts, even with a different number of segments."""
    file = tmp_path / "online-C.txt"
    file.write_text("".join(f"C {line}\n" for line in range(24)), encoding="utf-8")
    page.form.systems.read([str(file)])
    other = corpus(size=12)
    environment.workspace.open(other)
    page.begin(CampaignTexts.of_corpus(other))
    environment.wait()
    assert "online-C" not in page.form.texts.outputs()


def test_form_without_a_corpus_reports_that_none_is_open(environment: Any, qtbot: QtBot) -> None:
    page = SetUpPage(environment.workspace, lambda design: None)
    qtbot.addWidget(page)
    page.begin(None)
    assert "No corpus is open" in note(page, "systems")
    page.footer.create_button.click()


def test_tab_order_follows_the_form(page: SetUpPage, qtbot: QtBot) -> None:
    page.show()
    qtbot.waitExposed(page)
    page.form.name.setFocus()
    focused = []
    for _ in range(40):
        focused.append(page.focusWidget())
        qtbot.keyClick(focused[-1], Qt.Key.Key_Tab)
    form = page.form
    expected = [
        form.name, form.protocol.cards["adequacy-fluency"], form.source_language, form.original, form.by_document,
        form.systems.list, form.systems.add, form.raters, form.numbers.boxes["overlap"], form.numbers.boxes["seed"],
        form.instructions, page.footer.cancel, page.footer.create_button,
    ]  # fmt: skip
    indices = [focused.index(widget) for widget in expected]
    assert indices == sorted(indices)


def test_mnemonics_are_unique(page: SetUpPage) -> None:
    texts = [label.text() for label in page.findChildren(QLabel) if label.buddy() is not None]
    texts.append(page.form.by_document.text())
    keys = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
    assert len(keys) == len(texts) >= 14
    assert sorted(keys) == sorted(set(keys))


def test_narrow_page_has_fewer_columns(page: SetUpPage, qtbot: QtBot) -> None:
    page.show()
    qtbot.waitExposed(page)
    page.resize(1400, 700)
    assert page.form.task_fields.y() == page.form.instruction_fields.y()
    page.resize(700, 700)
    qtbot.waitUntil(lambda: page.form.instruction_fields.y() > page.form.task_fields.y())


def test_comparing_protocols_need_several_translations(page: SetUpPage, corpus: Callable[..., Corpus]) -> None:
    whole = corpus()
    texts = {role: column for role, column in whole.texts.items() if role is not TextRole.POST_EDIT}
    page.begin(CampaignTexts.of_corpus(replace(whole, texts=texts, translations={})))
    cards = page.form.protocol.cards
    possible = [name for name, card in cards.items() if card.isEnabled()]
    assert possible == [name for name, protocol in PROTOCOLS.items() if protocol.outputs[0] == 1]
    assert "Needs 2 translations of each segment." in cards["rank"].toolTip()
    assert cards["rank"]._facts == "Needs 2 translations of each segment"
    page.form.add_translation("other", texts[TextRole.MT])
    assert all(card.isEnabled() for card in cards.values())
    assert "2 to 5 systems" in cards["rank"]._facts


def test_bases_that_the_texts_lack_are_disabled_with_the_reason(page: SetUpPage, corpus: Callable[..., Corpus]) -> None:
    bases = page.form.basis.choices
    # the post-edit is the reference
    assert all(button.isEnabled() for button in bases.values())
    texts = {role: column for role, column in corpus().texts.items() if role is not TextRole.POST_EDIT}
    page.begin(CampaignTexts.of_corpus(replace(corpus(), texts=texts)))
    assert [bases[basis].isEnabled() for basis in EvaluationBasis] == [True, False, False]
    assert "no reference" in bases[EvaluationBasis.BOTH].toolTip()
    page.begin(CampaignTexts.of_corpus(corpus()))
    assert all(button.isEnabled() for button in bases.values())


def test_whole_form_is_in_view_in_a_window_of_1280_by_800(page: SetUpPage, qtbot: QtBot) -> None:
    page.resize(1212, 716)
    page.show()
    qtbot.waitExposed(page)
    (area,) = [area for area in page.findChildren(QScrollArea) if area.isAncestorOf(page.form)]
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
