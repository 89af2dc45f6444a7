"""Dialog for a server address, a user name and a password. The password is used to connect and is not stored."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QSizePolicy, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.project_paths import address_user, complete_address, split_password, strip_user
from qe_desktop.ui.shell.notices import Message, NoticeBar
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox

SCHEME = "postgresql://"


class ConnectDialog(Dialog):
    """Dialog that stays open until the connection succeeds or the user cancels; it shows why a connection failed."""

    connection_requested = Signal(str, str)
    """Emitted with the address (including the user, excluding the password) and the password (empty if not entered)."""
    cancelled = Signal()
    """Emitted when the user closes the dialog during a connection attempt."""

    def __init__(self, *, creating: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Save as project on a server") if creating else tr("Connect to server"))
        self.setModal(True)
        self.notices = NoticeBar()
        self._is_busy = False
        explanation = (
            tr(
                "The open files and all edits are copied to a PostgreSQL database, where several people can work "
                "on them."
            )
            if creating
            else tr("Opens a project in a PostgreSQL database, where several people can work at the same time.")
        )
        self.address, self.user, self.password = QLineEdit(), QLineEdit(), QLineEdit()
        self.address.setPlaceholderText("server.example.org/project")
        self.user.setPlaceholderText(tr("if empty: environment variable PGUSER or your login name"))
        self.user.setToolTip(self.user.placeholderText())
        self.password.setPlaceholderText(tr("if empty: environment variable PGPASSWORD or ~/.pgpass"))
        self.password.setToolTip(self.password.placeholderText())
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        fields = QFormLayout()
        fields.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        fields.setVerticalSpacing(8)
        fields.addRow(tr("&Server and database"), self.address)
        fields.addRow(tr("&User"), self.user)
        fields.addRow(tr("&Password"), self.password)
        fields.addRow("", _muted_label(tr("The password is used to connect and is not stored.")))
        self.connect_button = FlatButton(tr("Save") if creating else tr("Connect"), primary=True)
        self.cancel_button = FlatButton(tr("Cancel"))
        self.cancel_button.setAutoDefault(False)
        buttons = hbox(StretchSpace(), self.cancel_button, self.connect_button, gap=8)
        vbox(self.notices, _muted_label(explanation), fields, buttons, on=self, gap=16, margins=16)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 84)
        self.connect_button.clicked.connect(self._connect)
        self.cancel_button.clicked.connect(self.reject)
        self.rejected.connect(self._on_rejected)
        self.address.editingFinished.connect(self._split_address)
        self.address.textChanged.connect(self._refresh)
        self._refresh()

    def fill(self, address: str) -> None:
        """Fill the fields from an address.

        The focus is set to the first empty field (address, then password) or, if neither is empty, to `connect_button`.
        """
        self.address.setText(address)
        self._split_address()
        empty = next((field for field in (self.address, self.password) if not field.text()), self.connect_button)
        empty.setFocus()

    def show_error(self, error: QeError) -> None:
        """Show why the connection failed, and enable the fields again."""
        self.set_busy(False)
        self.notices.clear()
        self.notices.show_message(Message.from_error(_opening_error(error)))
        self.password.setFocus()
        self.password.selectAll()

    def set_busy(self, is_busy: bool) -> None:
        """Disable the fields and `connect_button` during a connection attempt, or enable them again."""
        self._is_busy = is_busy
        self._refresh()

    def _split_address(self) -> None:
        """If the address field contains a user or a password, move them to their own fields."""
        text = self.address.text().strip()
        if "@" not in text:
            return
        full_address = text if "://" in text else SCHEME + text
        address, password = split_password(full_address)
        if address_user(address):
            self.user.setText(address_user(address))
        if password:
            self.password.setText(password)
        self.address.setText(strip_user(address))

    def _refresh(self) -> None:
        waiting = tr("Wait for the server to respond, or cancel.") if self._is_busy else ""
        for field in (self.address, self.user, self.password):
            set_needs(field, waiting)
        missing = "" if self.address.text().strip() else tr("Enter the server and the database first.")
        set_needs(self.connect_button, waiting or missing)
        self.connect_button.setDefault(True)

    def _on_rejected(self) -> None:
        if self._is_busy:
            self.cancelled.emit()

    def _connect(self) -> None:
        self._split_address()
        self.notices.clear()
        self.set_busy(True)
        self.connection_requested.emit(complete_address(self.address.text(), self.user.text()), self.password.text())


def _muted_label(text: str) -> Label:
    """Return a label that wraps its text to the width of the form."""
    label = Label(text, token="muted", wraps=True)
    label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return label


def _opening_error(error: QeError) -> QeError:
    """Return `error` or, if it is transient with an unsuitable hint, a `QeError` with its message and a better hint.

    A hint is unsuitable if it is empty or, as in `UnavailableError`, about unsaved changes.
    """
    from qe_desktop.project.store.errors import TransientError, UnavailableError

    if not isinstance(error, TransientError) or (error.hint and not isinstance(error, UnavailableError)):
        return error
    hint = tr("Check the address and that the server is running, then try again.")
    return QeError(error.message, hint=hint, place=error.place)
