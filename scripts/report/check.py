"""Opens a finished report in Chromium from disk, as a reader would, and says what is wrong with it.

    scripts/test-report [REPORT] [--pictures FOLDER]

which sets up the Python this needs. Exit code 1 where something is wrong.
"""

import argparse
import pathlib
import shutil
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

import blind
import listening
import reading
import workbench

SCREENS = [(width, scheme) for width in (1400, 400) for scheme in ("light", "dark")]


class Findings:
    """What was looked at, and what was not as it should be."""

    def __init__(self):
        self.checks = 0
        self.faults = []

    def expect(self, holds, words):
        self.checks += 1
        if not holds:
            self.faults.append(words)
            print(f"✘ {words}")

    def note(self, words):
        print(f"  {words}")


class Reader:
    """A page in a browser, watched: it may neither complain nor ask for anything outside."""

    def __init__(self, browser, report, findings, width=1400, scheme="light", **options):
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
        self.page = self.context.new_page()
        self.report, self.findings = report, findings
        self.page.on("console", self._heed)
        self.page.on("pageerror", lambda error: findings.expect(False, f"a script fails: {error}"))
        self.page.on("request", self._watch)

    def open(self, name="index.html"):
        self.page.goto((self.report / name).as_uri())
        return self.page

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def _heed(self, message):
        self.findings.expect(
            message.type not in ("error", "warning"), f"the console says: {message.text}")

    def _watch(self, request):
        inside = request.url.startswith(self.report.as_uri() + "/")
        self.findings.expect(
            inside or request.url.startswith(("data:", "blob:")), f"asks for {request.url[:120]}")


def pages_of(report):
    """The first page, and those beside it."""
    names = sorted(path.name for path in report.glob("*.html"))
    return ["index.html"] + [name for name in names if name != "index.html"]


def look(browser, report, findings, pictures):
    """Every page on every screen."""
    for width, scheme in SCREENS:
        for name in pages_of(report):
            with Reader(browser, report, findings, width, scheme) as reader:
                page = reader.open(name)
                where = f"{name} at {width} px, {scheme}"
                # The two that differ in both: contrast hangs on the scheme, targets on the width.
                axe = (width, scheme) in ((1400, "light"), (400, "dark"))
                reading.check(page, report, findings, where, axe)
                if pictures:
                    page.screenshot(
                        path=pictures / f"{pathlib.Path(name).stem}-{width}-{scheme}.png",
                        full_page=True)
                if width == 1400 and scheme == "light":
                    reading.check_links(page, report, findings, name)
                    reading.check_focus_order(page, findings, name)
                listening.check_players(page, findings, where, play=scheme == "light")


def listen(browser, report, findings, pictures):
    """The first player with a choice, in depth."""
    for name in pages_of(report):
        with Reader(browser, report, findings) as reader:
            reader.context.add_init_script(listening.RECORDER)
            page = reader.open(name)
            if page.locator("button.blind").count() == 0:
                continue
            listening.check_switching(page, findings)
            listening.check_keys(page, findings)
            blind.check_statistics(page, findings)
            blind.check_tests(page, findings, pictures)
        with Reader(browser, report, findings) as reader:
            listening.check_links(reader.open(name), findings)
        with Reader(browser, report, findings, java_script_enabled=False) as reader:
            listening.check_without_scripts(reader, name, findings)
        return
    findings.note("no page has a choice of sounds: listening is not checked")


def main():
    parser = argparse.ArgumentParser(prog="scripts/test-report")
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path, help="where to put pictures of all pages")
    arguments = parser.parse_args()
    report = arguments.report.resolve()
    if not (report / "index.html").is_file():
        parser.exit(2, f"test-report: {report} is no report: it has no index.html\n")
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)

    began, findings = time.monotonic(), Findings()
    reading.check_size(report, findings)
    with sync_playwright() as playwright:
        # As root, as in most containers, Chromium has no sandbox. Sound waits for a press of a
        # button, as it does for a reader.
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--autoplay-policy=user-gesture-required"])
        look(browser, report, findings, arguments.pictures)
        listen(browser, report, findings, arguments.pictures)
        with tempfile.TemporaryDirectory() as work:
            workbench.check(lambda *rest: Reader(browser, rest[0], findings, *rest[1:]), report,
                            findings, pathlib.Path(work), arguments.pictures)
        browser.close()
    failed = len(findings.faults)
    print(f"test-report: {findings.checks - failed} checks passed, {failed} failed, "
          f"{time.monotonic() - began:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
