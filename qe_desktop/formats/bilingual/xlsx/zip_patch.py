"""A zip package of which one member is written anew; every other byte stays, but for the places that its list holds.

Sources: PKWARE's APPNOTE.TXT 6.3.10, 4.3 and 4.4. Nothing is unpacked beyond bounds, nothing into files.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass, field

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.io.limits import MAX_COMPRESSION_RATIO, MAX_FILE_BYTES, UNPACKED_ALLOWANCE_BYTES
from qe_desktop.i18n.messages import tr

MAX_MEMBERS = 10_000
PARTS_ALLOWANCE_BYTES = 4 * UNPACKED_ALLOWANCE_BYTES
"""Bytes that the parts of any package may hold."""
_LOCAL = struct.Struct("<4s5H3L2H")
_LISTED = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError, OSError, ValueError,
            struct.error, KeyError, IndexError, MemoryError)  # fmt: skip
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True, eq=False)
class ZipPackage:
    """A package as its bytes, and what its list says of each member, by name."""

    name: str
    data: bytes
    members: dict[str, zipfile.ZipInfo]
    listed: int
    """Where the list of members begins."""
    archive: zipfile.ZipFile
    unpacked: dict[str, int] = field(default_factory=dict)
    """Bytes of the members that were unpacked."""

    def has(self, member: str) -> bool:
        """Whether there is such a member."""
        return member in self.members

    def size(self) -> int:
        """Bytes of all members, unpacked, as the package says."""
        return sum(one.file_size for one in self.members.values())

    def content(self, member: str) -> bytes:
        """A member, unpacked. QeError where it is missing or damaged, has a password, or holds more than is read."""
        info = self.members.get(member)
        if info is None:
            raise self.refused(tr("the part {part} is missing", part=member))
        if info.flag_bits & 1:
            raise self.refused(tr("the part {part} is locked with a password", part=member))
        if info.compress_type not in _METHODS:
            raise self.refused(tr("the part {part} is packed in a way that is not read", part=member))
        most = min(max(UNPACKED_ALLOWANCE_BYTES, MAX_COMPRESSION_RATIO * info.compress_size), MAX_FILE_BYTES)
        try:
            with self.archive.open(info) as file:
                content = file.read(most + 1)
        except _DAMAGED:
            raise self.refused(tr("the part {part} is damaged", part=member)) from None
        if len(content) > most:
            message = tr("the part {part} holds more than {n:,} bytes when it is unpacked", "", most, part=member)
            raise self.refused(message)
        self.unpacked[member] = len(content)
        whole = min(max(PARTS_ALLOWANCE_BYTES, MAX_COMPRESSION_RATIO * len(self.data)), MAX_FILE_BYTES)
        if sum(self.unpacked.values()) > whole:
            raise self.refused(tr("its parts hold more than {n:,} bytes when they are unpacked", "", whole))
        return content

    def with_content(self, member: str, content: bytes) -> bytes:
        """The package with another content for one member. QeError for one that is larger than plain zip files are."""
        info = self.members[member]
        data, begin = self.data, info.header_offset
        others = [one.header_offset for one in self.members.values() if one.header_offset > begin]
        end = min([*others, self.listed])
        packed = content
        if info.compress_type == zipfile.ZIP_DEFLATED:
            deflating = zlib.compressobj(6, zlib.DEFLATED, -15)
            packed = deflating.compress(content) + deflating.flush()
        sizes = zlib.crc32(content), len(packed), len(content)
        fields = list(_LOCAL.unpack_from(data, begin))
        name_and_more = data[begin + _LOCAL.size : begin + _LOCAL.size + fields[9] + fields[10]]
        # no sizes behind the content: they are known before it
        fields[2] &= ~8
        fields[6:9] = sizes
        record = _LOCAL.pack(*fields) + name_and_more + packed
        moved = len(record) - (end - begin)
        head = data[:begin] + record + data[end : self.listed]
        return head + self._list(member, begin, moved, sizes) + self._tail(moved)

    def _list(self, member: str, begin: int, moved: int, sizes: tuple[int, int, int]) -> bytes:
        """The list of members, in which places and the sizes of one are others."""
        at = self.listed
        parts: list[bytes] = []
        for _ in range(self._count()):
            fields = list(_LISTED.unpack_from(self.data, at))
            behind = at + _LISTED.size
            end = behind + fields[10] + fields[11] + fields[12]
            if fields[16] == begin:
                fields[3] &= ~8
                fields[7:10] = sizes
            elif fields[16] > begin:
                fields[16] += moved
            parts += _LISTED.pack(*fields), self.data[behind:end]
            at = end
        return b"".join([*parts, self.data[at : self._end()]])

    def _end(self) -> int:
        return self.data.rindex(b"PK\x05\x06")

    def _count(self) -> int:
        return int(_END.unpack_from(self.data, self._end())[4])

    def _tail(self, moved: int) -> bytes:
        end = self._end()
        fields = list(_END.unpack_from(self.data, end))
        fields[6] += moved
        return _END.pack(*fields) + self.data[end + _END.size :]

    def refused(self, message: str) -> QeError:
        """What to say where the package cannot be read."""
        return QeError(
            message, hint=tr("Save it again in the program that it comes from."), place=SourceLocation(self.name)
        )


def open_package(data: bytes, name: str) -> ZipPackage:
    """A package of which the bytes are there. QeError for what is damaged, has names twice, or is larger than 4 GB."""
    hint = tr("Save it again in the program that it comes from.")
    refused = QeError(tr("this zip archive is damaged"), hint=hint, place=SourceLocation(name))
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        listed, start = archive.infolist(), archive.start_dir
        end = data.rindex(b"PK\x05\x06")
        fields = _END.unpack_from(data, end)
        whole = fields[4] == len(listed) and fields[6] == start and data[start : start + 4] == b"PK\x01\x02"
        whole = whole and all(data[one.header_offset : one.header_offset + 4] == b"PK\x03\x04" for one in listed)
    except _DAMAGED:
        raise refused from None
    names = [one.filename for one in listed]
    if not whole or len(set(names)) != len(names) or len(names) > MAX_MEMBERS or b"PK\x06\x06" in data[start:end]:
        raise refused
    return ZipPackage(name, data, {one.filename: one for one in listed}, start, archive)
