"""The whole program through main(argv), driven by keys and mouse."""

from __future__ import annotations

import random
import shutil
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.formats import Numbers, read_tags, read_text
from qe_desktop.ui import icons
from qe_desktop.ui.importing.plan_model import PlanColumn
from qe_desktop.ui.saving import BOTH, WMT22, WORDS, SaveDialog, forms_of
from qe_desktop.ui.settings import Settings
from tests.ui.driving import Desk, drive

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the bundled sample that may be written to."""
    folder = tmp_path / "corpus"
    shutil.copytree(icons.resources() / "samples/en-de", folder)
    for name in ("authored.tsv", "lexicon.tsv", "translations.tsv"):
        (folder / name).unlink()
    return folder


def notices(desk: Desk) -> list[str]:
    return [notice.message.spoken() for notice in desk.shell.notices.notices()]


def dialogs() -> list[QDialog]:
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog) and widget.isVisible()]


def test_the_sample_by_keyboard_alone(qtbot):
    def script(desk):
        yield desk.is_open
        area = desk.shell.area("inspect")
        view = area.view
        assert desk.shell.windowTitle() == "en-de[*] – QE Desktop"
        assert len(desk.wiring.scores.layers) == 4
        before = desk.wiring.scores.values["F1-mult"].copy()
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Right)
        QTest.keyClick(view, Qt.Key.Key_Space)
        assert desk.workspace.session.undo_text == "word 2 OK → BAD, segment 2"
        assert desk.shell.isWindowModified()
        assert desk.shell.commands.text("edit.undo") == "Undo: word 2 OK → BAD, segment 2"
        assert not (desk.wiring.scores.values["F1-mult"] == before).all()
        desk.shell.commands["edit.undo"].trigger()
        assert desk.wiring.scores.values["F1-mult"] == pytest.approx(before, abs=1e-12)
        assert not desk.shell.isWindowModified()
        desk.shell.commands["view.area-scores"].trigger()
        assert desk.shell.areas.current == "scores"
        yield lambda: desk.wiring.comparison.state == "ready" and not desk.wiring.comparison.stale
        assert desk.wiring.comparison.result.comparison.of("F1-mult").d > 0

    assert drive(["demo"], script) == 0


def test_the_sample_has_sentence_scores(qtbot):
    def script(desk):
        yield desk.is_open
        status = desk.shell.status
        desk.shell.commands["view.area-scores"].trigger()
        assert status._positive.isVisible()
        assert "gold: sample.tags" in status._counts.text()
        desk.workspace.set_level(desk.workspace.levels()[-1])
        yield lambda: desk.wiring.comparison.state == "ready" and not desk.wiring.comparison.stale
        comparison = desk.wiring.comparison.result.comparison
        assert (comparison.options.test, comparison.units) == ("williams", 141)
        assert 0 < comparison.of("Pearson").d < 1
        assert desk.shell.area("scores")._title.text() == "Sentences against HTER: 141 segments"
        # among scores nothing is positive
        assert not status._positive.isVisible()
        assert "gold: sample.hter" in status._counts.text()
        desk.shell.commands["view.area-inspect"].trigger()
        assert status._positive.isVisible()
        desk.shell.commands["view.area-rate"].trigger()
        assert not status._positive.isVisible()

    assert drive(["demo"], script) == 0


def test_what_was_recognised_can_be_seen_again(qtbot, sample):
    def script(desk):
        yield desk.is_open
        desk.shell.commands["file.recognised"].trigger()
        yield lambda: desk.wiring.opener.sheet is not None
        sheet = desk.wiring.opener.sheet
        assert sheet.model.rowCount() > 10
        sheet.reject()
        yield lambda: desk.wiring.opener.sheet is None

    assert drive([str(sample)], script) == 0


def test_one_of_the_corpora_of_a_folder_is_chosen_and_shown_again(qtbot, tmp_path):
    for stem, lines in (("dev", 1), ("test", 3), ("train", 2)):
        for ending in ("src", "mt"):
            (tmp_path / f"{stem}.{ending}").write_text("a b\n" * lines)

    def script(desk):
        yield lambda: desk.wiring.opener.sheet is not None
        sheet = desk.wiring.opener.sheet
        assert sheet.choice.count() == 3
        sheet.choice.setCurrentIndex(2)
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield desk.is_open
        assert desk.workspace.corpus.size == 2
        yield lambda: desk.wiring.opener.sheet is None
        desk.shell.commands["file.recognised"].trigger()
        yield lambda: desk.wiring.opener.sheet is not None
        sheet = desk.wiring.opener.sheet
        assert sheet.model.plan.part == "train"
        sheet.reject()
        yield lambda: desk.wiring.opener.sheet is None

    assert drive([str(tmp_path)], script) == 0


def test_a_folder_from_the_command_line_is_remembered(qtbot, sample):
    def script(desk):
        yield desk.is_open
        assert desk.workspace.corpus.size == 141
        assert dialogs() == []

    assert drive([str(sample)], script) == 0
    assert Settings().recent() == [str(sample)]


def test_a_path_that_is_not_there_is_said_and_nothing_opens(qtbot, tmp_path):
    def script(desk):
        yield lambda: notices(desk)
        assert "nowhere" in notices(desk)[0]
        assert desk.workspace.session is None

    assert drive([str(tmp_path / "nowhere")], script) == 0


def test_bad_files_leave_what_is_open_open_and_edited(qtbot, sample, tmp_path):
    bad = tmp_path / "bad.tags"
    lines = (sample / "sample.tags").read_text().splitlines()
    bad.write_text("\n".join([*lines[:6], lines[6] + " OK", *lines[7:]]) + "\n")

    def script(desk):
        yield desk.is_open
        session = desk.workspace.session
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(bad))])
        everywhere = QPointF(300, 300)
        desk.shell.dropEvent(
            QDropEvent(everywhere, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0))
        )
        yield lambda: desk.wiring.opener.sheet is not None
        sheet = desk.wiring.opener.sheet
        QTest.mouseClick(sheet.add_button, Qt.MouseButton.LeftButton)
        yield lambda: sheet.notices.notices()
        said = sheet.notices.notices()[0].message.spoken()
        assert "bad.tags:7" in said
        assert "tags" in said
        assert desk.workspace.session is session
        assert session.edited_tags() == 1
        sheet.reject()
        yield lambda: desk.wiring.opener.sheet is None

    assert drive([str(sample)], script) == 0


def test_numbers_of_0_and_1_are_asked_about_before_anything_opens(qtbot, tmp_path):
    """1 that means OK was taken as P(BAD) without a word: an MCC of -1."""
    (tmp_path / "t.mt").write_text("a b\nc\n")
    (tmp_path / "t.tags").write_text("OK BAD\nOK\n")
    (tmp_path / "x.probs").write_text("1 0\n1\n")

    def script(desk):
        yield lambda: desk.wiring.opener.sheet is not None
        assert desk.workspace.session is None
        sheet = desk.wiring.opener.sheet
        assert not sheet.open_button.isEnabled()
        files = [file.path.name for file in sheet.model.plan.files]
        sheet.model.setData(sheet.model.index(files.index("x.probs"), PlanColumn.MEANING), (Numbers.OK,))
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield desk.is_open
        (layer,) = desk.workspace.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)
        assert layer.numbers.values.tolist() == [0, 1, 0]
        said = desk.shell.notices.notices()[-1].message
        assert any("1 is taken as OK" in line for line in said.details)

    assert drive([str(tmp_path)], script) == 0


def test_what_is_turned_away_from_while_it_is_read_is_not_opened(qtbot, sample, tmp_path, monkeypatch):
    """Cancel closed the sheet, and what was being read opened all the same."""
    reading, ended = threading.Event(), threading.Event()

    def endless(chosen, *, onto, progress, watch):
        reading.set()
        try:
            while True:
                watch()
        finally:
            ended.set()

    monkeypatch.setattr("qe_desktop.ui.importing.opener.assemble", endless)
    (tmp_path / "t.mt").write_text("a b\nc\n")
    (tmp_path / "broken.tags").write_bytes(b"\x00\x01\x02" * 40)

    def script(desk):
        yield lambda: desk.wiring.opener.sheet is not None
        QTest.mouseClick(desk.wiring.opener.sheet.open_button, Qt.MouseButton.LeftButton)
        yield reading.is_set
        desk.wiring.opener.sheet.reject()
        yield ended.is_set
        yield desk.shell.jobs.idle
        assert desk.workspace.session is None

    assert drive([str(tmp_path)], script) == 0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("sample.tags", b"\x00\x01\x02" * 99),
        ("sample.tags", b""),
        ("sample.mt", "gro\u00df\n".encode("latin-1") * 141),
        ("sample.tags", b"OK FOO\n" * 141),
        ("systems/weak.tags", b"OK BAD\n" * 141),
    ],
)
def test_a_damaged_file_is_said_before_anything_opens(qtbot, sample, name, content):
    (sample / name).write_bytes(content)

    def script(desk):
        yield lambda: desk.wiring.opener.sheet is not None and not desk.shell.jobs.running()
        assert desk.workspace.session is None
        sheet = desk.wiring.opener.sheet
        said = " ".join(
            [str(sheet.model.index(0, column).data()) for column in range(5)]
            + [notice.message.spoken() for notice in sheet.notices.notices()]
        )
        assert Path(name).name in said
        sheet.reject()
        yield lambda: desk.wiring.opener.sheet is None

    assert drive([str(sample)], script) == 0


def test_the_window_never_grows_by_itself(qtbot):
    def script(desk):
        yield desk.is_open
        desk.shell.resize(900, 600)
        for _ in range(4):
            desk.shell.commands["view.text-larger"].trigger()
        desk.shell.show_area("scores")
        yield lambda: desk.wiring.comparison.state == "ready"
        layers = desk.wiring.scores.layers
        desk.workspace.segments_wanted.emit(
            layers[0], layers[1], "F1-mult", desk.workspace.level, desk.workspace.reference
        )
        yield lambda: desk.shell.area("inspect").model.listing.ahead is not None
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        assert (desk.shell.width(), desk.shell.height()) == (900, 600)
        desk.shell.commands["view.text-usual"].trigger()

    assert drive(["demo"], script) == 0


def test_from_a_dot_of_a_picture_to_its_segment_by_keyboard(qtbot, tmp_path):
    segments, draw = 30, random.Random(4)
    gold = [draw.random() for _ in range(segments)]
    columns = {"gold.hter": gold, "systems/near.scores": [one + draw.random() / 9 for one in gold]}
    columns["systems/far.scores"] = [draw.random() for _ in gold]
    (tmp_path / "systems").mkdir()
    for name, values in columns.items():
        (tmp_path / name).write_text("".join(f"{value}\n" for value in values))
    for name in ("text.src", "text.mt"):
        (tmp_path / name).write_text("".join(f"segment {number}\n" for number in range(segments)))

    def script(desk):
        yield desk.is_open
        desk.shell.area("inspect").filters.search.setText("segment 2")
        yield lambda: desk.shell.area("inspect").model.rowCount() == 11
        desk.shell.show_area("scores")
        area = desk.shell.area("scores")
        pane = area.gallery.pane("beside-gold")
        area.gallery.setCurrentWidget(pane)
        yield lambda: pane.place.plot is not None and not desk.shell.jobs.running()
        pane.place.plot.finish()
        assert area.gallery.chosen.name == "near"
        view = pane.place.plot.frames[0].painter().view
        view.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(view, Qt.Key.Key_End)
        worst = max(range(segments), key=columns["systems/near.scores"].__getitem__)
        assert pane.words.text().startswith(f"segment {worst + 1}: ")
        QTest.keyClick(view, Qt.Key.Key_Return)
        assert desk.shell.areas.current == "inspect"
        assert desk.workspace.segment == worst

    assert drive([str(tmp_path)], script) == 0


def test_saving_offers_the_edited_layer_and_enter_goes_on(qtbot, sample):
    def script(desk):
        yield desk.is_open
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        desk.workspace.settings.person = "Anna"
        desk.shell.commands["edit.own-layer"].trigger()
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        dialog = SaveDialog(desk.workspace.session, desk.workspace.target, desk.shell)
        assert dialog.whose.currentText() == "Anna (person) – edited"
        dialog.show()
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert dialog.result() == QDialog.DialogCode.Accepted
        dialog.deleteLater()

    assert drive([str(sample)], script) == 0


def test_a_system_is_added_to_what_is_open(qtbot, sample, tmp_path):
    extra = tmp_path / "extra.tags"
    shutil.copy(sample / "systems/weak.tags", extra)

    def script(desk):
        yield desk.is_open
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        desk.shell.open_paths([str(extra)])
        yield lambda: desk.wiring.opener.sheet is not None
        QTest.mouseClick(desk.wiring.opener.sheet.add_button, Qt.MouseButton.LeftButton)
        yield lambda: desk.is_open() and len(desk.wiring.scores.layers) == 5
        assert desk.workspace.session.edited_tags() == 1
        assert "extra" in [key.name for key in desk.wiring.scores.layers]

    assert drive([str(sample)], script) == 0


def test_unsaved_edits_are_asked_about_before_they_are_lost(qtbot, sample, monkeypatch):
    asked = []

    def go_back(box):
        asked.append(box.text())
        return 0

    monkeypatch.setattr(QMessageBox, "exec", go_back)

    def script(desk):
        yield desk.is_open
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        assert not desk.shell.close()
        assert desk.shell.isVisible()
        desk.shell.commands["file.close"].trigger()
        assert desk.workspace.session is not None
        assert asked == ["The edits of gold are in no file yet."] * 2

    assert drive([str(sample)], script) == 0


def test_saving_in_every_form_and_reading_back(qtbot, sample, tmp_path):
    def script(desk):
        yield desk.is_open
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        session, saver = desk.workspace.session, desk.wiring.saver
        mt = read_text(sample / "sample.mt")
        assert forms_of(session, Provenance.GOLD, "gold")[0] is BOTH
        dialog = SaveDialog(session, GOLD, desk.shell)
        assert dialog.whose.currentText() == "gold – edited"
        dialog.deleteLater()
        for form in (WORDS, BOTH, WMT22):
            path = tmp_path / f"saved.{form.suffix}"
            assert saver.save(Provenance.GOLD, "gold", form, path, "en-de")
            read = read_tags(path, Kind.WORDS, mt=mt, language_pair="en-de" if form is WMT22 else "")
            assert read.columns[Kind.WORDS] == session.view.tags(GOLD)
        assert not desk.shell.isWindowModified()
        refused = []
        desk.workspace.failed.connect(refused.append)
        assert not saver.save(Provenance.GOLD, "gold", WORDS, tmp_path / "no/such/folder/x.tags")
        assert len(refused) == 1

    assert drive([str(sample)], script) == 0


def test_from_a_cell_to_the_segments_behind_it(qtbot):
    def script(desk):
        yield desk.is_open
        desk.shell.show_area("scores")
        yield lambda: desk.wiring.comparison.state == "ready"
        layers = desk.wiring.scores.layers
        desk.workspace.segments_wanted.emit(
            layers[0], layers[1], "F1-mult", desk.workspace.level, desk.workspace.reference
        )
        area = desk.shell.area("inspect")
        yield lambda: area.model.listing.ahead is not None
        assert desk.shell.areas.current == "inspect"
        assert area.model.index(0, 6).data().startswith(layers[0].name) or "+" in area.model.index(0, 6).data()

    assert drive(["demo"], script) == 0


def test_text_size_theme_and_direction_hold_at_once_and_are_remembered(qtbot):
    def script(desk):
        yield desk.is_open
        reader = desk.shell.area("inspect").reader
        yield lambda: reader.width() > 400
        height = reader.page.height
        desk.shell.commands["view.text-larger"].trigger()
        yield lambda: reader.page.height > height
        desk.shell.commands["view.theme-dark"].trigger()
        desk.shell.settings.mt_direction = "rtl"
        assert reader.page.block(Kind.WORDS).layout.right_to_left
        desk.shell.commands["view.text-usual"].trigger()
        desk.shell.commands["view.theme-light"].trigger()

    assert drive(["demo"], script) == 0
    assert Settings().mt_direction == "rtl"


def test_without_gold_without_systems_and_with_tags_only(qtbot, tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/a.src").write_text("one two\nthree\n")
    (tmp_path / "plain/a.mt").write_text("eins zwei\ndrei\n")

    def no_tags(desk):
        yield desk.is_open
        assert desk.wiring.scores.state == "empty"
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        assert desk.workspace.session.edited_tags() == 1

    assert drive([str(tmp_path / "plain")], no_tags) == 0
    tags = tmp_path / "only.tags"
    tags.write_text("OK BAD\nOK\n")

    def only_tags(desk):
        yield desk.is_open
        assert desk.shell.area("inspect").reader.page.block(Kind.WORDS).layout.tokens == ("1", "2")

    assert drive([str(tags)], only_tags) == 0


@pytest.mark.parametrize("key", ["en-he", "en-ja"])
def test_other_scripts(qtbot, key):
    def script(desk):
        yield desk.is_open
        block = desk.shell.area("inspect").reader.page.block(Kind.WORDS)
        assert block.layout.right_to_left == (key == "en-he")

    assert drive(["demo", key], script) == 0


@pytest.mark.published
@pytest.mark.parametrize(
    ("folder", "systems"),
    [
        ("wmt22_word/en-de", 5), ("wmt22_word/ps-en", 4), ("wmt22_word/en-ja", 4), ("mlqe_pe/en-de-test20", 0),
        ("mlqe_pe/en-de-test21", 1), ("mlqe_pe/ro-en-test21", 1), ("wmt18_en-de_nmt_dev", 0), ("openkiwi_toy_wmt18", 1),
    ],
)  # fmt: skip
def test_real_folders_open_in_the_window(qtbot, data_folder, folder, systems):
    def script(desk):
        yield lambda: desk.wiring.opener.sheet is not None or desk.is_open()
        assert desk.wiring.opener.sheet is None, [file.problem for file in desk.wiring.opener.sheet.model.plan.files]
        assert len(desk.workspace.corpus.names(Provenance.SYSTEM)) == systems
        area = desk.shell.area("inspect")
        for _ in range(5):
            desk.shell.commands["inspect.next-bad"].trigger()
        assert area.reader.describe()

    assert drive([str(data_folder / folder)], script) == 0


def test_rate_in_the_demo_leads_to_rating_in_one_step(qtbot):
    def script(desk):
        yield desk.is_open
        desk.shell.commands["view.area-rate"].trigger()
        area = desk.wiring.rating.area
        assert area.current == "rate"
        button = area.rater.quiet.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        sitting = area.rater.sitting
        assert sitting.asked.name == "fluency"
        assert len(sitting.work.screens) >= 10
        QTest.keyClick(area.rater.items, Qt.Key.Key_4)
        yield lambda: sitting.revealed
        QTest.keyClick(area.rater.items, Qt.Key.Key_3)
        yield lambda: sitting.work.progress()[0] == 1
        yield lambda: not desk.wiring.projects.keeper.pending
        assert Path(desk.workspace.project.place).parent.name == "trials"

    assert drive(["demo"], script) == 0
