"""Commands of Scores that are disabled state what they need."""

from __future__ import annotations

import pytest

from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.scores import commands
from qe_desktop.ui.scores.commands import FINDINGS_ACTIONS, POST_EDITING_ACTIONS
from qe_desktop.ui.scores.meta_evaluation import commands as meta_evaluation_commands
from qe_desktop.ui.scores.studies import commands as studies_commands
from qe_desktop.ui.widgets.placeholder_page import EmptyState, reason_text
from tests.ui.program_driver import run_script

ACTIONS = (
    *commands.ACTIONS,
    *FINDINGS_ACTIONS,
    *meta_evaluation_commands.ACTIONS,
    *POST_EDITING_ACTIONS,
    *studies_commands.ACTIONS,
)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda each: each.id)
def test_every_command_states_what_it_needs(action: Action) -> None:
    assert action.needs.endswith(".")


def test_reasons_in_the_window_are_those_of_the_situation(qtbot) -> None:
    def script(driver):
        yield driver.is_open
        driver.shell.show_area("scores")
        yield driver.shell.commands["scores.metric-MCC"].isEnabled
        explanation = driver.shell.commands.explanation
        assert explanation("scores.metric-BLEU") == "Select the level of this metric first."
        assert explanation("scores.against-9") == "The open data have no gold with this number."
        assert explanation("scores.study-cancel") == "No study is running."

    assert run_script([str(resource_folder() / "samples/en-de")], script) == 0


@pytest.mark.parametrize(
    ("title", "reason"),
    [("Which metric is best?", "Which metric is best? Open files."), ("No ratings", "No ratings. Open files.")],
)
def test_reasons_of_grey_tabs_are_sentences(title: str, reason: str) -> None:
    assert reason_text(EmptyState(title, "Open files.")) == reason
