"use strict"

/* The time line under a sound: a slider one can click, drag over and move by keys. */

/** Shows where a sound is and which part of it loops.

    A click chooses the position, a drag the part that loops. */
class TimeBar {
  /** How far a pointer may tremble and still have clicked: pixels. */
  static slackPx = 4
  /** Less is no part worth looping. */
  static shortestLoopS = 0.05

  onposition = () => {}  // (seconds)
  onregion = () => {}  // ({ fromS, toS })

  #root
  #playhead
  #region
  #clock
  #durationS = 0

  constructor(root, clock) {
    this.#root = root
    this.#clock = clock
    this.#playhead = root.querySelector(".playhead")
    this.#region = root.querySelector(".loop-region")
    root.addEventListener("pointerdown", (event) => this.#press(event))
  }

  get durationS() {
    return this.#durationS
  }

  set durationS(seconds) {
    this.#durationS = seconds
    this.#root.setAttribute("aria-valuemax", seconds.toFixed(1))
    this.positionS = 0
  }

  set positionS(seconds) {
    const place = seconds.toFixed(1)
    this.#playhead.style.left = this.#percent(seconds)
    if (this.#root.getAttribute("aria-valuenow") === place) return
    this.#root.setAttribute("aria-valuenow", place)
    this.#root.setAttribute("aria-valuetext", `${place} of ${this.#durationS.toFixed(1)} seconds`)
    this.#clock.textContent = `${place} / ${this.#durationS.toFixed(1)} s`
  }

  /** The part that loops, `{ fromS, toS }`; null for none. */
  set region(region) {
    this.#region.hidden = region === null
    if (region === null) return
    this.#region.style.left = this.#percent(region.fromS)
    this.#region.style.right = `calc(100% - ${this.#percent(region.toS)})`
  }

  /** The sound's peaks, one character from 0 to z a column, drawn up and down from the middle. */
  set outline(digits) {
    const heights = Array.from(digits, (digit) => parseInt(digit, 36) / 35)
    const along = (height, column, side) => `${column} ${(50 - side * 48 * height).toFixed(1)}`
    const over = heights.map((height, column) => along(height, column, 1))
    const under = heights.map((height, column) => along(height, column, -1)).reverse()
    const svg = this.#root.querySelector(".outline")
    svg.setAttribute("viewBox", `0 0 ${Math.max(1, heights.length - 1)} 100`)
    svg.querySelector("path").setAttribute("d", `M${over.concat(under).join("L")}Z`)
  }

  #percent(seconds) {
    return `${((100 * seconds) / (this.#durationS || 1)).toFixed(3)}%`
  }

  #secondsAt(event) {
    const box = this.#root.getBoundingClientRect()
    const share = (event.clientX - box.left) / box.width
    return Math.min(1, Math.max(0, share)) * this.#durationS
  }

  #press(press) {
    if (press.button !== 0) return
    this.#root.setPointerCapture(press.pointerId)
    const from = this.#secondsAt(press)
    let part = null
    const move = (event) => {
      const to = this.#secondsAt(event)
      const moved = Math.abs(event.clientX - press.clientX) > TimeBar.slackPx
      const longEnough = Math.abs(to - from) >= TimeBar.shortestLoopS
      part = moved && longEnough ? { fromS: Math.min(from, to), toS: Math.max(from, to) } : part
      if (part) this.region = part
    }
    const lift = () => {
      this.#root.removeEventListener("pointermove", move)
      if (part) this.onregion(part)
      else this.onposition(from)
    }
    this.#root.addEventListener("pointermove", move)
    this.#root.addEventListener("lostpointercapture", lift, { once: true })
  }
}
