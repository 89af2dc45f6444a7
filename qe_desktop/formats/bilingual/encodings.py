"""A file's text in one form, UTF-8, whatever its own encoding is, and the way back to the same bytes.

Places in a translator's file are places in that form. For UTF-8, as nearly all are, it is the file itself behind its
byte order mark. What does not come back byte by byte is refused before anything is read.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

HEAD_BYTES = 1 << 10
"""Bytes in which an XML declaration ends, wherever there is one."""
DECODE_BLOCK_BYTES = 1 << 16
"""Bytes that are looked at in one go: so few that a copy of them stays in the cache."""
MAX_SEARCHED_BYTES = 1 << 20
"""Bytes that are searched while no other thread has a turn."""
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UTF16_MARKS = ((b"<\0?\0", "utf-16-le"), (b"\0<\0?", "utf-16-be"), (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
"""How XML begins in UTF-16 that has no mark."""
_DECLARED = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z][\w.:-]{0,39})[\"']")
_PLAIN = "".join(map(chr, range(32, 127)))


@dataclass(frozen=True, slots=True, eq=False)
class DecodedFile:
    """A file as it is on the disk (`data`), and its text as UTF-8 (`utf8`) without a byte order mark.

    `bound` is False for XML that has prefixes which are bound to no namespace, as some programs write it.
    """

    name: str
    data: bytes
    utf8: bytes
    codec: str = "utf-8"
    mark: bytes = b""
    bound: bool = True
    scopes: dict[str, object] = field(default_factory=dict, init=False, repr=False)
    """What was found of the namespaces of the text (`namespaces`), which is XML then."""

    def back(self, utf8: bytes) -> bytes:
        """A text in the file's own encoding, with its mark. UnicodeEncodeError where the encoding has no such sign."""
        return self.mark + self.own(utf8)

    def own(self, utf8: bytes) -> bytes:
        """A part of a text in the file's own encoding."""
        return utf8 if self.codec == "utf-8" else utf8.decode().encode(self.codec)

    def identical(self, kept: Iterable[bytes]) -> int:
        """How many of the file's own bytes stay where these pieces of `utf8` do."""
        return len(self.mark) + sum(len(self.own(piece)) for piece in kept)

    def line(self, at: int) -> int:
        """The line, from 1, of a place in `utf8`."""
        return self.utf8.count(b"\n", 0, at) + 1

    def place(self, at: int | None = None) -> SourceLocation:
        """A place in the file, for messages."""
        return SourceLocation(self.name, None if at is None else self.line(at))

    def has(self, words: bytes) -> bool:
        """Whether something stands anywhere; other threads have their turns while a large file is looked through."""
        reach = MAX_SEARCHED_BYTES + len(words) - 1
        return any(self.utf8.find(words, low, low + reach) >= 0 for low in range(0, len(self.utf8), MAX_SEARCHED_BYTES))

    def cut(self, low: int, high: int) -> str:
        """What stands between two places in `utf8`."""
        return self.utf8[low:high].decode()


def decode_file(data: bytes, name: str, declared: str = "") -> DecodedFile:
    """A file's text by its mark, what it declares of itself, or else as UTF-8.

    `declared` is what else says so, such as a header within the text. QeError with a line where the bytes are no text
    in that encoding, or where the encoding is none that gives the same bytes again.
    """
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if data.startswith(mark)), (b"", ""))
    codec = codec or _codec_of(data, name, declared)
    body = data[len(mark) :]
    try:
        if codec == "utf-8":
            _reject_invalid_bytes(body)
            return DecodedFile(name, data, body, codec, mark)
        text = body.decode(codec)
    except UnicodeDecodeError as error:
        shown, encoding = body[error.start : error.start + 1].hex().upper(), codec.upper()
        message = tr(
            "this is no text in {encoding}: the byte {byte} does not belong here", encoding=encoding, byte=shown
        )
        line = body[: error.start].count(b"\n") + 1
        hint = tr("Save it again in the program that it comes from.")
        raise QeError(message, hint=hint, place=SourceLocation(name, line)) from None
    if text.encode(codec) != body:
        message = tr("text in {encoding} cannot be written back with the same bytes", encoding=codec.upper())
        raise QeError(message, hint=tr("Save it as UTF-8."), place=SourceLocation(name))
    return DecodedFile(name, data, text.encode(), codec, mark)


def decode_head(data: bytes, name: str, declared: str = "") -> DecodedFile:
    """The text of the beginning of a file, without the line or tag that it may end in. QeError as `decoded`."""
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if data.startswith(mark)), (b"", ""))
    codec = codec or _codec_of(data, name, declared)
    body = data[len(mark) :]
    # a character that is cut off is left out
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        text = decoder.decode(body, False).encode()
    except UnicodeDecodeError:
        # the same error, with its line
        return decode_file(data, name, declared)
    end = max(text.rfind(b"\n"), text.rfind(b">")) + 1
    return DecodedFile(name, data, text[:end] if end else text, codec, mark)


def _reject_invalid_bytes(body: bytes) -> None:
    """UnicodeDecodeError, with all of the body, where it is no UTF-8."""
    whole, low = memoryview(body), 0
    while low < len(body):
        piece = whole[low : low + DECODE_BLOCK_BYTES]
        # no text has it, and whole disks are full of it
        null = bytes(piece).find(b"\0")
        if null >= 0:
            raise UnicodeDecodeError("utf-8", body, low + null, low + null + 1, "")
        try:
            # the copy is thrown away, and only the question answered
            low += codecs.utf_8_decode(piece, "strict", low + DECODE_BLOCK_BYTES >= len(body))[1]
        except UnicodeDecodeError as error:
            raise UnicodeDecodeError("utf-8", body, low + error.start, low + error.end, error.reason) from None


def _codec_of(data: bytes, name: str, declared: str) -> str:
    wide = next((codec for begin, codec in _UTF16_MARKS if data.startswith(begin)), "")
    if wide:
        return wide
    found = _DECLARED.match(data[:HEAD_BYTES].lstrip())
    encoding = found[1].decode("ascii") if found else declared
    if not encoding:
        return "utf-8"
    try:
        info = codecs.lookup(encoding)
        known = info.name if _is_plain(info.name) else ""
    except LookupError:
        known = ""
    if not known:
        message = tr("the file says that it is in the encoding {encoding}, which is not read", encoding=encoding)
        raise QeError(message, hint=tr("Save it as UTF-8."), place=SourceLocation(name, 1))
    return "utf-8" if known in ("utf-8", "ascii") else known


def _is_plain(codec: str) -> bool:
    """Whether ASCII stands for itself in an encoding, in which no sign changes what those behind it mean."""
    if codec.startswith(("iso2022", "hz", "utf_7", "utf-7", "unicode", "raw", "idna", "punycode")):
        return False
    try:
        return _PLAIN.encode(codec) == _PLAIN.encode("ascii")
    except (UnicodeError, LookupError):
        return False
