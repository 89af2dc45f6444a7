"""Opening files through main(argv): questions, notices, added files, and the corpus that stays open."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from qe_desktop.corpus import Kind, Provenance
from qe_desktop.formats import ProbabilityOf, Role
from qe_desktop.ui.files.importing.plan_model import PlanColumn
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.project_paths import split_paths
from qe_desktop.ui.settings import Settings
from tests.ui.program_driver import ProgramDriver, run_script


def notices(driver: ProgramDriver) -> list[str]:
    return [notice.message.plain_text() for notice in driver.shell.notices.notices()]


def dialogs() -> list[QDialog]:
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog) and widget.isVisible()]


def test_recognized_files_can_be_shown_again(qtbot, sample):
    def script(driver):
        yield driver.is_open
        driver.shell.commands["file.recognised"].trigger()
        details = driver.wiring.opener.details
        assert details.model.rowCount() > 10
        assert details.close_button.isDefault()
        assert not any(
            details.model.flags(details.model.index(row, column)) & Qt.ItemFlag.ItemIsEditable
            for row in range(details.model.rowCount())
            for column in PlanColumn
        )
        QTest.keyClick(details.table, Qt.Key.Key_Return)
        yield lambda: driver.wiring.opener.details is None
        assert driver.workspace.session is not None

    assert run_script([str(sample)], script) == 0


def test_systems_of_all_corpora_of_a_folder_are_compared(qtbot, tmp_path):
    for pair in ("en-de", "en-he"):
        shutil.copytree(resource_folder() / "samples" / pair, tmp_path / "task" / pair)

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        button = driver.wiring.opener.sheet.compare_button
        assert button.text() == "Compare the systems of all corpora instead"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        yield lambda: driver.wiring.opener.sheet is None
        yield (
            lambda: driver.shell.areas.current == "scores" and driver.wiring.findings.folder_service.result is not None
        )
        assert driver.workspace.session is None
        model = driver.wiring.findings.page.view.model()
        titles = {model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())}
        assert {"en-de", "en-he"} <= titles

    assert run_script([str(tmp_path / "task")], script) == 0


def test_corpora_without_systems_are_not_compared(qtbot, tmp_path):
    for stem in ("dev", "test"):
        for ending in ("src", "mt"):
            (tmp_path / f"{stem}.{ending}").write_text("a b\n")

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        assert driver.wiring.opener.sheet.compare_button.isHidden()
        driver.wiring.opener.sheet.reject()
        yield lambda: driver.wiring.opener.sheet is None

    assert run_script([str(tmp_path)], script) == 0


def test_selected_corpus_of_a_folder_is_opened_and_shown_again(qtbot, tmp_path):
    for stem, lines in (("dev", 1), ("test", 3), ("train", 2)):
        for ending in ("src", "mt"):
            (tmp_path / f"{stem}.{ending}").write_text("a b\n" * lines)

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        sheet = driver.wiring.opener.sheet
        assert sheet.choice.count() == 3
        sheet.choice.setCurrentIndex(2)
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield driver.is_open
        assert driver.workspace.corpus.size == 2
        yield lambda: driver.wiring.opener.sheet is None
        driver.shell.commands["file.recognised"].trigger()
        details = driver.wiring.opener.details
        assert details.model.plan.part == "train"
        details.change_button.click()
        yield lambda: driver.wiring.opener.sheet is not None
        assert driver.wiring.opener.details is None
        sheet = driver.wiring.opener.sheet
        assert sheet.model.plan.part == "train"
        sheet.reject()
        yield lambda: driver.wiring.opener.sheet is None

    assert run_script([str(tmp_path)], script) == 0


def test_a_folder_from_the_command_line_is_remembered(qtbot, sample):
    def script(driver):
        yield driver.is_open
        assert driver.workspace.corpus.size == 141
        assert dialogs() == []

    assert run_script([str(sample)], script) == 0
    assert Settings().existing_recent_paths() == [str(sample)]


def test_a_folder_that_is_named_like_that_of_the_samples_is_remembered(qtbot, tmp_path):
    folder = tmp_path / "resources" / "samples" / "en-de"
    shutil.copytree(resource_folder() / "samples" / "en-de", folder)

    def script(driver):
        yield driver.is_open

    assert run_script([str(folder)], script) == 0
    assert Settings().existing_recent_paths() == [str(folder)]


def test_recent_files_are_those_opened_and_added_not_their_neighbours(qtbot, tmp_path):
    job, other = tmp_path / "a.xlf", tmp_path / "b.xlf"
    for file in (job, other):
        shutil.copy(resource_folder() / "samples" / "jobs" / "en-de" / "manuals.xlf", file)
    tags = tmp_path / "tags" / "strong.tags"
    tags.parent.mkdir()
    shutil.copy(resource_folder() / "samples" / "jobs" / "qe" / "sample-qe.tags", tags)

    def script(driver):
        yield driver.is_open
        assert Settings().existing_recent_paths() == [str(job)]
        driver.shell.commands["file.recognised"].trigger()
        details = driver.wiring.opener.details
        assert [file.path for file in details.model.plan.files] == [job]
        details.reject()
        yield lambda: driver.wiring.opener.details is None
        driver.shell.open_paths([str(tags)])
        yield lambda: driver.wiring.opener.sheet is not None
        driver.wiring.opener.sheet.add_requested.emit(driver.wiring.opener.sheet.model.plan)
        yield lambda: split_paths(Settings().existing_recent_paths()[0]) == [str(job), str(tags)]
        driver.shell.commands["file.recognised"].trigger()
        details = driver.wiring.opener.details
        assert [file.path for file in details.model.plan.files] == [job, tags]
        details.reject()
        yield lambda: driver.wiring.opener.details is None
        driver.workspace.close()
        driver.shell.start_page._recent.entries()[0].click()
        yield driver.is_open
        assert driver.workspace.corpus.size == 25
        assert driver.workspace.corpus.find(Provenance.SYSTEM, Kind.WORDS)

    assert run_script([str(job)], script) == 0


def test_roles_are_asked_for_texts_with_unknown_names(qtbot, tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "alpha.txt").write_text("Hello world\nStop\n")
    (folder / "beta notes.dat").write_text("Hallo Welt\nHalt\n")

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        model = driver.wiring.opener.sheet.model
        assert [file.role for file in model.plan.files] == [Role.IGNORED, Role.IGNORED]
        assert not driver.wiring.opener.sheet.open_button.isEnabled()
        for row, role in enumerate((Role.SOURCE, Role.MT)):
            assert model.setData(model.index(row, PlanColumn.USE), (role, None))
        QTest.mouseClick(driver.wiring.opener.sheet.open_button, Qt.MouseButton.LeftButton)
        yield driver.is_open
        assert driver.workspace.corpus.size == 2

    assert run_script([str(folder)], script) == 0


def test_missing_path_is_reported_and_nothing_opens(qtbot, tmp_path):
    def script(driver):
        yield lambda: notices(driver)
        assert "nowhere" in notices(driver)[0]
        assert driver.workspace.session is None

    assert run_script([str(tmp_path / "nowhere")], script) == 0


def test_only_the_last_path_that_cannot_be_opened_has_a_notice(qtbot, sample, tmp_path):
    """A new attempt to open replaces the notice of the previous attempt, but no other notices."""

    def script(driver):
        yield driver.is_open
        bar = driver.shell.notices
        bar.warning("Not saved yet")
        for name in ("one", "two", "three", "four", "five"):
            driver.shell.open_paths([str(tmp_path / name)])
            yield lambda name=name: not driver.shell.jobs.running_jobs() and name in notices(driver)[0]
            assert len(bar.notices()) == 2
            assert [notice.message for notice in bar.notices() if notice.isVisible()] == [bar.current.message]
        bar.dismiss(bar.current)
        assert notices(driver) == ["Not saved yet."]

    assert run_script([str(sample)], script) == 0


def test_invalid_files_leave_the_open_corpus_and_its_edits(qtbot, sample, tmp_path):
    bad = tmp_path / "bad.tags"
    lines = (sample / "sample.tags").read_text().splitlines()
    bad.write_text("\n".join([*lines[:6], lines[6] + " OK", *lines[7:]]) + "\n")

    def script(driver):
        yield driver.is_open
        session = driver.workspace.session
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(bad))])
        position = QPointF(300, 300)
        driver.shell.dropEvent(
            QDropEvent(position, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0))
        )
        yield lambda: driver.wiring.opener.sheet is not None
        sheet = driver.wiring.opener.sheet
        QTest.mouseClick(sheet.add_button, Qt.MouseButton.LeftButton)
        yield lambda: sheet.notices.notices()
        text = sheet.notices.notices()[0].message.plain_text()
        assert "bad.tags:7" in text
        assert "tags" in text
        assert driver.workspace.session is session
        assert session.edited_tags() == 1
        sheet.reject()
        yield lambda: driver.wiring.opener.sheet is None

    assert run_script([str(sample)], script) == 0


def test_meaning_of_0_and_1_is_asked_before_opening(qtbot, tmp_path):
    """Regression: 1 for OK was read as P(BAD) without a question, which gave an MCC of -1."""
    (tmp_path / "t.mt").write_text("a b\nc\n")
    (tmp_path / "t.tags").write_text("OK BAD\nOK\n")
    (tmp_path / "x.probs").write_text("1 0\n1\n")

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        assert driver.workspace.session is None
        sheet = driver.wiring.opener.sheet
        assert not sheet.open_button.isEnabled()
        files = [file.path.name for file in sheet.model.plan.files]
        sheet.model.setData(sheet.model.index(files.index("x.probs"), PlanColumn.MEANING), (ProbabilityOf.OK,))
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield driver.is_open
        (layer,) = driver.workspace.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)
        assert layer.numbers.values.tolist() == [0, 1, 0]
        message = driver.shell.notices.notices()[-1].message
        assert any("1 is read as OK" in line for line in message.details)

    assert run_script([str(tmp_path)], script) == 0


def test_cancelling_while_files_are_read_opens_nothing(qtbot, sample, tmp_path, monkeypatch):
    """Regression: Cancel closed the import dialog, but the corpus was still opened."""
    reading, ended = threading.Event(), threading.Event()

    def build_endlessly(chosen, *, base_corpus, progress, check_cancelled):
        reading.set()
        try:
            while True:
                check_cancelled()
        finally:
            ended.set()

    monkeypatch.setattr("qe_desktop.ui.files.importing.file_opener.build_corpus", build_endlessly)
    (tmp_path / "t.mt").write_text("a b\nc\n")
    (tmp_path / "broken.tags").write_bytes(b"\x00\x01\x02" * 40)

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        QTest.mouseClick(driver.wiring.opener.sheet.open_button, Qt.MouseButton.LeftButton)
        yield reading.is_set
        driver.wiring.opener.sheet.reject()
        yield ended.is_set
        yield driver.shell.jobs.is_idle
        assert driver.workspace.session is None

    assert run_script([str(tmp_path)], script) == 0


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
def test_damaged_file_is_reported_before_opening(qtbot, sample, name, content):
    (sample / name).write_bytes(content)

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None and not driver.shell.jobs.running_jobs()
        assert driver.workspace.session is None
        sheet = driver.wiring.opener.sheet
        text = " ".join(
            [str(sheet.model.index(0, column).data()) for column in range(5)]
            + [notice.message.plain_text() for notice in sheet.notices.notices()]
        )
        assert Path(name).name in text
        sheet.reject()
        yield lambda: driver.wiring.opener.sheet is None

    assert run_script([str(sample)], script) == 0


def test_system_is_added_to_the_open_corpus(qtbot, sample, tmp_path):
    extra = tmp_path / "extra.tags"
    shutil.copy(sample / "systems/weak.tags", extra)

    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        driver.shell.open_paths([str(extra)])
        yield lambda: driver.wiring.opener.sheet is not None
        QTest.mouseClick(driver.wiring.opener.sheet.add_button, Qt.MouseButton.LeftButton)
        yield lambda: driver.is_open() and len(driver.wiring.scores.layers) == 5
        assert driver.workspace.session.edited_tags() == 1
        assert "extra" in [key.name for key in driver.wiring.scores.layers]

    assert run_script([str(sample)], script) == 0


def test_texts_without_tags_and_tags_without_texts_open(qtbot, tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/a.src").write_text("one two\nthree\n")
    (tmp_path / "plain/a.mt").write_text("eins zwei\ndrei\n")

    def no_tags(driver):
        yield driver.is_open
        assert driver.wiring.scores.state == "empty"
        # Space in the list begins no layer
        QTest.keyClick(driver.shell.area("inspect").reader, Qt.Key.Key_Space)
        assert driver.workspace.session.edited_tags() == 1

    assert run_script([str(tmp_path / "plain")], no_tags) == 0
    tags = tmp_path / "only.tags"
    tags.write_text("OK BAD\nOK\n")

    def only_tags(driver):
        yield driver.is_open
        assert driver.shell.area("inspect").reader.page.block(Kind.WORDS).layout.tokens == ("1", "2")

    assert run_script([str(tags)], only_tags) == 0


@pytest.mark.published
@pytest.mark.parametrize(
    ("folder", "systems"),
    [
        ("wmt22_word/en-de", 5), ("wmt22_word/ps-en", 4), ("wmt22_word/en-ja", 4), ("mlqe_pe/en-de-test20", 0),
        ("mlqe_pe/en-de-test21", 1), ("mlqe_pe/ro-en-test21", 1), ("wmt18_en-de_nmt_dev", 0), ("openkiwi_toy_wmt18", 1),
    ],
)  # fmt: skip
def test_real_folders_open_in_the_window(qtbot, data_folder, folder, systems):
    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None or driver.is_open()
        assert driver.wiring.opener.sheet is None, [
            file.problem for file in driver.wiring.opener.sheet.model.plan.files
        ]
        assert len(driver.workspace.corpus.names(Provenance.SYSTEM)) == systems
        area = driver.shell.area("inspect")
        for _ in range(5):
            driver.shell.commands["inspect.next-bad"].trigger()
        assert area.reader.describe()

    assert run_script([str(data_folder / folder)], script) == 0
