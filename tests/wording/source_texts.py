"""Texts in the source code: calls of `tr`, and literals that look like texts for people without it.

Lists the faults of files or folders: `python -m tests.wording.source_texts qe_desktop/ui/scores`.
"""

from __future__ import annotations

import ast
import re
import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:.…]? [A-Za-z“(]|\{\}[,;:.]? [a-z]{2,}|[a-z]{2,}:? \{\}")
LABEL = re.compile(r"&?[A-Z][a-z]+(…|:)?$")
SQL = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|CREATE|DELETE|ALTER|DROP|GRANT|REVOKE|WITH|PRAGMA|ROLLBACK|BEGIN|COMMIT|FROM|WHERE|SET|"
    r"ORDER BY|JOIN|LEFT|AND|COMMENT|POLICY|VALUES|ON|DO|COPY|EXPLAIN|LOCK|NOTIFY|LISTEN|RETURNING|REINDEX|VACUUM)\b"
)
FOR_DEVELOPERS = {"ValueError", "TypeError", "KeyError", "NotImplementedError", "AssertionError", "RuntimeError"}
"""Exceptions for programming errors, whose messages are not shown to users."""


@dataclass(frozen=True)
class Text:
    """Literal in the source code with its position."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text!r}"


class Source:
    """Module with its literals and calls of `tr`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tree = ast.parse(path.read_text())
        self._above = {below: node for node in ast.walk(self._tree) for below in ast.iter_child_nodes(node)}

    def calls(self) -> Iterator[ast.Call]:
        """Yield every call of `tr`."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr":
                yield node

    def texts_with_comments(self) -> Iterator[tuple[str, str]]:
        """Yield every text that goes through `tr`, with its comment."""
        for call in self.calls():
            texts = [part.value for part in call.args[:2] if isinstance(part, ast.Constant)]
            yield texts[0], texts[1] if len(texts) > 1 else ""

    def wrong_calls(self) -> Iterator[Text]:
        """Yield calls that translation tools cannot parse, or whose arguments do not match the placeholders."""
        for call in self.calls():
            fault = self._fault(call)
            if fault:
                yield Text(self.path, call.lineno, fault)

    def _fault(self, call: ast.Call) -> str:
        if not call.args or not isinstance(call.args[0], ast.Constant) or not isinstance(call.args[0].value, str):
            return "the text is not a literal"
        if not all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in call.args[1:2]):
            return "the comment is not a literal"
        text = call.args[0].value
        if any(isinstance(above, ast.JoinedStr) for above in self.all_above(call)):
            return f"{text!r} is in an f-string, where it cannot be extracted"
        argument_names = {keyword.arg for keyword in call.keywords} | ({"n"} if len(call.args) > 2 else set())
        if None in argument_names:
            return f"{text!r} has placeholders that cannot be determined"
        if len(call.args) == 2 and call.keywords and call.args[1].value:
            return f"{text!r} has a comment and placeholders but no number, and would be read as a text with one"
        if not argument_names:
            return ""
        try:
            fields = [(name, written) for _, name, written, _ in string.Formatter().parse(text) if name is not None]
        except ValueError:
            return f"{text!r} has braces that do not match"
        named = {name for name, _ in fields}
        if not all(name.isidentifier() for name in named) or any("{" in (written or "") for _, written in fields):
            return f"{text!r} has a placeholder that is not a name"
        return (
            ""
            if named == argument_names
            else f"{text!r} has placeholders other than its arguments: {sorted(named ^ argument_names)}"
        )

    def left_out(self) -> Iterator[Text]:
        """Yield literals that look like texts for people and do not go through `tr`."""
        documentation = {
            node.value for node in ast.walk(self._tree) if isinstance(node, ast.Expr) and _is_text(node.value)
        }
        for node in ast.walk(self._tree):
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            elif _is_text(node) and node not in documentation and not isinstance(self._above[node], ast.JoinedStr):
                text = str(node.value)  # type: ignore[attr-defined]
            else:
                continue
            looks_like_one = (SENTENCE.search(text) or LABEL.match(text)) and not SQL.match(text)
            if looks_like_one and not any(self._takes(above) for above in self.all_above(node)):
                yield Text(self.path, node.lineno, text)

    def _takes(self, node: ast.AST) -> bool:
        """Return whether literals below this node are translated already or not for people."""
        function = node.func if isinstance(node, ast.Call) else None
        name = function.id if isinstance(function, ast.Name) else ""
        known = name in {"tr", "TypeVar", "NewType", "cast"} or (
            name in FOR_DEVELOPERS and isinstance(self._above.get(node), ast.Raise)
        )
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return True
        annotation = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal"
        return known or annotation

    def all_above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the ancestors of a node, innermost first."""
        while node in self._above:
            node = self._above[node]
            yield node


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def sources(*paths_and_folders: Path) -> list[Source]:
    """Return every module at or below the given paths."""
    return [
        Source(path)
        for path_or_folder in paths_and_folders
        for path in (sorted(path_or_folder.rglob("*.py")) if path_or_folder.is_dir() else [path_or_folder])
    ]


if __name__ == "__main__":
    for source in sources(*map(Path, sys.argv[1:] or ["qe_desktop"])):
        for found in (*source.wrong_calls(), *source.left_out()):
            print(found)
