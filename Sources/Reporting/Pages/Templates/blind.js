"use strict"

/* Blind listening tests: ABX (is X the same as A or as B?) and preference (which of two sounds
   better?), with exact statistics and answers to save, without a server. */

/** The properties of each test. `listen` names the sounds of a trial by their keys. */
const blindTests = {
  abx: {
    listen: ["A", "B", "X"],
    question: "Is X the same as A or as B?",
    answers: ["X is A", "X is B"],
    mustHear: ["X"],
  },
  preference: {
    listen: ["P", "Q"],
    question: "Which sounds better?",
    answers: ["P", "Q"],
    mustHear: ["P", "Q"],
  },
}

/** One test of two sounds of a player, from its questions to its result. */
class BlindTest {
  #player
  #dialog = document.getElementById("blind-test")
  #deck
  #bar
  #closing = new AbortController()  // removes all listeners

  #kind  // a key of blindTests
  #pair  // the sources behind A and B
  #sounds  // their buffers and gains
  #wanted = 0  // trials
  #answers = []  // one record for each trial
  #drawn = 0  // ABX: the sound of X; preference: the sound of P. 0 is A, 1 is B. Never in the page.
  #heard = new Set()
  #begunAt = 0

  constructor(player) {
    this.#player = player
  }

  open() {
    const { signal } = this.#closing
    const on = (selector, kind, action) => {
      for (const part of this.#dialog.querySelectorAll(selector)) {
        part.addEventListener(kind, action, { signal })
      }
    }
    on(".setup", "submit", (event) => this.#begin(event))
    on(".play", "click", () => this.#toggle())
    on(".stop", "click", () => this.#finish())
    on(".again", "click", () => this.#show("setup"))
    on(".close", "click", () => this.#dialog.close())
    this.#dialog.addEventListener("keydown", (event) => this.#press(event), { signal })
    this.#dialog.addEventListener("close", () => this.#close(), { signal })

    this.#bar = new TimeBar(this.#part(".timebar"), this.#part(".clock"))
    this.#bar.durationS = this.#player.durationS
    this.#bar.region = this.#player.region
    this.#bar.onposition = (seconds) => (this.#deck.positionS = seconds)
    this.#bar.onregion = () => (this.#bar.region = this.#player.region)
    this.#offer()
    this.#show("setup")
    this.#dialog.showModal()
  }

  // Setting up

  /** Fills the lists of sounds; selects the one chosen in the player and the next one. */
  #offer() {
    this.#part(".clip-title").textContent = this.#player.title
    const last = this.#player.sources.length - 1
    const first = Math.min(this.#player.index, last - 1)
    for (const [name, index] of [["a", first], ["b", first + 1]]) {
      const list = this.#part(`select[name=${name}]`)
      list.replaceChildren(...this.#player.sources.map(({ title }, value) => new Option(title, value)))
      list.selectedIndex = index
    }
  }

  async #begin(event) {
    event.preventDefault()
    audioContext().resume()
    const form = new FormData(this.#part(".setup"))
    this.#kind = form.get("test")
    this.#wanted = Number(form.get("trials"))
    this.#pair = ["a", "b"].map((name) => this.#player.sources[form.get(name)])
    this.#sounds = await Promise.all(
      this.#pair.map(async (source) => ({
        buffer: await decodedSound(source.file),
        gain: 10 ** (source.gainDb / 20),
      })))
    const toS = Math.min(...this.#sounds.map(({ buffer }) => buffer.duration))
    this.#deck = new Deck()
    for (const sound of this.#sounds) this.#deck.add(sound)
    this.#deck.loop = this.#player.region ?? { fromS: 0, toS }
    this.#answers = []
    this.#label()
    this.#show("trial")
    this.#next()
    this.#part(".trial .play").focus()  // the focused element is hidden now
  }

  /** Makes the buttons of this kind of test. */
  #label() {
    const { listen, answers, question } = blindTests[this.#kind]
    const button = (label, key, action) => {
      const made = document.createElement("button")
      made.type = "button"
      made.textContent = label
      made.setAttribute("aria-keyshortcuts", key)
      made.addEventListener("click", action)
      return made
    }
    this.#part(".candidates").replaceChildren(
      ...listen.map((name) => button(name, name, () => this.#hear(name))))
    this.#part(".answers").replaceChildren(
      ...answers.map((words, index) => button(words, index + 1, () => this.#answer(index))))
    this.#part(".question").textContent = question
    this.#part(".trial .keys").textContent =
      `Keys: ${listen.join(", ")} listen; 1 and 2 answer; space plays.`
  }

  // Trials

  #next() {
    this.#drawn = crypto.getRandomValues(new Uint8Array(1))[0] & 1
    this.#heard.clear()
    this.#begunAt = performance.now()
    this.#part(".progress").textContent = `Trial ${this.#answers.length + 1} of ${this.#wanted}`
    this.#deck.pause()
    this.#deck.positionS = this.#player.region?.fromS ?? 0
    this.#hear(blindTests[this.#kind].listen[0])
  }

  /** Lets one of the sounds of the trial be heard. */
  #hear(name) {
    const drawn = { A: 0, B: 1, X: this.#drawn, P: this.#drawn, Q: 1 - this.#drawn }
    this.#deck.sound = this.#sounds[drawn[name]]
    this.#heard.add(name)
    if (!this.#deck.isPlaying) this.#play()
    for (const button of this.#part(".candidates").children) {
      button.setAttribute("aria-pressed", button.textContent === name)
    }
    const ready = blindTests[this.#kind].mustHear.every((needed) => this.#heard.has(needed))
    for (const button of this.#part(".answers").children) button.disabled = !ready
  }

  #answer(index) {
    const chosen = this.#kind === "abx" ? index : index ^ this.#drawn
    this.#answers.push({
      trial: this.#answers.length + 1,
      test: this.#kind,
      clip: this.#player.title,
      a: this.#pair[0].title,
      b: this.#pair[1].title,
      hidden: "AB"[this.#drawn],
      answer: "AB"[chosen],
      correct: this.#kind === "abx" ? Number(chosen === this.#drawn) : "",
      response_s: ((performance.now() - this.#begunAt) / 1000).toFixed(2),
      answered_at: new Date().toISOString(),
    })
    if (this.#answers.length === this.#wanted) return this.#finish()
    this.#next()
    this.#part(".trial .play").focus()  // an answer is disabled until its sound is heard
  }

  // The result

  #finish() {
    this.#deck.pause()
    this.#showPlaying()
    const { finding, rows } = blindResult(this.#kind, this.#answers)
    this.#part(".finding").textContent = finding
    this.#part(".result tbody").replaceChildren(...rows.map(([term, value]) => {
      const row = document.createElement("tr")
      const head = row.appendChild(document.createElement("th"))
      head.scope = "row"
      head.textContent = term
      row.insertCell().textContent = value
      return row
    }))
    this.#offerAnswers()
    this.#show("result")
    this.#part(".finding").focus()
  }

  #offerAnswers() {
    const save = this.#part(".save")
    save.hidden = this.#answers.length === 0
    URL.revokeObjectURL(save.href)
    save.href = URL.createObjectURL(new Blob([csv(this.#answers)], { type: "text/csv" }))
    save.download = `${this.#kind}.csv`
  }

  #close() {
    this.#deck?.pause()
    this.#closing.abort()
  }

  // Parts of the dialog

  #part(selector) {
    return this.#dialog.querySelector(selector)
  }

  #show(step) {
    for (const name of ["setup", "trial", "result"]) this.#part(`.${name}`).hidden = name !== step
  }

  #toggle() {
    if (this.#deck.isPlaying) this.#deck.pause()
    else this.#play()
    this.#showPlaying()
  }

  #play() {
    this.#deck.play()
    this.#showPlaying()
    this.#follow()
  }

  #showPlaying() {
    this.#part(".play").textContent = this.#deck.isPlaying ? "Pause" : "Play"
  }

  #follow() {
    this.#bar.positionS = this.#deck.positionS
    if (this.#deck.isPlaying) requestAnimationFrame(() => this.#follow())
  }

  #press(event) {
    if (this.#part(".trial").hidden || event.ctrlKey || event.metaKey || event.altKey) return
    const button = [...this.#dialog.querySelectorAll("[aria-keyshortcuts]")]
      .find((button) => button.getAttribute("aria-keyshortcuts") === event.key.toUpperCase())
    const isSpace = event.key === " " && !event.target.matches("button")
    if (!button && !isSpace) return
    event.preventDefault()
    if (isSpace) this.#toggle()
    else button.click()
  }
}

/** The result of a test: a sentence, and its numbers. */
function blindResult(kind, answers) {
  const trials = answers.length
  if (trials === 0) return { finding: "No trial was answered.", rows: [] }
  const isABX = kind === "abx"
  const hits = answers.filter(({ answer, correct }) => (isABX ? correct : answer === "B")).length
  const [low, high] = clopperPearson(hits, trials)
  const p = isABX ? chanceOfAtLeast(hits, trials) : chanceOfAsUnlikely(hits, trials)
  const percent = (share) => `${(100 * share).toFixed(0)} %`
  const shown = p < 0.05
  const preferred = 2 * hits > trials ? "B" : "A"
  return {
    finding: isABX
      ? (shown ? "A and B can be told apart." : "These answers do not show that A and B can be told apart.")
      : (shown ? `${preferred} is preferred.` : "These answers do not show a preference."),
    rows: [
      ["A", answers[0].a],
      ["B", answers[0].b],
      [isABX ? "correct" : "B preferred", `${hits} of ${trials}`],
      ["share", `${percent(hits / trials)}; ${percent(low)} to ${percent(high)} (95 %, Clopper–Pearson)`],
      [isABX ? "chance of this many or more by guessing" : "chance of this or a more uneven result by guessing", `p = ${p.toPrecision(2)} (exact binomial)`],
    ],
  }
}

/** Records as CSV: a header, then one line for each record, with quotes where needed. */
function csv(records) {
  const field = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value)
  const line = (fields) => `${fields.map(field).join(",")}\r\n`
  return line(Object.keys(records[0] ?? {})) + records.map((record) => line(Object.values(record))).join("")
}
