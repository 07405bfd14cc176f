"use strict"

/* All cells of the run by columns: texts by their number in a list, measurements as 32-bit numbers. */

/** The cells, and what was measured of them. Rows are the numbers of cells, from 0. */
class Cells {
  /** Digits of a key. */
  static keyDigits = 12

  count
  /** `{ name, title, texts, rows }`: `texts[rows[row]]` is the text of a row. */
  columns
  /** `{ id, title, unit, better, ideal, file }`. */
  metrics
  /** Names of the voices by their number. */
  voices
  /** What there is to hear of a cell, `{ row, name, sounds }`, by row. */
  lanes
  /** 1 for each row with lanes. */
  laneFlags

  #keys
  #reasons = new Map()  // by metric
  #values = new Map()  // by metric: numbers by voice
  #orders = new Map()

  constructor(content) {
    this.count = content.count
    this.columns = content.columns.map(({ name, title, texts, rows, width }) => ({
      name, title, texts, rows: wholesOf(rows, width),
    }))
    this.metrics = content.metrics
    this.voices = content.voices
    this.lanes = new Map(content.lanes.map((lane) => [lane.row, lane]))
    this.laneFlags = new Uint8Array(this.count)
    for (const row of this.lanes.keys()) this.laneFlags[row] = 1
    this.#keys = bytesOf(content.keys)
  }

  column(name) {
    return this.columns.find((column) => column.name === name)
  }

  text(name, row) {
    const column = this.column(name)
    return column ? column.texts[column.rows[row]] : ""
  }

  /** The first digits of a cell's key, which `choir-eval explain` takes. */
  key(row) {
    const at = (row * Cells.keyDigits) / 2
    return Array.from(this.#keys.subarray(at, at + Cells.keyDigits / 2),
      (byte) => byte.toString(16).padStart(2, "0")).join("")
  }

  /** The row of a key or its first digits; -1 for none. */
  rowOf(key) {
    const wanted = key.toLowerCase().slice(0, Cells.keyDigits)
    if (!/^[0-9a-f]{4,}$/.test(wanted)) return -1
    for (let row = 0; row < this.count; row += 1) {
      if (this.#startsWith(row, wanted)) return row
    }
    return -1
  }

  /** True if a row's key begins with these hexadecimal digits. */
  #startsWith(row, digits) {
    const at = (row * Cells.keyDigits) / 2
    for (let i = 0; i < digits.length; i += 1) {
      const byte = this.#keys[at + (i >> 1)]
      if ((i % 2 === 0 ? byte >> 4 : byte & 15) !== parseInt(digits[i], 16)) return false
    }
    return true
  }

  rowsOfKey(digits) {
    const found = new Uint8Array(this.count)
    for (let row = 0; row < this.count; row += 1) if (this.#startsWith(row, digits)) found[row] = 1
    return found
  }

  // Measurements

  metric(id) {
    return this.metrics.find((metric) => metric.id === id)
  }

  /** Loads a metric; its values can then be read. */
  async load(id) {
    if (this.#values.has(id)) return
    const { voices: parts, reasons } = await loaded(this.metric(id).file)
    const voices = new Map(parts.map(({ voice, numbers }) => [voice, floatsOf(numbers)]))
    voices.set("worst", this.#worst(this.metric(id), [...voices.values()]))
    this.#values.set(id, voices)
    this.#reasons.set(id, reasons)
  }

  /** Voices of a loaded metric: "worst", -1 for the whole sound, then the numbers of voices. */
  voicesOf(id) {
    return [...this.#values.get(id).keys()]
  }

  /** The values of a loaded metric by row, NaN where there is none; null if it has no such voice. */
  values(id, voice) {
    return this.#values.get(id)?.get(voice) ?? null
  }

  /** Why a row has no value: a NaN carries the number of the reason in its lowest bits. */
  reason(id, voice, row) {
    const values = this.values(id, voice)
    if (!values) return "this metric has no such voice"
    const bits = new Uint32Array(values.buffer, values.byteOffset + 4 * row, 1)[0]
    return this.#reasons.get(id)[bits & 0x3fffff] ?? "not measured"
  }

  /** For each row the value farthest from the ideal one, whichever voice has it. */
  #worst({ better, ideal }, voices) {
    // Copied as bits: numbers may lose what a NaN carries.
    const worst = voices[0].slice()
    const badness = (value) =>
      better === "lower" ? value : better === "higher" ? -value : Math.abs(value - ideal)
    for (const values of voices.slice(1)) {
      for (let row = 0; row < this.count; row += 1) {
        const [known, value] = [worst[row], values[row]]
        if (value === value && (known !== known || badness(value) > badness(known))) worst[row] = value
      }
    }
    return worst
  }

  /** All rows by a column's texts or a metric's values, those without a value last. Sorting 100,000 rows
      takes a while, so orders are kept. */
  order({ column, metric, voice, descending }) {
    const name = JSON.stringify([column, metric, voice, descending])
    if (!this.#orders.has(name)) {
      this.#orders.set(name, column ? this.#byText(column, descending)
        : sortedRows(this.values(metric, voice), descending))
    }
    return this.#orders.get(name)
  }

  #byText(name, descending) {
    const { texts, rows } = this.column(name)
    const collator = new Intl.Collator("en", { numeric: true })
    const places = new Float32Array(texts.length)
    texts.map((_, i) => i).sort((a, b) => collator.compare(texts[a], texts[b]))
      .forEach((text, place) => (places[text] = place))
    const numbers = new Float32Array(rows.length)
    for (let row = 0; row < rows.length; row += 1) numbers[row] = places[rows[row]]
    return sortedRows(numbers, descending)
  }
}

/** The places of numbers in order, stable, NaN last: by counting digits, 16 bits at a time. */
function sortedRows(numbers, descending) {
  const count = numbers.length
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, count)
  const keys = new Uint32Array(count)
  for (let i = 0; i < count; i += 1) {
    // Negative floats, read as whole numbers, are in reverse order.
    const key = bits[i] & 0x80000000 ? ~bits[i] : bits[i] | 0x80000000
    keys[i] = numbers[i] !== numbers[i] ? 0xffffffff : descending ? ~key : key
  }
  let rows = new Uint32Array(count)
  for (let i = 0; i < count; i += 1) rows[i] = i
  for (const shift of [0, 16]) {
    const starts = new Uint32Array(65537)
    for (let i = 0; i < count; i += 1) starts[((keys[i] >>> shift) & 0xffff) + 1] += 1
    for (let digit = 0; digit < 65536; digit += 1) starts[digit + 1] += starts[digit]
    const next = new Uint32Array(count)
    for (let i = 0; i < count; i += 1) {
      const digit = (keys[rows[i]] >>> shift) & 0xffff
      next[starts[digit]] = rows[i]
      starts[digit] += 1
    }
    rows = next
  }
  return rows
}
