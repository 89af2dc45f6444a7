"""A small campaign of any protocol that keeps its events in a list, and the Rate area in a window with its keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.ratings.campaign import Campaign, EvaluationBasis, Output, Passage, Screen
from qe_desktop.ratings.rater_progress import RaterProfile
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.rate.area import RateArea
from qe_desktop.ui.rate.commands import ACTIONS, AREA
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.settings import Settings

SOURCE = ["The cat sat on the mat.", "It rained all day.", "Nobody went out.", "They read books.", "The end."]
TEXTS = ["Die Katze saß auf der Matte.", "Es regnete den ganzen Tag.", "Niemand ging hinaus.", "Sie lasen.", "Ende."]


class Clock:
    """A clock in seconds that a test advances."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class FakeProject:
    """A campaign with its texts and events, in place of a project."""

    campaign: Campaign
    screens: list[Screen]
    passages: list[Passage]
    outputs: list[Output]
    events: list[RatingEvent] = field(default_factory=list)
    person: str = "ann"
    role: str = "owner"
    read_only: str = ""
    place: str = "/data/ratings for ann.qedesk"
    others: list[FakeProject] = field(default_factory=list)

    def campaigns(self) -> list[Campaign]:
        return [source.campaign for source in (self, *self.others)]

    def rater_session(self, uid: str, rater: str) -> RaterSession:
        """Return the session of a rater."""
        project = next(candidate for candidate in (self, *self.others) if candidate.campaign.uid == uid)
        return RaterSession(
            project.campaign, project.screens, project.passages, project.outputs, project.events, rater=rater
        )

    def rate(self, event: RatingEvent) -> None:
        next(source for source in (self, *self.others) if source.campaign.uid == event.campaign).events.append(event)

    def progress(self, uid: str) -> dict[str, tuple[int, int]]:
        """Return the numbers of rated and all screens by rater."""
        campaign = next(source.campaign for source in (self, *self.others) if source.campaign.uid == uid)
        return {rater: self.rater_session(uid, rater).progress() for rater in campaign.raters}

    def recorded_values(self, name: str) -> list:
        """Return the values recorded for a field, in order."""
        return [event.value for event in self.events if event.field == name]

    def with_profile(self) -> FakeProject:
        """Add a profile, so that the rater is not asked for one."""
        work = self.rater_session(self.campaign.uid, "ann")
        self.events.append(work.set_profile(RaterProfile(source_level="good")))
        return self


def make_project(
    protocol: str,
    *,
    outputs: int = 1,
    items: int = 4,
    training: int = 0,
    raters: Sequence[str] = ("ann",),
    texts: Sequence[str] = TEXTS,
    source: Sequence[str] = SOURCE,
    uid: str = "c1",
    **about: object,
) -> FakeProject:
    """Return a project with a campaign in which each rater rates the segments in their order."""
    campaign = Campaign(uid, f"Campaign {uid}", protocol, EvaluationBasis.SOURCE, "en", "de", raters=tuple(raters))
    campaign = replace(campaign, **about)
    passages = [Passage(number, source[number], f"Ref {number}", "doc") for number in range(len(source))]
    all_outputs, screens = [], []
    for rater in raters:
        for position in range(items):
            segment = position % len(texts)
            screen_outputs = []
            for number in range(outputs):
                text = texts[segment] if number == 0 else f"{texts[segment]} {'x' * number}"
                all_outputs.append(Output(f"{uid}-{rater}-{position}-{number}", segment, text))
                screen_outputs.append(all_outputs[-1].uid)
            screens.append(
                Screen(
                    f"{uid}-{rater}-{position}", rater, position, segment, tuple(screen_outputs), position < training
                )
            )
    return FakeProject(campaign, screens, passages, all_outputs)


class RateAreaDriver:
    """The Rate area in a window, operated by the keyboard."""

    def __init__(self, area: RateArea, window: QMainWindow, commands: ActionRegistry, clock: Clock, qtbot) -> None:
        self.qtbot = qtbot
        self.area, self.window, self.commands, self.clock = area, window, commands, clock

    @property
    def rater(self):
        return self.area.rater

    @property
    def session(self) -> RatingSession:
        assert self.rater.session is not None
        return self.rater.session

    @property
    def items(self):
        assert self.rater.items is not None
        return self.rater.items

    @property
    def card(self):
        return self.items.card

    @property
    def position(self) -> int:
        return self.session.current_index

    def open(self, project: FakeProject) -> FakeProject:
        """Show the campaigns of a project."""
        self.area.rater.set_source(project)
        return project

    def begin(self, project: FakeProject) -> FakeProject:
        """Open a campaign and go past its instructions."""
        self.open(project.with_profile())
        if self.rater.page is self.rater.instructions:
            self.rater.instructions.press_first()
        return project

    def press(self, *keys: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Send keys to the focused widget, without waiting for delayed actions."""
        if not self.window.isActiveWindow():
            # the offscreen platform activates no window when a dialog closes
            self.window.activateWindow()
            self.qtbot.waitUntil(self.window.isActiveWindow)
        for key in keys:
            QTest.keyClick(self.window.focusWidget() or self.window, key, modifier)

    def trigger(self, name: str) -> None:
        """Trigger a command of the Rate area."""
        self.commands[f"{AREA}.{name}"].trigger()


@pytest.fixture
def settings(tmp_path) -> Settings:
    settings = Settings(str(tmp_path / "rate.ini"))
    settings.person = "ann"
    return settings


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def driver(qtbot, settings, clock) -> Iterator[RateAreaDriver]:
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = ActionRegistry(window, settings)
    commands.add_all(ACTIONS)
    area = RateArea(settings, now=clock, advance_delay_ms=0)
    area.connect_actions(commands)
    commands.set_area_widget(AREA, area)
    # as in the main window
    area.setMinimumSize(1, 1)
    window.setCentralWidget(area)
    window.resize(1100, 750)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    area.setFocus()
    yield RateAreaDriver(area, window, commands, clock, qtbot)
    area.rater.set_source(None)
