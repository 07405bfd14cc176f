"""What a listener hears of a report: that players play, that switching keeps time, keys, loops.

The sound is recorded on its way to the loudspeaker and compared with the sounds of the page,
sample by sample.
"""

import json

MOST_LATE_S = 0.001  # of switching; the bar is 20 ms, and what is found is printed
CROSSFADE_S = 0.005

# Beside every way to the loudspeaker lies one into a recorder, which knows the time of its samples.
RECORDER = """
(() => {
  const recorder = `registerProcessor("recorder", class extends AudioWorkletProcessor {
    process([input]) {
      this.port.postMessage({ frame: currentFrame, samples: input[0]?.slice() })
      return true
    }
  })`
  window.recorded = new Map()  // samples by their first frame
  const connect = AudioNode.prototype.connect
  const recorders = new Map()
  const recorderOf = (context) => {
    if (!recorders.has(context)) {
      const module = `data:text/javascript,${encodeURIComponent(recorder)}`
      recorders.set(context, context.audioWorklet.addModule(module).then(() => {
        const node = new AudioWorkletNode(context, "recorder", { channelCount: 1 })
        node.port.onmessage = ({ data }) => {
          if (data.samples) recorded.set(data.frame, data.samples)
        }
        connect.call(node, context.destination)
        return node
      }))
    }
    return recorders.get(context)
  }
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to instanceof AudioDestinationNode) {
      recorderOf(this.context).then((node) => connect.call(this, node))
    }
    return connect.call(this, to, ...rest)
  }

  // Waits until everything up to a frame is recorded: recordings arrive a little late.
  window.recordedUpTo = async (frame) => {
    while (Math.max(...recorded.keys()) < frame) await new Promise((done) => setTimeout(done, 10))
  }

  // A stretch of what was recorded, silence where nothing was.
  window.heard = (frame, count) => {
    const samples = new Float32Array(count)
    for (const [start, block] of recorded) {
      for (let i = 0; i < block.length; i += 1) {
        const n = start + i - frame
        if (n >= 0 && n < count) samples[n] = block[i]
      }
    }
    return samples
  }

  // Where in `sound` (mono) a stretch of what was recorded comes from: the frame near `guess` at
  // which the two are most alike, and how alike they are, 0 to 1.
  window.origin = (frame, count, sound, guess, reach) => {
    const stretch = heard(frame, count)
    let best = { at: null, alike: 0 }
    for (let at = Math.max(0, guess - reach); at <= guess + reach; at += 1) {
      let [product, left, right] = [0, 0, 0]
      for (let n = 0; n < count; n += 1) {
        const sample = sound[at + n] ?? 0
        product += sample * stretch[n]
        left += sample * sample
        right += stretch[n] * stretch[n]
      }
      const alike = product / Math.sqrt(left * right || 1)
      if (alike > best.alike) best = { at, alike }
    }
    return best
  }
})()
"""


def check_players(page, findings, where, play):
    """Every player is built, and plays where a button was pressed."""
    for player in page.locator(".player").all():
        name = player.get_attribute("aria-label")
        findings.expect("ready" in (player.get_attribute("class") or ""), f"{where}: {name}: not built")
        findings.expect(player.locator(".outline path").get_attribute("d"), f"{where}: {name}: no outline")
        if not play:
            continue
        player.locator("button.play").click()
        moved = wait_until(page, player, "(player) => player.positionS > 0.1")
        findings.expect(moved, f"{where}: {name}: does not play")
        said = player.locator(".said").text_content()
        findings.expect(not said, f"{where}: {name}: {said}")
        player.locator("button.play").click()
        stopped = wait_until(page, player, "(player) => !player.isPlaying")
        findings.expect(stopped, f"{where}: {name}: does not pause")


def player_of(player):
    return player.evaluate_handle("(root) => Player.of(root.closest('.clip').id)")


def wait_until(page, player, condition, most_ms=8000):
    try:
        page.wait_for_function(condition, arg=player_of(player), timeout=most_ms)
        return True
    except Exception:
        return False


def check_links(page, findings):
    """Links of tables and places of drawings play what they name, by mouse and by key."""
    lost = page.evaluate("""[...document.querySelectorAll("[data-plays]")].filter((link) =>
      Player.of(link.dataset.plays) && !Player.of(link.dataset.plays).sources[link.dataset.source])
      .map((link) => link.outerHTML.slice(0, 120))""")
    findings.expect(not lost, f"links that play what is not there: {lost[:3]}")
    page.evaluate("for (const part of document.querySelectorAll('details.fold')) part.open = true")
    count = 0
    for selector, press in [("a.listen[data-plays]", None), ("td a[data-plays]", None), ("a.spot[data-plays]", None),
                            ("a.spot[data-plays]", "Enter")]:
        link = page.locator(f"{selector}:visible").last
        if page.locator(f"{selector}:visible").count() == 0:
            continue
        count += 1
        named = link.evaluate("(link) => ({ ...link.dataset })")
        link.scroll_into_view_if_needed()
        if press:
            link.focus()
            page.keyboard.press(press)
        else:
            link.click()
        player = page.locator(f"#{named['plays']} .player")
        plays = wait_until(page, player, f"(player) => player.isPlaying && player.index === "
                           f"{named['source']} && ({json.dumps(named.get('fromS'))} === null || "
                           f"Math.abs(player.region.fromS - {named.get('fromS', 0)}) < 1e-6)")
        findings.expect(plays, f"{selector}: does not play {named}")
        findings.expect(page.url.endswith(f"#{named['plays']}"), f"{selector}: does not lead there")
        player_of(player).evaluate("(player) => { player.pause(); player.region = null }")
    findings.note(f"{count} links that play were pressed")
    return count


def check_switching(page, findings):
    """Between any two sounds of a player: nothing is lost, repeated or clicks."""
    player = page.locator(".player:has(button.blind)").first
    handle = player_of(player)
    player.locator("button.play").click()
    wait_until(page, player, "(player) => player.isPlaying")
    page.wait_for_function("async (player) => { for (const source of player.sources) "
                           "await decodedSound(source.file); return true }", arg=handle)
    count = handle.evaluate("(player) => Math.min(9, player.sources.length)")
    handle.evaluate("(player) => { player.loops = true }")  # short sounds don't end meanwhile
    from_s = handle.evaluate(LOUD)
    worst, gap = 0, 0
    for index in [*range(1, count), 0]:
        before = handle.evaluate("(player) => player.index")
        handle.evaluate("(player, fromS) => { recorded.clear(); player.seek(fromS) }", from_s)
        page.wait_for_timeout(350)
        earliest = page.evaluate(CLOCK)
        page.keyboard.press(str(index + 1))
        page.wait_for_function("([player, index]) => player.index === index", arg=[handle, index])
        latest = page.evaluate(CLOCK)
        page.wait_for_timeout(400)
        found = handle.evaluate(SWITCH, [before, index, earliest, latest])
        findings.expect(found["alike"] > 0.99, f"switching {before + 1} to {index + 1}: heard "
                        f"something else (alike {found['alike']:.3f})")
        late_s = abs(found["lateFrames"]) / found["rate"]
        gap_s = found["gapFrames"] / found["rate"]
        findings.expect(late_s <= MOST_LATE_S, f"switching {before + 1} to {index + 1}: "
                        f"{1000 * late_s:.1f} ms off")
        # The crossfade, and a sample at either end.
        findings.expect(gap_s <= CROSSFADE_S + 2 / found["rate"], f"switching {before + 1} to "
                        f"{index + 1}: neither sound for {1000 * gap_s:.1f} ms")
        worst, gap = max(worst, late_s), max(gap, gap_s)
    findings.note(f"{count} switches: at most {1000 * worst:.3f} ms off, "
                  f"{1000 * gap:.1f} ms from one sound to the next")
    handle.evaluate("(player) => { player.loops = false; player.pause() }")


CLOCK = "audioContext().currentTime"

# From where all sounds are heard throughout the next second, as far as there is such a place: silence is
# alike nothing.
LOUD = """
async (player) => {
  const sounds = await Promise.all(player.sources.map(({ file }) => decodedSound(file)))
  const power = (sound, fromS, toS) => {
    const samples = sound.getChannelData(0).slice(fromS * sound.sampleRate, toS * sound.sampleRate)
    return samples.reduce((sum, sample) => sum + sample * sample, 0)
  }
  const lastS = Math.min(...sounds.map((sound) => sound.duration)) - 1.1
  let best = { fromS: 0.2, power: -1 }
  for (let fromS = 0; fromS <= lastS; fromS += 0.05) {
    const parts = sounds.flatMap((sound) => [2, 3, 4, 5, 6, 7, 8, 9].map((tenth) =>
      power(sound, fromS + tenth / 10, fromS + tenth / 10 + 0.1)))
    if (Math.min(...parts) > best.power) best = { fromS, power: Math.min(...parts) }
  }
  return best.fromS
}
"""

# Compares 120 ms before and after a change of sounds, which fell between the times `earliest` and
# `latest` of the clock, with the sounds: how much further the second is along than it should be, and
# how long neither of them is heard alone.
SWITCH = """
async (player, [before, after, earliest, latest]) => {
  const rate = audioContext().sampleRate
  const frames = (seconds) => Math.round(seconds * rate)
  const sounds = await Promise.all([before, after].map(async (index) => {
    const gain = 10 ** (player.sources[index].gainDb / 20)
    const buffer = await decodedSound(player.sources[index].file)
    return buffer.getChannelData(0).map((sample) => sample * gain)
  }))
  const [now, place] = [frames(audioContext().currentTime), frames(player.positionS)]
  await recordedUpTo(now)
  const [count, reach] = [frames(0.12), frames(0.08)]
  const start = [frames(earliest - 0.14), frames(latest + 0.15)]
  const found = sounds.map((sound, i) => origin(start[i], count, sound, place + start[i] - now, reach))
  const lateFrames = found[1].at - found[0].at - (start[1] - start[0])

  // The last frame that is the first sound, and the first that is the second.
  const stretch = heard(start[0], start[1] + count - start[0])
  const differs = (i, n) =>
    Math.abs(stretch[n] - sounds[i][found[i].at + start[0] - start[i] + n]) > 1e-4
  let last = 0
  while (last < stretch.length && !differs(0, last)) last += 1
  let first = start[1] - start[0]
  while (first > 0 && !differs(1, first)) first -= 1
  return { rate, lateFrames, gapFrames: Math.max(0, first - last + 1),
    alike: Math.min(found[0].alike, found[1].alike) }
}
"""


def check_keys(page, findings):
    """What the line below each player promises."""
    player = page.locator(".player:has(button.blind)").first
    handle = player_of(player)
    bar = player.locator(".timebar")
    bar.focus()
    handle.evaluate("(player) => player.seek(0)")  # not so near its end that it stops by itself

    def holds(condition, words):
        findings.expect(wait_until(page, player, condition, most_ms=3000), f"keys: {words}")

    page.keyboard.press("Space")
    holds("(player) => player.isPlaying", "space does not play")
    page.keyboard.press("Space")
    holds("(player) => !player.isPlaying", "space does not pause")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    holds("(player) => Math.abs(player.positionS - 0.2) < 1e-6", "arrows do not move")
    page.keyboard.press("[")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("]")
    holds("(player) => Math.abs(player.region.fromS - 0.2) < 1e-6 "
          "&& Math.abs(player.region.toS - 0.5) < 1e-6", "brackets do not set the loop")
    page.keyboard.press("Space")
    page.wait_for_timeout(700)  # twice through
    holds("(player) => player.isPlaying && player.positionS >= 0.2 && player.positionS < 0.5",
          "the part does not loop")
    findings.expect(
        player.locator(".loop").get_attribute("aria-pressed") == "true", "keys: loop is not pressed")
    page.keyboard.press("2")
    holds("(player) => player.index === 1 && player.isPlaying", "2 does not choose the second sound")
    page.keyboard.press("ArrowUp")
    holds("(player) => player.index === 0", "up does not choose the sound above")
    page.keyboard.press("Escape")
    holds("(player) => player.region === null", "escape does not end the loop")
    handle.evaluate("(player) => player.pause()")

    # A drag over the time line chooses a part; a click a place.
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.25, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, middle, steps=5)
    page.mouse.up()
    holds("(player) => Math.abs(player.region.fromS / player.durationS - 0.25) < 0.01 "
          "&& Math.abs(player.region.toS / player.durationS - 0.5) < 0.01", "a drag chooses no part")
    page.mouse.click(box["x"] + box["width"] * 0.75, middle)
    holds("(player) => Math.abs(player.positionS / player.durationS - 0.75) < 0.01",
          "a click does not move")
    handle.evaluate("(player) => { player.region = null }")


def check_without_scripts(reader, name, findings):
    """Links lead to pages that play by themselves."""
    page = reader.open(name)
    findings.expect(page.locator(".transport").first.is_hidden(), "without scripts: dead buttons")
    link = page.locator(".sources a").first
    link.click()
    sound = page.locator("audio[controls]")
    findings.expect(sound.is_visible(), "without scripts: a sound has no player")
    page.get_by_role("link").first.click()
    findings.expect(page.url.split("#")[0].endswith(name), "without scripts: no way back")
