"use strict"

/* The lanes of one cell: zoom, pan, cursor and loop, by pointer, wheel, pinch and keys. */

class LaneView {
  static shortestViewS = 0.01
  static slackPx = 4  // a pointer may tremble that far and still have clicked
  static gapPx = 28  // above each lane, for its name
  static axisPx = 22

  onseek = () => {}  // (seconds)
  onregion = () => {}  // ({ fromS, toS }, null for none)
  onview = () => {}  // ()

  durationS = 1
  lastDrawMs = 0
  view = { fromS: 0, toS: 1 }

  #surface
  #canvas
  #overview
  #window
  #outline = ""  // what the overview's canvas shows
  #cursor
  #region
  #lanes = []
  #peaks = null
  #rateHz = 1
  #cursorS = 0
  #part = null
  #isAsked = false
  #colours = null  // read anew when the scheme changes
  #pointers = new Map()

  constructor(surface, overview) {
    this.#surface = surface
    this.#canvas = surface.querySelector("canvas")
    this.#cursor = surface.querySelector(".lane-cursor")
    this.#region = surface.querySelector(".lane-region")
    this.#overview = overview
    this.#window = overview.querySelector(".lane-window")
    surface.addEventListener("wheel", (event) => this.#wheel(event), { passive: false })
    surface.addEventListener("pointerdown", (event) => this.#press(event))
    surface.addEventListener("pointermove", (event) => this.#move(event))
    for (const kind of ["pointerup", "pointercancel"]) {
      surface.addEventListener(kind, (event) => this.#lift(event))
    }
    overview.addEventListener("pointerdown", (event) => this.#pressOverview(event))
    overview.addEventListener("pointermove", (event) => event.buttons && this.#pressOverview(event))
    new ResizeObserver(() => this.redraw()).observe(surface)
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#colours = null
      this.redraw()
    })
  }

  /** Shows the lanes of a sound of one channel; `lanes` draw themselves. */
  show(samples, rateHz, lanes) {
    for (const lane of this.#lanes) lane.end?.()
    this.#lanes = lanes
    for (const lane of lanes) lane.onchange = () => this.redraw()
    this.#rateHz = rateHz
    this.#peaks = new Peaks(samples)
    this.#outline = ""
    this.durationS = samples.length / rateHz
    const { fromS, toS } = this.view
    this.#setView(fromS, Math.min(toS, this.durationS))
  }

  get width() {
    return Math.max(1, this.#surface.clientWidth - this.#gutterPx)
  }

  get #gutterPx() {
    return this.#surface.clientWidth < 600 ? 38 : 48
  }

  // The view

  showAll() {
    this.#setView(0, this.durationS)
  }

  #setView(fromS, toS) {
    const length = Math.min(this.durationS, Math.max(LaneView.shortestViewS, toS - fromS))
    const start = Math.min(Math.max(0, fromS), this.durationS - length)
    this.view = { fromS: start, toS: start + length }
    this.redraw()
    this.onview()
  }

  /** Makes the view `factor` times as long, with one instant staying where it is. */
  zoom(factor, aroundS = this.#middleS) {
    const { fromS, toS } = this.view
    const length = Math.min(this.durationS, Math.max(LaneView.shortestViewS, (toS - fromS) * factor))
    const share = (aroundS - fromS) / (toS - fromS)
    this.#setView(aroundS - share * length, aroundS + (1 - share) * length)
  }

  /** The cursor if it is in sight, else the middle. */
  get #middleS() {
    const { fromS, toS } = this.view
    return this.#cursorS >= fromS && this.#cursorS <= toS ? this.#cursorS : (fromS + toS) / 2
  }

  /** Moves by a share of the view. */
  pan(share) {
    const { fromS, toS } = this.view
    const step = share * (toS - fromS)
    this.#setView(fromS + step, toS + step)
  }

  /** Brings an instant into sight, with `aroundS` on either side if it is far away. */
  reveal(seconds, aroundS = null) {
    const { fromS, toS } = this.view
    const half = aroundS ?? (toS - fromS) / 2
    if (aroundS !== null || seconds < fromS || seconds > toS) this.#setView(seconds - half, seconds + half)
  }

  // The cursor

  set cursorS(seconds) {
    this.#cursorS = seconds
    this.#place()
  }

  /** The part that loops; null for none. */
  set region(part) {
    this.#part = part
    this.#place()
  }

  #x(seconds) {
    const { fromS, toS } = this.view
    return this.#gutterPx + ((seconds - fromS) / (toS - fromS)) * this.width
  }

  #secondsAt(clientX) {
    const { fromS, toS } = this.view
    const share = (clientX - this.#surface.getBoundingClientRect().left - this.#gutterPx) / this.width
    return Math.min(this.durationS, Math.max(0, fromS + share * (toS - fromS)))
  }

  #place() {
    const { fromS, toS } = this.view
    this.#cursor.hidden = this.#cursorS < fromS || this.#cursorS > toS
    this.#cursor.style.transform = `translateX(${this.#x(this.#cursorS)}px)`
    const part = this.#part
    this.#region.hidden = !part || part.toS < fromS || part.fromS > toS
    if (this.#region.hidden) return
    const [left, right] = [this.#x(Math.max(fromS, part.fromS)), this.#x(Math.min(toS, part.toS))]
    this.#region.style.left = `${left}px`
    this.#region.style.width = `${Math.max(1, right - left)}px`
  }

  // Pointers

  #wheel(event) {
    // Without the focus the wheel scrolls the page.
    const has = this.#surface.contains(document.activeElement)
    const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    if (!event.ctrlKey && !has && !sideways) return
    event.preventDefault()
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1
    if (sideways) return this.pan((unit * (event.deltaX || event.deltaY)) / this.width)
    // A trackpad reports a pinch as a wheel with the control key, in smaller steps.
    const speed = event.ctrlKey ? 0.01 : 0.002
    this.zoom(Math.exp(speed * unit * event.deltaY), this.#secondsAt(event.clientX))
  }

  #press(event) {
    if (event.button !== 0) return
    this.#surface.setPointerCapture(event.pointerId)
    const pointer = { startX: event.clientX, x: event.clientX, type: event.pointerType, moved: false }
    pointer.fromS = this.#secondsAt(event.clientX)
    this.#pointers.set(event.pointerId, pointer)
  }

  #move(event) {
    const pointer = this.#pointers.get(event.pointerId)
    if (!pointer) return
    const before = [...this.#pointers.values()].map(({ x }) => x)
    const dx = event.clientX - pointer.x
    pointer.x = event.clientX
    pointer.moved ||= Math.abs(pointer.x - pointer.startX) > LaneView.slackPx
    if (this.#pointers.size === 2) return this.#pinch(before)
    if (!pointer.moved) return
    // A finger moves the lanes, a mouse chooses the part that loops.
    if (pointer.type === "touch") return this.pan(-dx / this.width)
    const toS = this.#secondsAt(event.clientX)
    pointer.part = { fromS: Math.min(pointer.fromS, toS), toS: Math.max(pointer.fromS, toS) }
    this.region = pointer.part
  }

  #pinch(before) {
    const after = [...this.#pointers.values()].map(({ x }) => x)
    const [apartBefore, apart] = [Math.abs(before[0] - before[1]), Math.abs(after[0] - after[1])]
    for (const pointer of this.#pointers.values()) pointer.moved = true
    if (apart > 1) this.zoom(apartBefore / apart, this.#secondsAt((after[0] + after[1]) / 2))
    this.pan(-(after[0] + after[1] - before[0] - before[1]) / 2 / this.width)
  }

  #lift(event) {
    const pointer = this.#pointers.get(event.pointerId)
    if (!pointer) return
    this.#pointers.delete(event.pointerId)
    if (event.type === "pointercancel") return
    if (pointer.part) this.onregion(pointer.part)
    else if (!pointer.moved) this.onseek(this.#secondsAt(event.clientX))
  }

  #pressOverview(event) {
    const box = this.#overview.getBoundingClientRect()
    const share = (event.clientX - box.left - this.#gutterPx) / this.width
    const half = (this.view.toS - this.view.fromS) / 2
    this.#setView(share * this.durationS - half, share * this.durationS + half)
  }

  // Drawing

  /** Draws before the next frame, once however often it is asked. */
  redraw() {
    if (this.#isAsked || !this.#peaks) return
    this.#isAsked = true
    requestAnimationFrame(() => {
      this.#isAsked = false
      this.drawNow()
    })
  }

  drawNow() {
    if (this.#surface.clientWidth === 0) return
    const began = performance.now()
    const colours = (this.#colours ??= laneColours())
    const heights = this.#lanes.map(({ heightPx }) => heightPx + LaneView.gapPx)
    const height = heights.reduce((sum, one) => sum + one, LaneView.axisPx)
    const context = LaneView.#cleared(this.#canvas, this.#surface.clientWidth, height, colours.paper)
    let top = 0
    this.#lanes.forEach((lane, i) => {
      const box = { left: this.#gutterPx, top: top + LaneView.gapPx, width: this.width, height: lane.heightPx }
      lane.draw(new Sheet(context, box, this.view, colours))
      top += heights[i]
    })
    this.#drawAxis(context, top, colours)
    this.#drawOverview(colours)
    this.#place()
    this.lastDrawMs = performance.now() - began
  }

  /** The context of a canvas of a size in CSS pixels, at the screen's resolution; without `paper` it is
      transparent, which takes longer to show. */
  static #cleared(canvas, width, height, paper = null) {
    const scale = devicePixelRatio
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide
      canvas.height = high
      canvas.style.height = `${height}px`
    }
    const context = canvas.getContext("2d", { alpha: paper === null })
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, width, height)
    context.fillStyle = paper ?? "transparent"
    context.fillRect(0, 0, width, height)
    return context
  }

  #drawAxis(context, top, colours) {
    const { fromS, toS } = this.view
    const least = ((toS - fromS) / this.width) * 90  // between two labels
    const step = [1, 2, 5].flatMap((digit) => Array.from({ length: 8 }, (_, i) => digit * 10 ** (i - 4)))
      .sort((a, b) => a - b).find((size) => size >= least) ?? 1000
    const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))
    context.font = "12px system-ui, sans-serif"
    context.textBaseline = "top"
    context.strokeStyle = colours.muted
    context.fillStyle = colours.muted
    for (let n = Math.ceil(fromS / step); n * step <= toS; n += 1) {
      const x = Math.round(this.#x(n * step)) + 0.5
      const text = `${(n * step).toFixed(decimals)} s`
      context.beginPath()
      context.moveTo(x, top)
      context.lineTo(x, top + 4)
      context.stroke()
      const half = context.measureText(text).width / 2
      if (x + half > this.#surface.clientWidth) continue
      context.textAlign = "center"
      context.fillText(text, Math.max(x, half), top + 7)
    }
  }

  /** The whole sound, drawn when it has changed, and the part in view over it. */
  #drawOverview(colours) {
    const { width } = this
    const [left, share] = [this.#gutterPx, width / this.durationS]
    this.#window.style.transform = `translateX(${left + this.view.fromS * share}px)`
    this.#window.style.width = `${Math.max(4, (this.view.toS - this.view.fromS) * share)}px`
    const outline = `${width} ${colours.target} ${devicePixelRatio}`
    if (outline === this.#outline) return
    this.#outline = outline
    const height = 32
    const context = LaneView.#cleared(this.#overview.querySelector("canvas"), width + left, height)
    const count = Math.round(width)
    const extremes = this.#peaks.columns(0, (this.durationS * this.#rateHz) / count, count, [])
    const highest = extremes.reduce((most, one) => (one === one ? Math.max(most, Math.abs(one)) : most), 1e-6)
    context.fillStyle = colours.target
    for (let column = 0; column < count; column += 1) {
      const reach = ((extremes[2 * column + 1] - extremes[2 * column]) / highest) * (height / 2)
      if (reach === reach) context.fillRect(left + column, (height - reach) / 2, 1, Math.max(1, reach))
    }
  }
}

/** The colours of the page's style sheet, for canvases. */
function laneColours() {
  const style = getComputedStyle(document.querySelector(".lane-surface"))
  const colour = (name) => style.getPropertyValue(`--${name}`).trim()
  const voices = Array.from({ length: 8 }, (_, i) => colour(`voice-${i + 1}`))
  const named = ["paper", "ink", "muted", "rule", "tint", "wave", "target", "in-tune"]
  const [paper, ink, muted, rule, tint, wave, target, inTune] = named.map(colour)
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches
  const voice = (number) => voices[number % voices.length]
  return { paper, ink, muted, rule, tint, wave, target, inTune, voice, isDark }
}
