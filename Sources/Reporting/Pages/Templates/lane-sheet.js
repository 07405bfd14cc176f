"use strict"

/* What the lanes draw on: frames, marks, and lines of very many points. */

/** What a lane draws on: a canvas's context, the lane's box, and the time in view. */
class Sheet {
  constructor(context, box, view, colours) {
    Object.assign(this, { context, box, view, colours })
  }

  x(seconds) {
    return this.box.left + ((seconds - this.view.fromS) / (this.view.toS - this.view.fromS)) * this.box.width
  }

  get pxPerSecond() {
    return this.box.width / (this.view.toS - this.view.fromS)
  }

  y(share) {
    return this.box.top + (1 - share) * this.box.height
  }

  /** The lane's frame and name, and `marks` of its axis: `[{ share, text }]`, 1 at the top. */
  frame(name, unit, marks) {
    const { context, box, colours } = this
    context.fillStyle = colours.tint
    context.fillRect(box.left, box.top, box.width, box.height)
    context.font = "12px system-ui, sans-serif"
    context.fillStyle = colours.ink
    context.textAlign = "left"
    context.textBaseline = "alphabetic"
    context.fillText(name, box.left, box.top - 6)
    const width = context.measureText(`${name} `).width
    context.fillStyle = colours.muted
    context.fillText(unit, box.left + width, box.top - 6)
    context.textAlign = "right"
    context.textBaseline = "middle"
    for (const { share, text } of marks) {
      const y = Math.round(this.y(share)) + 0.5
      context.strokeStyle = colours.rule
      context.lineWidth = 1
      this.line([[box.left, y], [box.left + box.width, y]])
      context.fillStyle = colours.muted
      context.fillText(text, box.left - 6, Math.min(box.top + box.height - 5, Math.max(box.top + 5, y)))
    }
  }

  line(points) {
    this.context.beginPath()
    for (const [x, y] of points) this.context.lineTo(x, y)
    this.context.stroke()
  }

  clipped(draw) {
    const { context, box } = this
    context.save()
    context.beginPath()
    context.rect(box.left, box.top, box.width, box.height)
    context.clip()
    draw()
    context.restore()
  }
}

/** The lowest and highest value of frames in each column of a view, for a line of very many points. */
function eachColumn(values, hopS, sheet, isKnown, draw) {
  const { view } = sheet
  const first = Math.max(0, Math.floor(view.fromS / hopS) - 1)
  const last = Math.min(values.length - 1, Math.ceil(view.toS / hopS) + 1)
  const stride = Math.max(1, Math.floor(1 / (hopS * sheet.pxPerSecond)))
  for (let start = first - (first % stride); start <= last; start += stride) {
    let [low, high] = [Infinity, -Infinity]
    const end = Math.min(values.length, start + stride)
    for (let frame = start; frame < end; frame += 1) {
      const value = values[frame]
      if (!isKnown(value)) continue
      if (value < low) low = value
      if (value > high) high = value
    }
    draw(sheet.x((start + (end - start - 1) / 2) * hopS), low, high)
  }
}

/** Draws frames as a line that breaks where there are none. */
function traceLine(sheet, values, hopS, isKnown, height, { colour, widthPx }) {
  const draw = hopS * sheet.pxPerSecond < 1 ? drawDenseLine : drawLine
  draw(sheet, (point) => {
    eachColumn(values, hopS, sheet, isKnown, (x, low, high) => {
      if (low > high) point(x, NaN, NaN)
      else point(x, sheet.y(height(high)), sheet.y(height(low)))
    })
  }, colour, widthPx)
}

/** A line through points a few pixels apart. */
function drawLine({ context }, eachPoint, colour, widthPx) {
  context.strokeStyle = colour
  context.lineWidth = widthPx
  context.lineJoin = "bevel"
  context.beginPath()
  let isOpen = false
  eachPoint((x, top, bottom) => {
    const isKnown = top === top
    if (isKnown && isOpen) context.lineTo(x, bottom)
    else if (isKnown) context.moveTo(x - 0.5, bottom)
    if (isKnown) context.lineTo(x + (isOpen ? 0 : 0.5), top)
    isOpen = isKnown
  })
  context.stroke()
}

/** A line with a point in every pixel: columns of whole pixels, which need no blending, and level parts in
    one. A long path takes several times as long. */
function drawDenseLine({ context }, eachPoint, colour, widthPx) {
  context.fillStyle = colour
  const thick = Math.max(1, Math.round(widthPx))
  let [left, high, low] = [0, NaN, NaN]  // what is not drawn yet, up to the next point
  let [lastX, lastTop, lastBottom] = [0, NaN, NaN]
  eachPoint((x, top, bottom) => {
    // A column reaches to where the one before it ended.
    const from = Math.round((lastBottom < top ? lastBottom : top) - widthPx / 2)
    const to = Math.round((lastTop > bottom ? lastTop : bottom) - widthPx / 2) + thick
    if (from !== high || to !== low) {
      const start = Math.round(x)
      if (high === high) context.fillRect(left, high, Math.max(1, start - left), low - high);
      [left, high, low] = [start, from, to]
    }
    [lastX, lastTop, lastBottom] = [x, top, bottom]
  })
  if (high === high) context.fillRect(left, high, Math.round(lastX) + 1 - left, low - high)
}
