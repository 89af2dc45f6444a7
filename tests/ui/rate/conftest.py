"""A small campaign of any protocol, its events in a list, and the area in a window with all its keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.ratings.campaign import Campaign, EvaluationBasis, Output, Passage, Screen
from qe_desktop.ratings.rater_profile import RaterProfile
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.rate.area import RateArea
from qe_desktop.ui.rate.commands import ACTIONS, AREA
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.settings import Settings

SOURCE = ["The cat sat on the mat.", "It rained all day.", "Nobody went out.", "They read books.", "The end."]
TEXTS = ["Die Katze saß auf der Matte.", "Es regnete den ganzen Tag.", "Niemand ging hinaus.", "Sie lasen.", "Ende."]


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class Made:
    """A campaign with its texts, as a source of the rater's side."""

    campaign: Campaign
    screens: list[Screen]
    passages: list[Passage]
    outputs: list[Output]
    events: list[RatingEvent] = field(default_factory=list)
    person: str = "ann"
    role: str = "owner"
    read_only: str = ""
    others: list[Made] = field(default_factory=list)

    def campaigns(self) -> list[Campaign]:
        return [made.campaign for made in (self, *self.others)]

    def work(self, uid: str, rater: str) -> RaterSession:
        made = next(one for one in (self, *self.others) if one.campaign.uid == uid)
        return RaterSession(made.campaign, made.screens, made.passages, made.outputs, made.events, rater=rater)

    def rate(self, event: RatingEvent) -> None:
        next(one for one in (self, *self.others) if one.campaign.uid == event.campaign).events.append(event)

    def progress(self, uid: str) -> dict[str, tuple[int, int]]:
        campaign = next(one.campaign for one in (self, *self.others) if one.campaign.uid == uid)
        return {rater: self.work(uid, rater).progress() for rater in campaign.raters}

    def said(self, name: str) -> list:
        """The values given to a field, in order."""
        return [event.value for event in self.events if event.field == name]

    def known(self) -> Made:
        """With a profile and a rated training item, so that neither is asked for."""
        work = self.work(self.campaign.uid, "ann")
        self.events.append(work.set_profile(RaterProfile(source_level="good")))
        return self


def make(
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
) -> Made:
    """A campaign in which every rater sees the segments in their order."""
    campaign = Campaign(uid, f"Campaign {uid}", protocol, EvaluationBasis.SOURCE, "en", "de", raters=tuple(raters))
    campaign = replace(campaign, **about)
    passages = [Passage(number, source[number], f"Ref {number}", "doc") for number in range(len(source))]
    made, screens = [], []
    for rater in raters:
        for position in range(items):
            segment = position % len(texts)
            shown = []
            for number in range(outputs):
                text = texts[segment] if number == 0 else f"{texts[segment]} {'x' * number}"
                made.append(Output(f"{uid}-{rater}-{position}-{number}", segment, text))
                shown.append(made[-1].uid)
            screens.append(
                Screen(f"{uid}-{rater}-{position}", rater, position, segment, tuple(shown), position < training)
            )
    return Made(campaign, screens, passages, made)


class Desk:
    """The area in a window, with hands on the keyboard."""

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
    def place(self) -> int:
        return self.session.place

    def open(self, made: Made) -> Made:
        self.area.rater.set_source(made)
        return made

    def begin(self, made: Made) -> Made:
        """Open, and go through instructions."""
        self.open(made.known())
        if self.rater.page is self.rater.instructions:
            self.rater.instructions.press_first()
        return made

    def press(self, *keys: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Keys go to whatever has the focus; what follows by itself is not waited for."""
        if not self.window.isActiveWindow():
            # the offscreen platform leaves no window in front when a dialog closes
            self.window.activateWindow()
            self.qtbot.waitUntil(self.window.isActiveWindow)
        for key in keys:
            QTest.keyClick(self.window.focusWidget() or self.window, key, modifier)

    def do(self, name: str) -> None:
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
def controller(qtbot, settings, clock) -> Iterator[Desk]:
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = ActionRegistry(window, settings)
    commands.add_all(ACTIONS)
    area = RateArea(settings, now=clock, pause=0)
    area.connect_actions(commands)
    commands.place(AREA, area)
    # as the shell does
    area.setMinimumSize(1, 1)
    window.setCentralWidget(area)
    window.resize(1100, 750)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    area.setFocus()
    yield Desk(area, window, commands, clock, qtbot)
    area.rater.set_source(None)
