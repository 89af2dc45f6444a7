"""Paths and server addresses of projects: parsing and display, without slow imports."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from qe_desktop.i18n.messages import tr

PROJECT_SUFFIX = ".qedesk"
PROJECT_FILTER = tr("Projects (*{suffix})", suffix=PROJECT_SUFFIX)
"""File dialog filter for project files."""
PRACTICE_FOLDER = "trials"
"""Name of the folder for practice projects, inside the user's data folder."""
_DATA_FOLDERS = {"qe-desktop", "QE Desktop"}
_START = re.compile(r" (\d{4}-\d\d-\d\d) (\d\d)\.(\d\d)\.\d\d$")
"""Pattern of the start time at the end of the name of a practice project."""
_PATH_SEPARATOR = "\0"
"""Separator that cannot occur in a path."""
_SCHEME = re.compile(r"^postgres(ql)?(\+psycopg)?://", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Return whether `text` is the address of a project on a server rather than a path."""
    return "://" in text


def join_paths(paths: Iterable[str]) -> str:
    """Return one string for several paths that were opened together; `split_paths` is the inverse."""
    return _PATH_SEPARATOR.join(paths)


def split_paths(entry: str) -> list[str]:
    """Return the paths in an entry of the list of recent files; an address is returned as the only item."""
    return entry.split(_PATH_SEPARATOR)


def display_entry(entry: str, name: str | None = None) -> str:
    """Format an entry of the list of recent files: `name` and, if the entry has several paths, how many more there are.

    If `name` is None, the first path is used or, for a practice project, its name and start time.
    """
    first, *more = split_paths(entry)
    if name is None and is_practice(entry):
        return ", ".join(filter(None, display_practice(entry)))
    displayed = first if name is None else name
    return tr("{name} and {n:,} more", "", len(more), name=displayed) if more else displayed


def display_project_name(place: str) -> str:
    """Return the name of a project for titles: the file name without the suffix, or the name of the database.

    If `place` is an address without a valid database name, return “the server”.
    """
    if is_address(place):
        # if the database name is missing or contains an @, it may contain parts of a password
        name = _split(place).path.strip("/")
        return name if name and "@" not in name else tr("the server")
    name = os.path.basename(place)
    return name[: -len(PROJECT_SUFFIX)] if name.lower().endswith(PROJECT_SUFFIX) else name


def is_practice(place: str) -> bool:
    """Return whether a project is for practice with a sample; `place` is its path or address."""
    folder, name = os.path.split(place)
    data_folder, last = os.path.split(folder)
    return last == PRACTICE_FOLDER and os.path.basename(data_folder) in _DATA_FOLDERS and name.endswith(PROJECT_SUFFIX)


def display_practice(place: str) -> tuple[str, str]:
    """Return the name of a practice project, such as “Rating practice, en-de”, and its start time, or "" if unknown."""
    name = display_project_name(place)
    start = _START.search(name)
    sample = name if start is None else name[: start.start()]
    return tr("Rating practice, {sample}", sample=sample), "" if start is None else "{} {}:{}".format(*start.groups())


def display_server(place: str) -> str:
    """Return a project's server as `USER@HOST:PORT`, without the password; parts that the address lacks are omitted."""
    parts = _split(place)
    return parts.netloc.rpartition("@")[0].partition(":")[0] + "@" * ("@" in parts.netloc) + _host(place)


def split_password(address: str) -> tuple[str, str]:
    """Return the address without its password, and the password (empty if the address has none)."""
    parts = _split(address)
    query = parse_qsl(parts.query, keep_blank_values=True)
    inside = next((value for name, value in query if name.lower() == "password"), "")
    if inside:
        query_text = urlencode([(name, value) for name, value in query if name.lower() != "password"])
        parts = parts._replace(query=query_text)
        address = urlunsplit(parts)
    if parts.password is None:
        return address, inside
    user = f"{parts.username}@" if parts.username else ""
    return urlunsplit(parts._replace(netloc=user + _host(address))), unquote(parts.password) or inside


def complete_address(address: str, user: str) -> str:
    """Complete an address that the user entered, such as `HOST/DATABASE`.

    A missing scheme is added, and a password is removed. If `user` is not empty, it replaces the user in the address.
    """
    address = address.strip()
    if not _SCHEME.match(address) and not is_address(address):
        address = f"postgresql://{address}"
    address, _ = split_password(address)
    parts = _split(address)
    name = quote(user.strip(), safe="") if user.strip() else parts.username or ""
    return urlunsplit(parts._replace(netloc=(f"{name}@" if name else "") + _host(address)))


def address_user(address: str) -> str:
    """Return the user name in `address`; empty if `address` has none or is a path."""
    return unquote(_split(address).username or "") if is_address(address) else ""


def strip_user(address: str) -> str:
    """Return `address` without the user and password in front of the host; the query is unchanged."""
    return urlunsplit(_split(address)._replace(netloc=_host(address)))


def _host(address: str) -> str:
    """Return the host and port of an address as written (`SplitResult.hostname` is in lower case)."""
    return _split(address).netloc.rpartition("@")[2]


def _split(address: str) -> SplitResult:
    """Split an address into its parts.

    If the address is invalid, for example because a bracket is missing, the returned path is all that follows the
    scheme and the user, if any.
    """
    try:
        return urlsplit(address)
    except ValueError:
        scheme, _, remainder = address.partition("://")
        return SplitResult(scheme, "", remainder.rpartition("@")[2], "", "")
