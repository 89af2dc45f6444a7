"""Notice slots: on each subject only the latest messages are shown, next to notices on other subjects."""

from __future__ import annotations

from PySide6.QtTest import QTest

from qe_desktop.corpus import QeError
from qe_desktop.ui.shell.notice_slot import NoticeSlot
from qe_desktop.ui.shell.notices import Message, NoticeBar


def titles(bar: NoticeBar) -> list[str]:
    return [notice.message.title for notice in bar.notices()]


def test_later_message_replaces_the_earlier_one_on_its_subject(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.warning("something else")
    slot = NoticeSlot(bar, "save")
    slot.error(QeError("it failed"))
    QTest.qWait(0)
    slot.show(Message("it works", "warning"))
    assert titles(bar) == ["it works", "something else"]
    bar.dismiss(bar.notices()[0])
    slot.show(Message("once more", "warning"))
    assert titles(bar) == ["once more", "something else"]
    slot.remove_messages("info")
    assert titles(bar) == ["once more", "something else"]
    slot.remove_messages()
    slot.remove_messages()
    assert titles(bar) == ["something else"]


def test_errors_of_one_iteration_are_kept_together(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    slot = NoticeSlot(bar, "open")
    for text in ("one is missing", "another is broken"):
        slot.error(QeError(text))
    slot.remove_earlier()
    assert titles(bar) == ["Another is broken", "One is missing"]
    QTest.qWait(0)
    slot.remove_earlier()
    assert titles(bar) == []


def test_texts_added_in_one_iteration_form_one_notice(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    slot = NoticeSlot(bar, "act")
    for text in ("one code is missing", "another code is doubled", "one code is missing"):
        slot.add(text)
    [notice] = bar.notices()
    assert (notice.message.title, notice.message.advice) == ("one code is missing", "another code is doubled")
    QTest.qWait(0)
    slot.add("later")
    [notice] = bar.notices()
    assert notice.message == Message("later")
    slot.add("")
    assert bar.notices() == []
