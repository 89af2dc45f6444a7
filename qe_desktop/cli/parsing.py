"""How arguments are read: usage errors are one line, and options are put together for the command that is given."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from qe_desktop.corpus import QeError
from qe_desktop.wording import tr


class Parser(argparse.ArgumentParser):
    """A parser whose `fill` adds its options when they are first asked for: what another command reads stays away."""

    fill: Callable[[Parser], None] | None = None

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """The arguments, by all options."""
        self.complete()
        return super().parse_known_args(args, namespace)

    def complete(self) -> None:
        """Add the options that are still to come."""
        fill, self.fill = self.fill, None
        if fill is not None:
            fill(self)

    def error(self, message: str) -> NoReturn:
        """Usage errors as all errors: one line."""
        raise QeError(message, hint=tr("See {command} --help.", command=self.prog))
