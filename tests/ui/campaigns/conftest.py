"""A small corpus with three systems, a project of it, simulated ratings, and the owner's pages that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import (
    Comment,
    Corpus,
    Documents,
    ItemRole,
    PairwiseJudgement,
    Ratings,
    Score,
    TextColumn,
    TextRole,
)
from qe_desktop.project import Session
from qe_desktop.project.store import Project
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.campaign_draft import CampaignDraft, make_campaign
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ui.campaigns.campaign_controller import CampaignController
from qe_desktop.ui.campaigns.setup_page import SetUpPage
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.rate.area import RateArea
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.workspace import Workspace
from tests.timeouts import PATIENCE

SEGMENTS = 24
SYSTEMS = ("MT", "online-B", "نظام")
QUALITY = {"MT": 4.3, "online-B": 3.4, "نظام": 2.3}
RATERS = ("Ana", "王芳")


def make_corpus(*, documents: bool = True, systems: bool = True, size: int = SEGMENTS) -> Corpus:
    """A corpus with source, MT, post-edit and the outputs of two more systems."""
    words = [f"word{index}" for index in range(15)]
    lines = [" ".join(words[: 6 + segment % 8]) + f" {segment}" for segment in range(size)]
    texts = {TextRole.SOURCE: TextColumn.of(lines)}
    translations: dict[str, TextColumn] = {}
    if systems:
        texts[TextRole.MT] = TextColumn.of([f"MT {line}" for line in lines])
        texts[TextRole.POST_EDIT] = TextColumn.of([f"edited {line}" for line in lines])
        translations = {name: TextColumn.of([f"{name} {line}" for line in lines]) for name in SYSTEMS[1:]}
    names = [f"d{segment // 6}" for segment in range(size)]
    return Corpus(
        "news", size, texts, documents=Documents.from_names(names) if documents else None, language_pair="en-de",
        translations=translations,
    )  # fmt: skip


def adequacy_fluency(segments: int = 40, seed: int = 1, raters: tuple[str, ...] = ("Ana", "Björn", "王芳")) -> Ratings:
    """Ratings by three raters of three systems of distinct quality, with repeats, control items and times."""
    rng = np.random.default_rng(seed)
    rows, start = [], 1.79e9
    for rater in raters:
        for segment in range(segments):
            for system, quality in QUALITY.items():
                hard = quality + 0.5 * np.sin(segment)
                for role, shift in ((ItemRole.SYSTEM, 0.0), (ItemRole.REPEAT, 0.0), (ItemRole.BAD, -1.6)):
                    if role is not ItemRole.SYSTEM and segment % 5:
                        continue
                    start += 30.0
                    for scale in ("fluency", "adequacy"):
                        value = float(np.clip(round(hard + shift + rng.normal(0, 0.6)), 1, 5))
                        rows.append(Score(rater, system, str(segment + 1), scale, value, role, start, 20.0 + segment))
    comments = (Comment("Ana", "3", "<b>unclear</b>", ("MT",)), Comment("王芳", "4", "no idea", skipped=True))
    return Ratings.of(rows, (), comments, origin="simulated")


def rankings(screens: int = 60, seed: int = 2) -> Ratings:
    """Rankings of three systems by two raters."""
    rng = np.random.default_rng(seed)
    rows = []
    for rater in ("Ana", "Björn"):
        for screen in range(screens):
            perceived = {name: quality + rng.normal(0, 1.2) for name, quality in QUALITY.items()}
            names = list(perceived)
            ranks = {name: 1 + sum(perceived[second] > perceived[name] + 0.3 for second in names) for name in names}
            for index, first in enumerate(names):
                for second in names[index + 1 :]:
                    uid, start = f"{rater}{screen}", 1e9 + screen
                    ranked = (ranks[first], ranks[second])
                    rows.append(
                        PairwiseJudgement(rater, str(screen), first, second, *ranked, uid, ItemRole.SYSTEM, start, 12.0)
                    )
    return Ratings.of((), rows)


class ProjectEnvironment:
    """A workspace with a project; `wait` returns when no job runs."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.settings = Settings(str(folder / "settings.ini"))
        self.settings.person = "Olga"
        self.jobs = JobRunner()
        self.workspace = Workspace(self.settings, self.jobs)
        self.failures: list[str] = []
        self.workspace.failed.connect(lambda error: self.failures.append(error.line()))
        self.jobs.failed.connect(lambda _, error: self.failures.append(error.line()))
        self.project: Project | None = None

    def wait(self) -> None:
        self.qtbot.waitUntil(self.jobs.is_idle)

    def open(self, corpus: Corpus | None = None, name: str = "news") -> Project:
        """Create a project of a corpus and open it as its owner."""
        self.project = Project.create(self.folder / f"{name}.qedesk", corpus or make_corpus(), person="Olga")
        self.workspace.open_project(self.project, Session(self.project.corpus(), person="Olga"))
        self.wait()
        return self.project

    def campaign(self, **choices: object) -> CampaignDesign:
        """Add a campaign to the open project and return its design."""
        assert self.project is not None
        texts = CampaignTexts.of_corpus(self.project.corpus())
        fields = {
            "name": "News", "systems": SYSTEMS, "raters": "\n".join(RATERS), "training": 1, "repeats": 10,
            "source_language": "en", "target_language": "de",
        } | choices  # fmt: skip
        design = make_campaign(CampaignDraft(**fields), texts, "Olga", secret=bytes(range(32)))
        self.project.add_campaign(design)
        return design

    def rate(self, design: CampaignDesign, rater: str, share: float = 1.0, seed: int = 5) -> int:
        """Rate a fraction of a rater's screens and return the number of rated screens without training."""
        assert self.project is not None
        rng = np.random.default_rng(seed)
        systems = {key.output: key.systems[0] for key in design.output_keys}
        work = self.project.rater_session(design.campaign.uid, rater)
        screens = work.screens[: round(len(work.screens) * share)]
        for screen in screens:
            quality = QUALITY[systems[screen.outputs[0]]]
            for field in ("fluency", "adequacy"):
                value = float(np.clip(round(quality + rng.normal(0, 0.6)), 1, 5))
                self.project.rate(work.rate(screen.uid, field, value, 10.0))
                if field == "fluency":
                    self.project.rate(work.reveal(screen.uid, 1.0))
        assert self.project.flush(PATIENCE)
        return sum(not screen.training for screen in screens)


class OwnerPagesDriver:
    """The Rate area with the owner's pages."""

    def __init__(self, environment: ProjectEnvironment, qtbot: QtBot) -> None:
        self.environment = environment
        self.area = RateArea(environment.settings)
        qtbot.addWidget(self.area)
        self.pages = CampaignController(environment.workspace, self.area, self.area)
        self.pages.results.options = RatingOptions(runs=50, rounds=100)
        self.area.resize(1208, 730)
        self.area.show()
        qtbot.waitExposed(self.area)

    def show(self, page: str) -> Any:
        """Show a page of the area and return it."""
        self.area.show_page(page)
        self.settle()
        return self.area.page(page)

    def campaign(self, **choices: object) -> Any:
        """Add a campaign to the project and select it."""
        design = self.environment.campaign(**choices)
        self.pages.service.choose(design.campaign.uid)
        self.settle()
        return design

    def refresh(self) -> None:
        """Read the project again."""
        self.pages.service.refresh()
        self.settle()

    def read(self, *paths: Path) -> Any:
        """Import files of ratings and return the dialog that asks about them or reports the result."""
        self.pages.service.import_files([str(path) for path in paths])
        self.settle()
        return self.pages.files.dialog

    def settle(self) -> None:
        """Wait until no job runs and no update is pending."""
        service, pages = self.pages.service, self.pages
        self.environment.qtbot.waitUntil(
            lambda: (
                self.environment.jobs.is_idle()
                and not service._timer.isActive()
                and not pages._results_timer.isActive()
            ),
        )

    def texts(self) -> str:
        return " | ".join(label.text() for label in self.area.findChildren(Label) if label.isVisible())

    def systems(self) -> list[str]:
        return [system.name for system in self.pages.results.result.results.systems]


@pytest.fixture
def environment(qtbot: QtBot, tmp_path: Path) -> Iterator[ProjectEnvironment]:
    campaign_world = ProjectEnvironment(qtbot, tmp_path)
    yield campaign_world
    campaign_world.wait()
    campaign_world.workspace.close()
    campaign_world.jobs.close(PATIENCE)
    if campaign_world.project is not None:
        campaign_world.project.close()


@pytest.fixture
def corpus() -> Callable[..., Corpus]:
    return make_corpus


@pytest.fixture
def driver(environment: ProjectEnvironment, qtbot: QtBot) -> OwnerPagesDriver:
    return OwnerPagesDriver(environment, qtbot)


@pytest.fixture
def saved_designs() -> list[CampaignDesign]:
    return []


@pytest.fixture
def page(
    environment: ProjectEnvironment, corpus: Callable[..., Corpus], saved_designs: list[CampaignDesign], qtbot: QtBot
) -> SetUpPage:
    """Set-up page with the texts of the small corpus; the designs that it creates are in `saved_designs`."""
    setup_page = SetUpPage(environment.workspace, saved_designs.append, lambda: ["Taken"])
    qtbot.addWidget(setup_page)
    setup_page.resize(1208, 690)
    setup_page.begin(CampaignTexts.of_corpus(corpus()))
    return setup_page
