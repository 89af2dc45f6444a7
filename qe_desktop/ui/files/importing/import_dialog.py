"""Import dialog: shows the detected files and how they will be used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from qe_desktop.corpus import Kind, QeError, TextRole
from qe_desktop.escaping import escape_label
from qe_desktop.formats import TAG_FORMATS, CorpusPlan, LineUnit, PlannedFile, ProbabilityOf, Role
from qe_desktop.formats.bilingual.column_choice import ChoiceKind, ColumnChoice
from qe_desktop.formats.importing.bilingual_detection import MAX_PREVIEW_ROWS
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.files.importing.plan_model import (
    COLUMNS,
    FILE_USES,
    NOT_CHOSEN,
    PlanColumn,
    PlanModel,
    possible_meanings,
)
from qe_desktop.ui.shell.notices import NoticeBar
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.tables.table_delegate import ComboBoxDelegate
from qe_desktop.ui.widgets.tables.table_header import TableHeader

NO_TEXT_ROLE = tr("select…")


class FilePreviewPanel(QWidget):
    """Panel with the preview of one file; `chosen` is emitted with the `ColumnChoice` of the user."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source, self.target = QComboBox(), QComboBox()
        self.title = ElidedLabel()
        self.rows = QTableWidget(0, 0)
        self.rows.setAccessibleName(tr("First segments"))
        self.rows.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.rows.setShowGrid(False)
        self.rows.setWordWrap(False)
        self.rows.setTabKeyNavigation(False)
        self.rows.verticalHeader().hide()
        self.rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        height = self.fontMetrics().height()
        self.rows.setFixedHeight((MAX_PREVIEW_ROWS + 1) * (height + 8) + 8)
        self.rows.verticalHeader().setDefaultSectionSize(height + 8)
        fields = []
        for text, box in ((tr("&Source is"), self.source), (tr("&Target is"), self.target)):
            name = QLabel(text)
            name.setBuddy(box)
            box.setMinimumContentsLength(18)
            fields += [name, box]
            box.activated.connect(self._choose)
        self._choices = wrap_layout(hbox(*fields, gap=8))
        top = hbox(Stretched(self.title, 1), self._choices)
        vbox(top, self.rows, on=self, gap=6)
        self.hide()

    def show_file(self, file: PlannedFile) -> None:
        """Show the options of a file; its rows are loaded later."""
        self.title.setText(tr("{file} begins with:", file=escape_label(file.path.name)))
        offer = file.offer
        self._choices.setVisible(offer is not None)
        columns = file.chosen
        for box, column in ((self.source, columns.source), (self.target, columns.target)):
            with QSignalBlocker(box):
                box.clear()
                box.addItem(NO_TEXT_ROLE, "")
                for name in offer.names if offer is not None else ():
                    box.addItem(escape_label(name), name)
                box.setCurrentIndex(max(0, box.findData(column)))
        self.show_rows((), ())
        self.show()

    def show_rows(self, names: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
        """Show the first rows; `names` are the column names, empty for the lines of a single text."""
        columns = max((len(row) for row in (names, *rows)), default=0)
        self.rows.clear()
        self.rows.setRowCount(len(rows))
        self.rows.setColumnCount(columns)
        self.rows.setHorizontalHeaderLabels([escape_label(name) for name in names])
        self.rows.horizontalHeader().setVisible(bool(names))
        for place, row in enumerate(rows):
            for column, text in enumerate(row):
                item = QTableWidgetItem(escape_label(text))
                item.setToolTip(plain_tooltip(text))
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                self.rows.setItem(place, column, item)

    def say(self, text: str) -> None:
        """Show why there is no preview."""
        self.show_rows((), [(text,)])

    def _choose(self) -> None:
        self.chosen.emit(ColumnChoice(self.source.currentData() or "", self.target.currentData() or ""))


TEXT_FORMAT = "text"
"""Format of files whose lines are shown before they are opened."""


class ImportDialog(Dialog):
    """Dialog that shows import plans; `opened` and `added` are emitted with the edited plan, and the dialog stays open.

    `first` is the 0-based index of the plan that is shown first. `may_add` is whether the files can be added to the
    open session, which has the `texts`; `replaces` is a warning that opening them closes it.
    """

    opened = Signal(object)
    added = Signal(object)
    preview_wanted = Signal(object)
    """Emitted with a `PlannedFile` whose first segments are to be shown in `panel`."""

    def __init__(
        self,
        plans: Sequence[CorpusPlan],
        *,
        may_add: bool,
        replaces: str,
        texts: Collection[TextRole] = (),
        first: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open"))
        self.setModal(True)
        self._plans = list(plans)
        self._may_add = may_add
        self._busy = False
        self.model = PlanModel(self._plans[first], texts)
        self.notices = NoticeBar()
        self.choice = QComboBox()
        for plan in self._plans:
            self.choice.addItem(escape_label(_plan_name(plan)))
        self.choice.setCurrentIndex(first)
        self.table = QTableView()
        self.open_button = QPushButton(tr("Open"))
        self.add_button = QPushButton(tr("Add to open files"))
        self.panel = FilePreviewPanel()
        self._summary = Label(wraps=True)
        how = tr("To change “used as”, “read as” or a name, double-click it or press F2.")
        self._replaces = Label(f"{how} {replaces}".strip())
        self._lay_out()
        self.choice.currentIndexChanged.connect(self._choose)
        self.model.edited.connect(self._refresh)
        self.open_button.clicked.connect(partial(self._hand_over, self.opened))
        self.add_button.clicked.connect(partial(self._hand_over, self.added))
        self.panel.chosen.connect(self._say_choice)
        self.table.selectionModel().currentRowChanged.connect(self._show_file)
        self._refresh()
        self._point_out()

    def _lay_out(self) -> None:
        label = QLabel(tr("Several &corpora were found:"))
        label.setBuddy(self.choice)
        top = hbox(label, Stretched(self.choice, 1))
        self._set_up_table()
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        buttons = hbox(Stretched(self._replaces, 1), cancel, self.add_button, self.open_button)
        table = Stretched(self.table, 1)
        vbox(self.notices, top, self._summary, table, self.panel, buttons, on=self, gap=10, margins=None)
        for widget in (label, self.choice):
            widget.setVisible(len(self._plans) > 1)
        metrics = QFontMetrics(self.font())
        self.resize(metrics.horizontalAdvance("0") * 150, metrics.height() * 30)

    def _set_up_table(self) -> None:
        self.table.setModel(self.model)
        uses = ComboBoxDelegate(lambda row: FILE_USES, NOT_CHOSEN, self.table)
        readings = ComboBoxDelegate(lambda row: possible_meanings(self.model.plan.files[row]), NOT_CHOSEN, self.table)
        self.table.setItemDelegateForColumn(PlanColumn.USE, uses)
        self.table.setItemDelegateForColumn(PlanColumn.MEANING, readings)
        self.table.setAccessibleName(tr("Files"))
        self.table.setWordWrap(False)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QTableView.EditTrigger.AllEditTriggers)
        self.table.setTabKeyNavigation(False)
        header = TableHeader(self.table, clickable=False, padding=4)
        self.table.setHorizontalHeader(header)
        width = QFontMetrics(self.font()).horizontalAdvance("0")
        for column, (_, letters) in COLUMNS.items():
            self.table.setColumnWidth(column, width * letters)
        header.setSectionResizeMode(PlanColumn.REMARKS, QHeaderView.ResizeMode.Stretch)

    def _choose(self, place: int) -> None:
        self.model.show_plan(self._plans[place])
        self.notices.clear()
        self._refresh()
        self._point_out()

    def _point_out(self) -> None:
        """Show the options of files if there are alternatives, and select the first file that needs an answer."""
        plan, requested = self.model.plan, self.model.unanswered()
        files, unclear = plan.files, [] if _uses_any_file(plan) else plan.unclear()
        self.table.setColumnHidden(
            PlanColumn.MEANING, not any(possible_meanings(file) or _can_choose_columns(file) for file in files)
        )
        first = next(iter([*requested, *unclear]), None) or next(filter(_can_choose_columns, files), None)
        if first is not None:
            column = PlanColumn.MEANING if requested else PlanColumn.USE
            self.table.setCurrentIndex(self.model.index(files.index(first), column))
            self.table.setFocus()

    def show_first(self) -> None:
        """Show the first segments of the selected file once they are loaded."""
        self._show_file()

    def _show_file(self) -> None:
        """Show the beginning of the selected file if it helps to decide what the file is."""
        row = self.table.currentIndex().row()
        file = self.model.plan.files[row] if 0 <= row < len(self.model.plan.files) else None
        if (
            file is None
            or file.problem is not None
            or not (file.format == TEXT_FORMAT or file.offer or file.role is Role.JOB)
        ):
            self.panel.hide()
            return
        self.panel.show_file(file)
        self.preview_wanted.emit(file)

    def _say_choice(self, choice: ColumnChoice) -> None:
        file = self.model.plan.files[self.table.currentIndex().row()]
        if file.role is not Role.JOB:
            self.model.plan = self.model.plan.with_role(file.path, Role.JOB)
        self.model.choose(file, choice)
        self._show_file()

    def _refresh(self) -> None:
        plan = self.model.plan
        bad = [file for file in plan.files if file.problem is not None]
        systems = len(plan.systems())
        table = plan.table_of_texts()
        roles = () if table is None else table.texts
        job = plan.of(Role.JOB)
        source = job or plan.of(Role.SOURCE, Role.RAW_SOURCE) or TextRole.SOURCE in roles
        mt = plan.of_mt() or TextRole.MT in roles
        gold = [
            file
            for file in plan.of(Role.GOLD)
            if file.golds or (file.format in TAG_FORMATS and file.kind is not Kind.SOURCE)
        ]
        translations, references = len(plan.of(Role.TRANSLATION)), len(plan.of(Role.REFERENCE))
        # tags are not missing if translations are to be scored
        there = (
            (source, tr("source"), tr("no source"), False),
            (mt, tr("MT"), tr("no MT"), translations),
            (gold, tr("gold"), tr("no gold"), translations or job),
        )
        # files added to an open corpus need no texts
        # bilingual files contain their texts, and are opened separately
        may_add = self._may_add and not job
        adding = may_add and not mt
        self.add_button.setVisible(may_add)
        parts = [what if found else missing for found, what, missing, spare in there if found or not (adding or spare)]
        if references:
            parts.append(tr("{n} {n:reference|references}", "", references))
        if translations:
            parts.append(tr("{n} {n:translation|translations}", "", translations))
        if systems or not (translations or job):
            parts.append(tr("{n} {n:system|systems}", "", systems))
        sentences = [f"{_plan_name(plan)}: {', '.join(parts)}."]
        self.open_button.setDefault(not adding)
        self.add_button.setDefault(adding)
        if bad:
            sentences.append(tr("{n} {n:file|files} cannot be used and will be left out.", "", len(bad)))
        unclear = plan.unclear()
        if unclear and not _uses_any_file(plan):
            sentences = [
                tr(
                    "The {n:name|names} of {n:,} {n:text does|texts do} not show {n:its role|their roles}: select "
                    "{n:it|them} under “used as”.", "", len(unclear),
                )
            ]  # fmt: skip
        self._summary.setText(" ".join((*sentences, *_questions(self.model.unanswered()))))
        self._allow()

    def _allow(self) -> None:
        """Enable the buttons if no files are being read, at least one file is used, and all questions are answered."""
        ready = not self._busy and _uses_any_file(self.model.plan)
        self.add_button.setEnabled(ready and not self.model.unanswered())
        self.open_button.setEnabled(ready and not self.model.plan.unanswered())

    def _hand_over(self, wanted: SignalInstance) -> None:
        self.notices.clear()
        wanted.emit(self.model.plan)

    def refuse(self, error: QeError) -> None:
        """Show why the plan cannot be opened as it is."""
        self.notices.from_error(error)
        self.set_busy(False)

    def set_busy(self, busy: bool) -> None:
        """Disable changes while files are read, or enable them again."""
        self._busy = busy
        for widget in (self.table, self.choice, self.panel):
            widget.setEnabled(not busy)
        self._allow()


def _can_choose_columns(file: PlannedFile) -> bool:
    """Return whether the source and the target of a bilingual file can be selected."""
    return file.role is Role.JOB and file.offer is not None


def _uses_any_file(plan: CorpusPlan) -> bool:
    """Return whether any file of a plan is used, or would be if it could be read."""
    return any(file.role is not Role.IGNORED for file in plan.files)


def _questions(files: Sequence[PlannedFile]) -> Iterator[str]:
    """Yield the questions that must be answered before files are opened."""
    lines = [file.path.name for file in files if file.may_be(LineUnit) and file.assumed(LineUnit) is None]
    for file in files:
        if file.must_choose and file.offer is not None and file.offer.of is ChoiceKind.LANGUAGES:
            yield tr("{file} contains several languages: select source and target below.", file=file.path.name)
        elif file.must_choose:
            yield tr("Select the source and target columns of {file} below.", file=file.path.name)
    numbers = [file.path.name for file in files if file.may_be(ProbabilityOf) and file.assumed(ProbabilityOf) is None]
    if len(numbers) == 1:
        yield tr(
            "In {file}, all numbers are 0 or 1: select under “read as” whether 1 means BAD or OK.", file=numbers[0]
        )
    elif numbers:
        yield tr(
            "In {file} and {n:,} more {n:file|files}, all numbers are 0 or 1: select under “read as” whether 1 means "
            "BAD or OK.",
            "",
            len(numbers) - 1,
            file=numbers[0],
        )
    if len(lines) == 1:
        yield tr("In {file}, each line has one value: select under “read as” what a line represents.", file=lines[0])
    elif lines:
        yield tr(
            "In {file} and {n:,} more {n:file|files}, each line has one value: select under “read as” what a line "
            "represents.",
            "",
            len(lines) - 1,
            file=lines[0],
        )


def _plan_name(plan: CorpusPlan) -> str:
    shown = ("", plan.name, plan.part)
    pair = f" ({plan.language_pair})" if plan.language_pair not in shown else ""
    return f"{plan.name}{pair}"
