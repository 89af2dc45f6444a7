"""Decoding of files to UTF-8, and encoding back to the same bytes.

Offsets in bilingual files refer to the UTF-8 text, which for UTF-8 files is the file itself without its byte order
mark. A file that cannot be encoded back to the same bytes is rejected before it is parsed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.files import find_null
from qe_desktop.formats.text_files import encoding_error, looks_like_utf16
from qe_desktop.i18n.messages import tr

HEAD_BYTES = 1 << 10
"""Number of bytes at the beginning of a file that are searched for an XML declaration."""
DECODE_BLOCK_BYTES = 1 << 16
"""Number of bytes decoded per step; small enough for the decoded copy to fit in the CPU cache."""
MAX_SEARCHED_BYTES = 1 << 20
"""Maximum number of bytes that are searched before other threads can run."""
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UTF16_XML_PREFIXES = ((b"<\0?\0", "utf-16-le"), (b"\0<\0?", "utf-16-be"), (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
"""First bytes of UTF-16 XML without a byte order mark, and the encoding that they indicate."""
_DECLARED = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z][\w.:-]{0,39})[\"']")
_PRINTABLE_ASCII = "".join(map(chr, range(32, 127)))


@dataclass(frozen=True, slots=True, eq=False)
class DecodedFile:
    """Raw bytes of a file (`data`), and its text as UTF-8 (`utf8`) without a byte order mark.

    `codec` is the encoding of the file, `byte_order_mark` its byte order mark (empty if there is none).
    `has_bound_prefixes` is false for XML with unbound namespace prefixes, which some programs write. `utf8` is empty
    for a workbook, whose parts are decoded separately.
    """

    name: str
    data: bytes
    utf8: bytes
    codec: str = "utf-8"
    byte_order_mark: bytes = b""
    has_bound_prefixes: bool = True
    lookup_caches: dict[str, object] = field(default_factory=dict, init=False, repr=False)
    """Cached results of lookups in XML text, such as lookups of namespaces, by kind of lookup."""

    def encode_file(self, utf8: bytes) -> bytes:
        """Encode text and prepend the byte order mark. Raises UnicodeEncodeError if the encoding lacks a character."""
        return self.byte_order_mark + self.encode(utf8)

    def encode(self, utf8: bytes) -> bytes:
        """Encode part of a text in the file's encoding. Raises UnicodeEncodeError if the encoding lacks a character."""
        return utf8 if self.codec == "utf-8" else utf8.decode().encode(self.codec)

    def unchanged_size(self, unchanged_pieces: Iterable[bytes]) -> int:
        """Number of bytes in the file that the byte order mark and the `unchanged_pieces` of `utf8` occupy."""
        return len(self.byte_order_mark) + sum(len(self.encode(piece)) for piece in unchanged_pieces)

    def line(self, offset: int) -> int:
        """1-based line number of an offset in `utf8`."""
        return self.utf8.count(b"\n", 0, offset) + 1

    def location(self, offset: int | None = None) -> SourceLocation:
        """Location for messages: the file and, unless `offset` is None, the line of this offset in `utf8`."""
        return SourceLocation(self.name, None if offset is None else self.line(offset))

    def contains(self, pattern: bytes) -> bool:
        """Whether `pattern` occurs in the text; other threads can run during the search."""
        window = MAX_SEARCHED_BYTES + len(pattern) - 1
        return any(
            self.utf8.find(pattern, start, start + window) >= 0
            for start in range(0, len(self.utf8), MAX_SEARCHED_BYTES)
        )

    def text_between(self, start: int, stop: int) -> str:
        """Text between two offsets in `utf8`."""
        return self.utf8[start:stop].decode()


def is_encodable(text: str, codec: str) -> bool:
    """Whether encoding and decoding preserve a text; Shift_JIS, for example, encodes ¥ as a backslash."""
    try:
        return codec.startswith("utf") or text.encode(codec).decode(codec) == text
    except UnicodeError:
        return False


def check_encodable(text: str, codec: str) -> None:
    """Raise QeError, without a location, if an encoding lacks a character of a text; name the first such character."""
    if is_encodable(text, codec):
        return
    missing_char = next((char for char in text if not is_encodable(char, codec)), text[0])
    message = tr(
        "the file's encoding ({encoding}) cannot represent the character {code}",
        encoding=codec.upper(),
        code=f"U+{ord(missing_char):04X}",
    )
    raise QeError(message, hint=tr("Use another character."))


def escape_unencodable(text: str, codec: str) -> str:
    """Return XML text in which characters missing from an encoding are replaced with character references."""
    if is_encodable(text, codec):
        return text
    return "".join([char if is_encodable(char, codec) else f"&#{ord(char)};" for char in text])


def _split_mark(data: bytes, name: str, declared: str) -> tuple[bytes, str, bytes]:
    """Return the byte order mark, the encoding and the rest of a file. Raises QeError for an unsupported encoding."""
    mark, codec = next(((mark, codec) for mark, codec in _BYTE_ORDER_MARKS if data.startswith(mark)), (b"", ""))
    return mark, codec or _codec_of(data, name, declared), data[len(mark) :]


def decode_file(data: bytes, name: str, declared: str = "") -> DecodedFile:
    """Decode a file.

    The encoding is determined by the first bytes (UTF-8, UTF-16 or UTF-32), or else by the XML declaration, or else by
    `declared`; the default is UTF-8. `declared` is an encoding specified elsewhere, such as in a header within the
    text, and empty if there is none.

    Raises QeError if the encoding is not supported, or if encoding the text again would not reproduce the bytes. Raises
    QeError with the line number if the bytes are invalid or contain a NUL character.
    """
    mark, codec, body = _split_mark(data, name, declared)
    try:
        if codec == "utf-8":
            _reject_invalid_bytes(body)
            return DecodedFile(name, data, body, codec, mark)
        # checked before decoding, because decoding makes a file of zeros several times as large
        width = null_width(data)
        if (null := find_null(body, width)) >= 0:
            raise UnicodeDecodeError(codec, body, null, null + width, "")
        text = body.decode(codec)
    except UnicodeDecodeError as error:
        byte, encoding = body[error.start : error.start + 1].hex().upper(), codec.upper()
        message = tr("the text is not valid {encoding}: unexpected byte {byte}", encoding=encoding, byte=byte)
        line = body[: error.start].count(b"\n") + 1
        hint = tr("Save the file again in the program that created it.")
        raise QeError(message, hint=hint, place=SourceLocation(name, line)) from None
    if text.encode(codec) != body:
        message = tr("the file cannot be written back in {encoding} with identical bytes", encoding=codec.upper())
        raise QeError(message, hint=tr("Save the file as UTF-8."), place=SourceLocation(name))
    return DecodedFile(name, data, text.encode(), codec, mark)


def decode_head(data: bytes, name: str, declared: str = "") -> DecodedFile:
    """Decode the beginning of a file, without an incomplete last line or tag.

    Raises QeError if the encoding is not supported or a byte is invalid.
    """
    mark, codec, body = _split_mark(data, name, declared)
    # an incomplete last character is dropped
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        text = decoder.decode(body, False).encode()
    except UnicodeDecodeError:
        # the same error, with its line
        return decode_file(data, name, declared)
    end = max(text.rfind(b"\n"), text.rfind(b">")) + 1
    return DecodedFile(name, data, text[:end] if end else text, codec, mark)


def _reject_invalid_bytes(body: bytes) -> None:
    """Raise UnicodeDecodeError, with offsets into `body`, if `body` is not UTF-8 or contains a NUL byte."""
    view, offset = memoryview(body), 0
    while offset < len(body):
        piece = view[offset : offset + DECODE_BLOCK_BYTES]
        # text files have no NUL bytes; zeroed disk blocks consist of them
        null = bytes(piece).find(b"\0")
        if null >= 0:
            raise UnicodeDecodeError("utf-8", body, offset + null, offset + null + 1, "")
        try:
            # only validates; the decoded copy is discarded
            offset += codecs.utf_8_decode(piece, "strict", offset + DECODE_BLOCK_BYTES >= len(body))[1]
        except UnicodeDecodeError as error:
            raise UnicodeDecodeError("utf-8", body, offset + error.start, offset + error.end, error.reason) from None


def null_width(head: bytes) -> int:
    """Width in bytes of a NUL character in a file that begins with `head`."""
    codec = next((codec for begin, codec in (*_BYTE_ORDER_MARKS, *_UTF16_XML_PREFIXES) if head.startswith(begin)), "")
    return 4 if codec.startswith("utf-32") else 2 if codec.startswith("utf-16") else 1


def _codec_of(data: bytes, name: str, declared: str) -> str:
    utf16_codec = next((codec for begin, codec in _UTF16_XML_PREFIXES if data.startswith(begin)), "")
    if utf16_codec:
        return utf16_codec
    if looks_like_utf16(data[:HEAD_BYTES]):
        raise encoding_error("UTF-16", name)
    declaration = _DECLARED.match(data[:HEAD_BYTES].lstrip())
    encoding = declaration[1].decode("ascii") if declaration else declared
    if not encoding:
        return "utf-8"
    try:
        info = codecs.lookup(encoding)
        codec_name = info.name if _is_ascii_compatible(info.name) else ""
    except LookupError:
        codec_name = ""
    if not codec_name:
        message = tr("the file declares the encoding {encoding}, which is not supported", encoding=encoding)
        raise QeError(message, hint=tr("Save the file as UTF-8."), place=SourceLocation(name, 1))
    return "utf-8" if codec_name in ("utf-8", "ascii") else codec_name


def _is_ascii_compatible(codec: str) -> bool:
    """Whether an encoding is stateless and ASCII-compatible."""
    if codec.startswith(("iso2022", "hz", "utf_7", "utf-7", "unicode", "raw", "idna", "punycode")):
        return False
    try:
        return _PRINTABLE_ASCII.encode(codec) == _PRINTABLE_ASCII.encode("ascii")
    except (UnicodeError, LookupError):
        return False
