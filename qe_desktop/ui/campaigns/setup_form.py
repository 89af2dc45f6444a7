"""Campaign form: all settings on one page."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from itertools import chain, count, pairwise

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QRadioButton, QSizePolicy, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, EvaluationBasis
from qe_desktop.ratings.campaign_draft import ONE_RATER_NOTE, CampaignDraft, DraftNote, SegmentScope
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ui.campaigns.form_fields import ExtentChoice, FormFields, NumberFields
from qe_desktop.ui.campaigns.protocol_choice import ProtocolChoice
from qe_desktop.ui.campaigns.system_choice import SystemChoice
from qe_desktop.ui.widgets.form_controls import (
    FormValues,
    RadioGroup,
    make_combo_from_mapping,
    make_line_edit,
    make_text_box,
    set_needs,
)
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import ResponsiveColumns, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.workspace import Workspace

BASIS_TEXTS = {
    EvaluationBasis.SOURCE: tr("source", "judged against"),
    EvaluationBasis.REFERENCE: tr("reference", "judged against"),
    EvaluationBasis.BOTH: tr("both", "judged against"),
}
ORIGINAL_TEXTS = {
    None: tr("not specified", "the source is"),
    True: tr("original text", "the source is"),
    False: tr("translation", "the source is"),
}
CONTEXT_TEXTS = {
    0: tr("segment only"),
    1: tr("one segment before and after"),
    2: tr("two segments before and after"),
    WHOLE_DOCUMENT: tr("whole document"),
}


class SetUpForm(ResponsiveColumns):
    """Form fields in three columns; `draft` contains their values."""

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        self.task_fields, self.rating_fields, self.instruction_fields = (
            FormFields(tr("Rating task")),
            FormFields(tr("Systems, segments and raters")),
            FormFields(tr("Instructions for raters")),
        )
        super().__init__([self.task_fields, self.rating_fields, self.instruction_fields], parent=parent)
        self.texts: CampaignTexts | None = None
        self._has_custom_name = False
        self._used_names: frozenset[str] = frozenset()
        self._reported_copies: set[str] = set()
        self.name = QLineEdit()
        self.protocol = ProtocolChoice()
        self.systems = SystemChoice(workspace)
        self.extent = ExtentChoice()
        self.raters = make_text_box(placeholder=tr("One name per line"))
        self.numbers = NumberFields()
        self._build_what()
        self._build_who()
        self._build_words()
        self._connect()
        self._order_tabs()
        self.set_draft(CampaignDraft())

    # --- building

    def _build_what(self) -> None:
        fields = self.task_fields
        fields.add("name", tr("&Name"), self.name, tr("Shown to raters and used in file names."))
        fields.add("protocol", tr("&Protocol"), self.protocol, is_wide=True)
        bases = {basis: QRadioButton(text) for basis, text in BASIS_TEXTS.items()}
        fields.add("basis", tr("&Judged against"), _row(*bases.values()), focus=bases[EvaluationBasis.SOURCE])
        self.basis = RadioGroup(bases, self)
        self.source_language = make_line_edit(tr("Source language"), "en")
        self.target_language = make_line_edit(tr("Target language"), "de")
        languages = _row(self.source_language, Label(tr("to", "another language")), self.target_language)
        fields.add("languages", tr("&Languages"), languages, focus=self.source_language)
        self.original = make_combo_from_mapping(ORIGINAL_TEXTS)
        tooltip = tr(
            "Systems often score better on source text that is itself a translation. The results state which kind of "
            "source text was used."
        )
        fields.add("original", tr("So&urce text"), self.original, tooltip)
        self.context = make_combo_from_mapping(CONTEXT_TEXTS)
        self.by_document = QCheckBox(tr("&Keep documents together"))
        self.by_document.setToolTip(
            plain_tooltip(tr("A rater who gets a document rates all of its selected segments, in order."))
        )
        context_options = wrap_layout(vbox(self.context, self.by_document, gap=4))
        fields.add("context", tr("Conte&xt"), context_options, focus=self.context)
        fields.add_stretch()

    def _build_who(self) -> None:
        fields = self.rating_fields
        fields.add("systems", tr("S&ystems"), self.systems, focus=self.systems.list)
        self.reference_rated = QCheckBox(tr("Rate as a system"))
        self.reference_rated.setToolTip(
            plain_tooltip(tr("Rate the human translation along with the systems, for comparison"))
        )
        fields.add("reference", tr("R&eference"), self.reference_rated)
        fields.add("segments", tr("Se&gments"), self.extent, focus=self.extent.buttons[SegmentScope.ALL])
        self.raters.setFixedHeight(round(self.raters.fontMetrics().lineSpacing() * 4.8) + 8)
        fields.add(
            "raters",
            tr("&Raters"),
            self.raters,
            tr("One name per line. Raters open the project under these names."),
            reserved_note=ONE_RATER_NOTE,
        )
        fields.add("overlap", "", self.numbers, focus=self.numbers.boxes["overlap"], is_wide=True)
        # the number fields share one note line
        fields.notes["per_screen"] = fields.notes["overlap"]
        fields.controls["per_screen"] = self.numbers.boxes["per_screen"]
        fields.align_labels(self.numbers.label_width())
        fields.add_stretch()

    def _build_words(self) -> None:
        self.preview = make_text_box(name=tr("Instructions as shown to raters"), read_only=True)
        self.preview.setMinimumHeight(self.preview.fontMetrics().lineSpacing() * 12)
        self.instructions = make_text_box(placeholder=tr("Further information: subject, names and terms, contact…"))
        self.instructions.setFixedHeight(self.instructions.fontMetrics().lineSpacing() * 6)
        self.instruction_fields.add("preview", "", self.preview, is_wide=True)
        self.instruction_fields.add(
            "instructions", tr("&More instructions, added at the end"), self.instructions, is_wide=True
        )
        self.preview.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def _connect(self) -> None:
        self.inputs = FormValues(
            {
                "name": self.name,
                "protocol": self.protocol.group,
                "basis": self.basis,
                "source_language": self.source_language,
                "target_language": self.target_language,
                "source_original": self.original,
                "context": self.context,
                "by_document": self.by_document,
                "systems": self.systems,
                "reference_rated": self.reference_rated,
                "raters": self.raters,
                "extent": self.extent.scope,
                "first": self.extent.first,
                "last": self.extent.last,
                "count": self.extent.count,
                "instructions": self.instructions,
                **self.numbers.boxes,
            }
        )
        self.inputs.on_change(self._on_changed)
        self.name.textEdited.connect(self._on_name_edited)
        self.systems.added.connect(self.add_translation)

    def _order_tabs(self) -> None:
        """Set the tab order: columns from left to right, and each column from top to bottom."""
        in_order = (
            self.name, *self.protocol.cards.values(), *self.basis.choices.values(), self.source_language,
            self.target_language, self.original, self.context, self.by_document, self.systems.list, self.systems.add,
            self.reference_rated, *self.extent.tab_order(), self.raters, *self.numbers.boxes.values(), self.preview,
            self.instructions,
        )  # fmt: skip
        for before, after in pairwise(in_order):
            QWidget.setTabOrder(before, after)
        # Qt moves a widget that gets a focus proxy next to the proxy in the focus chain
        self.protocol.setFocusProxy(self.protocol.cards[self.protocol.group.chosen])

    # --- values

    @property
    def draft(self) -> CampaignDraft:
        """Current values of the form."""
        return CampaignDraft(**self.inputs.values)

    def set_draft(self, draft: CampaignDraft) -> None:
        """Set all fields except the range of segments and the sample size.

        Systems that have no translation in the current texts are ignored. A draft without systems does not change the
        selection of systems.
        """
        self._has_custom_name = bool(draft.name)
        self.inputs.set_values(asdict(draft), omit=("first", "last", "count", *(() if draft.systems else ("systems",))))
        self._on_changed()

    def set_used_names(self, names: Collection[str]) -> None:
        """Set the campaign names that are in use and therefore not suggested."""
        if self._used_names != frozenset(names):
            self._used_names = frozenset(names)
            self._on_changed()

    def show_texts(self, texts: CampaignTexts | None, person: str) -> None:
        """Show the systems and segments of `texts`, and set defaults for the other fields, with `person` as the rater.

        If `texts` is None, clear the systems and segments, and leave the other fields unchanged.
        """
        self.texts = texts
        self._reported_copies.clear()
        self.systems.show_texts(texts)
        self.protocol.set_output_count(None if texts is None else max(1, len(texts.outputs())))
        self.extent.show_size(0 if texts is None else texts.size)
        self._update_bases(texts)
        if texts is None:
            self._on_changed()
            return
        source, target = texts.languages
        reference_only = texts.source is None and texts.reference is not None
        basis = EvaluationBasis.REFERENCE if reference_only else EvaluationBasis.SOURCE
        suggested = CampaignDraft(
            basis=basis,
            source_language=source,
            target_language=target,
            context=1 if texts.documents is not None else 0,
            raters=person,
        )
        self.set_draft(suggested)

    def _update_bases(self, texts: CampaignTexts | None) -> None:
        """Disable each basis of judgement whose source or reference is missing in `texts`; None enables all."""
        no_source = "" if texts is None or texts.source is not None else tr("The corpus has no source.")
        no_reference = "" if texts is None or texts.reference is not None else tr("The corpus has no reference.")
        set_needs(self.basis.choices[EvaluationBasis.SOURCE], no_source)
        set_needs(self.basis.choices[EvaluationBasis.REFERENCE], no_reference)
        set_needs(self.basis.choices[EvaluationBasis.BOTH], no_source or no_reference)

    def add_translation(self, name: str, lines: object) -> None:
        """Add or replace a system's translation; select new systems. Do nothing if the form shows no texts."""
        if self.texts is not None:
            self.texts = self.texts.with_translation(name, lines)  # type: ignore[arg-type]  # carried by a signal
            self.systems.show_texts(self.texts)
            self.protocol.set_output_count(len(self.texts.outputs()))

    def offer_reference_rating(self, system: str) -> None:
        """Show the check box “Rate as a system” whenever `system`, which seems to be the reference, is selected."""
        self._reported_copies.add(system)
        self._on_changed()

    def show_notes(self, notes: Mapping[str, DraftNote]) -> None:
        """Show each note below its field; `notes` maps names of fields to notes.

        Fields without a note show none. If fields share a note line, an error takes precedence.
        """
        for fields in (self.task_fields, self.rating_fields, self.instruction_fields):
            lines: dict[int, DraftNote | None] = {}
            for name, line in fields.notes.items():
                # fields may share a note line: show blocking notes first
                lines[id(line)] = max(
                    (note for note in (lines.get(id(line)), notes.get(name)) if note is not None),
                    key=lambda note: note.is_error,
                    default=None,
                )
            for line in fields.notes.values():
                line.show_note(lines[id(line)])

    def focus_field(self, name: str) -> None:
        """Focus a field and scroll to it; unknown names are ignored."""
        for fields in (self.task_fields, self.rating_fields, self.instruction_fields):
            control = fields.controls.get(name)
            if control is not None:
                control.setFocus()
                self.ensureWidgetVisible(control)

    # --- changes

    def _on_name_edited(self) -> None:
        self._has_custom_name = True

    def _on_changed(self) -> None:
        draft = self.draft
        if not self._has_custom_name:
            with QSignalBlocker(self.name):
                self.name.setText(self._suggested_name(draft))
            draft = replace(draft, name=self.name.text())
        rules = draft.selected_protocol
        self.task_fields.set_row_visible("basis", not rules.target_only)
        no_context = (
            tr("When raters rate fluency, they see only the translation of one segment.") if rules.target_only else ""
        )
        set_needs(self.context, no_context)
        has_reference = (
            draft.reference_rated
            or not self._reported_copies.isdisjoint(draft.systems)
            or (self.texts is not None and bool(draft.reference_copies(self.texts)))
        )
        self.rating_fields.set_row_visible("reference", has_reference)
        self.numbers.show_per_screen(rules.outputs[0] != rules.outputs[1])
        self.preview.setPlainText(rules.instructions(draft.campaign()))
        self.changed.emit()

    def _suggested_name(self, draft: CampaignDraft) -> str:
        if self.texts is None:
            return ""
        name = ", ".join(
            part
            for part in (self.texts.name, draft.selected_protocol.title_in_sentence or draft.selected_protocol.title)
            if part
        )
        numbered = (f"{name} {number}" for number in count(2))
        return next(free for free in chain([name], numbered) if free not in self._used_names)


def _row(*widgets: QWidget) -> QWidget:
    return wrap_layout(hbox(*widgets, StretchSpace(1 if isinstance(widgets[0], QRadioButton) else 0), gap=8))
