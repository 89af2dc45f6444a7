"""Of one matter only what was said last stands, beside the notices of others."""

from __future__ import annotations

from qe_desktop.corpus import QeError
from qe_desktop.ui.shell.notices import Message, NoticeBar
from qe_desktop.ui.shell.standing import Standing


def titles(bar: NoticeBar) -> list[str]:
    return [notice.message.title for notice in bar.notices()]


def test_what_is_said_takes_the_place_of_what_was_said_before(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.info("something else")
    standing = Standing(bar)
    standing.error(QeError("it failed"))
    standing.info("it works")
    assert titles(bar) == ["it works", "something else"]
    bar.dismiss(bar.notices()[0])
    standing.show(Message("once more"))
    assert titles(bar) == ["once more", "something else"]
    standing.show(None)
    standing.show(None)
    assert titles(bar) == ["something else"]
