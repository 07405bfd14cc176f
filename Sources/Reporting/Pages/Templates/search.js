"use strict"

/* Which cells match: words, chosen texts, and a range of values. */

/** Returns the rows that match, in their order.

    `wanted` is `{ words, chosen, metric, voice, from, to, withLanes, sort, descending }`: words that all
    occur in a cell's texts (`name=value` is that whole text of a column, hexadecimal digits begin a key),
    texts by name of their column, and a range of the values of a loaded metric; null for no bound. */
function matchingRows(cells, wanted) {
  const tests = [...textTests(cells, wanted), ...wordTests(cells, wanted.words ?? "")]
  if (wanted.withLanes) tests.push([{ rows: null, flags: cells.laneFlags }])
  const values = cells.values(wanted.metric, wanted.voice)
  const { from, to } = wanted
  const bounded = from !== null || to !== null
  const [low, high] = [from ?? -Infinity, to ?? Infinity]
  const order = wanted.sort === "value" && !values ? null
    : cells.order(wanted.sort === "value"
      ? { metric: wanted.metric, voice: wanted.voice, descending: wanted.descending }
      : { column: wanted.sort, descending: wanted.descending })
  const found = new Uint32Array(cells.count)
  let count = 0
  for (let place = 0; place < cells.count; place += 1) {
    const row = order ? order[place] : place
    if (bounded && !(values && values[row] >= low && values[row] <= high)) continue
    let matches = true
    for (let i = 0; i < tests.length && matches; i += 1) matches = passes(tests[i], row)
    if (matches) found[count++] = row
  }
  return found.subarray(0, count)
}

/** A test is a list of alternatives `{ rows, flags }`; `rows` null for flags by row. */
function passes(test, row) {
  for (const { rows, flags } of test) if (flags[rows ? rows[row] : row]) return true
  return false
}

function textTests(cells, { chosen }) {
  return [...(chosen ?? [])].map(([name, text]) => {
    const { texts, rows } = cells.column(name)
    return [{ rows, flags: Uint8Array.from(texts, (other) => other === text) }]
  })
}

function wordTests(cells, words) {
  return words.toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const [name, value] = word.split("=")
    const named = value === undefined ? undefined
      : cells.columns.find((column) => column.title.toLowerCase() === name)
    if (named) {
      return [{ rows: named.rows, flags: Uint8Array.from(named.texts, (text) => text.toLowerCase() === value) }]
    }
    const alternatives = cells.columns.map(({ texts, rows }) => (
      { rows, flags: Uint8Array.from(texts, (text) => text.toLowerCase().includes(word)) }))
    if (/^[0-9a-f]{4,12}$/.test(word)) {
      alternatives.push({ rows: null, flags: cells.rowsOfKey(word) })
    }
    return alternatives
  })
}
