"use strict"

/* Lanes over one time line: waveform, pitch over target, error in cents, spectrogram. */

class WaveLane {
  heightPx = 72
  #peaks
  #rateHz
  #extremes = new Float32Array(0)
  #highest = 1

  constructor(samples, rateHz) {
    this.#rateHz = rateHz
    this.#peaks = new Peaks(samples)
    const [low, high] = this.#peaks.columns(0, samples.length, 1, [0, 0])
    this.#highest = Math.max(Math.abs(low), Math.abs(high), 1e-6)
  }

  draw(sheet) {
    const { context, box, view, colours } = sheet
    const db = 20 * Math.log10(this.#highest)
    sheet.frame("Waveform", `peak ${db.toFixed(1).replace("-", "−")} dBFS`, [{ share: 0.5, text: "0" }])
    const count = Math.max(1, Math.round(box.width))
    if (this.#extremes.length < 2 * count) this.#extremes = new Float32Array(2 * count)
    const perColumn = ((view.toS - view.fromS) * this.#rateHz) / count
    const extremes = this.#peaks.columns(view.fromS * this.#rateHz, perColumn, count, this.#extremes)
    const [middle, reach] = [box.top + box.height / 2, (0.48 * box.height) / this.#highest]
    context.fillStyle = colours.wave
    for (let column = 0; column < count; column += 1) {
      const [low, high] = [extremes[2 * column], extremes[2 * column + 1]]
      if (low !== low) continue
      // Whole pixels, which need no blending.
      const top = Math.round(middle - high * reach)
      context.fillRect(box.left + column, top, 1, Math.max(1, Math.round(middle - low * reach) - top))
    }
  }
}

class PitchLane {
  heightPx = 150
  #voices
  #lowest
  #highest

  constructor(voices) {
    this.#voices = voices
    let [low, high] = [Infinity, 0]
    for (const { targetHz, measuredHz } of voices) {
      for (const hz of targetHz) if (hz > 0) [low, high] = [Math.min(low, hz), Math.max(high, hz)]
      // Half an octave beyond the targets; octave errors are drawn at the edge.
      for (const hz of measuredHz) if (hz > 0 && !(high > 0)) [low, high] = [hz, hz]
    }
    this.#lowest = Math.log2(low) - 0.3
    this.#highest = Math.log2(high) + 0.3
  }

  #height(hz) {
    return (Math.log2(hz) - this.#lowest) / (this.#highest - this.#lowest)
  }

  draw(sheet) {
    const { colours } = sheet
    sheet.frame("Pitch", "voices over their targets (wide grey)", this.#marks())
    const isKnown = (hz) => hz > 0
    const height = (hz) => this.#height(hz)
    sheet.clipped(() => {
      for (const { targetHz, hopS } of this.#voices) {
        traceLine(sheet, targetHz, hopS, isKnown, height, { colour: colours.target, widthPx: 6 })
      }
      this.#voices.forEach(({ measuredHz, hopS }, number) => {
        traceLine(sheet, measuredHz, hopS, isKnown, height, { colour: colours.voice(number), widthPx: 1.5 })
      })
    })
  }

  /** Octaves of C and A, or every note of a small range. */
  #marks() {
    const marks = []
    const [low, high] = [this.#lowest, this.#highest].map((octave) => 69 + 12 * (octave - Math.log2(440)))
    const step = high - low > 30 ? 12 : high - low > 14 ? 6 : 3
    for (let note = Math.ceil(low / step) * step; note <= high; note += step) {
      const hz = 440 * 2 ** ((note - 69) / 12)
      marks.push({ share: this.#height(hz), text: noteName(hz) })
    }
    return marks
  }
}

class ErrorLane {
  heightPx = 104
  static mostCents = 75
  static inTuneCents = 25
  #voices

  constructor(voices) {
    this.#voices = voices
  }

  static #share(cents) {
    const { mostCents } = ErrorLane
    return 0.5 + Math.max(-mostCents, Math.min(mostCents, cents)) / (2 * mostCents)
  }

  draw(sheet) {
    const { context, box, colours } = sheet
    const { inTuneCents } = ErrorLane
    const marks = [-50, -25, 0, 25, 50].map((cents) => ({
      share: ErrorLane.#share(cents), text: `${cents > 0 ? "+" : cents < 0 ? "−" : ""}${Math.abs(cents)}`,
    }))
    sheet.frame("Error", "cents, up is sharp; in tune within ±25", marks)
    context.fillStyle = colours.inTune
    const [top, bottom] = [inTuneCents, -inTuneCents].map((cents) => sheet.y(ErrorLane.#share(cents)))
    context.fillRect(box.left, top, box.width, bottom - top)
    sheet.clipped(() => {
      this.#voices.forEach(({ errorCents, hopS }, number) => {
        const line = { colour: colours.voice(number), widthPx: 1.5 }
        traceLine(sheet, errorCents, hopS, (cents) => cents === cents, ErrorLane.#share, line)
      })
    })
  }
}

class SpectrumLane {
  heightPx = Spectrogram.rows
  static hopS = 0.01
  static mostColumns = 8000  // of a canvas
  static patienceMs = 150  // after a move of the view, before its columns are computed

  /** Called when more of it can be drawn. */
  onchange = () => {}

  #rateHz
  #spectrogram
  #durationS
  #whole  // { canvas, fromS, toS, levels }
  #detail = null
  #timer = 0
  #ended = false
  #dark = false

  constructor(samples, rateHz) {
    this.#rateHz = rateHz
    this.#durationS = samples.length / rateHz
    this.#spectrogram = new Spectrogram(samples, rateHz)
    const count = Math.min(SpectrumLane.mostColumns, Math.max(2, Math.ceil(this.#durationS / SpectrumLane.hopS)))
    this.#whole = this.#picture(0, this.#durationS, count)
    this.#compute(0)
  }

  end() {
    this.#ended = true
    clearTimeout(this.#timer)
  }

  #picture(fromS, toS, count) {
    const canvas = document.createElement("canvas")
    canvas.width = count
    canvas.height = Spectrogram.rows
    return { canvas, fromS, toS, count, levels: new Float32Array(count * Spectrogram.rows) }
  }

  #fill(picture, first, last) {
    const { fromS, toS, count, levels } = picture
    const columnS = (toS - fromS) / count
    const centres = Array.from({ length: last - first }, (_, i) =>
      (fromS + (first + i + 0.5) * columnS) * this.#rateHz)
    this.#spectrogram.levels(centres, levels.subarray(first * Spectrogram.rows, last * Spectrogram.rows))
  }

  /** The whole sound a little at a time, so that the page answers meanwhile. */
  #compute(first) {
    if (this.#ended) return
    const began = performance.now()
    let last = first
    while (last < this.#whole.count && performance.now() - began < 8) {
      const next = Math.min(this.#whole.count, last + 32)
      this.#fill(this.#whole, last, next)
      last = next
    }
    if (last < this.#whole.count) return void setTimeout(() => this.#compute(last))
    this.#paint(this.#whole)
    this.onchange()
  }

  #paint({ canvas, count, levels }) {
    const context = canvas.getContext("2d")
    const image = context.createImageData(count, Spectrogram.rows)
    const ink = this.#dark ? 232 : 28
    const floor = this.#spectrogram.loudestDb - Spectrogram.rangeDb
    for (let column = 0; column < count; column += 1) {
      for (let row = 0; row < Spectrogram.rows; row += 1) {
        const level = (levels[column * Spectrogram.rows + row] - floor) / Spectrogram.rangeDb
        const place = 4 * ((Spectrogram.rows - 1 - row) * count + column)
        image.data[place] = image.data[place + 1] = image.data[place + 2] = ink
        image.data[place + 3] = 255 * Math.max(0, level) ** 1.5
      }
    }
    context.putImageData(image, 0, 0)
  }

  draw(sheet) {
    const { context, box, view, colours } = sheet
    if (colours.isDark !== this.#dark) {
      this.#dark = colours.isDark
      this.#paint(this.#whole)
      this.#detail = null
    }
    const marks = [100, 300, 1000, 3000, 10000].map((hz) => (
      { share: Spectrogram.height(hz), text: hz < 1000 ? `${hz}` : `${hz / 1000}k` }))
    sheet.frame("Spectrogram", `Hz, ${Spectrogram.rangeDb} dB`, marks)
    const isDetailed = this.#detail && this.#detail.fromS === view.fromS && this.#detail.toS === view.toS
    const { canvas, fromS, toS, count } = isDetailed ? this.#detail : this.#whole
    const columnS = (toS - fromS) / count
    sheet.clipped(() => {
      const [first, width] = [(view.fromS - fromS) / columnS, (view.toS - view.fromS) / columnS]
      context.drawImage(canvas, first, 0, width, Spectrogram.rows, box.left, box.top, box.width, box.height)
    })
    if (!isDetailed) this.#refine(view, box)
  }

  /** When the view has come to rest, computes a column for each of its pixels. */
  #refine(view, box) {
    clearTimeout(this.#timer)
    const { fromS, toS } = view
    if ((toS - fromS) / box.width >= SpectrumLane.hopS) return
    this.#timer = setTimeout(() => {
      const picture = this.#picture(fromS, toS, Math.round(box.width))
      this.#fill(picture, 0, picture.count)
      this.#paint(picture)
      this.#detail = picture
      this.onchange()
    }, SpectrumLane.patienceMs)
  }
}
