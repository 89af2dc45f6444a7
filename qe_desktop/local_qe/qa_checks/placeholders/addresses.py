"""Check for web and e-mail addresses of the source that the target lacks or has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_URL = re.compile(
    r"\b(?:https?|ftp|file)://[^\s<>\"'“”„«»‘’()\[\]{}|、。，；：！？\u2028]+|\bwww\.[\w-]+\.[\w./~%?=&#+-]+",
    re.IGNORECASE,
)
_HOST = re.compile(r"(?:[a-z]+://)?(?:www\.)?([^/:?#]+)", re.IGNORECASE)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}")
_ENDS = ".,;:!?…"


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    end = (len(mt), len(mt))
    if "://" in source or "www." in source:
        there, here = [[match[0].rstrip(_ENDS) for match in _URL.finditer(text)] for text in (source, mt)]
        hosts = {_host(address) for address in here}
        for address in dict.fromkeys(there):
            # the page of another language is often on the same server
            if address not in here and address not in mt and not _is_same_site(_host(address), hosts):
                yield QaIssue(end, tr("the address {address} of the source is missing", address=address))
    if "@" in source:
        here = [match[0].rstrip(".") for match in _EMAIL.finditer(mt)] if "@" in mt else []
        for address in dict.fromkeys(match[0].rstrip(".") for match in _EMAIL.finditer(source)):
            if address not in here:
                yield QaIssue(end, tr("the address {address} of the source is missing", address=address))


def _host(address: str) -> str:
    match = _HOST.match(address)
    return match[1].lower() if match else ""


def _is_same_site(host: str, hosts: set[str]) -> bool:
    """Whether one of the hosts is of the same organization: de.example.org and example.org, example.com and .de."""
    names = set(host.split(".")[-2:-1])
    return bool(names & set(chain.from_iterable(name.split(".")[:-1] for name in hosts)))


CHECK = Check.of_each(
    "addresses",
    tr("Web and e-mail addresses"),
    tr("A web or e-mail address of the source that the target lacks. Another page of the same site is accepted."),
    _find,
)
