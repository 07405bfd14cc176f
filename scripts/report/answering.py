"""Answers a listening test in Chromium from disk by keyboard alone, as several listeners, and says what
is wrong with its page.

    answering.py TEST ANSWERS [--pictures FOLDER]

TEST is a folder that choir-eval listen make wrote. Each listener gives the hidden reference 100
points, the anchor 0, and the systems 80, 60, … in the order of the key; their files of answers go
to the folder ANSWERS. Exit code 1 where something is wrong.
"""

import argparse
import json
import pathlib
import shutil
import sys
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from check import Findings, Reader
from reading import AXE

LISTENERS = ["Ada", "Bo", "Cleo"]
LONG_ENOUGH_S = 2.2  # an answer within 2 s counts as hurried


def expect_accessible(page, findings, where):
    for fault in Axe().run(page, options=AXE).response["violations"]:
        places = "; ".join(" ".join(node["target"]) for node in fault["nodes"][:3])
        findings.expect(False, f"{where}: axe: {fault['id']}: {fault['help']}: {places}")
    findings.expect(True, "axe")


def begin(page, name):
    page.keyboard.press("Tab")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(name)
    page.keyboard.press("Enter")


def answer(page, key, findings):
    """One trial: hears every sound, then judges it."""
    page.wait_for_function("document.getElementById('status').textContent === 'ready'")
    onward = page.locator("button.main")
    began = time.monotonic()
    trial = page.evaluate("() => { const done = new Set(session.answers.map((one) => one.trial));"
                          " return trials.find((one) => !done.has(one.id)) }")
    findings.expect(onward.is_disabled(), "a trial ends before it is heard")
    roles = {one["id"]: one for one in key["stimuli"]}
    page.keyboard.press("0")
    for index, sound in enumerate(trial["sounds"]):
        page.keyboard.press(str(index + 1))
        pressed = page.locator("button[aria-pressed=true]").all_inner_texts()
        findings.expect("Pause" in pressed and len(pressed) == 2, f"key {index + 1} gave {pressed}")
        one = roles[sound]
        if key["method"] == "pairs":
            continue
        page.keyboard.press("End")
        if one["role"] == "anchor":
            page.keyboard.press("Home")
        for _ in range(20 * (one.get("system", -1) + 1) if one["role"] == "system" else 0):
            page.keyboard.press("ArrowLeft")
    if key["method"] == "pairs":
        best = min(trial["sounds"], key=lambda sound: roles[sound]["system"])
        page.keyboard.press("ab"[trial["sounds"].index(best)])
    findings.expect(onward.is_enabled(), "a judged trial does not end")
    page.wait_for_timeout(max(0, 1000 * (LONG_ENOUGH_S - time.monotonic() + began)))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")


def listen(browser, test, answers, findings, pictures, name, in_depth):
    key = json.loads((test / "key.json").read_text())
    with Reader(browser, test / "page", findings, accept_downloads=True) as reader:
        page = reader.open()
        if in_depth:
            expect_accessible(page, findings, "beginning")
        begin(page, name)
        for number in range(len(key["trials"])):
            heading = page.locator("h2").first.inner_text()
            findings.expect(
                heading == f"Trial {number + 1} of {len(key['trials'])}", f"heading: {heading}")
            if in_depth and number == 0:
                expect_accessible(page, findings, "trial")
                if pictures:
                    page.screenshot(path=pictures / f"listening-{key['method']}.png", full_page=True)
            if in_depth and number == 1:
                page.reload()
                begin(page, name)
                again = page.locator("h2").first.inner_text()
                findings.expect(again == heading, f"after a reload: {again}")
            answer(page, key, findings)
        findings.expect(page.locator("h2").first.inner_text() == "Thank you", "no end")
        if in_depth:
            expect_accessible(page, findings, "end")
        with page.expect_download() as download:
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        download.value.save_as(answers / download.value.suggested_filename)


def main():
    parser = argparse.ArgumentParser(prog="answering.py")
    parser.add_argument("test", type=pathlib.Path)
    parser.add_argument("answers", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    for folder in filter(None, [arguments.answers, arguments.pictures]):
        folder.mkdir(parents=True, exist_ok=True)
    findings = Findings()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--autoplay-policy=user-gesture-required"])
        for index, name in enumerate(LISTENERS):
            listen(browser, arguments.test.resolve(), arguments.answers, findings,
                   arguments.pictures, name, in_depth=index == 0)
        browser.close()
    failed = len(findings.faults)
    print(f"listening test: {findings.checks - failed} checks passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
