"""Check for access keys: letters, marked by a sign, that select a menu item or button with the keyboard.

`&` marks access keys in Windows, Qt and KDE (“&File”, “E&xit”), `_` in GTK (“_File”). Only software has access keys:
`&` is checked in PO, XLIFF and tables, `_` in PO only. Sources with more than one key are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_FORMATS_BY_SIGN = {"&": ("po", "xliff", "okapi", "bilingual-table", "xlsx"), "_": ("po",)}
"""Prefixes of the names of the file formats in which each sign is checked."""
MAX_LABEL_CHARS = 80
"""Maximum number of characters of a label with an access key; longer sources are not checked."""
_KEYS = {
    "&": re.compile(r"&(?=[^\W_])(?![A-Za-z]{2,8};)"),
    "_": re.compile(r"_(?=[^\W_])"),
}
_LABELS = {
    # at the beginning of a word, or within a word in lower case: R&D and AT&T have no access key
    "&": re.compile(r"(?:^|(?<=[\s(\[\"“„«/…>]))&[^\W_]|(?<=[a-zà-ÿ])&[a-zà-ÿ]|(?:^|(?<=\W))[A-Z]&[a-z]"),
    "_": re.compile(r"(?:^|(?<=[\s(\[]))_[^\W_]|(?:^|(?<=[\s(]))[A-Z][a-z]*_[a-z]+(?![\w])"),
}
_CODE = re.compile(r"[=;|<>{}\\@#$%^*~`]|\w_\w+_|\(\)|[a-z]_[A-Z]|://")
"""Pattern of characters and names that occur in code, but not in labels."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    # a doubled sign is a literal one
    source, mt = [text.replace("&&", "\0\0").replace("__", "\0\0") for text in (pair.source, pair.mt)]
    for sign in "&_":
        if (
            sign not in source
            or len(source) > MAX_LABEL_CHARS
            or not pair.file_format.startswith(_FORMATS_BY_SIGN[sign])
        ):
            continue
        keys = _KEYS[sign].findall(source)
        if len(keys) != 1 or _LABELS[sign].search(source) is None or _CODE.search(source.replace("&", "")):
            continue
        key = _KEYS[sign].search(source)
        assert key is not None
        matches = list(_KEYS[sign].finditer(mt))
        if not matches:
            key_text = source[key.start() : key.end() + 1]
            yield QaIssue((len(mt), len(mt)), tr("the access key {key} is missing from the target", key=key_text))
        for extra in matches[1:]:
            yield QaIssue((extra.start(), extra.end() + 1), tr("the target has more than one access key"))


CHECK = Check.of_each(
    "access-keys",
    tr("Access keys"),
    tr(
        "A label whose source has one access key (&File, in PO files also _File), but whose target has none or several."
    ),
    _find,
)
