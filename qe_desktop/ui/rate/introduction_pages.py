"""Pages that precede the items: the rater profile, in which every answer is optional, and the instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import language_name
from qe_desktop.ratings.rater_progress import EXPERTISE_LEVELS, LANGUAGE_LEVELS, RaterProfile
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate import empty_states
from qe_desktop.ui.widgets.buttons import LinkButton
from qe_desktop.ui.widgets.form_controls import FormValues, make_combo_from_mapping, make_line_edit, set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, wrap_layout
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
"""Translated label of each choice. The saved value is the choice, which does not depend on the interface language."""


class ProfilePage(PlaceholderPage):
    """Page with the form of the rater profile; `profile()` returns the answers.

    `requested` is emitted with "done" when the rater clicks the first button below the form, or with the
    name of another button.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        form = QWidget()
        self.form = QFormLayout(form)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.setHorizontalSpacing(16)
        self.form.setVerticalSpacing(8)
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.source = _make_combo(tr("How well you know the source language"), LANGUAGE_LEVELS)
        self.target = _make_combo(tr("How well you know the target language"), LANGUAGE_LEVELS)
        self.expertise = _make_combo(tr("Your role"), EXPERTISE_LEVELS)
        self.other_languages = make_line_edit(tr("Other languages you know"))
        self.remarks = make_line_edit(tr("Other information relevant to your ratings"))
        # name in the profile, label, control
        rows = (
            ("source_level", tr("Level in the &source language"), self.source),
            ("target_level", tr("Level in the &target language"), self.target),
            ("expertise", tr("Your &role"), self.expertise),
            ("other_languages", tr("&Other languages"), self.other_languages),
            ("remarks", tr("&Notes"), self.remarks),
        )
        for _, text, control in rows:
            self.form.addRow(text, control)
        self._inputs = FormValues({name: control for name, _, control in rows})
        self._form = form
        self.insert(form)

    def show_form(
        self, work: RaterSession, button: str, buttons: Sequence[tuple[str, str]] = (), *, read_only: bool = False
    ) -> None:
        """Show the form with the saved answers; `button` is the text of the "done" button.

        If `read_only`, the answers cannot be changed, and the text of the button is "Back". `buttons` are further
        buttons, such as `empty_states.ANOTHER_RATER`.
        """
        campaign, saved = work.campaign, work.profile
        explanation = tr(
            "Your answers are saved with your ratings and help the project owner to describe the raters. You are asked "
            "once per campaign, and every answer is optional. To change your answers later, select Rate ▸ Edit your "
            "rater profile."
        )
        reason = tr("This project is read-only, so your answers cannot be changed.") if read_only else ""
        if reason:
            explanation, button = reason, tr("Back")
        text = " ".join((empty_states.rater_text(work), explanation))
        self.show_state(EmptyState(tr("About you"), text, (("done", button), *buttons), icon=""))
        set_needs(self._form, reason)
        for box, text in zip((self.source, self.target), _languages(campaign), strict=True):
            self.form.labelForField(box).setProperty("text", text)
        self._inputs.set_values(asdict(saved or RaterProfile()))
        self.setFocusProxy(self.buttons["done"] if read_only else self.source)

    def profile(self) -> RaterProfile:
        """Return the answers in the form."""
        return RaterProfile(**self._inputs.values)


def _languages(campaign: Campaign) -> tuple[str, str]:
    """Return the labels of the source and target language fields."""
    source, target = (
        language_name(code).replace("&", "&&") for code in (campaign.source_language, campaign.target_language)
    )
    return (
        tr("Level in {language} (&source)", language=source) if source else tr("Level in the &source language"),
        tr("Level in {language} (&target)", language=target) if target else tr("Level in the &target language"),
    )


def _make_combo(name: str, values: Sequence[str]) -> QComboBox:
    return make_combo_from_mapping({"": NOT_ANSWERED, **{value: _CHOICE_TEXTS[value] for value in values}}, name)


class InstructionsPage(PlaceholderPage):
    """Page with the instructions; a button shows and hides the hash of the campaign's design."""

    keeps_buttons_visible = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_started = False
        self.more = LinkButton(tr("Details"))
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_design)
        self.design = Label(token="muted", wraps=True, selectable=True)
        self.design.hide()
        self._details_row = wrap_layout(hbox(self.more, StretchSpace()))
        self.insert(self._details_row)
        self.insert(self.design)

    def show_work(
        self,
        work: RaterSession,
        delivery: empty_states.Delivery,
        *,
        has_started: bool,
        delivery_first: bool = False,
        buttons: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Show the instructions.

        `has_started`: whether rating has started; `delivery_first`: whether to begin with what to do with the ratings;
        `buttons`: further buttons, such as `empty_states.OTHER_CAMPAIGNS`.
        """
        self._has_started = has_started
        options = {"has_started": has_started, "delivery_first": delivery_first}
        self.show_state(empty_states.instructions_state(work, delivery, buttons, **options))
        self._scroll.verticalScrollBar().setValue(0)
        digest = work.campaign.design_hash
        explanation = tr(
            "You do not need this to rate. It is the hash (checksum) of the campaign's design, stored before the first "
            "rating. If the design is changed later, the hash no longer matches."
        )
        self.design.setText(f"{explanation}\n{digest}")
        self.more.setChecked(False)
        self._details_row.setVisible(bool(digest) and not delivery.is_practice)

    def confirm_copy(self) -> None:
        """State on the button that the path was copied; the status bar shows no messages while this page is visible."""
        if empty_states.COPY_PATH in self.buttons:
            self.buttons[empty_states.COPY_PATH].setText(tr("Path copied"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return to the items on Escape if rating has started."""
        if event.key() == Qt.Key.Key_Escape and self._has_started:
            self.press_first()
        else:
            super().keyPressEvent(event)

    def _show_design(self, visible: bool) -> None:
        self.design.setVisible(visible)
        self.more.setText(tr("Hide details") if visible else tr("Details"))
        self.more.updateGeometry()
