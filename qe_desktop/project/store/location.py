"""Location of a project: an SQLite file, or a database on a PostgreSQL server."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.files import has_signature
from qe_desktop.formats.files_in_use import is_open_here
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from sqlalchemy import URL

REQUIRE_AUTH = "require_auth"
SCRAM = "scram-sha-256"
"""Only password authentication method that does not reveal the password to an impostor server."""
_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_METHOD = re.compile(r"!?(scram-sha-256|md5|password|gss|sspi|none)")
_MAX_TIMEOUT_SECONDS = 600


def _is_port(value: str) -> bool:
    return value.isascii() and value.isdigit() and 0 < int(value[:6]) < 65536


def _is_timeout(value: str) -> bool:
    return value.isascii() and value.isdigit() and int(value[:6]) <= _MAX_TIMEOUT_SECONDS


def _is_text(value: str) -> bool:
    return bool(value) and value.isprintable()


def _is_host(value: str) -> bool:
    # with several hosts, libpq would silently try the next one
    return _is_text(value) and "," not in value


_OPTION_VALIDATORS: Mapping[str, Callable[[str], bool]] = {
    "channel_binding": lambda value: value in ("disable", "prefer", "require"),
    "connect_timeout": _is_timeout,
    "host": _is_host,
    "port": _is_port,
    REQUIRE_AUTH: lambda value: all(_METHOD.fullmatch(method) for method in value.split(",")),
    "sslcert": _is_text,
    "sslcrl": _is_text,
    "sslkey": _is_text,
    "sslmode": lambda value: value in _SSL_MODES,
    "sslrootcert": _is_text,
}


def check_options(options: Sequence[tuple[str, str]]) -> None:
    """Raise QeError for unknown or repeated connection options and for invalid values."""
    names = set()
    for name, value in options:
        if name not in _OPTION_VALIDATORS:
            raise QeError(
                tr("the option {name} is not allowed in the address", name=name[:40]),
                hint=tr("Allowed options: {names}.", names=", ".join(_OPTION_VALIDATORS)),
            )
        if not _OPTION_VALIDATORS[name](value):
            message = tr("invalid value {value} for the option {name} in the address", name=name, value=value[:40])
            raise QeError(message, hint=tr("See “Connection Strings” in the PostgreSQL documentation."))
        if name in names:
            raise QeError(tr("the option {name} occurs twice in the address", name=name), hint=tr("Use it only once."))
        names.add(name)


def is_local(host: str) -> bool:
    """Return whether a host or address refers to this computer; connections to this computer cannot be intercepted."""
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


PROJECT_SUFFIX = ".qedesk"
_SQLITE_SIGNATURE = b"SQLite format 3\0"
_SCHEME = re.compile(r"^(postgres(?:ql)?(?:\+psycopg)?)://", re.IGNORECASE)
_PASSWORD_OPTIONS = ("password", "sslpassword")


@dataclass(frozen=True, slots=True)
class Location:
    """Path of a file, or URL (without the password) of a database on a server; `password` is never displayed."""

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
    def place(self) -> SourceLocation:
        """Location as shown in error messages, with undecodable characters escaped."""
        return SourceLocation(str(self).encode("utf-8", "backslashreplace").decode("utf-8"))

    def engine_url(self) -> URL:
        """URL for SQLAlchemy, with the password if there is one. Raises ValueError for a file."""
        from sqlalchemy import make_url

        if self.path is not None:
            raise ValueError("a file has no URL")
        url = make_url(self.url).set(drivername="postgresql+psycopg")
        return url if self.password is None else url.set(password=self.password)

    def clean(self, text: str) -> str:
        """Remove the password from a driver's message."""
        return text.replace(self.password, "…") if self.password else text


def is_project(path_or_url: str) -> bool:
    """Return whether a path or address denotes a project, judged by its form or the first bytes of the file.

    Special files are not read, because a pipe could block.
    """
    if "://" in path_or_url:
        return True
    if path_or_url.lower().endswith(PROJECT_SUFFIX):
        return Path(path_or_url).is_file() or not Path(path_or_url).exists()
    return is_open_here(path_or_url) or has_signature(path_or_url, _SQLITE_SIGNATURE)


def is_server_url(path_or_url: str | Path) -> bool:
    """Return whether a location is the URL of a PostgreSQL server, not a path."""
    return isinstance(path_or_url, str) and _SCHEME.match(path_or_url) is not None


def locate(path_or_url: str | Path, password: str | None = None) -> Location:
    """Parse a path or URL. Raises QeError for an invalid URL.

    A password in the URL is removed from the URL; `password`, if given, takes precedence over that password.
    """
    if not is_server_url(path_or_url):
        if isinstance(path_or_url, str) and "://" in path_or_url:
            scheme = path_or_url.partition("://")[0]
            raise QeError(
                tr("a project cannot be stored at {scheme}://…", scheme=scheme),
                hint=tr("Use a file ({suffix}) or postgresql://USER@HOST/DATABASE.", suffix=PROJECT_SUFFIX),
            )
        # unlike `Path.expanduser`, this leaves a name such as ~draft.qedesk unchanged
        return Location(Path(os.path.expanduser(path_or_url)).absolute(), "", None)
    try:
        parts = urlsplit(_SCHEME.sub("postgresql://", str(path_or_url)))
        port = parts.port
    except ValueError:
        raise QeError(tr("the address of the server is invalid"), hint=_ADDRESS_HINT) from None
    if port == 0:
        raise QeError(tr("the port in the address must be from 1 to 65535"), hint=tr("Correct or remove the port."))
    database = parts.path.strip("/")
    if not database:
        raise QeError(tr("the address has no database name"), hint=_ADDRESS_HINT)
    if "@" in database or parts.fragment:
        # a password with an unescaped character would be parsed as part of the address and displayed
        raise QeError(tr("the address of the server is invalid"), hint=f"{_ADDRESS_HINT} {_ESCAPING_HINT}")
    url_password = None if parts.password is None else unquote(parts.password)
    query = parse_qsl(parts.query, keep_blank_values=True)
    url_password = url_password or next((value for name, value in query if name.lower() == "password"), None)
    address_parts = (parts.username, parts.hostname, database)
    if not all(unquote(part).isprintable() for part in address_parts if part) or "\0" in (
        password or url_password or ""
    ):
        # libpq stops at a null character, so the port and options after it would not apply
        raise QeError(tr("the address of the server contains a control character"), hint=_ADDRESS_HINT)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    user = f"{parts.username}@" if parts.username else ""
    netloc = f"{user}{host}{'' if port is None else f':{port}'}"
    options = [(name, value) for name, value in query if name.lower() not in _PASSWORD_OPTIONS]
    check_options(options)
    duplicate_options = {name for name, _ in options} & {
        name for name, value in (("host", host), ("port", port)) if value
    }
    if "," in host or duplicate_options:
        # libpq would use the option, not the server that the address displays
        raise QeError(tr("the address specifies more than one server or port"), hint=_ADDRESS_HINT)
    encoded = urlencode(options)
    url = f"postgresql://{netloc}/{database}{'?' if encoded else ''}{encoded}"
    return Location(None, url, password or url_password)


_ADDRESS_HINT = tr("Write the address as postgresql://USER@HOST/DATABASE.")
_ESCAPING_HINT = tr("Write / ? # @ as %2F %3F %23 %40 in names and passwords.")
