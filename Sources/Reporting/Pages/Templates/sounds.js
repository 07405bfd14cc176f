"use strict"

/* The sounds of the report: from their files to the loudspeaker. */

/** Sounds that were asked for, by file: promises of AudioBuffers. */
const shelf = new Map()

/** The one way to the loudspeaker. Made on the first press of a button: before, browsers keep it
    silent. */
let loudspeaker = null
function audioContext() {
  loudspeaker ??= new AudioContext()
  return loudspeaker
}

/** The decoded sound of a file.

    A page opened from disk may not read files. But it may frame a page, and the page that carries
    the sound then hands it over. */
function decodedSound(file) {
  if (!shelf.has(file)) {
    const sound = framed(file).then((bytes) => audioContext().decodeAudioData(bytes))
    sound.catch(() => shelf.delete(file))  // allows another attempt
    shelf.set(file, sound)
  }
  return shelf.get(file)
}

/** The bytes that the page `file` passes to the page that frames it. */
function framed(file) {
  return new Promise((resolve, reject) => {
    const frame = document.createElement("iframe")
    const finish = (settle, value) => {
      removeEventListener("message", listen)
      frame.remove()
      settle(value)
    }
    const listen = (event) => {
      if (event.source !== frame.contentWindow) return
      const base64 = event.data.slice(event.data.indexOf(",") + 1)
      finish(resolve, Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)).buffer)
    }
    addEventListener("message", listen)
    // A missing file loads as an error page of the browser, which sends nothing.
    frame.addEventListener("load", () => {
      setTimeout(() => finish(reject, new Error(`${file} holds no sound; make the report again`)), 1000)
    })
    frame.hidden = true
    frame.title = "sound"
    frame.src = file
    document.body.append(frame)
  })
}

/** Plays one of several sounds along one time line, and changes between them while it runs.

    All sounds run along together, started at one time of one clock, and all but one are silent. So a
    change is no more than a crossfade, and cannot be late. A sound is `{ buffer, gain }`. */
class Deck {
  static crossfadeS = 0.005
  /** Between an order and its sound, so that the audio thread has taken it by then. */
  static noticeS = 0.05

  /** Called when the sound has run out. */
  onended = () => {}

  #sounds = []
  #chosen = null
  #voices = new Map()  // playing voices by sound: { node, fader, at, gain }
  #fromS = 0  // position on the time line …
  #at = 0  // … at this time of the clock, while it plays
  #loop = null  // { fromS, toS }

  get isPlaying() {
    return this.#voices.size > 0
  }

  /** Where on the time line it is. */
  get positionS() {
    return this.isPlaying ? this.#positionAt(audioContext().currentTime) : this.#fromS
  }

  set positionS(seconds) {
    this.#fromS = Math.max(0, seconds)
    if (this.isPlaying) this.#startAll(Deck.#soon, this.#fromS)
  }

  /** The loop, `{ fromS, toS }`; null for none. */
  set loop(region) {
    const at = this.isPlaying ? Deck.#soon : 0
    const positionS = this.isPlaying ? this.#positionAt(at) : 0
    this.#loop = region
    if (this.isPlaying) this.#startAll(at, positionS)
  }

  /** Lets a sound run along, silent until it is chosen. */
  add(sound) {
    if (this.#sounds.includes(sound)) return
    this.#sounds.push(sound)
    if (!this.isPlaying) return
    const at = Deck.#soon
    this.#start(sound, at, this.#positionAt(at))
  }

  /** Which sound is heard, at its gain: from now on if it plays, else when it will. */
  set sound(sound) {
    this.add(sound)
    const before = this.#voices.get(this.#chosen)
    const after = this.#voices.get(sound)
    this.#chosen = sound
    if (!this.isPlaying) return
    const at = Math.max(audioContext().currentTime, after.at)
    if (before && before !== after) Deck.#fade(before, 0, at)
    Deck.#fade(after, sound.gain, at)
  }

  play() {
    audioContext().resume()
    if (!this.isPlaying) this.#startAll(Deck.#soon, this.#fromS)
  }

  pause() {
    if (!this.isPlaying) return
    this.#fromS = this.positionS
    this.#releaseAll(audioContext().currentTime)
  }

  /** Restarts all sounds, so that their `positionS` sounds at the time `at`. */
  #startAll(at, positionS) {
    this.#releaseAll(at)
    this.#fromS = Deck.#wholeSamples(this.#wrapped(positionS))
    this.#at = at
    for (const sound of this.#sounds) this.#start(sound, at, this.#fromS)
    Deck.#fade(this.#voices.get(this.#chosen), this.#chosen.gain, at)
  }

  #start(sound, at, positionS) {
    const clock = audioContext()
    const node = new AudioBufferSourceNode(clock, { buffer: sound.buffer })
    if (this.#loop) {
      node.loop = true
      node.loopStart = this.#loop.fromS
      node.loopEnd = this.#loop.toS
    }
    const voice = { node, fader: new GainNode(clock, { gain: 0 }), at, gain: 0 }
    node.connect(voice.fader).connect(clock.destination)
    node.start(at, positionS)
    node.onended = () => {
      voice.fader.disconnect()
      if (this.#voices.get(this.#chosen) === voice) this.#end()
    }
    this.#voices.set(sound, voice)
  }

  /** Fades out and forgets what plays, from a time of the clock on. */
  #releaseAll(at) {
    for (const voice of this.#voices.values()) {
      Deck.#fade(voice, 0, at)
      voice.node.stop(at + Deck.crossfadeS)
    }
    this.#voices.clear()
  }

  /** The chosen sound has run out: the others, which may be longer, end with it. */
  #end() {
    this.#releaseAll(audioContext().currentTime)
    this.#fromS = 0
    this.onended()
  }

  #positionAt(time) {
    return this.#wrapped(this.#fromS + Math.max(0, time - this.#at))
  }

  #wrapped(seconds) {
    if (!this.#loop || seconds < this.#loop.toS) return seconds
    const length = this.#loop.toS - this.#loop.fromS
    return this.#loop.fromS + ((seconds - this.#loop.fromS) % length)
  }

  /** Fades a voice to another gain from the time `at`. */
  static #fade(voice, gain, at) {
    const level = voice.fader.gain
    level.cancelScheduledValues(at)
    level.setValueAtTime(voice.gain, at)
    level.linearRampToValueAtTime(gain, at + Deck.crossfadeS)
    voice.gain = gain
  }

  static get #soon() {
    return Deck.#wholeSamples(audioContext().currentTime + Deck.noticeS)
  }

  static #wholeSamples(seconds) {
    const rate = audioContext().sampleRate
    return Math.round(seconds * rate) / rate
  }
}
