"""Dialog for a server: the hint about a failed connection."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import OperationalError

from qe_desktop.project.store.errors import translate_error
from qe_desktop.project.store.location import locate
from qe_desktop.ui.projects.connect_dialog import ConnectDialog


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        ("password authentication failed for user", "Enter the correct password"),
        ('database "db" does not exist', "Create it first"),
        ("no pg_hba.conf entry for host", "Ask the server administrator"),
        ("connection refused", "Check the address and that the server is running"),
        ("sorry, too many clients already", "Check the address and that the server is running"),
    ],
)
def test_the_hint_names_what_can_be_done_and_no_pending_edits(qtbot, reply, hint):
    dialog = ConnectDialog()
    qtbot.addWidget(dialog)
    dialog.show_error(translate_error(OperationalError("", None, Exception(reply)), locate("postgresql://ann@host/db")))
    spoken = dialog.notices.notices()[0].message.plain_text()
    assert hint in spoken
    assert "Unsaved changes" not in spoken
