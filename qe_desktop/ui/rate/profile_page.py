"""Rater profile: languages and expertise, asked once. Every answer is optional."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import language_name
from qe_desktop.ratings.rater_profile import EXPERTISE_LEVELS, LANGUAGE_LEVELS, RaterProfile
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage

NOT_ANSWERED = tr("select…")
_CHOICE_TEXTS = dict(
    zip(
        (*LANGUAGE_LEVELS, *EXPERTISE_LEVELS),
        (
            tr("first language"),
            tr("very good", "language skill"),
            tr("good", "language skill"),
            tr("basic", "language skill"),
            tr("none", "language skill"),
            tr("professional translator"),
            tr("translation student"),
            tr("linguist"),
            tr("machine translation developer or researcher"),
            tr("none of these"),
        ),
        strict=True,
    )
)
"""Labels of the choices. The choice itself is saved, independent of the language."""


class ProfilePage(PlaceholderPage):
    """Form of the rater profile. The button "done" ends it; `profile` returns the answers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        form = QWidget()
        self.form = QFormLayout(form)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.setVerticalSpacing(12)
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.source = _make_combo(tr("How well you know the source language"), LANGUAGE_LEVELS)
        self.target = _make_combo(tr("How well you know the target language"), LANGUAGE_LEVELS)
        self.expertise = _make_combo(tr("Your role"), EXPERTISE_LEVELS)
        self.others = QLineEdit()
        self.others.setAccessibleName(tr("Other languages you know"))
        self.remarks = QLineEdit()
        self.remarks.setAccessibleName(tr("Other information relevant to your ratings"))
        self.form.addRow(tr("&Source language"), self.source)
        self.form.addRow(tr("&Target language"), self.target)
        self.form.addRow(tr("Your &role"), self.expertise)
        self.form.addRow(tr("&Other languages"), self.others)
        self.form.addRow(tr("&Notes"), self.remarks)
        self.insert(form)

    def ask(self, campaign: Campaign, saved: RaterProfile | None, button: str) -> None:
        """Show the form for a campaign's rater; `button` is the text of the "done" button."""
        about = tr("Results are reported by rater background. Asked once per campaign; every answer is optional.")
        self.show_situation(EmptyState(tr("About you"), about, (("done", button),), icon=""))
        for box, text in zip((self.source, self.target), _languages(campaign), strict=True):
            self.form.labelForField(box).setProperty("text", text)
        saved = saved or RaterProfile()
        _set(self.source, saved.source_level)
        _set(self.target, saved.target_level)
        _set(self.expertise, saved.expertise)
        self.others.setText(saved.other_languages)
        self.remarks.setText(saved.remarks)
        self.setFocusProxy(self.source)

    def profile(self) -> RaterProfile:
        """The answers entered."""
        return RaterProfile(
            _get(self.source),
            _get(self.target),
            self.others.text().strip(),
            _get(self.expertise),
            self.remarks.text().strip(),
        )


def _languages(campaign: Campaign) -> tuple[str, str]:
    """Labels of the source and target language fields."""
    source, target = (
        language_name(code).replace("&", "&&") for code in (campaign.source_language, campaign.target_language)
    )
    return (
        tr("{language} (&source language)", language=source) if source else tr("&Source language"),
        tr("{language} (&target language)", language=target) if target else tr("&Target language"),
    )


def _make_combo(name: str, values: Sequence[str]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.addItem(NOT_ANSWERED, "")
    for value in values:
        box.addItem(_CHOICE_TEXTS[value], value)
    return box


def _set(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(max(0, box.findData(value)))


def _get(box: QComboBox) -> str:
    return str(box.currentData() or "")
