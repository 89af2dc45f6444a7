"""Asks for a server, a user and a password. The password goes into the connection and nowhere else."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.project_paths import address_user, complete_address, split_password, strip_user
from qe_desktop.ui.shell.notices import Message, NoticeBar
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import vbox

SCHEME = "postgresql://"


class ConnectDialog(QDialog):
    """Stays until it is told to go: what the server says is shown in it, so that it can be put right there."""

    wanted = Signal(str, str)
    """An address with its user, without a password; and the password, empty where none was given."""

    def __init__(self, *, making: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Save as a project on a server") if making else tr("Connect to a server"))
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.notices = NoticeBar()
        about = (
            tr(
                "What is open goes into a PostgreSQL database, with all edits. "
                "Others can then work on it at the same time."
            )
            if making
            else tr("A project in a PostgreSQL database, on which several people work at the same time.")
        )
        self.address, self.user, self.password = QLineEdit(), QLineEdit(), QLineEdit()
        self.address.setPlaceholderText("server.example.org/project")
        self.user.setPlaceholderText(tr("as on this computer"))
        self.password.setPlaceholderText(tr("from PGPASSWORD or pgpass, where left empty"))
        self.password.setToolTip(self.password.placeholderText())
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        fields = QFormLayout()
        fields.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        fields.setVerticalSpacing(8)
        fields.addRow(tr("&Server and database"), self.address)
        fields.addRow(tr("&User"), self.user)
        fields.addRow(tr("&Password"), self.password)
        fields.addRow("", _muted_label(tr("The password is used to connect and is kept nowhere.")))
        self.buttons = QDialogButtonBox()
        self.connect_button = self.buttons.addButton(
            tr("Save there") if making else tr("Connect"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole).setAutoDefault(False)
        self.connect_button.setDefault(True)
        vbox(self.notices, _muted_label(about), fields, self.buttons, on=self, gap=12, margins=None)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 78)
        self.buttons.accepted.connect(self._connect)
        self.buttons.rejected.connect(self.reject)
        self.address.editingFinished.connect(self._take_apart)
        self.address.textChanged.connect(self._refresh)
        self._refresh()

    def fill(self, address: str) -> None:
        """Put an address into the fields."""
        self.address.setText(address)
        self._take_apart()
        empty = next((field for field in (self.address, self.password) if not field.text()), self.connect_button)
        empty.setFocus()

    def refuse(self, error: QeError) -> None:
        """Say what the server said."""
        self.set_busy(False)
        self.notices.clear()
        self.notices.show_message(Message.from_error(_opening_error(error), begins=True))
        self.password.setFocus()
        self.password.selectAll()

    def set_busy(self, busy: bool) -> None:
        """While the server is asked, nothing can be changed."""
        for widget in (self.address, self.user, self.password, self.connect_button):
            widget.setEnabled(not busy)
        self.connect_button.setDefault(True)

    def _take_apart(self) -> None:
        """A user and a password that were pasted with the address go where they belong."""
        text = self.address.text().strip()
        if "@" not in text:
            return
        whole = text if "://" in text else SCHEME + text
        address, password = split_password(whole)
        if address_user(address):
            self.user.setText(address_user(address))
        if password:
            self.password.setText(password)
        self.address.setText(strip_user(address))

    def _refresh(self) -> None:
        self.connect_button.setEnabled(bool(self.address.text().strip()))
        self.connect_button.setDefault(True)

    def _connect(self) -> None:
        self._take_apart()
        self.notices.clear()
        self.set_busy(True)
        self.wanted.emit(complete_address(self.address.text(), self.user.text()), self.password.text())


def _muted_label(text: str) -> Label:
    return Label(text, token="muted", wraps=True)


def _opening_error(error: QeError) -> QeError:
    """An error of a server while nothing is open there yet, when there is nothing that could be kept and sent."""
    from qe_desktop.project.store.errors import TransientError

    if not isinstance(error, TransientError):
        return error
    hint = tr("See whether the address is right and the server runs, then try again.")
    return QeError(error.message, hint=hint, place=error.place)
