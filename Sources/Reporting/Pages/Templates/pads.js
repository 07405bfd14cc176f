"use strict"

/* The pads: each chord of a recording plays its rendered voices, which one can mute or hear alone. */

/** Plays the stems of one recording together. A stem is `{ file, gainDb }`. */
class StemMixer {
  static fadeS = 0.01

  onend = () => {}

  #stems
  #gains = []
  #playing = null  // { sources, out, gains }

  constructor(stems) {
    this.#stems = stems
    this.#gains = stems.map(() => 1)
  }

  get isPlaying() {
    return this.#playing !== null
  }

  /** Plays a part of all stems, started at one time of one clock. */
  async play(fromS, toS, loops) {
    const context = audioContext()
    context.resume()  // immediately: browsers allow it only while a key or button is down
    this.stop()
    const turn = (this.#playing = { sources: [], gains: [], out: context.createGain() })
    const buffers = await Promise.all(this.#stems.map(({ file }) => decodedSound(file)))
    if (this.#playing !== turn) return
    const at = context.currentTime + 0.05
    const length = toS - fromS
    turn.out.gain.setValueAtTime(0, at)
    turn.out.gain.linearRampToValueAtTime(1, at + StemMixer.fadeS)
    turn.out.connect(context.destination)
    turn.sources = buffers.map((buffer, index) => {
      const [source, gain] = [context.createBufferSource(), context.createGain()]
      Object.assign(source, { buffer, loop: loops, loopStart: fromS, loopEnd: toS })
      gain.gain.value = this.#gains[index]
      turn.gains.push(gain)
      source.connect(gain).connect(turn.out)
      source.start(at, fromS, ...(loops ? [] : [length]))
      return source
    })
    if (loops) return
    turn.out.gain.setValueAtTime(1, Math.max(at + StemMixer.fadeS, at + length - StemMixer.fadeS))
    turn.out.gain.linearRampToValueAtTime(0, at + length)
    turn.sources[0].onended = () => {
      if (this.#playing !== turn) return
      this.#playing = null
      this.onend()
    }
  }

  stop() {
    const turn = this.#playing
    if (!turn) return
    this.#playing = null
    const now = audioContext().currentTime
    turn.out.gain.cancelScheduledValues(now)
    turn.out.gain.setTargetAtTime(0, now, StemMixer.fadeS / 3)
    for (const source of turn.sources) source.stop(now + 2 * StemMixer.fadeS)
    this.onend()
  }

  /** The gain of each stem, from now on and in what plays. */
  set gains(gains) {
    this.#gains = gains
    this.#playing?.gains.forEach((node, index) => {
      node.gain.setTargetAtTime(gains[index], audioContext().currentTime, StemMixer.fadeS / 3)
    })
  }
}

/** The pads of one recording. */
class PadBoard {
  static #active = null  // the board that keys play

  #root
  #mixer
  #stems
  #chords
  #pads
  #sounding = -1
  #loops = false

  constructor(root, { stems, chords }) {
    this.#root = root
    this.#chords = chords
    const volume = ({ gainDb }) => 10 ** (gainDb / 20)
    this.#stems = stems.map((stem) => ({ ...stem, volume: volume(stem), mutes: stem.isInput === true, solos: false }))
    this.#mixer = new StemMixer(stems)
    this.#mixer.onend = () => this.#show(-1)
    this.#pads = [...root.querySelectorAll(".pad")]
    this.#pads.forEach((pad, index) => pad.addEventListener("click", () => this.press(index)))
    root.querySelectorAll(".stem").forEach((row, index) => {
      row.querySelector("[name=mute]").addEventListener("click", () => this.mute(index))
      row.querySelector("[name=solo]").addEventListener("click", () => this.solo(index))
    })
    root.querySelector("[name=loop]").addEventListener("click", () => this.#toggleLoop())
    root.querySelector("[name=stop]").addEventListener("click", () => this.#mixer.stop())
    root.addEventListener("focusin", () => (PadBoard.#active = this))
    root.addEventListener("keydown", (event) => this.#walk(event))
    PadBoard.#active ??= this
    this.#mix()
  }

  static press(event) {
    PadBoard.#active?.#press(event)
  }

  /** The gains that are heard, in the order of the stems. */
  get gains() {
    const alone = this.#stems.some(({ solos }) => solos)
    return this.#stems.map(({ mutes, solos, volume }) => ((alone ? solos : !mutes) ? volume : 0))
  }

  get isPlaying() {
    return this.#mixer.isPlaying
  }

  async press(index) {
    const chord = this.#chords[index]
    if (!chord) return
    if (this.#sounding === index && this.#loops) return this.#mixer.stop()
    const playing = this.#mixer.play(chord.fromS, chord.toS, this.#loops)
    this.#show(index)
    try {
      await playing
    } catch (error) {
      this.#show(-1)
      this.#say(`${chord.name} cannot be played: ${error.message}`)
    }
  }

  mute(index) {
    this.#stems[index].mutes = !this.#stems[index].mutes
    this.#mix()
  }

  solo(index) {
    this.#stems[index].solos = !this.#stems[index].solos
    this.#mix()
  }

  #mix() {
    const gains = (this.#mixer.gains = this.gains)
    this.#root.querySelectorAll(".stem").forEach((row, index) => {
      const { mutes, solos } = this.#stems[index]
      row.querySelector("[name=mute]").setAttribute("aria-pressed", mutes)
      row.querySelector("[name=solo]").setAttribute("aria-pressed", solos)
      row.classList.toggle("unheard", gains[index] === 0)
    })
  }

  #toggleLoop() {
    this.#loops = !this.#loops
    this.#root.querySelector("[name=loop]").setAttribute("aria-pressed", this.#loops)
  }

  #show(index) {
    this.#sounding = index
    this.#pads.forEach((pad, place) => pad.setAttribute("aria-pressed", place === index))
    if (index < 0) return
    const heard = this.#stems.filter((_, place) => this.gains[place] > 0).map(({ name }) => name)
    this.#say(`${this.#chords[index].name}: ${heard.join(", ") || "every voice is muted"}`)
  }

  #say(words) {
    this.#root.querySelector(".heard").textContent = words
  }

  /** Arrow keys go from pad to pad. */
  #walk(event) {
    const at = this.#pads.indexOf(event.target)
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return
    const below = this.#pads.findIndex((pad) => pad.offsetTop > this.#pads[0].offsetTop)
    const row = below < 0 ? this.#pads.length : below
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }
    const next = this.#pads[at + steps[event.key]]
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey) return
    const digit = /^Digit[1-9]$/.test(event.code) ? Number(event.code.at(-1)) - 1 : -1
    const action = digit >= 0
      ? event.altKey ? () => this.#stems[digit] && this.solo(digit)
        : event.shiftKey ? () => this.#stems[digit] && this.mute(digit)
        : () => this.press(digit)
      : { l: () => this.#toggleLoop(), L: () => this.#toggleLoop(), Escape: () => this.#mixer.stop() }[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
}

const boards = [...document.querySelectorAll(".board")].map((root, index) =>
  new PadBoard(root, delivered.get("pads")[index]))

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return
  if (event.key === "?") document.getElementById("help").showModal()
  else PadBoard.press(event)
})
document.querySelector("[name=help]").addEventListener("click", () => document.getElementById("help").showModal())
