"""Where projects are, as people name them: files of their own kind, and addresses of servers. Imports nothing slow."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from qe_desktop.i18n.messages import tr

PROJECT_SUFFIX = ".qedesk"
PROJECT_FILTER = tr("Projects (*{suffix})", suffix=PROJECT_SUFFIX)
"""For file dialogs."""
_PATH_SEPARATOR = "\0"
"""Stands in no path."""
_SCHEME = re.compile(r"^postgres(ql)?(\+psycopg)?://", re.IGNORECASE)


def is_address(place: str) -> bool:
    """Whether this is the address of something on a network and not a path."""
    return "://" in place


def join_paths(paths: Iterable[str]) -> str:
    """Paths that were opened together as one text; `split_paths` gives them back."""
    return _PATH_SEPARATOR.join(paths)


def split_paths(entry: str) -> list[str]:
    """The paths, or the one address, of something that was opened."""
    return entry.split(_PATH_SEPARATOR)


def display_entry(entry: str, name: str | None = None) -> str:
    """What was opened as people read it: its first path, or a name for that, and how many more there are."""
    first, *more = split_paths(entry)
    shown = first if name is None else name
    return tr("{name} and {n:,} more", "", len(more), name=shown) if more else shown


def display_project_name(place: str) -> str:
    """What a project is called in a title: its file without the suffix, or the database."""
    if is_address(place):
        # where the name of a database is missing or has an @ in it, parts of a password may stand there
        name = _split(place).path.strip("/")
        return name if name and "@" not in name else tr("the server")
    name = os.path.basename(place)
    return name[: -len(PROJECT_SUFFIX)] if name.lower().endswith(PROJECT_SUFFIX) else name


def display_server(place: str) -> str:
    """Where a project on a server is: `USER@HOST`, never with a password."""
    parts = _split(place)
    return parts.netloc.rpartition("@")[0].partition(":")[0] + "@" * ("@" in parts.netloc) + _host(place)


def split_password(address: str) -> tuple[str, str]:
    """An address without the password in it, and that password."""
    parts = _split(address)
    query = parse_qsl(parts.query, keep_blank_values=True)
    inside = next((value for name, value in query if name.lower() == "password"), "")
    if inside:
        kept = urlencode([(name, value) for name, value in query if name.lower() != "password"])
        parts = parts._replace(query=kept)
        address = urlunsplit(parts)
    if parts.password is None:
        return address, inside
    user = f"{parts.username}@" if parts.username else ""
    return urlunsplit(parts._replace(netloc=user + _host(address))), unquote(parts.password) or inside


def complete_address(address: str, user: str) -> str:
    """An address as a person typed it (`HOST/DATABASE` will do), with the user in it and without a password."""
    address = address.strip()
    if not _SCHEME.match(address) and not is_address(address):
        address = f"postgresql://{address}"
    address, _ = split_password(address)
    parts = _split(address)
    name = quote(user.strip(), safe="") if user.strip() else parts.username or ""
    return urlunsplit(parts._replace(netloc=(f"{name}@" if name else "") + _host(address)))


def address_user(address: str) -> str:
    """The user whom an address names, or nothing."""
    return unquote(_split(address).username or "") if is_address(address) else ""


def strip_user(address: str) -> str:
    """An address without user and password."""
    return urlunsplit(_split(address)._replace(netloc=_host(address)))


def _host(address: str) -> str:
    """Host and port, as they stand in the address."""
    return _split(address).netloc.rpartition("@")[2]


def _split(address: str) -> SplitResult:
    """The parts of an address; one that cannot be read, with a bracket missing, is all path."""
    try:
        return urlsplit(address)
    except ValueError:
        scheme, _, rest = address.partition("://")
        return SplitResult(scheme, "", rest.rpartition("@")[2], "", "")
