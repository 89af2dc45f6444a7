"""Options in the address of a server: a short list is allowed, for some of libpq's write files or take other roles."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence

from qe_desktop.corpus import QeError
from qe_desktop.wording import tr

REQUIRE_AUTH = "require_auth"
SCRAM = "scram-sha-256"
"""The one way to give a password that tells the server, or whoever stands in its place, nothing of it."""
_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_METHOD = re.compile(r"!?(scram-sha-256|md5|password|gss|sspi|none)")
_MAX_SECONDS = 600


def _is_port(value: str) -> bool:
    return value.isascii() and value.isdigit() and 0 < int(value[:6]) < 65536


def _is_wait(value: str) -> bool:
    return value.isascii() and value.isdigit() and int(value[:6]) <= _MAX_SECONDS


def _is_text(value: str) -> bool:
    return bool(value) and value.isprintable()


_ALLOWED: Mapping[str, Callable[[str], bool]] = {
    "channel_binding": lambda value: value in ("disable", "prefer", "require"),
    "connect_timeout": _is_wait,
    "host": _is_text,
    "port": _is_port,
    REQUIRE_AUTH: lambda value: all(_METHOD.fullmatch(one) for one in value.split(",")),
    "sslcert": _is_text,
    "sslcrl": _is_text,
    "sslkey": _is_text,
    "sslmode": lambda value: value in _SSL_MODES,
    "sslrootcert": _is_text,
}


def refuse_others(options: Sequence[tuple[str, str]]) -> None:
    """QeError for an option that is not in the list or is given twice, and for a value that it cannot have."""
    seen = set()
    for name, value in options:
        if name not in _ALLOWED:
            raise QeError(
                tr("the address has the option {name}, which is not allowed", name=name[:40]),
                hint=tr("Allowed are {names}.", names=", ".join(_ALLOWED)),
            )
        if not _ALLOWED[name](value):
            message = tr("the option {name} of the address cannot be {value}", name=name, value=value[:40])
            raise QeError(message, hint=tr("See the manual of PostgreSQL on connection strings."))
        if name in seen:
            raise QeError(tr("the option {name} is twice in the address", name=name), hint=tr("Give it once."))
        seen.add(name)


def is_local(host: str) -> bool:
    """Whether a host, or the address that it has, is this computer: nobody listens on the way to it."""
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
