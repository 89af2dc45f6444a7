"""What a rater is asked once: languages and expertise. Every question may be left open."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.profile import EXPERTISE, LEVELS, Profile
from qe_desktop.ratings.protocols import language_name
from qe_desktop.ui.parts.state_page import Situation, StatePage
from qe_desktop.wording import tr

OPEN = tr("choose…")
_SHOWN = dict(
    zip(
        (*LEVELS, *EXPERTISE),
        (
            tr("first language"),
            tr("very good", "how well a language is known"),
            tr("good", "how well a language is known"),
            tr("basic", "how well a language is known"),
            tr("none", "how well a language is known"),
            tr("professional translator"),
            tr("translation student"),
            tr("linguist"),
            tr("machine translation developer or researcher"),
            tr("none of these"),
        ),
        strict=True,
    )
)
"""What the choices are called. Kept is the choice itself, the same in all languages."""


class ProfilePage(StatePage):
    """The button "done" is pressed when all is said; `profile` holds it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        form = QWidget()
        self.form = QFormLayout(form)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.setVerticalSpacing(12)
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.source = _choices(tr("How well you know the source language"), LEVELS)
        self.target = _choices(tr("How well you know the target language"), LEVELS)
        self.expertise = _choices(tr("What you are"), EXPERTISE)
        self.others = QLineEdit()
        self.others.setAccessibleName(tr("Other languages you know"))
        self.remarks = QLineEdit()
        self.remarks.setAccessibleName(tr("Anything else that matters for the ratings"))
        self.form.addRow(tr("&Source language"), self.source)
        self.form.addRow(tr("&Target language"), self.target)
        self.form.addRow(tr("You &are a"), self.expertise)
        self.form.addRow(tr("&Other languages"), self.others)
        self.form.addRow(tr("&Remarks"), self.remarks)
        self.insert(form)

    def ask(self, campaign: Campaign, held: Profile | None, button: str) -> None:
        """Ask for a campaign's rater; `button` says where the page leads."""
        said = tr(
            "Results are read together with who gave them. You are asked once for each campaign; leave open what you "
            "do not want to say."
        )
        self.show_situation(Situation(tr("About you"), said, (("done", button),), icon=""))
        for box, text in zip((self.source, self.target), _languages(campaign), strict=True):
            self.form.labelForField(box).setProperty("text", text)
        held = held or Profile()
        _set(self.source, held.source_level)
        _set(self.target, held.target_level)
        _set(self.expertise, held.expertise)
        self.others.setText(held.other_languages)
        self.remarks.setText(held.remarks)
        self.setFocusProxy(self.source)

    def profile(self) -> Profile:
        """What is said."""
        return Profile(
            _get(self.source),
            _get(self.target),
            self.others.text().strip(),
            _get(self.expertise),
            self.remarks.text().strip(),
        )


def _languages(campaign: Campaign) -> tuple[str, str]:
    """Which language is asked for first, and which then."""
    source, target = (
        language_name(code).replace("&", "&&") for code in (campaign.source_language, campaign.target_language)
    )
    return (
        tr("{language} (&source language)", language=source) if source else tr("&Source language"),
        tr("{language} (&target language)", language=target) if target else tr("&Target language"),
    )


def _choices(name: str, values: Sequence[str]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.addItem(OPEN, "")
    for value in values:
        box.addItem(_SHOWN[value], value)
    return box


def _set(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(max(0, box.findData(value)))


def _get(box: QComboBox) -> str:
    return str(box.currentData() or "")
