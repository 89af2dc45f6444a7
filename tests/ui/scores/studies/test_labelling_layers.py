"""Labellings of a study as layers: added and removed by key, button and command, shown but not scored."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.studies.labellings.synthetic_labellings import LABELLINGS, make_labelling
from tests.ui.scores.conftest import GOLD, make_corpus

ALL_BAD = LayerKey(Provenance.SYNTHETIC, "synthetic-all-BAD", Kind.WORDS)


def layers(studies: Any) -> dict[LayerKey, Any]:
    return studies.world.workspace.corpus.layers


def test_enter_adds_a_labelling_and_the_button_removes_it(studies: Any, tagged: Any, qtbot: Any) -> None:
    studies.open(tagged)
    before, scored = studies.service.result, studies.world.scores.layers
    studies.go_to(0, "all-BAD")
    assert studies.page.add.text() == "Add all-BAD to open data"
    with qtbot.waitSignal(studies.controller.around.message_posted) as message:
        qtbot.keyClick(studies.view, Qt.Key.Key_Return)
    assert message.args == ["Added (see Inspect): synthetic-all-BAD"]
    studies.wait()
    assert (layers(studies)[ALL_BAD].tags.values == 1).all()
    view = studies.world.workspace.view
    assert view.shown(Kind.WORDS)[-1] == ALL_BAD
    assert ALL_BAD not in view.tracks(Kind.WORDS)
    assert studies.world.scores.layers == scored
    # the inputs of the study are unchanged
    assert studies.service.result is before
    assert not studies.service.late
    assert studies.page.add.text() == "Remove all-BAD"
    studies.page.add.click()
    studies.wait()
    assert ALL_BAD not in layers(studies)


def test_added_labellings_equal_those_of_the_study(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    gold = tagged.layers[GOLD].tags
    studies.controller.add_all()
    studies.wait()
    added = [key for key in layers(studies) if key.provenance is Provenance.SYNTHETIC]
    assert [key.name for key in added] == [f"synthetic-{name}" for name in LABELLINGS]
    for key, name in zip(added, LABELLINGS, strict=True):
        assert (layers(studies)[key].tags.values == make_labelling(gold, name, 1).values).all()
        assert layers(studies)[key].notes == ("synthetic, from seed 1",)
    studies.controller.remove_all()
    studies.wait()
    assert set(layers(studies)) == set(tagged.layers)


def test_labelling_is_not_added_to_a_corpus_opened_meanwhile(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    studies.controller.turn("random")
    studies.world.workspace.open(make_corpus(2))
    studies.wait()
    assert not studies.controller.added.there()


def test_enter_on_a_metric_shows_its_chart(studies: Any, tagged: Any, qtbot: Any) -> None:
    studies.open(tagged)
    studies.page.views.show_view("remarks")
    studies.go_to(2, "d")
    qtbot.keyClick(studies.view, Qt.Key.Key_Return)
    assert studies.page.views.shown == "picture"
    picture = studies.page.views.picture
    title = f"Systems and trivial baselines by {studies.study.metrics[2].name}"
    qtbot.waitUntil(lambda: not isinstance(picture.content, str) and picture.content[0].title == title)
    assert not studies.controller.added.there()


def test_inspect_shows_and_describes_an_added_labelling(studies: Any, tagged: Any, qtbot: Any) -> None:
    from PySide6.QtGui import QFont

    from qe_desktop.ui.inspect.reader.accessible_text import describe_position
    from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout

    studies.open(tagged)
    studies.controller.turn("all-BAD")
    studies.wait()
    workspace = studies.world.workspace
    font = QFont()
    font.setPixelSize(14)
    page = SegmentLayout(workspace.view, 0, Kind.WORDS, 800.0, font, studies.world.settings)
    rows = [track.name for block in page.blocks for track in block.tracks]
    assert rows[-1] == "synthetic-all-BAD"
    assert "synthetic-all-BAD: " in describe_position(page, Kind.WORDS, 0, lambda key, segment: {})
