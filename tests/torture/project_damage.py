"""Damage to a project's file, determined by a number: cells, rows, the schema, pages, bytes or the size."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import struct
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

Connection = sqlite3.Connection
SURROGATE = '"\\ud800"'
VALUES: tuple[Any, ...] = (
    None, "", "x", "\0", 0, 1, -1, 2, 3, 255, 65_536, 2**31 - 1, 2**31, 2**53, 2**63 - 1, -(2**63), 0.5, -1.5, 1e308,
    float("inf"), float("-inf"), b"", b"\xff\xfe", b"\0" * 40, "nan", "1e999", "null", "true", "[]", "{}", "[[]]",
    '{"a": 1}', "[1, 2, 3]", "[0]", "[-1]", "[1e400]", "[NaN]", '["a"]', "[null]", '"text"', "1", "-5", "0.5", "1e105",
    "99999999999999999999", SURROGATE, f"[{SURROGATE}]", "[" * 5000, "\u202e\x1b[31m", "a\nb", "x" * 100_000,
    "rate", "undo", "redo", "skip", "ranks", "profile", "seen", "gold", "system", "person", "words", "gaps",
    "probabilities", "scores", "bits", "u1", "f8", "i4", "007", "2e3000000",
)  # fmt: skip
_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"


def damage(path: Path, number: int) -> str:
    """Damage a file in the way determined by `number`; return a description."""
    rng = random.Random(number)
    kind = rng.choices(
        (_cells, _json, _blob, _rows, _schema, _bytes, _cut, _meta), weights=(50, 14, 8, 8, 6, 10, 2, 2)
    )[0]
    return kind(path, rng)


def _cells(path: Path, rng: random.Random) -> str:
    """Change one to three cells."""
    return "; ".join(_with_rows(path, rng, _change_cell) for _ in range(rng.choice((1, 1, 1, 2, 3))))


def _change_cell(connection: Connection, rng: random.Random, table: str) -> str:
    row = _some_row(connection, rng, table)
    column = rng.choice(_columns(connection, table))
    old = connection.execute(f'SELECT "{column}" FROM {table} WHERE rowid = ?', (row,)).fetchone()[0]
    new = _other_value(connection, rng, table, column, old)
    if isinstance(new, tuple):
        # text that is not UTF-8
        statement, value = f'UPDATE {table} SET "{column}" = CAST(? AS TEXT) WHERE rowid = ?', new[0]
    else:
        statement, value = f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', new
    connection.execute(statement, (value, row))
    return f"{table}.{column} of row {row}: {old!r:.60} -> {new!r:.60}"


def _other_value(connection: Connection, rng: random.Random, table: str, column: str, old: Any) -> Any:
    choice = rng.random()
    if choice < 0.12:
        return (rng.choice((b"\xff\xfe\xfa", b"\xed\xa0\x80", b"[\xff]", b'"\xc3"')),)
    if choice < 0.3:
        # a value of the same column, so that the damage is less obvious
        return connection.execute(f'SELECT "{column}" FROM {table} ORDER BY random() LIMIT 1').fetchone()[0]
    if choice < 0.5 and isinstance(old, int | float):
        return rng.choice((old + 1, old - 1, -old, old * 2, old + 2**24, old << 40 if isinstance(old, int) else 1e300))
    return rng.choice(VALUES)


def _json(path: Path, rng: random.Random) -> str:
    """Change a value within a JSON cell."""

    def change(connection: Connection, rng: random.Random, table: str) -> str:
        row = _some_row(connection, rng, table)
        cells = connection.execute(f"SELECT * FROM {table} WHERE rowid = ?", (row,))
        names = [field[0] for field in cells.description]
        values = {}
        for name, value in zip(names, cells.fetchone(), strict=True):
            with suppress(ValueError, TypeError):
                if isinstance(value, str) and value[:1] in '[{"':
                    values[name] = json.loads(value)
        if not values:
            return _change_cell(connection, rng, table)
        name = rng.choice(list(values))
        new = _changed_json(values[name], rng)
        connection.execute(f'UPDATE {table} SET "{name}" = ? WHERE rowid = ?', (json.dumps(new), row))
        return f"{table}.{name} of row {row}: {json.dumps(new):.80}"

    return _with_rows(path, rng, change)


def _changed_json(value: Any, rng: random.Random) -> Any:
    """Return a JSON value in which one value is changed or missing."""
    replacements = (
        None, True, -1, 10**30, 1e308, float("nan"), float("inf"), "", "x", "\ud800", [], {}, [[1]], [None], {"a": []},
        0, 3, 0.5,
    )  # fmt: skip
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        if rng.random() < 0.2:
            return {key: kept_value for key, kept_value in value.items() if key != name}
        return value | {name: _changed_json(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        index = rng.randrange(len(value))
        if rng.random() < 0.3:
            return value[:index] + value[index + 1 :] if rng.random() < 0.5 else [*value, value[index]]
        return [*value[:index], _changed_json(value[index], rng), *value[index + 1 :]]
    return rng.choice(replacements)


def _blob(path: Path, rng: random.Random) -> str:
    """Change the bytes of an array, usually with a matching checksum."""

    def change(connection: Connection, rng: random.Random, table: str) -> str:
        blob, part, data = connection.execute("SELECT * FROM chunks ORDER BY random() LIMIT 1").fetchone()
        new, what = _other_bytes(data, rng)
        connection.execute("UPDATE chunks SET data = ? WHERE blob = ? AND part = ?", (new, blob, part))
        if rng.random() < 0.85:
            connection.execute("UPDATE blobs SET crc = ? WHERE seq = ?", (zlib.crc32(new), blob))
        if rng.random() < 0.3:
            connection.execute("UPDATE blobs SET size = ? WHERE seq = ?", (rng.choice((len(new), 8 * len(new))), blob))
        if rng.random() < 0.2:
            form = rng.choice(("bits", "u1", "u4", "i4", "i8", "f4", "f8", "bytes"))
            connection.execute("UPDATE blobs SET form = ? WHERE seq = ?", (form, blob))
        return f"blob {blob}: {what}"

    return _with_rows(path, rng, change)


def _other_bytes(data: bytes, rng: random.Random) -> tuple[bytes, str]:
    if data[:1] == b"\x78" and rng.random() < 0.7:
        with suppress(zlib.error):
            return _other_ratings(zlib.decompress(data), rng)
    choice = rng.randrange(6)
    if choice == 0:
        return data[: rng.randrange(len(data) + 1)], "cut"
    if choice == 1:
        return data + rng.randbytes(rng.choice((1, 4, 400))), "longer"
    if choice == 2:
        return zlib.compress(bytes(1 << 30), 9), "a gigabyte of nothing"
    if choice == 3:
        words = struct.pack("<I", rng.choice((0, 2**31, 2**32 - 1, 10**6)))
        position = 4 * rng.randrange(max(1, len(data) // 4))
        return data[:position] + words + data[position + 4 :], "a number"
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20)) if changed else 0):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed), "bytes"


def _other_ratings(raw: bytes, rng: random.Random) -> tuple[bytes, str]:
    """Return a set of ratings with a changed header or changed columns."""
    begin = 8 + int.from_bytes(raw[:8], "little")
    head, columns = raw[8:begin], bytearray(raw[begin:])
    if rng.random() < 0.5:
        head = json.dumps(_changed_json(_changed_json(json.loads(head), rng), rng)).encode()
    else:
        for _ in range(rng.choice((1, 4, 40)) if columns else 0):
            columns[rng.randrange(len(columns))] = rng.choice((0, 1, 127, 128, 255))
    return zlib.compress(len(head).to_bytes(8, "little") + head + bytes(columns), 1), "ratings"


def _rows(path: Path, rng: random.Random) -> str:
    """Delete or duplicate rows."""

    def change(connection: Connection, rng: random.Random, table: str) -> str:
        row = _some_row(connection, rng, table)
        choice = rng.randrange(4)
        if choice == 0:
            connection.execute(f"DELETE FROM {table}")
            return f"{table}: all rows gone"
        if choice == 1:
            connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
            return f"{table}: row {row} gone"
        if choice == 2:
            connection.execute(f"DELETE FROM {table} WHERE random() % 2")
            return f"{table}: every second row gone"
        names = [name for name in _columns(connection, table) if name != "seq"]
        listed = ", ".join(f'"{name}"' for name in names)
        fresh = ", ".join(f"\"{name}\" || 'b'" if name == "uid" else f'"{name}"' for name in names)
        connection.execute(f"INSERT INTO {table} ({listed}) SELECT {fresh} FROM {table} WHERE rowid = ?", (row,))
        return f"{table}: row {row} twice"

    return _with_rows(path, rng, change)


def _schema(path: Path, rng: random.Random) -> str:
    """Remove, change or add tables, columns, triggers and indexes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("PRAGMA legacy_alter_table=ON")
        table = rng.choice(_tables(connection))
        column = rng.choice(_columns(connection, table))
        statements = (
            f"DROP TABLE {table}",
            f'ALTER TABLE {table} RENAME COLUMN "{column}" TO another',
            f"ALTER TABLE {table} RENAME TO another",
            f"ALTER TABLE {table} ADD COLUMN another TEXT DEFAULT 'x'",
            f"CREATE TRIGGER theirs BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END",
            f"CREATE TRIGGER theirs AFTER INSERT ON {table} BEGIN UPDATE meta SET value = '3'; END",
            f'CREATE UNIQUE INDEX theirs ON {table} ("{column}", 1)',
            f"CREATE TABLE kept AS SELECT * FROM {table}; DROP TABLE {table};CREATE VIEW {table} AS SELECT * FROM kept",
            f"CREATE TABLE kept AS SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE kept RENAME TO {table}",
            f"DROP TRIGGER IF EXISTS {table}_no_update",
            "DROP INDEX edits_of_segment",
            "PRAGMA application_id = 1",
            "PRAGMA user_version = 77",
            "PRAGMA encoding = 'UTF-16'; VACUUM",
            "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM",
        )
        statement = rng.choice(statements)
        with suppress(sqlite3.Error):
            connection.executescript(statement)
    return statement


def _bytes(path: Path, rng: random.Random) -> str:
    """Change bytes anywhere in the file."""
    data = bytearray(path.read_bytes())
    choice = rng.randrange(4)
    if choice == 0:
        for _ in range(rng.choice((1, 10, 200))):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif choice == 1:
        position = rng.randrange(100)
        data[position] = rng.randrange(256)
    elif choice == 2:
        page = 4096 * rng.randrange(len(data) // 4096)
        data[page : page + 4096] = rng.choice((bytes(4096), rng.randbytes(4096)))
    else:
        first, second = (4096 * rng.randrange(1, len(data) // 4096) for _ in range(2))
        data[first : first + 4096], data[second : second + 4096] = (
            data[second : second + 4096],
            data[first : first + 4096],
        )
    path.write_bytes(data)
    return f"bytes {choice}"


def _cut(path: Path, rng: random.Random) -> str:
    size = path.stat().st_size
    new_size = rng.choice((rng.randrange(size), 4096 * rng.randrange(size // 4096), size + 4096, 100, 0))
    os.truncate(path, new_size)
    return f"{new_size} of {size} bytes"


def _meta(path: Path, rng: random.Random) -> str:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        key = rng.choice(("schema", "project", "title", "created", "created-by"))
        value = rng.choice((*VALUES, "1", "1", "1", "0", "3"))
        with suppress(sqlite3.Error):
            connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
    return f"meta {key}: {value!r:.60}"


# --- changes of rows


def _with_rows(path: Path, rng: random.Random, change: Callable[[Connection, random.Random, str], str]) -> str:
    """Change a random table as another program could: without the triggers that prevent it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("PRAGMA ignore_check_constraints=ON")
        connection.execute("BEGIN")
        triggers = connection.execute(_TRIGGERS).fetchall()
        for name, _ in triggers:
            connection.execute(f'DROP TRIGGER "{name}"')
        filled = [
            table for table in _tables(connection) if connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        ]
        table = rng.choice(filled)
        try:
            description = change(connection, rng, table)
        except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
            # the database itself rejects such a value, so it need not be tested
            description = f"{table}: {error}"
        for _, sql in triggers:
            connection.execute(sql)
        connection.execute("COMMIT")
    return description


def _tables(connection: Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    return sorted(row[0] for row in rows)


def _columns(connection: Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def _some_row(connection: Connection, rng: random.Random, table: str) -> int:
    rows = [row[0] for row in connection.execute(f"SELECT rowid FROM {table}")]
    return int(rng.choice(rows)) if rows else 0
