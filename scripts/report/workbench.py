"""The workbench of a report: search, lanes, keys, addresses; and what 100,000 cells take.

The large page has the cells of the report many times over, and its first sound again and again up to a
minute. Times are printed, not judged: they are those of this machine with what else it does.
"""

import array
import base64
import json
import re
import shutil

from axe_playwright_python.sync_playwright import Axe

import gestures
import lines
import listening
from reading import AXE

CELLS = 100_000
CLIP_S = 60
SEEK_BAR_S = 0.001
SCREENS = [(width, scheme) for width in (1400, 390) for scheme in ("light", "dark")]
READY = "document.querySelectorAll('.grid-row:not([hidden])').length > 0"


def check(open_report, report, findings, work, pictures):
    """Everything about the workbench of a report.

    `open_report(folder, width, scheme)` gives a reader; `work` is a folder for the large page.
    """
    if not (report / "workbench.html").is_file():
        findings.note("the report has no workbench")
        return
    with open_report(report) as reader:
        reader.context.add_init_script(listening.RECORDER)
        page = open_workbench(reader)
        has_lanes = page.evaluate("workbench.cells.lanes.size > 0")
        check_search(page, findings)
        if has_lanes:
            check_walk(page, findings)
            check_address(reader, page, findings)
            check_seek(page, findings)
            gestures.check(page, findings)
            lines.check(page, findings)
    for width, scheme in SCREENS:
        with open_report(report, width, scheme) as reader:
            look(reader, findings, has_lanes, f"workbench at {width} px, {scheme}")
            if pictures:
                reader.page.screenshot(path=pictures / f"lanes-{width}-{scheme}.png", full_page=True)
    with open_report(multiplied(report, work)) as reader:
        measure_large(open_workbench(reader), findings, has_lanes)


def open_workbench(reader, fragment=""):
    reader.page.goto((reader.report / "workbench.html").as_uri() + fragment)
    reader.page.wait_for_function(READY)
    return reader.page


def wait_for_lanes(page):
    page.wait_for_function("workbench.player.sources[0]?.sound && "
                           "document.querySelector('.lane-readout').textContent.includes(' s')")


def look(reader, findings, has_lanes, where):
    page = open_workbench(reader)
    if has_lanes:
        page.keyboard.press("w")
        wait_for_lanes(page)
        page.wait_for_timeout(600)  # the spectrogram
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    findings.expect(wide <= 0, f"{where}: {wide} px wider than the screen")
    check_axe(page, findings, where)


def check_axe(page, findings, where):
    for fault in Axe().run(page, options=AXE).response["violations"]:
        places = "; ".join(" ".join(node["target"]) for node in fault["nodes"][:3])
        findings.expect(False, f"{where}: axe: {fault['id']}: {fault['help']}: {places}")
    findings.expect(True, "axe")


def check_search(page, findings):
    """What the form finds is what a plain loop over the cells finds."""
    count = page.evaluate("workbench.cells.count")
    rows = "workbench.grid.rows.length"
    found = page.locator(".found").inner_text()
    findings.expect(found == f"{count:,} cells", f"of {count} cells the workbench says: {found}")
    text = page.evaluate("workbench.cells.column('recording').texts[0]")
    page.locator("[name=words]").fill(text)
    wanted = page.evaluate(
        "(text) => { const { cells } = workbench; let n = 0; for (let row = 0; row < cells.count; row += 1)"
        " if (cells.columns.some(({ name }) => cells.text(name, row).toLowerCase().includes(text)))"
        " n += 1; return n }", text.lower())
    findings.expect(page.evaluate(rows) == wanted, f"'{text}' does not find {wanted} cells")
    page.locator("[name=words]").fill("no such cell")
    findings.expect(page.evaluate(rows) == 0, "nonsense finds cells")
    page.locator("button[type=reset]").click()
    page.wait_for_function(f"(count) => {rows} === count", arg=count)
    values = page.evaluate(
        "(() => { const metric = document.querySelector('[name=metric]').value;"
        " const values = workbench.cells.values(metric, 'worst');"
        " return [...workbench.grid.rows].map((row) => values[row]).filter((v) => v === v) })()")
    findings.expect(values == sorted(values, reverse=True), "the worst cells are not first")
    if values:
        middle = values[len(values) // 2]
        page.locator("[name=from]").fill(repr(middle))
        wanted = sum(value >= middle for value in values)
        findings.expect(page.evaluate(rows) == wanted, f"from {middle}: not {wanted} cells")
        page.locator("[name=from]").fill("")


def check_walk(page, findings):
    """The worst instant, which a fresh page opens, and by keyboard alone."""
    page.evaluate("history.replaceState(null, '', location.pathname)")
    page.reload()
    page.wait_for_function(READY)
    wait_for_lanes(page)
    at, worst = page.evaluate("[workbench.player.positionS, workbench.player.worst[0]?.atS ?? 0]")
    findings.expect(abs(at - worst) < 1e-6, f"a fresh page opens at {at} s, not at the worst instant, {worst} s")
    page.keyboard.press("?")
    findings.expect(page.locator("#help").is_visible(), "? opens no help")
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    wait_for_lanes(page)
    page.wait_for_function("document.activeElement.matches('.lane-surface')")
    place = "workbench.player.positionS"
    worst = page.evaluate("workbench.player.worst[0] ?? null")
    if worst:
        at = page.evaluate(place)
        findings.expect(abs(at - worst["atS"]) < 1e-6, f"w leads to {at} s, not {worst['atS']} s")
        said = page.locator(".lane-readout").inner_text()
        findings.expect(re.search(r"cents|missing", said), f"the instant is not put in words: {said}")
        findings.note(f"the worst instant by one key: {said}")
    before = page.evaluate(place)
    page.keyboard.press("Shift+ArrowRight")
    moved = page.evaluate(place) - before
    findings.expect(abs(moved - 0.001) < 1e-6, f"shift and → move by {moved} s")
    span = "workbench.player.view.view.toS - workbench.player.view.view.fromS"
    page.keyboard.press("0")
    whole = page.evaluate(span)
    page.keyboard.press("+")
    findings.expect(page.evaluate(span) < whole, "+ does not zoom in")
    page.keyboard.press("0")
    findings.expect(page.evaluate(span) == whole, "0 does not show the whole")
    page.keyboard.press("Space")
    page.wait_for_function("workbench.player.isPlaying")
    page.keyboard.press("Space")
    page.wait_for_function("!workbench.player.isPlaying")
    page.keyboard.press("g")
    page.keyboard.press("ArrowDown")
    active = page.locator(".grid-body").get_attribute("aria-activedescendant")
    findings.expect(active and page.locator(f"#{active}").count() == 1, "no row is active")
    page.keyboard.press("/")
    findings.expect(page.evaluate("document.activeElement.name") == "words", "/ leads to no search")


def check_address(reader, page, findings):
    """The address of an instant leads there again."""
    page.evaluate("workbench.player.seek(0.4321)")
    address = page.url.split("#")[1]
    page.goto("about:blank")
    again = open_workbench(reader, f"#{address}")
    wait_for_lanes(again)
    again.wait_for_function("Math.abs(workbench.player.positionS - 0.4321) < 1e-4")
    findings.expect(again.evaluate("workbench.cells.rowOf("
                                   "new URLSearchParams(location.hash.slice(1)).get('cell'))"
                                   " === workbench.opened"), f"#{address} opens another cell")


def check_seek(page, findings):
    """What is heard after a seek is the sound from there on: compared sample by sample."""
    check_click(page, findings)
    worst, compared = 0, 0
    for share in (0.11, 0.26, 0.37, 0.5, 0.62):
        found = page.evaluate(SEEK, share)
        if found["alike"] < 0.99:
            continue  # silence is alike nothing
        compared += 1
        worst = max(worst, abs(found["offS"]))
        findings.expect(abs(found["offS"]) <= SEEK_BAR_S,
                        f"a seek to {share} of the sound is {1000 * found['offS']:.2f} ms off")
    findings.expect(compared > 0, "no seek could be compared with the sound")
    findings.note(f"{compared} seeks: at most {1000 * worst:.3f} ms off")


def check_click(page, findings):
    """A click on the lanes leads to the instant under the pointer, at a zoom where 1 ms has pixels."""
    page.evaluate("workbench.player.view.showAll(); workbench.player.seek(1); "
                  "workbench.player.view.reveal(1, 0.2)")
    page.locator(".lane-surface").scroll_into_view_if_needed()
    box = page.locator(".lane-surface").bounding_box()
    axis_px = 48  # before the lanes begin, on a wide screen
    for share in (0.2, 0.5, 0.9):
        x = axis_px + share * (box["width"] - axis_px)
        page.mouse.click(box["x"] + x, box["y"] + 60)
        at = page.evaluate("workbench.player.positionS")
        wanted = 0.8 + share * 0.4
        findings.expect(abs(at - wanted) <= SEEK_BAR_S, f"a click at {wanted} s leads to {at} s")


# Seeks, plays, and looks where what was heard comes from: it must be the place of the cursor then.
SEEK = """
async (share) => {
  const { player } = workbench
  const { view } = player
  view.showAll()
  const { file, sound: { buffer, gain } } = player.sources[0]
  // At the loudspeaker's rate, which may be another than that of the lanes.
  const sound = (await decodedSound(file)).getChannelData(0).map((sample) => sample * gain)
  player.seek(share * buffer.duration)
  if (Math.abs(player.positionS - share * buffer.duration) > 1e-6) return { alike: 1, offS: 1 }
  recorded.clear()
  player.play()
  await new Promise((done) => setTimeout(done, 500))
  const rate = audioContext().sampleRate
  const now = audioContext().currentTime
  const place = player.positionS
  player.pause()
  const [frame, count] = [Math.round((now - 0.25) * rate), Math.round(0.12 * rate)]
  await recordedUpTo(frame + count)
  const guess = Math.round((place - 0.25) * rate)
  const found = origin(frame, count, sound, guess, Math.round(0.03 * rate))
  return { alike: found.alike, offS: (found.at - guess) / rate }
}
"""


# The large page


def multiplied(report, work):
    """A copy of the report's workbench with very many cells, and a minute of sound."""
    large = work / "large"
    shutil.rmtree(large, ignore_errors=True)
    large.mkdir(parents=True)
    for name in ("workbench.html", "index.html", "report.css", "workbench.css"):
        shutil.copy(report / name, large)
    for name in ("scripts", "audio", "data"):
        shutil.copytree(report / name, large / name)
    cells = delivered(report / "data/cells.js")
    count = cells["count"]
    times = -(-CELLS // count)
    for column in cells["columns"]:
        column["rows"] = base64.b64encode(base64.b64decode(column["rows"]) * times).decode()
    keys = bytearray(base64.b64decode(cells["keys"]) * times)
    for row in range(count, count * times):  # each its own key
        keys[6 * row + 2:6 * row + 6] = row.to_bytes(4, "big")
    cells["keys"] = base64.b64encode(keys).decode()
    cells["count"] = count * times
    deliver(large, "cells", cells)
    for metric in cells["metrics"]:
        values = delivered(report / f"data/{metric['file']}.js")
        for voice in values["voices"]:
            voice["numbers"] = spread(voice["numbers"], times)
        deliver(large, metric["file"], values)
    lengthen(large, cells)
    return large


def delivered(path):
    return json.loads(path.read_text().split(", ", 1)[1].rstrip().removesuffix(")"))


def deliver(report, name, content):
    (report / f"data/{name}.js").write_text(f'deliver("{name}", {json.dumps(content)})\n')


def spread(text, times):
    """The same values, each copy a little larger, so that sorting has work to do."""
    values = array.array("f", base64.b64decode(text))
    spread = array.array("f")
    for n in range(times):
        spread.extend(value * (1 + n / times) for value in values)
    return base64.b64encode(spread.tobytes()).decode()


def lengthen(large, cells):
    """The first cell with lanes, its sound and its pitch over and over, up to a minute."""
    if not cells["lanes"]:
        return
    name = cells["lanes"][0]["name"]
    traces = delivered(large / f"data/{name}.js")
    for trace in traces:
        size = 4 * round(CLIP_S / trace["hopS"])
        for part in ("target", "heard"):
            raw = base64.b64decode(trace[part])
            trace[part] = base64.b64encode((raw * (size // max(1, len(raw)) + 1))[:size]).decode()
    deliver(large, name, traces)
    # In the page itself: a longer file would have to be encoded again.
    script = large / "scripts/lane-player.js"
    text = script.read_text()
    script.write_text(text.replace("function decodedOffline(file)", "function decodedOnce(file)")
                      + LONGER.replace("CLIP_S", str(CLIP_S)))


LONGER = """
async function decodedOffline(file) {
  const brief = await decodedOnce(file)
  const long = new AudioBuffer({ length: CLIP_S * brief.sampleRate, sampleRate: brief.sampleRate })
  const samples = long.getChannelData(0)
  for (let at = 0; at < samples.length; at += brief.length) {
    samples.set(brief.getChannelData(0).subarray(0, samples.length - at), at)
  }
  return long
}
"""


def measure_large(page, findings, has_lanes):
    page.wait_for_function("workbench.readyMs > 0")
    ready_ms = page.evaluate("workbench.readyMs")
    count = page.evaluate("workbench.cells.count")
    findings.expect(count >= CELLS, f"{count} cells")
    searches = []
    for words in ("a", "dela", "psola alto", "no such cell", ""):
        page.locator("[name=words]").fill(words)
        searches.append(page.evaluate("workbench.lastSearchMs"))
    for bound in ("5", ""):
        page.locator("[name=from]").fill(bound)
        searches.append(page.evaluate("workbench.lastSearchMs"))
    for button in page.locator(".grid-head button").all()[:3]:
        button.click()
        searches.append(page.evaluate("workbench.lastSearchMs"))
    findings.note(f"{count:,} cells: usable {ready_ms:.0f} ms after opening; "
                  f"search, filter and sort at most {max(searches):.0f} ms")
    if not has_lanes:
        return
    page.evaluate("workbench.open([...workbench.cells.lanes.keys()][0], null, true)")
    wait_for_lanes(page)
    page.wait_for_timeout(2000)  # the spectrogram
    found = page.evaluate(ZOOM)
    findings.note(f"zoom of {found['durationS']:.0f} s: {found['perSecond']:.0f} frames a second, "
                  f"{found['medianMs']:.1f} ms to draw one, at most {found['mostMs']:.1f} ms")


# Zooms in and out around an instant, a step a frame.
ZOOM = """
async () => {
  const { view } = workbench.player
  const took = []
  view.showAll()
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  await frame()
  const began = performance.now()
  for (let step = 0; step < 150; step += 1) {
    view.zoom(step % 75 < 38 ? 0.88 : 1 / 0.88, 0.4 * view.durationS)
    await frame()
    took.push(view.lastDrawMs)
  }
  const seconds = (performance.now() - began) / 1000
  took.sort((a, b) => a - b)
  return { durationS: view.durationS, perSecond: 150 / seconds, medianMs: took[75], mostMs: took.at(-1) }
}
"""
