"""A reviewed job in two files, and a parser that reads its page."""

from __future__ import annotations

import io
from html.parser import HTMLParser

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.project import ReviewField, Session
from qe_desktop.report.review_reports import write_review_page

UNIT = '<trans-unit id="{id}"><source>{source}</source><target>{target}</target>{note}</trans-unit>'
FILE = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" datatype="x"'
    ' source-language="{source}" target-language="{target}"><body>{units}</body></file></xliff>'
)
Units = list[tuple[str, str, str]]
FIRST: Units = [("u1", "The cat sleeps .", "Die Katze schlaft ."), ("u2", "The dog .", "Der Hund .")]
SECOND: Units = [("u1", "The cat sleeps .", "Die Katze schläft ."), ("u9", "An end", "Ein Ende")]


def file_of(units: Units, source: str = "en", target: str = "de") -> bytes:
    """Return an XLIFF file with these units."""
    texts = "".join(UNIT.format(id=name, source=text, target=mt, note="") for name, text, mt in units)
    return FILE.format(source=source, target=target, units=texts).encode()


def session_of(*files: Units, source: str = "en", target: str = "de", targets: tuple[str, ...] = ()) -> Session:
    """Return a session of files with these units; `targets` are their languages, `target` that of all."""
    documents = [
        parse_document(file_of(units, source, language), f"{number}.xlf")
        for number, (units, language) in enumerate(zip(files, targets or [target] * len(files), strict=True), 1)
    ]
    return Session(corpus_from_documents(documents, "job.xlf"))


def reviewed_session() -> Session:
    """Return a session of two files.

    The first segment is corrected and confirmed, and the last one is rejected with a note.
    """
    session = session_of(FIRST, SECOND)
    session.reviewing.set_author("Ann", "window")
    session.reviewing.set({
        0: {ReviewField.TARGET: "Die Katze schläft .", ReviewField.STATUS: int(ReviewStatus.CONFIRMED)},
        3: {ReviewField.STATUS: int(ReviewStatus.REJECTED), ReviewField.NOTE: "nein"},
    })  # fmt: skip
    return session


def page_of(view: View) -> str:
    """Return the review page of a view."""
    file = io.BytesIO()
    write_review_page(view, file)
    return file.getvalue().decode()


class PageReader(HTMLParser):
    """Elements of a page: each with its attributes and the text in it, and the sections as a list of them."""

    VOID = frozenset(("meta", "br", "input"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.elements: list[tuple[str, dict[str, str | None], str]] = []
        self.errors: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag in self.VOID:
            self.elements.append((tag, dict(attrs), ""))
            for *_, texts in self.open:
                if tag == "br":
                    texts.append("\n")
        else:
            self.open.append((tag, dict(attrs), []))

    def handle_endtag(self, tag):
        opened, attributes, texts = self.open.pop()
        if opened != tag:
            self.errors.append(f"{opened} closed by {tag}")
        self.elements.append((opened, attributes, "".join(texts)))

    def handle_data(self, data):
        for *_, texts in self.open:
            texts.append(data)

    def texts(self, tag: str, **attributes: str) -> list[str]:
        """Texts of the elements with a tag and some attributes."""
        expected_attributes = {name.rstrip("_"): value for name, value in attributes.items()}
        return [
            text
            for name, element_attributes, text in self.elements
            if name == tag and expected_attributes.items() <= element_attributes.items()
        ]
