"""Messages for database errors: damaged data in a file or on a server, and rejected authentication methods."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import OperationalError

from qe_desktop.project.store.errors import DamagedProjectError, translate_corruption, translate_error
from qe_desktop.project.store.location import locate

SERVER = "postgresql://ann@host/db"


@pytest.mark.parametrize(
    ("place", "message", "hint"),
    [("a.qedesk", "the project's file is damaged", "sqlite3"), (SERVER, "the project on the server is damaged", "Ask")],
)
def test_damaged_data_are_located_in_the_file_or_on_the_server(place, message, hint):
    with pytest.raises(DamagedProjectError) as caught, translate_corruption(locate(place)):
        raise ValueError
    assert caught.value.message == message
    assert hint in caught.value.hint
    assert ("sqlite3" in caught.value.hint) == (place != SERVER)


@pytest.mark.parametrize(
    ("reply", "message", "allows_md5"),
    [
        ("server requested a hashed password", "an insecure authentication method", True),
        ("server requested a cleartext password", "requests the password without encryption", False),
        ("server requested GSSAPI authentication", "an authentication method that is not allowed", False),
    ],
)
def test_the_hint_allows_md5_only_if_the_server_requests_it(reply, message, allows_md5):
    text = f'connection failed: authentication method requirement "scram-sha-256" failed: {reply}'
    error = translate_error(OperationalError("", None, Exception(text)), locate(SERVER))
    assert message in error.message
    assert ("require_auth=md5" in error.hint) == allows_md5
