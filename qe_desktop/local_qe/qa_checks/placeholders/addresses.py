"""Check for web and e-mail addresses of the source that are missing from the target or changed in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.text_shape import CASED_LETTERS

MAX_COMPARED_ADDRESSES = 20
"""Maximum number of addresses in a target that are compared with each source address missing from the target."""

_URL = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:https?|ftp|file)://[^\s<>\"'“”„«»‘’()\[\]{}|、。，；：！？\u2028]+"
    r"|www\.[A-Za-z0-9-]+\.[A-Za-z0-9./_~%?=&#+-]+)",
    re.IGNORECASE,
)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Pattern of Hangul (Korean particles) and letters of scripts without spaces; both may directly follow an address."""
_HOST = re.compile(r"(?:[a-z]+://)?(?:www\.)?([^/:?#]+)", re.IGNORECASE)
_EMAIL_LOCAL_CHARS = f"{CASED_LETTERS}0-9_.+-"
_EMAIL = re.compile(
    rf"(?<![{_EMAIL_LOCAL_CHARS}])[{_EMAIL_LOCAL_CHARS}]{{1,64}}@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,6}}"
)
_TRAILING_MARKS = ".,;:!?…`"
_ADDRESS_PART = re.compile(r"[^/?&=#.]+")
_LANGUAGE_CODE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?")
_SECOND_LEVELS = frozenset(("ac", "co", "com", "edu", "go", "gob", "gov", "gouv", "gv", "ne", "net", "or", "org"))
"""Second-level domains of countries under which organizations register domains, such as `co` in bbc.co.uk."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    end = (len(mt), len(mt))
    if "://" in source or "www." in source:
        source_urls, mt_urls = [dict.fromkeys(_urls(text)) for text in (source, mt)]
        missing = [address for address in source_urls if address not in mt_urls]
        surplus = [address for address in mt_urls if address not in source_urls][:MAX_COMPARED_ADDRESSES]
        for address in missing:
            if not any(_is_localized(address, candidate, pair) for candidate in surplus):
                yield QaIssue(end, tr("the address {address} is missing from the target", address=address))
    if "@" in source:
        emails = {match[0].rstrip(".") for match in _EMAIL.finditer(mt)} if "@" in mt else set()
        for address in dict.fromkeys(match[0].rstrip(".") for match in _EMAIL.finditer(source)):
            if address not in emails:
                yield QaIssue(end, tr("the address {address} is missing from the target", address=address))


def _urls(text: str) -> Iterator[str]:
    return (_UNSPACED.split(match[0], maxsplit=1)[0].rstrip(_TRAILING_MARKS) for match in _URL.finditer(text))


def _is_localized(address: str, other_address: str, pair: SegmentPair) -> bool:
    """Whether two addresses differ only in their scheme, or may be the same page in different languages."""
    if address.rpartition("://")[2] == other_address.rpartition("://")[2]:
        # https instead of http
        return True
    host, other_host = _host(address), _host(other_address)
    if _organization(host) != _organization(other_host):
        return False
    if host != other_host:
        return True
    parts, other_parts = [set(_ADDRESS_PART.findall(text.lower())) for text in (address, other_address)]
    if pair.target_language:
        return _has_language(other_parts - parts, pair.target_language) or _has_language(
            parts - other_parts, pair.source_language
        )
    return any(map(_LANGUAGE_CODE.fullmatch, parts ^ other_parts))


def _has_language(parts: set[str], language: str) -> bool:
    return any(_LANGUAGE_CODE.fullmatch(part) and part[:2] == language for part in parts)


def _host(address: str) -> str:
    match = _HOST.match(address)
    return match[1].lower() if match else ""


def _organization(host: str) -> str:
    """Label of a host that an organization registered: bbc for news.bbc.co.uk.

    For a host without dots, return the host and a dot, which no label contains.
    """
    labels = host.split(".")
    if len(labels) == 1:
        return f"{host}."
    is_second_level = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVELS
    return labels[-3 if is_second_level else -2]


CHECK = Check.of_each(
    "addresses",
    tr("Web and e-mail addresses"),
    tr(
        "A web or e-mail address that is in the source but not in the target. A page in another language on the same "
        "site is accepted."
    ),
    _find,
)
