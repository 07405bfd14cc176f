"use strict"

/* The sounds of one cell over its lanes: playback, cursor, loop, and words for the instant. */

class LanePlayer {
  static nearS = 0.5  // on either side of a worst instant

  oncursor = () => {}  // (seconds), whenever the reader has moved it

  #root
  #view
  #deck = new Deck()
  #sources = []
  #voices = []
  #worst = []
  #worstPlace = -1
  #chosen = 0
  #region = null
  #loops = false
  #durationS = 0
  /** Raised by each cell: what loads for long must not displace a later choice. */
  #turn = 0

  constructor(root) {
    this.#root = root
    this.#view = new LaneView(this.#part(".lane-surface"), this.#part(".lane-overview"))
    this.#view.onseek = (seconds) => this.seek(seconds)
    this.#view.onregion = (part) => (this.region = part)
    this.#view.onview = () => this.#showView()
    this.#deck.onended = () => this.#showPlaying()
    const on = (name, action) => this.#part(`[name=${name}]`).addEventListener("click", action)
    on("play", () => this.toggle())
    on("loop", () => (this.loops = !this.#loops))
    on("zoom-in", () => this.#view.zoom(0.5))
    on("zoom-out", () => this.#view.zoom(2))
    on("zoom-all", () => this.#view.showAll())
    on("pan-left", () => this.#view.pan(-0.5))
    on("pan-right", () => this.#view.pan(0.5))
    on("worst-next", () => this.nextWorst(1))
    on("worst-before", () => this.nextWorst(-1))
    this.#part(".lane-surface").addEventListener("keydown", (event) => this.#press(event))
    this.#part(".lane-sources").addEventListener("change", (event) => this.choose(Number(event.target.value)))
  }

  #part(selector) {
    return this.#root.querySelector(selector)
  }

  /** Shows the sounds of a cell, `{ name, sounds }`; `atS` null for its worst instant. */
  async open({ name, sounds }, atS) {
    this.pause()
    const turn = ++this.#turn
    this.#say("Loading …")
    const traces = await loaded(name)
    if (turn !== this.#turn) return
    this.#sources = sounds.map((sound) => ({ ...sound }))
    this.#voices = traces.map((trace) => new VoicePitch(trace))
    this.#worst = worstStretches(this.#voices)
    this.#worstPlace = this.#worst.length > 0 ? 0 : -1
    this.#deck = new Deck()
    this.#deck.onended = () => this.#showPlaying()
    this.region = null
    this.#showSources()
    this.#showLegend()
    await this.choose(0, true)
    if (turn !== this.#turn) return
    if (atS === null) this.#view.showAll()
    this.seek(atS ?? this.#worst[0]?.atS ?? 0)
    if (atS !== null) this.#view.reveal(atS, Math.min(LanePlayer.nearS, this.#durationS / 2))
    this.#showWorst()
  }

  get positionS() {
    return this.#deck.positionS
  }

  get isPlaying() {
    return this.#deck.isPlaying
  }

  get view() {
    return this.#view
  }

  get sources() {
    return this.#sources
  }

  focus() {
    this.#part(".lane-surface").focus()
  }

  /** Switches to another sound of the cell, keeping the position; the lanes show what is heard. */
  async choose(index, isFirst = false) {
    const source = this.#sources[index]
    if (!source) return
    this.#chosen = index
    const radio = this.#root.querySelectorAll(".lane-sources input")[index]
    if (radio) radio.checked = true
    try {
      source.sound ??= { buffer: await decodedOffline(source.file), gain: 10 ** (source.gainDb / 20) }
    } catch (error) {
      return this.#say(`${source.name} cannot be shown: ${error.message}`)
    }
    if (this.#sources[this.#chosen] !== source) return
    const { buffer } = source.sound
    this.#durationS = buffer.duration
    if (isFirst) this.#view.view = { fromS: 0, toS: buffer.duration }
    this.#view.show(buffer.getChannelData(0), buffer.sampleRate, this.#lanes(buffer))
    if (this.isPlaying) this.#deck.sound = source.sound
    if (!isFirst) this.#showReadout()
  }

  #lanes(buffer) {
    const [samples, rateHz] = [buffer.getChannelData(0), buffer.sampleRate]
    const pitched = this.#voices.some(({ targetHz }) => targetHz.some((hz) => hz > 0))
    return [
      new WaveLane(samples, rateHz),
      ...(pitched ? [new PitchLane(this.#voices), new ErrorLane(this.#voices)] : []),
      new SpectrumLane(samples, rateHz),
    ]
  }

  // Playback

  toggle() {
    if (this.isPlaying) this.pause()
    else this.play()
  }

  play() {
    const source = this.#sources[this.#chosen]
    if (!source?.sound) return
    audioContext().resume()  // immediately: browsers allow it only while a key or button is down
    this.#deck.sound = source.sound
    this.#deck.play()
    this.#showPlaying()
    this.#follow()
  }

  pause() {
    if (!this.isPlaying) return
    this.#deck.pause()
    this.#showPlaying()
    this.#showReadout()
    this.oncursor(this.positionS)
  }

  seek(seconds) {
    this.#deck.positionS = Math.min(Math.max(0, seconds), this.#durationS)
    this.#view.cursorS = this.positionS
    this.#view.reveal(this.positionS)
    if (!this.isPlaying) this.#showReadout()
    this.oncursor(this.positionS)
  }

  /** The part that loops, `{ fromS, toS }`; null for the whole. */
  set region(part) {
    const isPart = part && part.toS - part.fromS >= 0.02
    this.#region = isPart ? part : null
    this.#view.region = this.#region
    this.loops = Boolean(isPart)
    if (isPart) this.seek(part.fromS)
  }

  get region() {
    return this.#region
  }

  set loops(loops) {
    this.#loops = loops
    this.#deck.loop = loops ? (this.#region ?? { fromS: 0, toS: this.#durationS }) : null
    this.#part("[name=loop]").setAttribute("aria-pressed", loops)
  }

  #follow() {
    if (!this.isPlaying) return
    const { fromS, toS } = this.#view.view
    const positionS = this.positionS
    this.#view.cursorS = positionS
    // A page at a time, as music is turned.
    if (positionS > toS && toS < this.#durationS) this.#view.pan((positionS - fromS) / (toS - fromS))
    else if (positionS < fromS) this.#view.reveal(positionS)
    this.#showClock()
    requestAnimationFrame(() => this.#follow())
  }

  // The worst instants

  get worst() {
    return this.#worst
  }

  nextWorst(step) {
    if (this.#worst.length === 0) return
    const fresh = this.#worstPlace < 0 || Math.abs(this.positionS - this.#worst[this.#worstPlace].atS) > 1e-3
    if (!fresh) this.#worstPlace = (this.#worstPlace + step + this.#worst.length) % this.#worst.length
    this.toWorst(Math.max(0, this.#worstPlace))
  }

  toWorst(place) {
    if (!this.#worst[place]) return
    this.#worstPlace = place
    this.seek(this.#worst[place].atS)
    this.#view.reveal(this.positionS, LanePlayer.nearS)
    this.#showWorst()
  }

  // Words

  #say(words) {
    const readout = this.#part(".lane-readout")
    if (readout.textContent !== words) readout.textContent = words
  }

  #showReadout() {
    this.#showClock()
    const seconds = this.positionS
    const words = this.#voices.map((voice) => `${voice.name}: ${voice.words(seconds)}`)
    this.#say([`${seconds.toFixed(3)} s`, ...words].join(" · "))
  }

  #showClock() {
    const [seconds, duration] = [this.positionS, this.#durationS]
    this.#part(".lane-clock").textContent = `${seconds.toFixed(3)} / ${duration.toFixed(3)} s`
    const surface = this.#part(".lane-surface")
    surface.setAttribute("aria-valuemax", duration.toFixed(3))
    surface.setAttribute("aria-valuenow", seconds.toFixed(3))
    surface.setAttribute("aria-valuetext", `${seconds.toFixed(3)} of ${duration.toFixed(3)} seconds`)
  }

  #showPlaying() {
    this.#part("[name=play]").textContent = this.isPlaying ? "Pause" : "Play"
    this.#view.cursorS = this.positionS
  }

  #showView() {
    const { fromS, toS } = this.#view.view
    this.#part("[name=zoom-out]").disabled = toS - fromS >= this.#durationS - 1e-6
    const span = toS - fromS
    this.#part(".lane-span").textContent = span < 1 ? `${(1000 * span).toFixed(0)} ms in view` : `${span.toFixed(1)} s in view`
  }

  #showWorst() {
    const place = this.#part(".lane-worst")
    for (const name of ["worst-next", "worst-before"]) this.#part(`[name=${name}]`).disabled = this.#worst.length === 0
    const found = this.#worst[this.#worstPlace]
    if (!found) return void (place.textContent = this.#voices.length > 0 ? "every voice is in tune" : "")
    const length = `${(1000 * (found.toS - found.fromS)).toFixed(0)} ms`
    const fault = found.cents === found.cents ? centsInWords(found.cents) : "missing"
    place.textContent = `${this.#worstPlace + 1} of ${this.#worst.length}: `
      + `${this.#voices[found.voice].name} ${fault} for ${length}`
  }

  #showSources() {
    const sources = this.#sources.map(({ name, detail }, index) => {
      const item = document.createElement("label")
      const radio = document.createElement("input")
      Object.assign(radio, { type: "radio", name: "lane-source", value: index, checked: index === 0 })
      const key = document.createElement("kbd")
      key.textContent = index < 9 ? index + 1 : ""
      const words = document.createElement("span")
      words.textContent = [name, detail].filter(Boolean).join(", ")
      item.append(radio, " ", key, " ", words)
      return item
    })
    this.#part(".lane-sources").replaceChildren(...sources)
  }

  #showLegend() {
    const entries = this.#voices.map(({ name }, number) => {
      const entry = document.createElement("li")
      const swatch = document.createElement("span")
      swatch.className = `swatch voice-${(number % 8) + 1}`
      entry.append(swatch, name)
      return entry
    })
    this.#part(".lane-legend").replaceChildren(...entries)
  }

  // Keys

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = this.#action(event)
    if (!action) return
    event.preventDefault()
    action()
  }

  #action({ key, shiftKey }) {
    const { fromS, toS } = this.#view.view
    const stepS = shiftKey ? 0.001 : (toS - fromS) / 50
    const { positionS } = this
    if (key >= "1" && key <= "9") return () => this.choose(Number(key) - 1)
    switch (key) {
      case " ": return () => this.toggle()
      case "ArrowLeft": return () => this.seek(positionS - stepS)
      case "ArrowRight": return () => this.seek(positionS + stepS)
      case "ArrowUp": case "+": case "=": return () => this.#view.zoom(0.7)
      case "ArrowDown": case "-": case "_": return () => this.#view.zoom(1 / 0.7)
      case "0": return () => this.#view.showAll()
      case "PageUp": return () => this.#view.pan(-0.8)
      case "PageDown": return () => this.#view.pan(0.8)
      case "Home": return () => this.seek(this.#region?.fromS ?? 0)
      case "End": return () => this.seek(this.#region?.toS ?? this.#durationS)
      case "n": return () => this.nextWorst(1)
      case "N": case "p": return () => this.nextWorst(-1)
      case "[": return () => (this.region = { fromS: positionS, toS: this.#region?.toS ?? this.#durationS })
      case "]": return () => (this.region = { fromS: this.#region?.fromS ?? 0, toS: positionS })
      case "l": case "L": return () => (this.loops = !this.#loops)
      case "Escape": return this.#region ? () => (this.region = null) : undefined
    }
  }
}

const decodings = new Map()  // promises of AudioBuffers by file

/** The decoded sound of a file, without the loudspeaker, which waits for a press of a button. */
function decodedOffline(file) {
  if (!decodings.has(file)) {
    const sound = framed(file).then((bytes) => new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes))
    sound.catch(() => decodings.delete(file))  // allows another attempt
    decodings.set(file, sound)
  }
  return decodings.get(file)
}
