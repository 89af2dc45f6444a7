"""QE systems and QA checks in the window: running as jobs, their layers, replacement, and stopping."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.local_qe.external.command import QeCommand
from qe_desktop.local_qe.qa_checks.runner import CHECKS
from qe_desktop.project import ReviewField
from qe_desktop.project.edits import Edit
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.highlighting.highlighting_controller import (
    CHECK_ALL,
    CHECK_NONE,
    CHECKS_COMMAND,
    JOB,
    LIST_COMMAND,
    REMOVE_COMMAND,
    RUN_COMMAND,
    CheckActions,
    HighlightingController,
    check_command_id,
    sample_corpus,
)
from qe_desktop.ui.highlighting.highlighting_settings import save_systems, saved_commands, saved_system
from qe_desktop.ui.highlighting.preferences_pages import ChecksPage
from qe_desktop.ui.inspect.commands import ACTIONS as INSPECT_ACTIONS
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.preferences_dialog import PreferencesDialog
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.commands import ACTIONS
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.workspace import Workspace
from tests.small_corpora import tags

pytestmark = pytest.mark.process

TEXTS = {
    TextRole.SOURCE: TextColumn.of(["with 340 men", "well (done)"]),
    TextRole.MT: TextColumn.of(["mit 430 Mann", "gut"]),
}
WORDS = LayerKey(Provenance.SYSTEM, "mine", Kind.WORDS)


@pytest.fixture
def window(qtbot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture
def workspace(qtbot, window) -> Workspace:
    return Workspace(Settings(), JobRunner(window), window)


def controller_of(workspace: Workspace, window: QWidget, *commands: QeCommand) -> HighlightingController:
    table = ActionRegistry(window, workspace.settings)
    used_ids = (RUN_COMMAND, CHECKS_COMMAND, REMOVE_COMMAND, LIST_COMMAND)
    table.add_all(action for action in (*ACTIONS, *INSPECT_ACTIONS) if action.id in used_ids)
    controller = HighlightingController(workspace, table, window, commands)
    controller.table = table
    return controller


def open_texts(workspace: Workspace, **more) -> None:
    workspace.open(Corpus("made", 2, TEXTS, **more))


def command(tmp_path: Path, code: str, name: str = "mine") -> QeCommand:
    path = tmp_path / f"{name}.py"
    path.write_text(f"import sys, time\nmt, out = sys.argv[1:]\n{code}\n")
    return QeCommand(name, f"'{sys.executable}' '{path}' {{mt}} {{out}}", 5)


def code_writing(text: str) -> str:
    return f"open(out, 'w').write({text!r})"


def test_checks_are_added_removed_and_rerun_when_one_is_disabled(qtbot, workspace, window):
    controller = controller_of(workspace, window)
    assert not controller.table[CHECKS_COMMAND].isEnabled()
    open_texts(workspace)
    with qtbot.waitSignal(controller.message_posted):
        controller.table[CHECKS_COMMAND].trigger()
    key = LayerKey(Provenance.SYSTEM, "checks", Kind.WORDS)
    gaps = replace(key, kind=Kind.GAPS)
    assert workspace.view.tags(key) == tags("obo", "o")
    assert workspace.view.tags(gaps) == tags("oooo", "ob")
    assert workspace.corpus.layers[key].reasons.at(0, 1) == ["the source has 340, not 430"]
    with qtbot.waitSignal(controller.message_posted):
        workspace.settings.disabled_checks = ["brackets"]
    assert gaps not in workspace.corpus.layers
    # the command runs the checks again
    with qtbot.waitSignal(controller.message_posted):
        controller.table[CHECKS_COMMAND].trigger()
    assert key in workspace.corpus.layers
    controller.table[REMOVE_COMMAND].trigger()
    assert not workspace.corpus.layers
    assert not controller.table[REMOVE_COMMAND].isEnabled()


def test_message_counts_the_results_in_edited_targets(qtbot, workspace, window):
    controller = controller_of(workspace, window)
    open_texts(workspace)
    for target, title in (("mit 350 Mann", "The QA checks returned 1 result in 1 segment"), ("mit 340 Mann", "")):
        targets = {0: {ReviewField.TARGET: target}, 1: {ReviewField.TARGET: "gut (erledigt)"}}
        workspace.session.reviewing.set(targets)
        with qtbot.waitSignal(controller.message_posted) as message:
            controller.start_checks()
        assert message.args[0].title == (title or "The QA checks returned no results")
        # without results, there is nothing to list
        assert len(message.args[0].buttons) == bool(title)


def test_without_checks_there_are_no_results(qtbot, workspace, window):
    """A system “checks” was added whose words were all OK."""
    controller = controller_of(workspace, window)
    settings = workspace.settings
    open_texts(workspace)
    settings.disabled_checks = [check.name for check in CHECKS]
    with qtbot.waitSignal(controller.failed) as failed:
        controller.table[CHECKS_COMMAND].trigger()
    assert failed.args[0].line() == "all QA checks are off. Turn on at least one check in Edit ▸ QA checks."
    assert not workspace.corpus.layers
    settings.disabled_checks = []
    with qtbot.waitSignal(controller.message_posted):
        controller.table[CHECKS_COMMAND].trigger()
    assert workspace.corpus.layers
    with qtbot.waitSignal(controller.message_posted) as message:
        settings.disabled_checks = [check.name for check in CHECKS]
    assert message.args[0].title == "Closed the results of the QA checks, because all checks are off"
    assert not workspace.corpus.layers
    assert workspace.jobs.is_idle()


def test_word_lists_apply_to_the_layers_of_checks(qtbot, workspace, window, tmp_path):
    controller = controller_of(workspace, window)
    words = tmp_path / "words.txt"
    words.write_text("gut\n")
    workspace.settings.forbidden_words_file = str(words)
    open_texts(workspace)
    with qtbot.waitSignal(controller.message_posted) as message:
        controller.table[CHECKS_COMMAND].trigger()
    assert message.args[0].title == "The QA checks returned 3 results in 2 segments of the MT"
    key = LayerKey(Provenance.SYSTEM, "checks", Kind.WORDS)
    assert workspace.view.tags(key) == tags("obo", "b")
    with qtbot.waitSignal(controller.message_posted) as message:
        workspace.settings.forbidden_words_file = ""
    assert message.args[0].title == "The QA checks returned 2 results in 2 segments of the MT"
    assert workspace.view.tags(key) == tags("obo", "o")
    words.write_text("x" * 300)
    with qtbot.waitSignal(controller.failed) as failed:
        workspace.settings.forbidden_words_file = str(words)
    assert "words.txt:1: an entry has more than 200 characters" in failed.args[0].line()


def test_saved_system_runs_and_replaces_its_previous_output(qtbot, workspace, window, tmp_path):
    controller = controller_of(workspace, window)
    open_texts(workspace)
    with qtbot.waitSignal(controller.systems_requested):
        controller.table[RUN_COMMAND].trigger()
    save_systems(workspace.settings, [saved_system(command(tmp_path, code_writing("OK BAD OK\nOK\n")))])
    with qtbot.waitSignal(controller.message_posted) as message:
        controller.table[RUN_COMMAND].trigger()
    assert message.args == [Message("mine: 1 of 4 words is BAD")]
    assert workspace.view.tags(WORDS) == tags("obo", "o")
    command(tmp_path, code_writing(".1 .2 .3\n.9\n"))
    with qtbot.waitSignal(controller.message_posted):
        controller.table[RUN_COMMAND].trigger()
    assert [key.kind for key in workspace.corpus.layers] == [Kind.PROBABILITIES]
    assert workspace.view.tags(WORDS) == tags("ooo", "b")


def test_failed_system_is_reported_and_changes_nothing(qtbot, workspace, window, tmp_path):
    controller = controller_of(workspace, window)
    open_texts(workspace)
    with qtbot.waitSignal(controller.failed) as failed, qtbot.waitSignal(controller.started):
        controller.run(command(tmp_path, "sys.exit('no room')"))
    assert "no room" in failed.args[0].message
    assert not workspace.corpus.layers
    # the next system runs
    with qtbot.waitSignal(controller.message_posted):
        controller.run(command(tmp_path, code_writing("1\n2\n")))


def test_system_layer_from_a_file_is_not_replaced(qtbot, workspace, window, tmp_path):
    controller = controller_of(workspace, window)
    open_texts(workspace, layers={WORDS: Layer(WORDS, tags("ooo", "o"), "mine.tags")})
    with qtbot.waitSignal(controller.failed) as failed:
        controller.run(command(tmp_path, code_writing("OK BAD OK\nOK\n")))
    assert "already open, from mine.tags" in failed.args[0].message
    assert workspace.view.tags(WORDS) == tags("ooo", "o")


def test_systems_run_in_sequence_and_can_be_stopped(qtbot, workspace, window, tmp_path):
    controller = controller_of(workspace, window)
    open_texts(workspace)
    first = command(tmp_path, "print('1/2', file=sys.stderr); time.sleep(600)", "first")
    second = command(tmp_path, code_writing("1\n2\n"))
    controller.run(first)
    with qtbot.waitSignal(controller.message_posted) as message:
        controller.run(second)
    assert "mine is queued" in message.args[0].title
    qtbot.waitUntil(lambda: any(job.fraction == 0.5 for job in workspace.jobs.running_jobs()))
    with qtbot.waitSignal(controller.message_posted):
        workspace.jobs.cancel(JOB)
    assert [key.name for key in workspace.corpus.layers] == ["mine"]


def test_systems_of_the_command_line_run_on_the_first_corpus_only(qtbot, workspace, window, tmp_path):
    controller = controller_of(workspace, window, command(tmp_path, code_writing("1\n2\n")))
    with qtbot.waitSignal(controller.message_posted):
        open_texts(workspace)
    assert [key.kind for key in workspace.corpus.layers] == [Kind.SCORES]
    open_texts(workspace)
    assert workspace.jobs.is_idle()
    assert [system.name for system in controller.systems()] == ["mine"]
    assert workspace.settings.qe_systems == []


def test_closing_the_corpus_stops_a_running_system(qtbot, workspace, window, tmp_path):
    controller = controller_of(workspace, window)
    open_texts(workspace)
    controller.run(command(tmp_path, "time.sleep(600)"))
    workspace.close()
    qtbot.waitUntil(workspace.jobs.is_idle)
    assert not controller.table[RUN_COMMAND].isEnabled()


def test_invalid_saved_commands_are_ignored():
    settings = Settings()
    settings.write("qe/systems", [{"name": "a"}, 3])
    assert saved_commands(settings) == ()
    valid = {"name": "a", "command": "x {mt} {out}", "minutes": 2}
    settings.write(
        "qe/systems", [{"name": "b", "command": "x"}, valid, valid, {"name": 1, "command": "", "minutes": "x"}]
    )
    assert saved_commands(settings) == (QeCommand("a", "x {mt} {out}", 2),)
    settings.write("qe/systems", [valid | {"minutes": 10**400}])
    assert saved_commands(settings) == ()


def test_preferences_can_name_test_and_remove_a_system(qtbot, workspace, window, tmp_path):
    controller = controller_of(workspace, window)
    dialog = PreferencesDialog(workspace.settings, None, controller.try_out)
    qtbot.addWidget(dialog)
    page = dialog.systems
    page.name.setText("mine")
    page.command_field.setPlainText("qe.py {mt}")
    page.save_button.click()
    assert "lacks a placeholder for the MT" in page.status_label.text()
    assert saved_commands(workspace.settings) == ()
    tried = command(tmp_path, "n = len(open(mt).readlines())\nopen(out, 'w').write('1\\n' * n)")
    page.command_field.setPlainText(tried.line)
    page.save_button.click()
    assert [saved.line for saved in saved_commands(workspace.settings)] == [tried.line]
    page.test.click()
    qtbot.waitUntil(lambda: "Test passed: 2 segment scores" in page.status_label.text())
    page.command_field.setPlainText("/nowhere/qe {mt} {out}")
    page.test.click()
    qtbot.waitUntil(lambda: "cannot be started" in page.status_label.text())
    page.remove.click()
    assert saved_commands(workspace.settings) == ()
    dialog.checks.boxes["spaces"].click()
    assert workspace.settings.disabled_checks == ["spaces"]


def test_sample_for_testing_a_system_has_texts_of_the_open_corpus():
    corpus = Corpus("made", 2, TEXTS)
    assert sample_corpus(corpus).texts[TextRole.MT][0] == "mit 430 Mann"
    assert sample_corpus(None).size == sample_corpus(Corpus("none", 3)).size == 2


def test_removing_checks_is_one_undo_step_and_disabling_one_is_none(qtbot, workspace, window):
    """Undo reverts the last edit of the user, even if checks were enabled or disabled since."""
    controller = controller_of(workspace, window)
    gold = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
    open_texts(workspace, layers={gold: Layer(gold, tags("ooo", "o"), "gold.tags")})
    with qtbot.waitSignal(controller.message_posted):
        controller.table[CHECKS_COMMAND].trigger()
    with_checks = set(workspace.corpus.layers)
    assert len(with_checks) == 4
    controller.table[REMOVE_COMMAND].trigger()
    assert set(workspace.corpus.layers) == {gold}
    workspace.undo()
    assert set(workspace.corpus.layers) == with_checks
    workspace.redo()
    workspace.undo()
    workspace.edit(Edit(gold, 0, (0,), (1,)))
    with qtbot.waitSignal(controller.message_posted):
        workspace.settings.disabled_checks = ["brackets"]
    assert len(workspace.corpus.layers) == 3
    workspace.undo()
    assert workspace.view.tags(gold) == tags("ooo", "o")
    assert len(workspace.corpus.layers) == 3
    workspace.redo()
    assert workspace.view.tags(gold) == tags("boo", "o")


def test_checks_can_be_enabled_in_the_menu_and_in_preferences(qtbot, workspace, window):
    settings, controller = workspace.settings, controller_of(workspace, window)
    menu = QMenu(window)
    CheckActions(settings, controller.table, menu)
    page = ChecksPage(settings)
    qtbot.addWidget(page)
    shown = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert shown == [controller.table[LIST_COMMAND].text(), *(check.title for check in CHECKS), "&All", "&None"]
    assert all(controller.table[check_command_id(check.name)].isChecked() for check in CHECKS)
    assert not controller.table[CHECK_ALL].isEnabled()
    open_texts(workspace)
    with qtbot.waitSignal(controller.message_posted):
        controller.table[CHECKS_COMMAND].trigger()
    key = LayerKey(Provenance.SYSTEM, "checks", Kind.WORDS)
    with qtbot.waitSignal(controller.message_posted):
        controller.table[check_command_id("numbers")].trigger()
    assert settings.disabled_checks == ["numbers"]
    assert not page.boxes["numbers"].isChecked()
    assert workspace.view.tags(key) == tags("ooo", "o")
    with qtbot.waitSignal(controller.message_posted):
        page.boxes["numbers"].click()
    assert controller.table[check_command_id("numbers")].isChecked()
    assert workspace.view.tags(key) == tags("obo", "o")
    controller.table[CHECK_NONE].trigger()
    assert settings.disabled_checks == [check.name for check in CHECKS]
    assert not any(box.isChecked() for box in page.boxes.values())
    controller.table[CHECK_ALL].trigger()
    assert settings.disabled_checks == []
    qtbot.waitUntil(workspace.jobs.is_idle)


@pytest.mark.parametrize("way", ["stop", "close"])
def test_system_test_can_be_stopped_and_ends_with_the_dialog(qtbot, workspace, window, tmp_path, way):
    controller = controller_of(workspace, window)
    dialog = PreferencesDialog(workspace.settings, None, controller.try_out)
    # the test reads the dialog after it was closed
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    page = dialog.systems
    assert page.stop.isHidden()
    page.name.setText("mine")
    page.command_field.setPlainText(command(tmp_path, "print('1/2', file=sys.stderr); time.sleep(600)").line)
    page.test.click()
    assert not page.stop.isHidden()
    qtbot.waitUntil(lambda: any(job.fraction == 0.5 for job in workspace.jobs.running_jobs()))
    page.stop.click() if way == "stop" else dialog.reject()
    qtbot.waitUntil(workspace.jobs.is_idle)
    assert page.status_label.text() == "Test stopped."
    assert page.test.isEnabled()
    assert page.stop.isHidden()
