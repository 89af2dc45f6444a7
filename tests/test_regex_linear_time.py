"""Regular expressions take time proportional to the text, whatever it repeats.

The module `re` holds the interpreter lock during a match, so that a slow one freezes the window. Each pattern of the
program is applied as the program applies it, to texts that repeat one part, in two sizes. The second is four times as
long, so a linear pattern takes four times as long, and a quadratic one sixteen times.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator
from re import _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import pytest

import qe_desktop

SIZE, TIMES, MOST = 750, 4, 8
PAIRS = 7
"""Measurements of both texts, in pairs, because the speed of a machine with other work changes."""
NEGLIGIBLE_SECONDS = 0.005
"""Time below which a match counts as fast, less than that of any quadratic pattern on the longer text."""
CHARACTERS = "1a-_ .,\"'‚‹‘()[]{}<⟨\\@/:;=\n\t中אé\u3000"
PARTS = (*CHARACTERS, "a ", "1.", "1,", "1 ", "a-", "(a", "' ", '" ', "a\t", "''", "⟨1")
METHODS = ("search", "match", "fullmatch", "finditer")
FUNCTIONS = {name: name for name in METHODS} | {"sub": "finditer", "split": "finditer", "findall": "finditer"}
"""Pattern method that does the same work as each function of `re`."""
Pattern = re.Pattern[Any]


def modules() -> Iterator[ModuleType]:
    """Yield the modules that use `re`."""
    for info in pkgutil.walk_packages(qe_desktop.__path__, "qe_desktop."):
        if not info.name.endswith("__main__"):
            module = importlib.import_module(info.name)
            if vars(module).get("re") is re:
                yield module


def patterns_in(value: object) -> list[Pattern]:
    """Return the patterns in the value of a variable: the value itself, its items, or the owner of a bound method."""
    owner = getattr(value, "__self__", value)
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [owner] if isinstance(owner, re.Pattern) else [pattern for item in items for pattern in patterns_in(item)]


def methods_by_variable(source: str) -> dict[str, list[str]]:
    """Return the pattern methods that a source calls on each variable or its items."""
    methods: dict[str, list[str]] = {}
    for variable, function in re.findall(rf"\b(\w+)(?:\[\w+\])?\.({'|'.join(FUNCTIONS)})\b", source):
        if FUNCTIONS[function] not in methods.setdefault(variable, []):
            methods[variable].append(FUNCTIONS[function])
    return methods


def uses() -> dict[str, tuple[Pattern, str]]:
    """Return each pattern of the program with the method that applies it; all methods if the pattern is passed on."""
    sources = {module: inspect.getsource(module) for module in modules()}
    called = {module: methods_by_variable(source) for module, source in sources.items()}
    called_anywhere = methods_by_variable("".join(sources.values()))
    listed: dict[str, tuple[Pattern, str]] = {}
    for module, source in sources.items():
        name = module.__name__.removeprefix("qe_desktop.")
        for variable, value in vars(module).items():
            methods = (called[module] if variable.startswith("_") else called_anywhere).get(variable, METHODS)
            for number, pattern in enumerate(patterns_in(value)):
                listed |= {f"{name} {variable} {number} {method}": (pattern, method) for method in methods}
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call(ast.Attribute(ast.Name("re"), function), [first, *_]) if function in FUNCTIONS:
                    try:
                        pattern = re.compile(eval(ast.unparse(first), dict(vars(module))))
                    except NameError:
                        # composed of local variables at run time
                        continue
                    listed[f"{name} line {node.lineno} {function}"] = pattern, FUNCTIONS[function]
    return listed


def example(items: Iterable[tuple[Any, Any]]) -> str:
    """Return a short text that the parsed parts of a pattern match, or one similar to it."""
    text = ""
    for code, value in items:
        match str(code):
            case "LITERAL":
                text += chr(value)
            case "RANGE":
                text += chr(value[0])
            case "CATEGORY":
                text += {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " "}.get(str(value), "a")
            case "IN":
                text += example(value[:1])
            case "ANY" | "NOT_LITERAL" | "NEGATE":
                text += "a"
            case "MAX_REPEAT" | "MIN_REPEAT":
                text += example(value[2]) * value[0]
            case "SUBPATTERN":
                text += example(value[3])
            case "BRANCH":
                text += example(value[1][0])
    return text


def beginnings(items: Iterable[tuple[Any, Any]], before: str = "") -> Iterator[str]:
    """Yield texts that the parsed parts of a pattern match: the text before each repetition, and the whole text."""
    for item in items:
        match str(item[0]), item[1]:
            case (("MAX_REPEAT" | "MIN_REPEAT"), value):
                yield before
                yield from beginnings(value[2], before)
            case "SUBPATTERN", value:
                yield from beginnings(value[3], before)
            case "BRANCH", value:
                for branch in value[1]:
                    yield from beginnings(branch, before)
        before += example([item])
    yield before


def texts(pattern: Pattern, size: int) -> Iterator[str | bytes]:
    is_bytes = isinstance(pattern.pattern, bytes)
    source = pattern.pattern.decode("latin-1") if is_bytes else pattern.pattern
    flags = pattern.flags & ~(re.UNICODE if is_bytes else 0)
    starts = sorted({"", *beginnings(_parser.parse(source, flags))})
    for start in starts:
        for part in dict.fromkeys([*PARTS, *filter(None, starts)]):
            text = start + part * (size // len(part)) + "\x01"
            yield text.encode() if is_bytes else text


def seconds(pattern: Pattern, method: str, text: str | bytes) -> float:
    start = time.process_time()
    match = getattr(pattern, method)(text)
    for _ in match if method == "finditer" else ():
        pass
    return time.process_time() - start


def grows_faster(pattern: Pattern, method: str, short: str | bytes, long: str | bytes) -> bool:
    """Return whether a match always takes more than proportional time for the longer text."""
    if seconds(pattern, method, long) <= NEGLIGIBLE_SECONDS:
        return False
    return all(
        seconds(pattern, method, long) >= MOST * max(seconds(pattern, method, short), NEGLIGIBLE_SECONDS / MOST)
        for _ in range(PAIRS)
    )


def test_every_pattern_takes_linear_time() -> None:
    patterns = uses()
    assert len(patterns) > 150
    assert "formats.ratings.cell_parsing _NUMBER 0 fullmatch" in patterns
    slow = [
        (name, long[:40])
        for name, (pattern, method) in patterns.items()
        for short, long in zip(texts(pattern, SIZE), texts(pattern, TIMES * SIZE), strict=True)
        if grows_faster(pattern, method, short, long)
    ]
    assert slow == []


@pytest.mark.parametrize("pattern", [r"(\d+\.?\d*|\.\d+)", r"\s+([^\s=]+)\s*="])
def test_backtracking_pattern_is_detected(pattern: str) -> None:
    compiled = re.compile(pattern)
    pairs = zip(texts(compiled, SIZE), texts(compiled, TIMES * SIZE), strict=True)
    method = "fullmatch" if pattern.startswith("(") else "search"
    assert any(grows_faster(compiled, method, short, long) for short, long in pairs)
