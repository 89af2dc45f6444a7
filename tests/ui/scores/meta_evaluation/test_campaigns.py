"""Meta-evaluation with campaign ratings: selecting a campaign, and rejection while its systems are blinded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import TextRole
from qe_desktop.project.events import CAMPAIGN_UNBLINDED
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_page import meta_evaluation_empty_state
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_service import (
    BlindedRatingsError,
    MetaEvaluationService,
    NoRatingsError,
)
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_toolbar import MetaEvaluationToolbar
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from tests.timeouts import PATIENCE
from tests.ui.campaigns.conftest import RATERS, ProjectEnvironment, make_corpus


@pytest.fixture
def environment(qtbot: QtBot, tmp_path: Path) -> Iterator[ProjectEnvironment]:
    created = ProjectEnvironment(qtbot, tmp_path)
    yield created
    created.workspace.close()
    if created.project is not None:
        created.project.close(PATIENCE)
    created.jobs.close()


@pytest.fixture
def service(environment: ProjectEnvironment) -> Any:
    scores = LiveScoreService(environment.workspace)
    created = MetaEvaluationService(SignificanceService(environment.workspace, scores))
    created.set_page_visible(True)
    corpus = make_corpus()
    environment.open(replace(corpus, references={"A": corpus.texts[TextRole.POST_EDIT]}))
    return created


def unblind(environment: ProjectEnvironment, uid: str) -> None:
    assert environment.project is not None
    environment.project.log(CAMPAIGN_UNBLINDED, {"campaign": uid, "reason": "done"})
    assert environment.project.flush(PATIENCE)


def test_campaign_ratings_are_used_once_unblinded(environment: ProjectEnvironment, service: Any) -> None:
    environment.wait()
    assert isinstance(service.error, NoRatingsError)
    assert meta_evaluation_empty_state(service).title == "No ratings"
    design = environment.campaign()
    for rater in RATERS:
        environment.rate(design, rater)
    service.run_from_scratch()
    environment.wait()
    assert isinstance(service.error, BlindedRatingsError)
    assert "Systems are blinded in “News”" in meta_evaluation_empty_state(service).title
    unblind(environment, design.campaign.uid)
    service.run_from_scratch()
    environment.wait()
    assert service.state == "ready"
    result = service.result
    assert set(result.study.systems) == {"MT", "online-B", "نظام"}
    assert result.used_ratings == design.campaign.uid
    best = result.study.systems[int(result.study.human_scores.argmax())]
    assert best == "MT"


def test_new_ratings_of_the_project_are_used_without_reopening(
    environment: ProjectEnvironment, service: Any, qtbot: QtBot
) -> None:
    """The result remained that of the ratings read first, and nothing marked it as outdated."""
    design = environment.campaign()
    environment.rate(design, RATERS[0])
    unblind(environment, design.campaign.uid)
    service.run_from_scratch()
    environment.wait()
    before = service.result
    environment.rate(design, RATERS[1], seed=9)
    environment.workspace.ratings_changed.emit()
    assert service.is_outdated
    qtbot.waitUntil(lambda: service.result is not before and not service.is_outdated)
    assert service.result.study.human_scores.tolist() != before.study.human_scores.tolist()


def test_one_of_several_campaigns_can_be_selected(environment: ProjectEnvironment, service: Any) -> None:
    first, second = environment.campaign(name="first"), environment.campaign(name="second")
    for design, seed in ((first, 5), (second, 6)):
        environment.rate(design, RATERS[0], seed=seed)
    unblind(environment, second.campaign.uid)
    service.run_from_scratch()
    environment.wait()
    assert [(choice.title, choice.is_blinded) for choice in service.result.choices] == [
        ("first", True),
        ("second", False),
    ]
    assert service.result.used_ratings == second.campaign.uid
    unblind(environment, first.campaign.uid)
    before = service.result.study.human_scores.tolist()
    service.set_study_options(replace(service.study_options, ratings=first.campaign.uid))
    environment.wait()
    assert service.result.used_ratings == first.campaign.uid
    assert service.result.study.human_scores.tolist() != before


def test_previous_campaign_can_be_selected_after_one_that_is_blinded(
    environment: ProjectEnvironment, service: Any, qtbot: QtBot
) -> None:
    first, second = environment.campaign(name="first"), environment.campaign(name="second")
    for design, seed in ((first, 5), (second, 6)):
        environment.rate(design, RATERS[0], seed=seed)
    unblind(environment, second.campaign.uid)
    toolbar = MetaEvaluationToolbar(service)
    qtbot.addWidget(toolbar)

    def select(title: str) -> None:
        toolbar.ratings.setCurrentText(title)
        toolbar.ratings.activated.emit(toolbar.ratings.currentIndex())
        environment.wait()

    service.run_from_scratch()
    environment.wait()
    select("first")
    assert isinstance(service.error, BlindedRatingsError)
    select("second")
    assert service.state == "ready"
    assert service.result.used_ratings == second.campaign.uid
    assert toolbar.ratings.currentText() == "second"
