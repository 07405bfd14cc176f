"""Blind tests in a report: run to their end, their statistics, and that nothing betrays X."""

import csv
import json
import pathlib

GOLDEN = pathlib.Path(__file__).parents[2] / "Tests/Golden/statistics.json"

# What the browser's generator draws next, for a listener who hears everything; null for chance.
DRAWS = """
(() => {
  window.draws = null
  const drawn = crypto.getRandomValues.bind(crypto)
  crypto.getRandomValues = (array) => draws === null ? drawn(array) : array.fill(draws.shift())
})()
"""


def check_statistics(page, findings):
    """Against SciPy's numbers, by which Analyzer is tested too."""
    vectors = json.loads(GOLDEN.read_text())["proportions"]
    findings.expect(len(vectors) >= 5, "no vectors of proportions")
    for vector in vectors:
        k, n, chance = vector["k"], vector["n"], vector["chance"]
        found = page.evaluate(
            "([k, n, chance]) => [...clopperPearson(k, n), chanceOfAtLeast(k, n, chance), "
            "chanceOfAsUnlikely(k, n, chance)]", [k, n, chance])
        wanted = [*vector["clopperPearson"], vector["pGreater"], vector["p"]]
        # Both are exact but for rounding in sums of up to 1000 terms.
        worst = max(abs(a - b) for a, b in zip(found, wanted))
        findings.expect(worst < 1e-9, f"{k} of {n}: {found}, SciPy has {wanted}")


def check_tests(page, findings, pictures):
    page.evaluate(DRAWS)
    open_dialog(page)
    if pictures:
        page.screenshot(path=pictures / "blind-setup.png")
    rows = run(page, findings, "abx", trials=16, answers=lambda draw: draw)
    if pictures:
        page.screenshot(path=pictures / "blind-result.png")
    findings.expect([row["correct"] for row in rows] == ["1"] * 16, "abx: right answers are not right")
    result = page.locator("#blind-test .result").text_content()
    # SciPy: 16 of 16 lie in 0.7940927857921772 to 1; guessing does it once in 65536 tests.
    for words in ("16 of 16", "79 % to 100 %", "p = 0.000015", "can be told apart"):
        findings.expect(words in result, f"abx: the result does not say {words}")
    page.locator("#blind-test .again").click()

    rows = run(page, findings, "preference", trials=6, answers=lambda draw: 1 - draw)
    findings.expect([row["answer"] for row in rows] == ["B"] * 6, "preference: B is not what was preferred")
    result = page.locator("#blind-test .result").text_content()
    # SciPy: 6 of 6 lie in 0.54074 to 1, p = 2 / 64.
    for words in ("6 of 6", "54 % to 100 %", "p = 0.031", "B is preferred"):
        findings.expect(words in result, f"preference: the result does not say {words}")
    page.locator("#blind-test .again").click()

    check_secrecy(page, findings, pictures)
    check_chance(page, findings)
    page.keyboard.press("Escape")
    findings.expect(page.locator("#blind-test").is_hidden(), "escape does not close the test")


def open_dialog(page):
    page.locator("button.blind").first.click()
    page.locator("#blind-test .setup").wait_for()


def begin(page, test, trials):
    page.locator(f"#blind-test input[value={test}]").check()
    page.locator("#blind-test input[name=trials]").fill(str(trials))
    page.locator("#blind-test button[value=start]").click()
    page.locator("#blind-test .trial").wait_for()


def run(page, findings, test, trials, answers):
    """A whole test by the keyboard, against known draws; returns the saved answers."""
    draws = [(n * n + n // 3) % 2 for n in range(trials)]  # some order, the same every time
    page.evaluate("(draws) => { window.draws = draws }", draws[:])
    begin(page, test, trials)
    for draw in draws:
        for key in ("a", "b", "x") if test == "abx" else ("p", "q"):
            page.keyboard.press(key)
        page.keyboard.press(str(answers(draw) + 1))
    page.locator("#blind-test .result").wait_for()
    with page.expect_download() as download:
        page.locator("#blind-test .save").click()
    with open(download.value.path(), newline="") as file:
        rows = list(csv.DictReader(file))
    findings.expect(len(rows) == trials, f"{test}: {len(rows)} answers saved of {trials}")
    findings.expect([row["hidden"] for row in rows] == ["AB"[draw] for draw in draws],
                    f"{test}: what was hidden is not what was drawn")
    findings.expect(all(float(row["response_s"]) >= 0 for row in rows), f"{test}: no times")
    return rows


def check_secrecy(page, findings, pictures):
    """The page is the same, whatever X is."""
    seen = []
    for draw in (0, 1, 0):  # the first clears away the result of the test before
        page.evaluate("(draw) => { window.draws = [draw] }", draw)
        begin(page, "abx", 1)
        findings.expect(page.locator(".answers button").first.is_disabled(),
                        "abx: can be answered without hearing X")
        page.keyboard.press("x")
        page.locator("#blind-test .trial .play").click()  # so that the playhead stands
        if pictures and draw == 1:
            page.screenshot(path=pictures / "blind-trial.png")
        seen.append(page.evaluate(STILL))
        page.locator("#blind-test .stop").click()
        page.locator("#blind-test .again").click()
    findings.expect(seen[1] == seen[2], "abx: the page betrays what X is")


# The page but for what tells the time, and the address of what was saved before.
STILL = """
(() => {
  const page = document.documentElement.cloneNode(true)
  for (const part of page.querySelectorAll(".playhead, .clock, .timebar, .save")) part.remove()
  return page.outerHTML
})()
"""


# Hears X and calls it A, so many times.
GUESS = """
(trials) => {
  const press = (name) => [...document.querySelectorAll("#blind-test .trial button")]
    .find((button) => button.textContent === name).click()
  for (let n = 0; n < trials; n += 1) for (const name of ["X", "X is A"]) press(name)
}
"""


def check_chance(page, findings, trials=100):
    """The browser's own draws: even, and no two tests the same."""
    page.evaluate("window.draws = null")
    drawn = []
    for _ in range(2):
        begin(page, "abx", trials)
        page.evaluate(GUESS, trials)
        with page.expect_download() as download:
            page.locator("#blind-test .save").click()
        with open(download.value.path(), newline="") as file:
            drawn.append([row["hidden"] for row in csv.DictReader(file)])
        page.locator("#blind-test .again").click()
    findings.expect(drawn[0] != drawn[1], "abx: two tests draw the same")
    ones = sum(draws.count("B") for draws in drawn)
    # Beyond six deviations of a fair coin: once in 500 million runs.
    findings.expect(abs(ones - trials) < 6 * (2 * trials * 0.25) ** 0.5,
                    f"abx: X was B in {ones} of {2 * trials} draws")
