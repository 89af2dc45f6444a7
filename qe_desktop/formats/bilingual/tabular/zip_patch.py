"""Replacement of one member of a zip package; only the member, the central directory and the end record change.

Source: PKWARE APPNOTE.TXT 6.3.10, sections 4.3 and 4.4. The size of decompressed data is limited; no files are written.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass, field

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.files import MAX_COMPRESSION_RATIO, MAX_FILE_BYTES, UNPACKED_ALLOWANCE_BYTES
from qe_desktop.i18n.messages import tr

MAX_MEMBERS = 10_000
PARTS_ALLOWANCE_BYTES = 4 * UNPACKED_ALLOWANCE_BYTES
"""Total uncompressed size in bytes that is always allowed for the parts of a package, however small the package is."""
_LOCAL = struct.Struct("<4s5H3L2H")
_DIRECTORY_ENTRY = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError, OSError, ValueError,
            struct.error, KeyError, IndexError, MemoryError)  # fmt: skip
_END_SIGNATURE = b"PK\x05\x06"
MAX_END_RECORD_BYTES = _END.size + (1 << 16)
"""Maximum size in bytes of the end record, including its comment, at the end of the file."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True, eq=False)
class ZipPackage:
    """Zip package in memory, with its directory entries by member name (`members`)."""

    name: str
    data: bytes
    members: dict[str, zipfile.ZipInfo]
    directory_offset: int
    """Offset of the central directory."""
    archive: zipfile.ZipFile
    unpacked_sizes: dict[str, int] = field(default_factory=dict)
    """Uncompressed sizes of the members read so far."""

    def has(self, member: str) -> bool:
        """Whether the package has a member."""
        return member in self.members

    def size(self) -> int:
        """Sum of the declared uncompressed sizes of all members, in bytes."""
        return sum(info.file_size for info in self.members.values())

    def content(self, member: str) -> bytes:
        """Decompress a member.

        Raises QeError if it is missing, damaged, encrypted, too large, or compressed by an unsupported method.
        """
        info = self.members.get(member)
        if info is None:
            raise self.read_error(tr("the part {part} is missing", part=member))
        if info.flag_bits & 1:
            raise self.read_error(tr("the part {part} is password-protected", part=member))
        if info.compress_type not in _METHODS:
            raise self.read_error(tr("the part {part} uses an unsupported compression method", part=member))
        max_bytes = min(max(UNPACKED_ALLOWANCE_BYTES, MAX_COMPRESSION_RATIO * info.compress_size), MAX_FILE_BYTES)
        try:
            with self.archive.open(info) as file:
                content = file.read(max_bytes + 1)
        except _DAMAGED:
            raise self.read_error(tr("the part {part} is damaged", part=member)) from None
        if len(content) > max_bytes:
            message = tr("the part {part} is larger than {n:,} bytes uncompressed", "", max_bytes, part=member)
            raise self.read_error(message, tr("Split the workbook."))
        self.unpacked_sizes[member] = len(content)
        max_total = min(max(PARTS_ALLOWANCE_BYTES, MAX_COMPRESSION_RATIO * len(self.data)), MAX_FILE_BYTES)
        if sum(self.unpacked_sizes.values()) > max_total:
            message = tr(
                "the parts of the workbook have more than {n:,} bytes in total when uncompressed", "", max_total
            )
            raise self.read_error(message, tr("Split the workbook."))
        return content

    def with_content(self, member: str, content: bytes) -> bytes:
        """Return the package with new content for one member."""
        info = self.members[member]
        data, begin = self.data, info.header_offset
        later = [entry.header_offset for entry in self.members.values() if entry.header_offset > begin]
        end = min([*later, self.directory_offset])
        compressed = content
        if info.compress_type == zipfile.ZIP_DEFLATED:
            compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
            compressed = compressor.compress(content) + compressor.flush()
        sizes = zlib.crc32(content), len(compressed), len(content)
        fields = list(_LOCAL.unpack_from(data, begin))
        name_and_extra = data[begin + _LOCAL.size : begin + _LOCAL.size + fields[9] + fields[10]]
        # no data descriptor: the sizes are in the header
        fields[2] &= ~8
        fields[6:9] = sizes
        record = _LOCAL.pack(*fields) + name_and_extra + compressed
        shift = len(record) - (end - begin)
        head = data[:begin] + record + data[end : self.directory_offset]
        return head + self._build_directory(begin, shift, sizes) + self._tail(shift)

    def _build_directory(self, begin: int, shift: int, sizes: tuple[int, int, int]) -> bytes:
        """Build the central directory after the member at offset `begin` has been replaced.

        `shift` is added to the offsets of later members. `sizes` are the new CRC-32, compressed size and uncompressed
        size of the replaced member.
        """
        offset = self.directory_offset
        parts: list[bytes] = []
        for _ in range(self._count()):
            fields = list(_DIRECTORY_ENTRY.unpack_from(self.data, offset))
            names_start = offset + _DIRECTORY_ENTRY.size
            end = names_start + fields[10] + fields[11] + fields[12]
            if fields[16] == begin:
                fields[3] &= ~8
                fields[7:10] = sizes
            elif fields[16] > begin:
                fields[16] += shift
            parts += _DIRECTORY_ENTRY.pack(*fields), self.data[names_start:end]
            offset = end
        return b"".join([*parts, self.data[offset : self._end()]])

    def _end(self) -> int:
        return self.data.rindex(_END_SIGNATURE)

    def _count(self) -> int:
        return int(_END.unpack_from(self.data, self._end())[4])

    def _tail(self, shift: int) -> bytes:
        end = self._end()
        fields = list(_END.unpack_from(self.data, end))
        fields[6] += shift
        return _END.pack(*fields) + self.data[end + _END.size :]

    def read_error(self, message: str, hint: str = "") -> QeError:
        """Error for a workbook that cannot be read; the default hint is to save the workbook again as XLSX or XLSM."""
        hint = hint or tr("Save the workbook again as XLSX or XLSM, without a password.")
        return QeError(message, hint=hint, place=SourceLocation(self.name))


def check_end_record(tail: bytes, name: str) -> None:
    """Raise QeError if a zip archive is truncated, that is, if its last bytes do not contain the end record."""
    if _END_SIGNATURE not in tail:
        hint = tr("Copy the file again from its source.")
        raise QeError(tr("the file is damaged: its end is missing"), hint=hint, place=SourceLocation(name))


def _damaged_error(name: str) -> QeError:
    hint = tr("Save the file again in the program that created it.")
    return QeError(tr("this workbook is damaged or not supported"), hint=hint, place=SourceLocation(name))


def open_package(data: bytes, name: str) -> ZipPackage:
    """Open a package.

    Raises QeError if the package is damaged, is in Zip64 format, has too many members, or has several members with the
    same name.
    """
    check_end_record(data[-MAX_END_RECORD_BYTES:], name)
    error = _damaged_error(name)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        listed, start = archive.infolist(), archive.start_dir
        end = data.rindex(_END_SIGNATURE)
        fields = _END.unpack_from(data, end)
        is_complete = fields[4] == len(listed) and fields[6] == start and data[start : start + 4] == b"PK\x01\x02"
        is_complete = is_complete and all(
            data[info.header_offset : info.header_offset + 4] == b"PK\x03\x04" for info in listed
        )
    except _DAMAGED:
        raise error from None
    names = [info.filename for info in listed]
    if not is_complete or len(set(names)) != len(names) or len(names) > MAX_MEMBERS or b"PK\x06\x06" in data[start:end]:
        raise error
    return ZipPackage(name, data, {info.filename: info for info in listed}, start, archive)
