"use strict"

/* The workbench: searches all cells, and shows one. Its state is in the page's address. */

class Workbench {
  #cells
  #grid
  #player
  #form
  #metric
  #voice = "worst"
  #sort = { name: "value", descending: true }
  #opened = -1

  static maxTried = 100

  /** Times that scripts/test-report prints: from the start of the page until it can be used, and of the
      last search. */
  readyMs = 0
  lastSearchMs = 0

  constructor(root, content) {
    this.#cells = new Cells(content)
    this.#form = root.querySelector("form.filters")
    this.#grid = new Grid(root.querySelector(".grid"))
    this.#player = new LanePlayer(root.querySelector(".lanes"))
    this.#grid.onopen = (row) => this.open(row, null, true)
    this.#grid.onsort = (column) => this.#sortBy(column)
    this.#player.oncursor = (seconds) => this.#noteAddress(seconds)
    this.#fillForm()
    this.#form.addEventListener("submit", (event) => event.preventDefault())
    this.#form.addEventListener("input", (event) => this.#change(event.target))
    this.#form.addEventListener("reset", () => setTimeout(() => this.#search()))
    root.querySelector("[name=worst-cell]").addEventListener("click", () => this.openWorst())
    document.querySelector("[name=help]").addEventListener("click", () => this.#help())
    document.addEventListener("keydown", (event) => this.#press(event))
    addEventListener("hashchange", () => this.#followAddress())
  }

  get cells() {
    return this.#cells
  }

  get grid() {
    return this.#grid
  }

  get opened() {
    return this.#opened
  }

  get player() {
    return this.#player
  }

  /** Shows the first search, then what the address asks for. */
  async begin() {
    await this.#chooseMetric(this.#cells.metrics[0].id)
    this.readyMs = performance.now()
    if (location.hash.startsWith("#cell=")) await this.#followAddress()
    else if (this.#cells.lanes.size > 0) await this.openWorst(false)
  }

  // Search

  #fillForm() {
    const choices = this.#form.querySelector(".choices")
    for (const { name, title, texts } of this.#cells.columns) {
      if (texts.length < 2) continue
      choices.append(labelled(title, select(`column-${name}`, [["", "any"], ...sorted(texts).map((text) => [text, text || "–"])])))
    }
    const metrics = this.#cells.metrics.map(({ id }) => [id, id])
    this.#form.elements.metric.replaceChildren(...options(metrics))
  }

  #change(field) {
    if (field.name === "metric") return this.#chooseMetric(field.value)
    if (field.name === "voice") this.#voice = voiceOf(field.value)
    if (field.name === "voice") this.#showColumns()
    this.#search()
  }

  async #chooseMetric(id) {
    try {
      await this.#cells.load(id)
    } catch (error) {
      return this.#say(error.message)
    }
    if (this.#form.elements.metric.value !== id) return  // another was chosen meanwhile
    this.#metric = this.#cells.metric(id)
    const voices = this.#cells.voicesOf(id)
    const named = voices.length > 2 ? ["worst", ...voices.filter((voice) => voice !== "worst")]
      : voices.filter((voice) => voice !== "worst")
    if (!named.includes(this.#voice)) this.#voice = named[0]
    const field = this.#form.elements.voice
    field.replaceChildren(...options(named.map((voice) => [`${voice}`, this.#voiceName(voice)])))
    field.value = `${this.#voice}`
    if (this.#sort.name === "value") this.#sort.descending = this.#metric.better !== "higher"
    this.#form.querySelector(".metric-title").textContent = this.#metric.title
    for (const name of ["from", "to"]) this.#form.elements[name].value = ""
    this.#showColumns()
    this.#search()
  }

  #voiceName(voice) {
    if (voice === "worst") return "worst voice"
    return voice < 0 ? "whole sound" : (this.#cells.voices[voice] ?? `voice ${voice + 1}`)
  }

  #showColumns() {
    const shown = this.#cells.columns.filter(({ texts, name }) => texts.length > 1 || name === "recording")
    const texts = shown.map(({ name, title, rows, texts }) => ({
      name, title, width: name === "recording" ? "minmax(140px, 2fr)" : "minmax(72px, 1fr)",
      text: (row) => texts[rows[row]],
    }))
    const { id, unit } = this.#metric
    const decimals = this.#decimals(this.#cells.values(id, this.#voice))
    const voices = this.#cells.voicesOf(id)
    const named = voices.length > 2 ? [this.#voice, ...voices.filter((voice) => voice !== this.#voice)]
      : [this.#voice]
    const values = named.map((voice) => {
      const found = this.#cells.values(id, voice)
      return {
        name: voice === this.#voice ? "value" : `value ${voice}`, voice, isNumber: true,
        title: this.#voiceName(voice), unit, width: "minmax(112px, 1fr)",
        text: (row) => (found[row] === found[row] ? found[row].toFixed(decimals).replace("-", "−") : "–"),
        hint: (row) => (found[row] === found[row] ? "" : this.#cells.reason(id, voice, row)),
      }
    })
    const key = { name: "key", title: "cell", width: "minmax(120px, 1fr)", text: (row) => this.#cells.key(row) }
    // On a phone the value stands beside the recording; the rest can be scrolled to.
    const isNarrow = matchMedia("(max-width: 640px)").matches
    const columns = isNarrow ? [texts[0], values[0], ...texts.slice(1), ...values.slice(1)] : [...texts, ...values]
    this.#grid.show([...columns, key], this.#sort)
  }

  /** Decimals that give typical values three digits, the same for all so that they align. */
  #decimals(values) {
    const sizes = values.filter((value) => value === value && value !== 0).map(Math.abs).sort()
    if (sizes.length === 0) return 0
    return Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(sizes[sizes.length >> 1]))))
  }

  #sortBy(column) {
    if (column.name === "key") return
    if (column.isNumber && column.voice !== this.#voice) {
      this.#voice = column.voice
      this.#form.elements.voice.value = `${column.voice}`
      this.#sort = { name: "value", descending: this.#metric.better !== "higher" }
    } else {
      const again = this.#sort.name === column.name
      this.#sort = { name: column.name, descending: again ? !this.#sort.descending : column.isNumber === true }
    }
    this.#showColumns()
    this.#search()
  }

  /** The rows that the form asks for. */
  #search() {
    const began = performance.now()
    const { elements } = this.#form
    const chosen = this.#cells.columns.flatMap(({ name }) => {
      const field = elements[`column-${name}`]
      return field && field.selectedIndex > 0 ? [[name, field.value]] : []
    })
    const bound = (field) => (field.value === "" || Number.isNaN(field.valueAsNumber) ? null : field.valueAsNumber)
    this.#grid.rows = matchingRows(this.#cells, {
      words: elements.words.value, chosen, metric: this.#metric.id, voice: this.#voice,
      from: bound(elements.from), to: bound(elements.to), withLanes: elements.lanes.checked,
      sort: this.#sort.name, descending: this.#sort.descending,
    })
    this.lastSearchMs = performance.now() - began
    const [found, all] = [this.#grid.rows.length, this.#cells.count].map((n) => n.toLocaleString("en"))
    this.#say(found === all ? `${all} cells` : `${found} of ${all} cells`)
  }

  #say(words) {
    this.#form.querySelector(".found").textContent = words
  }

  // One cell

  /** Shows a cell; `atS` null for its worst instant. */
  async open(row, atS = null, takesFocus = false) {
    this.#opened = row
    this.#grid.opened = row
    const lane = this.#cells.lanes.get(row)
    const section = document.querySelector(".lanes")
    section.hidden = false
    this.#describe(row, lane)
    section.classList.toggle("silent", !lane)
    this.#noteAddress(atS)
    if (!lane) {
      this.#player.pause()
      return
    }
    if (takesFocus) section.scrollIntoView({ block: "nearest" })
    try {
      await this.#player.open(lane, atS)
    } catch (error) {
      section.querySelector(".lane-readout").textContent = error.message
      return
    }
    if (takesFocus && this.#opened === row) this.#player.focus()
  }

  /** Opens the worst of the cells found that has lanes, at its worst instant. A cell in tune has none, though
      its figure may be the worst: then it is the next one of `maxTried`, and else the first. */
  async openWorst(takesFocus = true) {
    const rows = this.#grid.rows.filter((row) => this.#cells.lanes.has(row)).slice(0, Workbench.maxTried)
    if (rows.length === 0) return this.#say("none of these cells has its sound in the report")
    const before = this.#opened
    let found = rows[0]
    for (const row of rows) {
      const traces = await loaded(this.#cells.lanes.get(row).name)
      if (worstStretches(traces.map((trace) => new VoicePitch(trace))).length === 0) continue
      found = row
      break
    }
    if (this.#opened !== before) return  // another was opened meanwhile
    await this.open(found, null, takesFocus)
    this.#player.toWorst(0)
  }

  #describe(row, lane) {
    const { columns } = this.#cells
    const section = document.querySelector(".lanes")
    section.querySelector("h2").textContent = this.#cells.text("recording", row)
    const settings = columns.filter(({ name }) => name !== "recording").map(({ name, title, texts, rows }) => {
      const text = texts[rows[row]]
      return text && (["condition", "score", "subject"].includes(name) ? text : `${title} ${text}`)
    })
    section.querySelector(".lane-cell").textContent = settings.filter(Boolean).join(", ")
    section.querySelector(".lane-command").textContent =
      `choir-eval explain ${this.#cells.key(row)} ${this.#metric.id} ${section.dataset.options}`
    const silence = lane ? "" : "Its sound is not in the report: the plan did not keep it, or the audio budget had no room."
    section.querySelector(".lane-silence").textContent = silence
  }

  // Address

  #noteAddress(seconds) {
    if (this.#opened < 0) return
    const instant = seconds === null ? "" : `&t=${seconds.toFixed(4)}`
    const address = `#cell=${this.#cells.key(this.#opened)}${instant}`
    if (location.hash !== address) history.replaceState(null, "", address)
    const link = document.querySelector(".lane-link")
    link.href = address
  }

  async #followAddress() {
    const asked = new URLSearchParams(location.hash.slice(1))
    if (!asked.has("cell")) return
    const row = this.#cells.rowOf(asked.get("cell"))
    if (row < 0) return this.#say("the report has no such cell")
    const seconds = Number.parseFloat(asked.get("t"))
    await this.open(row, Number.isFinite(seconds) ? seconds : null)
  }

  // Keys

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return
    if (document.querySelector("dialog[open]")) return
    const actions = {
      "/": () => this.#form.elements.words.focus(), "?": () => this.#help(), w: () => this.openWorst(),
      g: () => this.#grid.focus(),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  #help() {
    document.getElementById("help").showModal()
  }
}

function voiceOf(text) {
  return text === "worst" ? text : Number(text)
}

function sorted(texts) {
  return [...texts].sort(new Intl.Collator("en", { numeric: true }).compare)
}

function options(choices) {
  return choices.map(([value, words]) => new Option(words, value))
}

function select(name, choices) {
  const field = document.createElement("select")
  field.name = name
  field.append(...options(choices))
  return field
}

function labelled(words, field) {
  const label = document.createElement("label")
  label.append(words, " ", field)
  return label
}

const workbench = new Workbench(document.querySelector("main"), delivered.get("cells"))
workbench.begin()
