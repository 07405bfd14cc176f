"use strict"

/* A listening test: one trial after the other, and the answers as a file. The page knows its sounds by
   numbers only; which is which stands in the key of the experimenter. */

const words = {
  mushra: {
    task: "Each trial has a reference, an ideal choir, and several other versions of it. One of them is "
      + "the reference itself. Judge how close each version comes to the reference, from 0 to 100.",
    known: "Reference",
  },
  rating: {
    task: "Each trial has several choirs that accompany one singer. Judge how good each choir sounds, "
      + "from 0 to 100: in tune, clear, natural, as you would want it on a stage.",
    known: "Singer alone",
  },
  pairs: {
    task: "Each trial has two choirs that accompany one singer. Say which one you would rather sing with.",
    known: "Singer alone",
  },
}[test.method]
const scaleWords = ["bad", "poor", "fair", "good", "excellent"]

/** Numbers from 0 to 1 that are the same for the same seed. Source: Mulberry32 by Tommy Ettinger. */
function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A hash of a text, so that each listener has an order of their own. Source: FNV-1a. */
function hash(text) {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0), 0x01000193)
  return value >>> 0
}

/** A copy in another order (Fisher and Yates). */
function shuffled(list, random) {
  const copy = [...list]
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other], copy[last]]
  }
  return copy
}

/** An element with attributes, and children that are elements or texts. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value)
    else if (value !== false) made.setAttribute(key, value === true ? "" : value)
  }
  made.append(...children)
  return made
}

const main = document.getElementById("main")
const status = document.getElementById("status")

/** Shows a view and moves the focus to its heading, so that a screen reader begins there. */
function show(...parts) {
  status.textContent = ""
  main.replaceChildren(...parts)
  const heading = main.querySelector("h2")
  heading.tabIndex = -1
  heading.focus()
}

/** What is kept when the page is closed; without storage nothing is. */
const memory = {
  get key() { return `listening test ${test.test}` },
  load() {
    try { return JSON.parse(localStorage.getItem(this.key)) } catch { return null }
  },
  save(session) {
    try { localStorage.setItem(this.key, JSON.stringify(session)) } catch { /* private window */ }
  },
}

let session = null  // { listener, answers }
let trials = []  // in this listener's order
let current = null  // the trial on the page

// MARK: - Beginning

function begin() {
  const known = memory.load()
  const name = element("input", { type: "text", id: "listener", autocomplete: "nickname", required: true })
  const form = element("form", { onsubmit: (event) => {
    event.preventDefault()
    const listener = name.value.trim()
    if (!listener) return
    start(known?.listener === listener ? known : { listener, answers: [] })
  } },
  element("p", {}, element("label", { for: "listener" }, "Your name, or any word that nobody else takes: "), name),
  element("div", { class: "bar" }, element("button", { class: "main" }, "Begin")))
  if (known) name.value = known.listener
  show(
    element("h2", {}, `${test.trials.length} trials`),
    element("p", {}, words.task),
    element("p", {}, "Use headphones, in a quiet place, at a comfortable level that you do not change. "
      + "All sounds run together: a switch changes the choir, not the place in the song."),
    element("p", { class: "hint" }, "Without a mouse: ",
      element("kbd", {}, "1"), " … ", element("kbd", {}, "9"), " chooses a sound, ",
      element("kbd", {}, "0"), ` ${words.known.toLowerCase()}, `,
      element("kbd", {}, "space"), " plays and pauses, ", element("kbd", {}, "enter"), " goes on; ",
      ...(test.method === "pairs"
        ? [element("kbd", {}, "A"), ", ", element("kbd", {}, "B"), " and ", element("kbd", {}, "N"), " answer."]
        : [element("kbd", {}, "←"), " and ", element("kbd", {}, "→"), " move the score."])),
    ...(known && known.answers.length
      ? [element("p", {}, `${known.listener} has answered ${known.answers.length} trials here; the same name goes on.`)]
      : []),
    form)
}

function start(known) {
  session = known
  const random = seeded(test.seed ^ hash(session.listener))
  trials = shuffled(test.trials, random).map((trial) => ({ ...trial, sounds: shuffled(trial.sounds, random) }))
  next()
}

function next() {
  current?.deck.pause()
  const done = new Set(session.answers.map((answer) => answer.trial))
  const open = trials.find((trial) => !done.has(trial.id))
  if (open) new Trial(open, done.size)
  else end()
}

// MARK: - One trial

class Trial {
  deck = new Deck()
  #trial
  #buttons = new Map()  // by sound
  #heard = new Set()
  #scores = new Map()
  #preferred  // undefined before the answer, null for no difference
  #startedAt = null
  #loaded = new Map()
  #play
  #onward

  constructor(trial, done) {
    this.#trial = trial
    current = this
    this.deck.onended = () => this.#playing(false)
    this.#play = element("button", { type: "button", "aria-pressed": "false", onclick: () => this.toggle() }, "Play")
    this.#onward = element("button", { type: "button", class: "main", disabled: true, onclick: () => this.finish() },
      done + 1 === trials.length ? "Finish" : "Next")
    const known = trial.reference
      ? [this.#button(trial.reference, words.known, "0")] : []
    show(
      element("h2", {}, `Trial ${done + 1} of ${trials.length}`),
      element("progress", { max: trials.length, value: done, "aria-label": "trials answered" }),
      element("p", {}, test.method === "mushra" ? "How close is each version to the reference?"
        : test.method === "rating" ? "How good is each choir?" : "Which choir would you rather sing with?"),
      element("div", { class: "bar" }, this.#play, ...known),
      ...(test.method === "pairs" ? this.#pair() : this.#sliders()),
      element("div", { class: "bar" }, this.#onward))
    this.#load()
  }

  #button(sound, text, key) {
    const button = element("button", {
      type: "button", "aria-pressed": "false", "aria-keyshortcuts": key, onclick: () => this.choose(sound) }, text)
    this.#buttons.set(sound, button)
    return button
  }

  #sliders() {
    const rows = this.#trial.sounds.map((sound, index) => {
      const output = element("output", { for: `score-${index}` }, "–")
      const slider = element("input", {
        type: "range", class: "open", min: 0, max: 100, step: 1, value: 50, id: `score-${index}`,
        "aria-label": `score of sound ${index + 1}`,
        oninput: () => {
          this.#scores.set(sound, Number(slider.value))
          output.textContent = slider.value
          slider.classList.remove("open")
          this.#check()
        },
        onfocus: () => this.choose(sound, false),
      })
      return element("li", {}, this.#button(sound, `Sound ${index + 1}`, `${index + 1}`), slider, output)
    })
    return [
      element("div", { class: "scale", "aria-hidden": "true" }, ...scaleWords.map((word) => element("span", {}, word))),
      element("ul", { class: "sounds" }, ...rows)]
  }

  #pair() {
    const [first, second] = this.#trial.sounds
    const answers = [["A is better", first, "a"], ["no difference", null, "n"], ["B is better", second, "b"]]
    this.#answers = answers.map(([text, sound, key]) => element("button", {
      type: "button", "aria-pressed": "false", "aria-keyshortcuts": key, "data-key": key,
      onclick: () => this.prefer(sound, key) }, text))
    return [
      element("div", { class: "bar" }, this.#button(first, "Choir A", "1"), this.#button(second, "Choir B", "2")),
      element("div", { class: "bar", role: "group", "aria-label": "your answer" }, ...this.#answers)]
  }
  #answers = []

  async #load() {
    const sounds = [...this.#buttons.keys()]
    status.textContent = "loading sounds…"
    try {
      for (const sound of sounds) {
        const buffer = await decodedSound(`sounds/${sound}.html`)
        if (current !== this) return
        this.#loaded.set(sound, { buffer, gain: 1 })
        this.deck.add(this.#loaded.get(sound))
      }
      const shortestS = Math.min(...[...this.#loaded.values()].map((sound) => sound.buffer.duration))
      this.deck.loop = { fromS: 0, toS: shortestS }
      status.textContent = "ready"
    } catch (error) {
      status.textContent = `${error.message ?? error}`
    }
  }

  /** Chooses a sound to hear. */
  choose(sound, moves = true) {
    const loaded = this.#loaded.get(sound)
    if (!loaded) return
    for (const [other, button] of this.#buttons) button.setAttribute("aria-pressed", `${other === sound}`)
    this.deck.sound = loaded
    this.#chosen = sound
    if (this.deck.isPlaying) this.#heard.add(sound)
    else if (moves) this.toggle()
    this.#check()
  }
  #chosen = null

  toggle() {
    if (this.deck.isPlaying) {
      this.deck.pause()
      return this.#playing(false)
    }
    if (this.#loaded.size < this.#buttons.size) return
    if (!this.#chosen) {
      this.#chosen = this.#trial.sounds[0]
      this.#buttons.get(this.#chosen).setAttribute("aria-pressed", "true")
      this.deck.sound = this.#loaded.get(this.#chosen)
    }
    this.deck.play()
    this.#startedAt ??= performance.now()
    this.#heard.add(this.#chosen)
    this.#playing(true)
    this.#check()
  }

  #playing(isPlaying) {
    this.#play.textContent = isPlaying ? "Pause" : "Play"
    this.#play.setAttribute("aria-pressed", `${isPlaying}`)
  }

  prefer(sound, key) {
    this.#preferred = sound
    for (const button of this.#answers) button.setAttribute("aria-pressed", `${button.dataset.key === key}`)
    this.#check()
  }

  /** An answer counts when every sound was heard and judged. */
  #check() {
    const { sounds } = this.#trial
    const isHeard = sounds.every((sound) => this.#heard.has(sound))
    const isJudged = test.method === "pairs"
      ? this.#preferred !== undefined : sounds.every((sound) => this.#scores.has(sound))
    this.#onward.disabled = !isHeard || !isJudged
    if (isJudged && !isHeard) status.textContent = "hear every sound first"
    else if (isHeard && isJudged) status.textContent = ""
  }

  finish() {
    if (this.#onward.disabled) return
    this.deck.pause()
    const seconds = Math.round(performance.now() - this.#startedAt) / 1000
    session.answers.push({
      trial: this.#trial.id, seconds,
      ...(test.method === "pairs"
        ? { preferred: this.#preferred }
        : { scores: Object.fromEntries(this.#scores) }),
    })
    memory.save(session)
    next()
  }

  /** A key of the keyboard; returns true if it was meant for the trial. */
  press(key) {
    const number = "0123456789".indexOf(key)
    if (key === " ") this.toggle()
    else if (key === "Enter") this.finish()
    else if (number === 0 && this.#trial.reference) this.choose(this.#trial.reference)
    else if (number > 0 && number <= this.#trial.sounds.length) {
      this.choose(this.#trial.sounds[number - 1])
      document.getElementById(`score-${number - 1}`)?.focus()
    } else if (test.method === "pairs" && ["a", "b", "n"].includes(key.toLowerCase())) {
      this.#answers.find((button) => button.dataset.key === key.toLowerCase()).click()
    } else return false
    return true
  }
}

addEventListener("keydown", (event) => {
  if (!current || event.ctrlKey || event.altKey || event.metaKey) return
  // A button that has the focus takes the enter key itself.
  if (event.key === "Enter" && event.target.tagName === "BUTTON") return
  if (current.press(event.key)) event.preventDefault()
})

// MARK: - End

function end() {
  current = null
  const text = JSON.stringify({
    schema: "choir-eval.listening-answers/1", test: test.test, listener: session.listener,
    answers: session.answers,
  }, null, 1)
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  const file = `answers-${session.listener.replace(/[^\p{L}\p{N}_-]+/gu, "-")}.json`
  show(
    element("h2", {}, "Thank you"),
    element("p", {}, `${session.answers.length} trials are answered. Save the answers and send the file to `
      + "the person who gave you this test."),
    element("p", {}, element("a", { href: address, download: file, id: "save" }, `Save ${file}`)))
}

begin()
