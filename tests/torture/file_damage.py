"""Damage to an input file, determined by a number: bytes, lines, fields, numbers, encodings, compression and sizes."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable

MAX_BYTES = 4_900_000
"""Maximum size of a damaged file on disk in bytes."""
LARGE_SHARE = 0.012
"""Fraction of files that are made large."""
ODD = (
    b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\r", b"\n",
    b"\r\n", b"\n\n", b"\t", b"\t\t", b" ", b"  ", b"\x0b", b"\x0c", b"\x1b[2J", b"\x1c", b"\x85",
    "\u0085".encode(), "\u2028".encode(), "\u00a0".encode(), "\ufeff".encode(), "\u202e".encode(),
    "\u0301".encode() * 50, "👩‍👩‍👧‍👦".encode(), "ﷺ".encode(), "\U0010ffff".encode(), b"OK", b"BAD", b"ok", b"-",
    b"--", b",", b";", b"|", b'"', b'""', b"'", b"=", b"=1+1", b"@@", b"<EOS>", b"&amp;", b"<",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"]]>", b"<a>", b"{", b"}", b"[", b"[[[[", b'{"a":1}', b"\\", b"\\ud800",
    b'"\\ud800"', b"\\u0000", b"null", b"true", b"#", b"%s", b"%n", b"../..",
)  # fmt: skip
NUMBERS = (
    b"9" * 30, b"9" * 400, b"18446744073709551616", b"9223372036854775808", b"-9223372036854775809",
    b"2147483648", b"4294967296", b"1000000000000", b"-1", b"-0", b"0", b"1", b"0.5", b"1e400", b"-1e400",
    b"1e-400", b"1e105", b"1e308", b"1e38", b"1e39", b"3.5e38", b"nan", b"NaN", b"inf", b"-Infinity", b"0x1f",
    b"1_000", b"1,5", b"1.", b".5", b"1e", b"+", "٣".encode(), "１".encode(), "²".encode(), b"007",
    b"1.7976931348623157e308", b"5e-324", b"253402300800", b"99999999999", b"1e15", b"1000001", b"1-1", b"9-9",
    b"999999999-0", b"0-1073741824", b"12.3", b"1.1000000", b"999999999999.999999",
)  # fmt: skip

Damage = Callable[[bytes, random.Random], bytes]


def damage_content(content: bytes, number: int) -> bytes:
    """Return the content, damaged in the way determined by a number."""
    rng = random.Random(number)
    steps: list[Damage] = rng.choices(SMALL, k=rng.choice((1, 1, 1, 2, 2, 3, 5)))
    if rng.random() < LARGE_SHARE:
        steps.insert(rng.randrange(len(steps) + 1), rng.choice(LARGE))
    if rng.random() < 0.06:
        steps.append(rng.choice(PACKED))
    for step in steps:
        content = step(content, rng) if content else content
    return content[:MAX_BYTES]


# --- bytes and lines


def _flip(content: bytes, rng: random.Random) -> bytes:
    position = rng.randrange(len(content))
    return content[:position] + bytes([content[position] ^ (1 << rng.randrange(8))]) + content[position + 1 :]


def _insert(content: bytes, rng: random.Random) -> bytes:
    position = rng.randrange(len(content) + 1)
    return content[:position] + rng.choice(ODD) + content[position:]


def _replace(content: bytes, rng: random.Random) -> bytes:
    position = rng.randrange(len(content))
    return content[:position] + rng.choice(ODD) + content[position + rng.randrange(1, 9) :]


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def _behead(content: bytes, rng: random.Random) -> bytes:
    return content[rng.randrange(len(content)) :]


def _lines(content: bytes, rng: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    line = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[line]
        case 1:
            lines.insert(line, lines[line])
        case 2:
            rng.shuffle(lines)
        case 3:
            lines.insert(line, rng.choice((b"\n", b" \n", b"\t\n", b"\r\n", b"\r", rng.choice(ODD) + b"\n")))
        case _:
            other = rng.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
    return b"".join(lines)


def _line_ends(content: bytes, rng: random.Random) -> bytes:
    """Replace some line ends, so that the file has several kinds."""
    ends = rng.choices((b"\n", b"\r\n", b"\r", b"\n\n", b"", b"\x0b", "\u2028".encode(), b"\n\r"), k=2)
    return re.sub(rb"\r?\n", lambda match: rng.choice((match[0], *ends)), content)


# --- fields and numbers


def _fields(content: bytes, rng: random.Random) -> bytes:
    """Add, remove or change a field of a row."""
    mark = max((b"\t", b",", b" ", b";"), key=lambda mark: (content.count(mark), mark))
    lines = content.split(b"\n")
    line = rng.randrange(len(lines))
    fields = lines[line].split(mark)
    position = rng.randrange(len(fields))
    match rng.randrange(5):
        case 0:
            del fields[position]
        case 1:
            fields.insert(position, fields[position])
        case 2:
            fields[position] = rng.choice((*ODD, *NUMBERS, b""))
        case 3:
            rng.shuffle(fields)
        case _:
            fields[position] = b'"' + fields[position]
    lines[line] = mark.join(fields)
    return b"\n".join(lines)


def _column(content: bytes, rng: random.Random) -> bytes:
    """Remove or duplicate a column, or give it the same value in all rows."""
    mark = max((b"\t", b",", b" "), key=lambda mark: (content.count(mark), mark))
    position, kind, value = rng.randrange(8), rng.randrange(3), rng.choice((*ODD, *NUMBERS))
    lines = []
    for line in content.split(b"\n"):
        fields = line.split(mark)
        if position < len(fields) and line:
            fields[position : position + 1] = ([], [fields[position]] * 2, [value])[kind]
        lines.append(mark.join(fields))
    return b"\n".join(lines)


def _number(content: bytes, rng: random.Random) -> bytes:
    """Replace some numbers."""
    share, value = rng.choice((0.02, 0.2, 1.0)), rng.choice(NUMBERS)
    return re.sub(rb"\d+(\.\d+)?", lambda match: value if rng.random() < share else match[0], content)


def _marks(content: bytes, rng: random.Random) -> bytes:
    """Replace one separator by another."""
    old, new = rng.sample((b"\t", b",", b" ", b";", b"|", b":", b'"', b"-", b"=", b"\n", b"{", b"]", b"<"), k=2)
    return content.replace(old, new) if rng.random() < 0.5 else content.replace(old, new, rng.randrange(1, 4))


# --- encodings and compression


def _encoding(content: bytes, rng: random.Random) -> bytes:
    text = content.decode("utf-8", "replace")
    match rng.randrange(7):
        case 0:
            return text.encode(rng.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7")), "replace")
        case 1:
            return text.encode("latin-1", "replace")
        case 2:
            return b"\xef\xbb\xbf" * rng.choice((1, 2)) + content
        case 3:
            return text.swapcase().encode("utf-8", "replace")
        case 4:
            return text.replace("a", "а").replace("e", "é").encode("utf-8", "replace")
        case 5:
            return bytes(rng.randrange(256) for _ in range(len(content)))
        case _:
            return content.replace(b"\n", b"\0\n", rng.randrange(1, 3))


def _gzip(content: bytes, rng: random.Random) -> bytes:
    return gzip.compress(content, 1)


def _cut_gzip(content: bytes, rng: random.Random) -> bytes:
    packed = gzip.compress(content, 1)
    return packed[: rng.randrange(2, len(packed))]


def _spoilt_gzip(content: bytes, rng: random.Random) -> bytes:
    packed = bytearray(gzip.compress(content, 1))
    for _ in range(rng.randrange(1, 4)):
        packed[rng.randrange(2, len(packed))] ^= 1 << rng.randrange(8)
    return bytes(packed)


def _members(content: bytes, rng: random.Random) -> bytes:
    half = len(content) // 2
    return gzip.compress(content[:half], 1) + gzip.compress(content[half:], 1) + rng.choice((b"", b"\0\0", b"x"))


def _twice_packed(content: bytes, rng: random.Random) -> bytes:
    return gzip.compress(gzip.compress(content, 1), 1)


# --- sizes


def _large_size(rng: random.Random) -> int:
    return rng.choice((100_000, 1_000_000, 4_000_000))


def _repeated(content: bytes, rng: random.Random) -> bytes:
    return content * max(1, _large_size(rng) // len(content))


def _repeated_line(content: bytes, rng: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    line = rng.randrange(len(lines))
    return b"".join([*lines[:line], lines[line] * max(1, _large_size(rng) // len(lines[line])), *lines[line:]])


def _one_line(content: bytes, rng: random.Random) -> bytes:
    """Put the content into one line, many times."""
    mark = rng.choice((b" ", b"\t", b",", b""))
    line = content.replace(b"\r", b"").replace(b"\n", mark)
    return line * max(1, _large_size(rng) // len(line)) + rng.choice((b"", b"\n"))


def _long_field(content: bytes, rng: random.Random) -> bytes:
    position = rng.randrange(len(content) + 1)
    letters = rng.choice(
        (b"a", b"9", b" ", b"\t", b",", b'"', b"\n", b"\r", b"[", b"{", b"-", b"0 ", "\u0301".encode())
    )
    return content[:position] + letters * (_large_size(rng) // len(letters)) + content[position:]


def _numbered(content: bytes, rng: random.Random) -> bytes:
    """Add very many rows, each with a new name of a system, rater, segment or document."""
    lines = [line for line in content.split(b"\n") if line.strip()] or [content]
    line = lines[rng.randrange(len(lines))]
    parts = re.split(rb"([A-Za-z0-9.]+)", line)
    position = rng.randrange(1, len(parts), 2) if len(parts) > 1 else 0
    front, back = b"".join(parts[:position]), b"".join(parts[position + 1 :])
    count = min(max(1, _large_size(rng) // (len(line) + 7)), 200_000)
    form = rng.choice((b"%d", b"s%d", b"%d.5"))
    rows = b"\n".join(front + form % number + back for number in range(count))
    return b"\n".join(lines[: rng.randrange(2)]) + b"\n" + rows + b"\n"


def _wide(content: bytes, rng: random.Random) -> bytes:
    """Replace a row by one with very many fields."""
    mark = rng.choice((b"\t", b",", b" "))
    many = mark.join(b"%d" % number for number in range(_large_size(rng) // 8))
    lines = content.split(b"\n")
    lines[rng.randrange(len(lines))] = many
    return b"\n".join(lines)


def _bomb(content: bytes, rng: random.Random) -> bytes:
    """Return a small gzip file with very much data: one character or the whole file, many times."""
    much = rng.choice((20_000_000, 60_000_000, 400_000_000))
    unit = (content * (1_000_000 // len(content) + 1))[: 1 << 20] if rng.random() < 0.5 else rng.choice(
        (b"\n", b"0 ", b"OK ", b"OK\n", b"\0", b"a", b"\t", b",")
    ) * (1 << 19)  # fmt: skip
    packed = gzip.compress(unit, 9)
    return packed * max(1, min(much // len(unit), MAX_BYTES // len(packed)))


SMALL: tuple[Damage, ...] = (
    _flip, _insert, _insert, _replace, _cut, _behead, _lines, _lines, _line_ends, _fields, _fields, _column, _number,
    _number, _marks, _encoding,
)  # fmt: skip
PACKED: tuple[Damage, ...] = (_gzip, _gzip, _cut_gzip, _spoilt_gzip, _members, _twice_packed)
LARGE: tuple[Damage, ...] = (
    _repeated, _repeated_line, _one_line, _long_field, _long_field, _numbered, _numbered, _wide, _bomb,
)  # fmt: skip
