"use strict"

/* A table of very many rows, of which only those in sight are in the page. */

/** A grid of rows; its columns are `{ title, unit, name, isNumber, width, text(row), hint(row) }`.

    A screen reader hears the row that is chosen and how many there are; arrow keys choose another. */
class Grid {
  static rowPx = 30
  static spare = 6  // rows beyond either edge, so that a scroll finds them drawn

  onopen = () => {}  // (row)
  onsort = () => {}  // (column)

  #root
  #head
  #body
  #filler
  #columns = []
  #rows = new Uint32Array(0)
  #drawn = []  // elements of rows
  #place = 0  // of the chosen row among all
  #opened = -1

  constructor(root) {
    this.#root = root
    this.#head = root.querySelector(".grid-head")
    this.#body = root.querySelector(".grid-body")
    this.#filler = root.querySelector(".grid-filler")
    this.#body.addEventListener("scroll", () => this.#draw())
    this.#body.addEventListener("keydown", (event) => this.#press(event))
    this.#body.addEventListener("click", (event) => this.#click(event))
    new ResizeObserver(() => this.#draw()).observe(this.#body)
  }

  /** Chooses the columns, and which of them orders the rows: `{ name, descending }`. */
  show(columns, sort) {
    this.#columns = columns
    this.#root.style.setProperty("--columns", columns.map(({ width }) => width).join(" "))
    this.#body.setAttribute("aria-colcount", columns.length)
    this.#head.replaceChildren(...columns.map((column) => this.#title(column, sort)))
    for (const element of this.#drawn) element.remove()
    this.#drawn = []
    this.#draw()
  }

  get rows() {
    return this.#rows
  }

  set rows(rows) {
    this.#rows = rows
    this.#place = Math.max(0, rows.indexOf(this.#opened))
    this.#body.setAttribute("aria-rowcount", rows.length + 1)
    this.#filler.style.height = `${rows.length * Grid.rowPx}px`
    this.#body.scrollTop = 0
    if (this.#place > 0) this.#reveal()
    this.#draw()
  }

  /** Marks the row that is shown below. */
  set opened(row) {
    this.#opened = row
    const place = this.#rows.indexOf(row)
    if (place >= 0) {
      this.#place = place
      this.#reveal()
    }
    this.#draw()
  }

  focus() {
    this.#body.focus()
  }

  #title(column, { name, descending }) {
    const cell = document.createElement("div")
    cell.setAttribute("role", "columnheader")
    cell.className = column.isNumber ? "number" : ""
    const isSorted = column.name === name
    cell.setAttribute("aria-sort", isSorted ? (descending ? "descending" : "ascending") : "none")
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = column.title
    if (column.unit) {
      const unit = document.createElement("span")
      unit.className = "unit"
      unit.textContent = ` ${column.unit}`
      button.append(unit)
    }
    button.addEventListener("click", () => this.onsort(column))
    cell.append(button)
    return cell
  }

  #draw() {
    const first = Math.max(0, Math.floor(this.#body.scrollTop / Grid.rowPx) - Grid.spare)
    const inSight = Math.ceil(this.#body.clientHeight / Grid.rowPx) + 2 * Grid.spare
    const last = Math.min(this.#rows.length, first + inSight)
    while (this.#drawn.length < last - first) this.#drawn.push(this.#element())
    this.#drawn.forEach((element, i) => {
      element.hidden = first + i >= last
      if (!element.hidden) this.#fill(element, first + i)
    })
    const isDrawn = this.#place >= first && this.#place < last
    if (isDrawn) this.#body.setAttribute("aria-activedescendant", `grid-row-${this.#place}`)
    else this.#body.removeAttribute("aria-activedescendant")
  }

  #element() {
    const element = document.createElement("div")
    element.setAttribute("role", "row")
    element.className = "grid-row"
    for (const column of this.#columns) {
      const cell = document.createElement("div")
      cell.setAttribute("role", "gridcell")
      cell.className = column.isNumber ? "number" : ""
      element.append(cell)
    }
    this.#filler.append(element)
    return element
  }

  #fill(element, place) {
    const row = this.#rows[place]
    element.id = `grid-row-${place}`
    element.dataset.place = place
    element.style.transform = `translateY(${place * Grid.rowPx}px)`
    element.setAttribute("aria-rowindex", place + 2)
    element.setAttribute("aria-selected", row === this.#opened)
    element.classList.toggle("active", place === this.#place)
    this.#columns.forEach((column, i) => {
      const cell = element.children[i]
      const text = column.text(row)
      if (cell.textContent !== text) cell.textContent = text
      const hint = column.hint?.(row) ?? ""
      if (cell.title !== hint) cell.title = hint
    })
  }

  #reveal() {
    const top = this.#place * Grid.rowPx
    const { scrollTop, clientHeight } = this.#body
    const lowest = top + Grid.rowPx + this.#head.offsetHeight - clientHeight
    if (top < scrollTop) this.#body.scrollTop = top
    else if (lowest > scrollTop) this.#body.scrollTop = lowest
  }

  #choose(place) {
    this.#place = Math.min(Math.max(0, place), this.#rows.length - 1)
    this.#reveal()
    this.#draw()
  }

  #click(event) {
    const element = event.target.closest(".grid-row")
    if (!element) return
    this.#choose(Number(element.dataset.place))
    this.onopen(this.#rows[this.#place])
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#rows.length === 0) return
    const page = Math.max(1, Math.floor(this.#body.clientHeight / Grid.rowPx) - 1)
    const steps = {
      ArrowDown: this.#place + 1, ArrowUp: this.#place - 1, PageDown: this.#place + page,
      PageUp: this.#place - page, Home: 0, End: this.#rows.length - 1,
    }
    if (event.key in steps) this.#choose(steps[event.key])
    else if (event.key === "Enter") this.onopen(this.#rows[this.#place])
    else return
    event.preventDefault()
  }
}
