"use strict"

/* The players of the page: one a clip, with the sounds one can switch between. */

/** One player, built upon what the page says where scripts don't run. */
class Player {
  static #all = new Map()  // players by the id of their clip
  static #playing = null

  /** The player of a clip, by the clip's id. */
  static of(clip) {
    return Player.#all.get(clip)
  }

  /** The sounds, `{ file, title, gainDb, outline }`, in the order of their keys. */
  sources
  title
  durationS

  #root
  #radios
  #deck = new Deck()
  #bar
  #region = null
  #loops = false
  /** Raised by each choice: a sound that loads for long must not displace a later choice. */
  #choice = 0

  constructor(root) {
    this.#root = root
    this.#radios = [...root.querySelectorAll("input[type=radio]")]
    this.sources = this.#radios.map(({ dataset }) => ({
      file: dataset.file,
      title: [dataset.name, dataset.detail].filter(Boolean).join(", "),
      gainDb: Number(dataset.gainDb),
      outline: dataset.outline,
    }))
    this.title = root.dataset.title
    this.durationS = Number(root.dataset.durationS)
    this.#bar = new TimeBar(root.querySelector(".timebar"), root.querySelector(".clock"))
    this.#bar.durationS = this.durationS
    const { loopFromS, loopToS } = root.dataset
    if (loopFromS) this.region = { fromS: Number(loopFromS), toS: Number(loopToS) }
    this.#listen()
    this.#show()
    for (const part of root.querySelectorAll("[hidden].transport, [hidden].keys")) part.hidden = false
    root.classList.add("ready")
    Player.#all.set(root.closest(".clip").id, this)
  }

  get index() {
    return this.#radios.findIndex((radio) => radio.checked)
  }

  get isPlaying() {
    return this.#deck.isPlaying
  }

  get positionS() {
    return this.#deck.positionS
  }

  /** The part to loop, `{ fromS, toS }`, which every sound of the clip is long enough for; null for
      the whole. Choosing a part switches the loop on. */
  set region(region) {
    const shortest = Number(this.#root.dataset.shortestS)
    const toS = Math.min(region?.toS ?? shortest, shortest)
    const isPart = region !== null && toS - region.fromS >= TimeBar.shortestLoopS
    this.#region = isPart ? { fromS: Math.max(0, region.fromS), toS } : null
    this.#bar.region = this.#region
    this.loops = isPart
  }

  get region() {
    return this.#region
  }

  set loops(loops) {
    this.#loops = loops
    const whole = { fromS: 0, toS: Number(this.#root.dataset.shortestS) }
    this.#deck.loop = loops ? (this.#region ?? whole) : null
    this.#root.querySelector(".loop").setAttribute("aria-pressed", loops)
  }

  /** Plays on from where it stands, the other players falling silent. */
  async play() {
    audioContext().resume()  // immediately: browsers allow it only while a key or button is down
    if (Player.#playing !== this) Player.#playing?.pause()
    Player.#playing = this
    if (!(await this.#prepare())) return
    this.#deck.play()
    this.#show()
    this.#follow()
    for (const source of this.sources) {
      await this.#sound(source).then((sound) => this.#deck.add(sound), () => {})
    }
  }

  pause() {
    this.#deck.pause()
    this.#show()
  }

  /** Switches to another source and keeps the position. */
  async choose(index) {
    if (!this.#radios[index]) return
    this.#radios[index].checked = true
    this.#show()
    if (this.isPlaying) await this.#prepare()
  }

  seek(seconds) {
    this.#deck.positionS = Math.min(Math.max(0, seconds), this.durationS)
    this.#show()
  }

  /** Loops a part, for a link from a figure. */
  async playPart(region, index = this.index) {
    this.pause()
    this.region = region
    this.seek(this.#region?.fromS ?? 0)
    await this.choose(index)
    await this.play()
  }

  /** Passes the chosen sound to the deck when it is loaded; false if it failed or is no longer chosen. */
  async #prepare() {
    const choice = ++this.#choice
    const source = this.sources[this.index]
    this.#say("")
    const slow = setTimeout(() => this.#say(`Loading ${source.title} …`), 300)
    try {
      const sound = await this.#sound(source)
      if (choice !== this.#choice) return false
      sound.gain = this.#gain(source)
      this.#deck.sound = sound
      this.#say("")
      return true
    } catch (error) {
      this.#say(`${source.title} cannot be played: ${error.message}`)
      return false
    } finally {
      clearTimeout(slow)
    }
  }

  /** A source in the deck's form: the same object each time. */
  async #sound(source) {
    const buffer = await decodedSound(source.file)
    source.sound ??= { buffer, gain: this.#gain(source) }
    return source.sound
  }

  #gain(source) {
    const matched = this.#root.querySelector(".match input")?.checked
    return matched ? 10 ** (source.gainDb / 20) : 1
  }

  #say(words) {
    this.#root.querySelector(".said").textContent = words
  }

  #show() {
    this.#root.querySelector(".play").textContent = this.isPlaying ? "Pause" : "Play"
    this.#bar.outline = this.sources[this.index].outline
    this.#bar.positionS = this.positionS
  }

  /** Moves the playhead during playback. */
  #follow() {
    this.#bar.positionS = this.positionS
    if (this.isPlaying) requestAnimationFrame(() => this.#follow())
  }

  #listen() {
    const on = (selector, kind, action) =>
      this.#root.querySelector(selector)?.addEventListener(kind, action)
    on(".play", "click", () => this.#toggle())
    on(".loop", "click", () => (this.loops = !this.#loops))
    on(".blind", "click", () => this.#testBlindly())
    on(".match input", "change", () => this.isPlaying && this.#prepare())
    on(".sources", "change", () => this.choose(this.index))
    this.#root.addEventListener("keydown", (event) => this.#press(event))
    this.#bar.onposition = (seconds) => this.seek(seconds)
    this.#bar.onregion = (region) => (this.region = region)
    this.#deck.onended = () => this.#show()
  }

  #toggle() {
    if (this.isPlaying) this.pause()
    else this.play()
  }

  #testBlindly() {
    this.pause()
    new BlindTest(this).open()
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = this.#action(event)
    if (!action) return
    event.preventDefault()
    action()
  }

  /** The action of a key; undefined for keys of the browser. */
  #action({ key, shiftKey, target }) {
    const stepS = shiftKey ? 0.1 : 1
    if (key >= "1" && key <= "9") return () => this.#jump(Number(key) - 1)
    switch (key) {
      case " ":
        // Space presses a button, and ticks a box.
        return target.matches("button, [type=checkbox]") ? undefined : () => this.#toggle()
      case "ArrowLeft":
        return () => this.seek(this.positionS - stepS)
      case "ArrowRight":
        return () => this.seek(this.positionS + stepS)
      case "Home":
        return () => this.seek(this.#region?.fromS ?? 0)
      case "[":
        return () => (this.region = { fromS: this.positionS, toS: this.#region?.toS ?? this.durationS })
      case "]":
        return () => (this.region = { fromS: this.#region?.fromS ?? 0, toS: this.positionS })
      case "l":
      case "L":
        return () => (this.loops = !this.#loops)
      case "Escape":
        return this.#region ? () => (this.region = null) : undefined
    }
  }

  #jump(index) {
    this.#radios[index]?.focus()
    this.choose(index)
  }
}

// Deferred scripts run when the page is complete.
for (const root of document.querySelectorAll(".player")) new Player(root)

// A link that plays a part of a clip:
// <a href="#CLIP" data-plays="CLIP" data-from-s="1.2" data-to-s="2" data-source="0">
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-plays]")
  const player = link && Player.of(link.dataset.plays)
  if (!player) return
  const { fromS, toS, source } = link.dataset
  const region = fromS && toS ? { fromS: Number(fromS), toS: Number(toS) } : null
  player.playPart(region, source ? Number(source) : player.index)
})
