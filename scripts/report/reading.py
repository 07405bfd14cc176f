"""What a reader sees of a report: size, figures, links, structure, contrast, the order of focus."""

import base64
import functools
import json
import re
import urllib.parse

from axe_playwright_python.sync_playwright import Axe

# Axe would fetch the style sheet a second time, which a page opened from disk may not.
AXE = {"preload": False, "resultTypes": ["violations"]}

MOST_BYTES = {"first page": 1_000_000, "report": 60_000_000}


def check_size(report, findings):
    whole = sum(path.stat().st_size for path in report.rglob("*") if path.is_file())
    # What a browser reads before anything is pressed.
    first = sum(path.stat().st_size for name in ("index.html", "*.css", "scripts/*.js")
                for path in report.glob(name))
    for name, size in [("first page", first), ("report", whole)]:
        findings.expect(size < MOST_BYTES[name], f"{name}: {size} bytes")
    findings.note(f"first page {first / 1e6:.2f} MB, report {whole / 1e6:.1f} MB")


def check(page, report, findings, where, axe):
    """One page on one screen; `axe`, which takes its time, where it is asked for."""
    for id, pictures in page.evaluate(FIGURES):
        findings.expect(len(pictures) == 1, f"{where}: figure {id} shows {len(pictures)} pictures")
        for file in pictures:
            shapes = len(SHAPE.findall((report / file).read_text()))
            findings.expect(shapes > 3, f"{where}: {file} has {shapes} shapes")
    astray = page.evaluate(ASTRAY)
    findings.expect(not astray, f"{where}: places to press beside their picture: {astray[:3]}")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    findings.expect(wide <= 0, f"{where}: {wide} px wider than the screen")
    if where.split(" at ")[-1].startswith("1400"):
        for table in page.evaluate(WIDE_TABLES):
            findings.expect(False, f"{where}: a table is wider than its column: {table}")
    for said, holds in page.evaluate(STRUCTURE).items():
        findings.expect(holds, f"{where}: {said}")
    if not axe:
        return
    for fault in Axe().run(page, options=AXE).response["violations"]:
        places = "; ".join(" ".join(node["target"]) for node in fault["nodes"][:3])
        findings.expect(False, f"{where}: axe: {fault['id']}: {fault['help']}: {places}")
    findings.expect(True, "axe")


SHAPE = re.compile("<(path|circle|rect|polygon|text|use)")

# Each figure, and the files of the pictures that are visible in it on this screen when its section is
# unfolded and that the browser could draw.
FIGURES = """
(() => {
  const closed = [...document.querySelectorAll("details.fold:not([open])")]
  for (const part of closed) part.open = true
  const figures = [...document.querySelectorAll("figure")].map((figure) => [
    figure.id,
    [...figure.querySelectorAll("img")]
      .filter((picture) => picture.checkVisibility() && picture.naturalWidth > 0)
      .map((picture) => picture.getAttribute("src")),
  ])
  for (const part of closed) part.open = false
  return figures
})()
"""

# Places to press whose middle is not within the picture that they lie over.
ASTRAY = """
[...document.querySelectorAll("a.spot")].filter((spot) => spot.checkVisibility()).filter((spot) => {
  const [own, picture] = [spot, spot.parentElement.querySelector("img")]
    .map((part) => part.getBoundingClientRect())
  const [x, y] = [own.x + own.width / 2, own.y + own.height / 2]
  return x < picture.left || x > picture.right || y < picture.top || y > picture.bottom
}).map((spot) => spot.title)
"""

# Tables that have to be scrolled, or that leave the column of the page.
WIDE_TABLES = """
(() => {
  const column = document.querySelector("main").getBoundingClientRect()
  const closed = [...document.querySelectorAll("details:not([open])")]
  for (const part of closed) part.open = true
  const wide = [...document.querySelectorAll(".scroll")].filter((box) =>
    box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().right > column.right + 1)
  for (const part of closed) part.open = false
  return wide.map((box) => box.getAttribute("aria-label"))
})()
"""

# What a screen reader finds its way by.
STRUCTURE = """
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const levels = all("h1, h2, h3, h4").filter((h) => h.checkVisibility()).map((h) => +h.tagName[1])
  const named = (part) => part.getAttribute("aria-label") || part.getAttribute("aria-labelledby")
    || part.textContent.trim() || part.closest("label")?.textContent.trim()
  return {
    "there is not one main": all("main").length === 1,
    "there is not one h1": all("h1").length === 1,
    "a heading skips a level": levels.every((level, i) => level <= (levels[i - 1] ?? 0) + 1),
    "no language is named": document.documentElement.lang !== "",
    "a picture has no text in its stead": all("img:not([alt])").length === 0,
    "a table has no head": all("main table").every((table) => table.querySelector("th")),
    "a figure has no caption": all("figure").every((figure) => figure.querySelector("figcaption")),
    "a figure has no table behind it": all("figure").every((figure) => figure.querySelector("table")),
    "a control has no name": all("button, [role=slider], main input").every(named),
    "a player is no group": all(".player").every((p) => p.matches("[role=group][aria-label]")),
  }
})()
"""


def check_links(page, report, findings, name):
    """Every link leads to a file of the report, and to a place that is there."""
    for address in page.evaluate("[...document.querySelectorAll('[href]')].map((a) => a.href)"):
        if address.startswith("blob:"):
            continue
        parts = urllib.parse.urlparse(address)
        file = urllib.parse.unquote(parts.path)
        inside = parts.scheme == "file" and file.startswith(str(report))
        findings.expect(inside, f"{name}: {address} leads out of the report")
        if not inside:
            continue
        try:
            with open(file, encoding="utf-8", errors="replace") as target:
                text = target.read() if parts.fragment else ""
        except OSError:
            findings.expect(False, f"{name}: {address} is missing")
            continue
        if parts.fragment.startswith("cell="):
            key = parts.fragment.removeprefix("cell=").split("&")[0]
            findings.expect(key in keys_of(report), f"{name}: {address} names no cell")
        elif parts.fragment:
            marks = (f'id="{parts.fragment}"', f"id='{parts.fragment}'")
            findings.expect(any(mark in text for mark in marks), f"{name}: {address} finds no place")


@functools.cache
def keys_of(report):
    """The keys of the cells that the workbench has."""
    content = (report / "data/cells.js").read_text().split(", ", 1)[1].rstrip().removesuffix(")")
    text = base64.b64decode(json.loads(content)["keys"]).hex()
    return {text[at:at + 12] for at in range(0, len(text), 12)}


def check_focus_order(page, findings, name, most=60):
    """By the tab key one goes down the page, and sees where one is."""
    page.evaluate("window.scrollTo(0, 0); document.activeElement?.blur(); window.passed = []")
    seen = 0
    for _ in range(most):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUS)
        if found is None:
            break
        seen += 1
        findings.expect(found["after"], f"{name}: focus goes back to {found['what']}")
        findings.expect(found["marked"], f"{name}: focus is invisible on {found['what']}")
    findings.expect(seen > 2, f"{name}: only {seen} parts take the focus")


FOCUS = """
(() => {
  const part = document.activeElement
  if (part === document.body || passed.includes(part)) return null
  const last = passed.at(-1)
  passed.push(part)
  const style = getComputedStyle(part)
  return {
    what: part.outerHTML.slice(0, 80),
    after: !last || (last.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    marked: style.outlineStyle !== "none" || part.matches("summary, .skip, input"),
  }
})()
"""
