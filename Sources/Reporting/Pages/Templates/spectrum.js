"use strict"

/* What lanes draw of a sound: its peaks at every zoom, and its spectrum over time. */

/** The lowest and highest samples of a sound in blocks, and in blocks of blocks. */
class Peaks {
  static block = 64  // samples; nearer ones are read from the sound itself
  static growth = 4

  #samples
  #levels = []  // { size, low, high }

  constructor(samples) {
    this.#samples = samples
    let [size, low, high] = [Peaks.block, samples, samples]
    let reach = Peaks.block
    while (low.length > reach) {
      const level = Peaks.#reduced(low, high, reach)
      this.#levels.push({ size, ...level })
      ;[low, high, reach] = [level.low, level.high, Peaks.growth]
      size *= Peaks.growth
    }
  }

  static #reduced(low, high, reach) {
    const count = Math.ceil(low.length / reach)
    const reduced = { low: new Float32Array(count), high: new Float32Array(count) }
    for (let i = 0; i < count; i += 1) {
      let [least, most] = [Infinity, -Infinity]
      const end = Math.min(low.length, (i + 1) * reach)
      for (let n = i * reach; n < end; n += 1) {
        if (low[n] < least) least = low[n]
        if (high[n] > most) most = high[n]
      }
      reduced.low[i] = least
      reduced.high[i] = most
    }
    return reduced
  }

  /** The lowest and highest sample of each column of a view, alternating, in an array to reuse; NaN beyond
      the sound. Costs a few steps a column at any zoom. */
  columns(fromSample, samplesPerColumn, count, extremes) {
    const level = this.#levels.findLast(({ size }) => size <= samplesPerColumn)
    const [low, high] = level ? [level.low, level.high] : [this.#samples, this.#samples]
    const size = level?.size ?? 1
    for (let column = 0; column < count; column += 1) {
      const start = fromSample + column * samplesPerColumn
      const first = Math.max(0, Math.floor(start / size))
      const last = Math.min(low.length, Math.max(first + 1, Math.ceil((start + samplesPerColumn) / size)))
      let [least, most] = [NaN, NaN]
      for (let n = first; n < last; n += 1) {
        if (!(least <= low[n])) least = low[n]
        if (!(most >= high[n])) most = high[n]
      }
      extremes[2 * column] = least
      extremes[2 * column + 1] = most
    }
    return extremes
  }
}

/** Discrete Fourier transform of a length that is a power of two, by Cooley and Tukey's algorithm. */
class FourierTransform {
  #swaps
  #cos
  #sin

  constructor(length) {
    this.length = length
    const bits = Math.log2(length)
    this.#swaps = Uint32Array.from({ length }, (_, i) => {
      let reversed = 0
      for (let bit = 0; bit < bits; bit += 1) if (i & (1 << bit)) reversed |= 1 << (bits - 1 - bit)
      return reversed
    })
    this.#cos = Float64Array.from({ length: length / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / length))
    this.#sin = Float64Array.from({ length: length / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / length))
  }

  /** Transforms in place; the parts are arrays of `length`. */
  transform(real, imaginary) {
    const { length } = this
    for (let i = 0; i < length; i += 1) {
      const j = this.#swaps[i]
      if (j <= i) continue
      ;[real[i], real[j]] = [real[j], real[i]]
      ;[imaginary[i], imaginary[j]] = [imaginary[j], imaginary[i]]
    }
    for (let half = 1; half < length; half *= 2) {
      const step = length / (2 * half)
      for (let i = 0; i < length; i += 2 * half) {
        for (let k = 0; k < half; k += 1) {
          const [c, s] = [this.#cos[k * step], this.#sin[k * step]]
          const [a, b] = [i + k, i + k + half]
          const re = real[b] * c + imaginary[b] * s
          const im = imaginary[b] * c - real[b] * s
          real[b] = real[a] - re
          imaginary[b] = imaginary[a] - im
          real[a] += re
          imaginary[a] += im
        }
      }
    }
  }
}

/** The spectrum of a sound over time, as bytes of level. */
class Spectrogram {
  static window = 2048  // samples at 48 kHz: 43 ms, which separates the partials of a bass
  static rows = 144
  static lowestHz = 60
  static highestHz = 12000
  static rangeDb = 70  // below the loudest

  #samples
  #rateHz
  #transform = new FourierTransform(Spectrogram.window)
  #shape = Float64Array.from({ length: Spectrogram.window }, (_, n) =>
    0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / Spectrogram.window))
  #bins
  #real = new Float64Array(Spectrogram.window)
  #imaginary = new Float64Array(Spectrogram.window)
  #loudestDb = -120

  constructor(samples, rateHz) {
    this.#samples = samples
    this.#rateHz = rateHz
    const bins = Array.from({ length: Spectrogram.rows + 1 }, (_, row) =>
      (Spectrogram.hz(row / Spectrogram.rows) / rateHz) * Spectrogram.window)
    this.#bins = Float64Array.from(bins)
  }

  /** The frequency at a height, 0 to 1; octaves have equal heights. */
  static hz(height) {
    return Spectrogram.lowestHz * (Spectrogram.highestHz / Spectrogram.lowestHz) ** height
  }

  static height(hz) {
    return Math.log(hz / Spectrogram.lowestHz) / Math.log(Spectrogram.highestHz / Spectrogram.lowestHz)
  }

  /** Levels in dB around the samples `centres`, two columns for the price of one transform: one is the
      real part, one the imaginary. `levels` has `rows` for each column, from the lowest frequency. */
  levels(centres, levels) {
    for (let column = 0; column < centres.length; column += 2) {
      this.#load(this.#real, centres[column])
      this.#load(this.#imaginary, centres[column + 1] ?? centres[column])
      this.#transform.transform(this.#real, this.#imaginary)
      this.#read(levels, column, 1)
      if (column + 1 < centres.length) this.#read(levels, column + 1, -1)
    }
  }

  #load(part, centre) {
    const first = Math.round(centre) - Spectrogram.window / 2
    for (let n = 0; n < Spectrogram.window; n += 1) {
      part[n] = (this.#samples[first + n] ?? 0) * this.#shape[n]
    }
  }

  #read(levels, column, sign) {
    const [real, imaginary] = [this.#real, this.#imaginary]
    for (let row = 0; row < Spectrogram.rows; row += 1) {
      const [from, to] = [this.#bins[row], this.#bins[row + 1]]
      let power = 0
      const first = Math.floor((from + to) / 2)
      const last = Math.max(first + 1, Math.floor(to))
      for (let bin = first; bin <= last; bin += 1) {
        const mirror = Spectrogram.window - bin
        // The real part's transform is even, the imaginary part's odd.
        const re = sign > 0 ? real[bin] + real[mirror] : imaginary[bin] + imaginary[mirror]
        const im = sign > 0 ? imaginary[bin] - imaginary[mirror] : real[mirror] - real[bin]
        power = Math.max(power, re * re + im * im)
      }
      const level = 10 * Math.log10(power + 1e-12)
      levels[column * Spectrogram.rows + row] = level
      if (level > this.#loudestDb) this.#loudestDb = level
    }
  }

  get loudestDb() {
    return this.#loudestDb
  }
}
