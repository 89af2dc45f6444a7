"""Of one matter only what was said last stands, beside the notices of others."""

from __future__ import annotations

from PySide6.QtTest import QTest

from qe_desktop.corpus import QeError
from qe_desktop.ui.shell.notices import Message, NoticeBar, NoticeSlot


def titles(bar: NoticeBar) -> list[str]:
    return [notice.message.title for notice in bar.notices()]


def test_what_is_said_takes_the_place_of_what_was_said_before(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.warning("something else")
    standing = NoticeSlot(bar, "save")
    standing.error(QeError("it failed"))
    QTest.qWait(0)
    standing.show(Message("it works", "warning"))
    assert titles(bar) == ["it works", "something else"]
    bar.dismiss(bar.notices()[0])
    standing.show(Message("once more", "warning"))
    assert titles(bar) == ["once more", "something else"]
    standing.forget("info")
    assert titles(bar) == ["once more", "something else"]
    standing.forget()
    standing.forget()
    assert titles(bar) == ["something else"]


def test_messages_of_one_act_stand_beside_each_other(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    standing = NoticeSlot(bar, "open")
    for text in ("one is missing", "another is broken"):
        standing.error(QeError(text))
    standing.begin()
    assert titles(bar) == ["another is broken", "one is missing"]
    QTest.qWait(0)
    standing.begin()
    assert titles(bar) == []


def test_what_one_act_gives_rise_to_is_one_notice(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    standing = NoticeSlot(bar, "act")
    for text in ("one code is missing", "another one is doubled", "one code is missing"):
        standing.add(text)
    [notice] = bar.notices()
    assert (notice.message.title, notice.message.advice) == ("one code is missing", "another one is doubled")
    QTest.qWait(0)
    standing.add("later")
    [notice] = bar.notices()
    assert notice.message == Message("later")
    standing.add("")
    assert bar.notices() == []
