"""Where a project is: one SQLite file, or a database on a PostgreSQL server."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.open_files import is_open_here
from qe_desktop.formats.regular_files import begins_with
from qe_desktop.project.store.address_options import refuse_others
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from sqlalchemy import URL

SUFFIX = ".qedesk"
_SQLITE = b"SQLite format 3\0"
_SCHEME = re.compile(r"^(postgres(?:ql)?(?:\+psycopg)?)://", re.IGNORECASE)
_SECRET = ("password", "sslpassword")


@dataclass(frozen=True, slots=True)
class Location:
    """A place without its password: a `path`, or the `url` of a server. `password` is kept apart and never shown."""

    path: Path | None
    url: str
    password: str | None

    def __str__(self) -> str:
        return self.url if self.path is None else str(self.path)

    def __repr__(self) -> str:
        return f"Location({str(self)!r})"

    @property
    def is_server(self) -> bool:
        """Whether this is a database on a server."""
        return self.path is None

    @property
    def place(self) -> Place:
        """The place as errors name it, in characters that can be printed."""
        return Place(str(self).encode("utf-8", "backslashreplace").decode("utf-8"))

    def engine_url(self) -> URL:
        """The URL for SQLAlchemy, with the password in it where there is one."""
        from sqlalchemy import make_url

        if self.path is not None:
            raise ValueError("a file has no URL")
        url = make_url(self.url).set(drivername="postgresql+psycopg")
        return url if self.password is None else url.set(password=self.password)

    def clean(self, text: str) -> str:
        """A message without the password, should a driver have put it in."""
        return text.replace(self.password, "…") if self.password else text


def is_project(place: str) -> bool:
    """Whether a path or address is that of a project, by its form or by the first bytes of the file.

    What is no ordinary file is not looked into, for it might keep the program waiting for ever.
    """
    if "://" in place:
        return True
    if place.lower().endswith(SUFFIX):
        return Path(place).is_file() or not Path(place).exists()
    return is_open_here(place) or begins_with(place, _SQLITE)


def is_server(place: str | Path) -> bool:
    """Whether a place is a URL of a PostgreSQL server, and not a file."""
    return isinstance(place, str) and _SCHEME.match(place) is not None


def locate(place: str | Path, password: str | None = None) -> Location:
    """The location that a person named; a password within the URL is taken out of it. QeError for a URL of no use."""
    if not is_server(place):
        if isinstance(place, str) and "://" in place:
            scheme = place.partition("://")[0]
            raise QeError(
                tr("a project cannot be kept at {scheme}://…", scheme=scheme),
                hint=tr("Name a file ({suffix}) or postgresql://USER@HOST/DATABASE.", suffix=SUFFIX),
            )
        return Location(Path(place).expanduser().absolute(), "", None)
    try:
        parts = urlsplit(_SCHEME.sub("postgresql://", str(place)))
        port = parts.port
    except ValueError:
        raise QeError(tr("the address of the server cannot be read"), hint=_FORM) from None
    database = parts.path.strip("/")
    if not database:
        raise QeError(tr("the address names no database"), hint=_FORM)
    if "@" in database or parts.fragment:
        # a password with such a character in it would be taken for a part of the address, and shown
        raise QeError(tr("the address of the server cannot be read"), hint=f"{_FORM} {_ESCAPES}")
    inside = None if parts.password is None else unquote(parts.password)
    query = parse_qsl(parts.query, keep_blank_values=True)
    inside = inside or next((value for name, value in query if name.lower() == "password"), None)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    user = f"{parts.username}@" if parts.username else ""
    netloc = f"{user}{host}{'' if port is None else f':{port}'}"
    options = [(name, value) for name, value in query if name.lower() not in _SECRET]
    refuse_others(options)
    kept = urlencode(options)
    url = f"postgresql://{netloc}/{database}{'?' if kept else ''}{kept}"
    return Location(None, url, password or inside)


_FORM = tr("Write it as postgresql://USER@HOST/DATABASE.")
_ESCAPES = tr("The characters / ? # @ are written %2F %3F %23 %40 in names and passwords.")
