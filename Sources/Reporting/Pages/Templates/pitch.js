"use strict"

/* The pitch of a cell's voices over their targets, and where it is worst. */

/** The pitch of one voice. Frames without a pitch have 0 Hz, and no error. */
class VoicePitch {
  name
  hopS
  targetHz
  measuredHz
  /** Cents above the target; NaN where there is no pitch or no target. */
  errorCents

  constructor({ name, hopS, target, heard }) {
    Object.assign(this, { name, hopS, targetHz: floatsOf(target), measuredHz: floatsOf(heard) })
    this.count = Math.min(this.targetHz.length, this.measuredHz.length)
    this.errorCents = Float32Array.from({ length: this.count }, (_, frame) =>
      this.targetHz[frame] > 0 && this.measuredHz[frame] > 0
        ? 1200 * Math.log2(this.measuredHz[frame] / this.targetHz[frame]) : NaN)
  }

  frame(seconds) {
    return Math.min(this.count - 1, Math.max(0, Math.round(seconds / this.hopS)))
  }

  /** Words for an instant: `220.3 Hz (A3 +12), 12 cents sharp`. */
  words(seconds) {
    const frame = this.frame(seconds)
    const [target, heard, cents] = [this.targetHz[frame], this.measuredHz[frame], this.errorCents[frame]]
    if (!(target > 0)) return heard > 0 ? `${heard.toFixed(1)} Hz, no target` : "rests"
    if (!(heard > 0)) return `missing, target ${noteName(target)}`
    return `${heard.toFixed(1)} Hz, ${centsInWords(cents)} of ${noteName(target)}`
  }
}

function centsInWords(cents) {
  const size = Math.abs(cents) < 10 ? Math.abs(cents).toFixed(1) : Math.abs(cents).toFixed(0)
  return `${size} cents ${cents < 0 ? "flat" : "sharp"}`
}

const noteNames = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]

function noteName(hz) {
  const note = Math.round(69 + 12 * Math.log2(hz / 440))
  return noteNames[((note % 12) + 12) % 12] + (Math.floor(note / 12) - 1)
}

/** The stretches in which a voice is out of tune or missing, the worst first: by cents times seconds, as the
    report ranks its worst instants. `{ voice, atS, fromS, toS, cents }`; `cents` NaN for missing. */
function worstStretches(voices) {
  const [toleranceCents, mostCents, shortestS] = [25, 300, 0.03]
  const stretches = voices.flatMap((voice, number) => {
    const found = []
    let open = null
    for (let frame = 0; frame <= voice.count; frame += 1) {
      const cents = voice.errorCents[frame]
      const isMissing = voice.targetHz[frame] > 0 && !(voice.measuredHz[frame] > 0)
      const kind = frame === voice.count ? null : isMissing ? "missing"
        : Math.abs(cents) > toleranceCents ? (cents > 0 ? "sharp" : "flat") : null
      if (open && open.kind !== kind) {
        if ((frame - open.first) * voice.hopS >= shortestS) found.push(open)
        open = null
      }
      if (!kind) continue
      open ??= { kind, voice: number, first: frame, peak: frame, weight: 0 }
      open.last = frame
      const size = isMissing ? mostCents : Math.min(mostCents, Math.abs(cents))
      open.weight += size * voice.hopS
      if (!isMissing && Math.abs(cents) > Math.abs(voice.errorCents[open.peak])) open.peak = frame
    }
    return found.map(({ kind, first, last, peak, weight }) => ({
      voice: number, weight, fromS: first * voice.hopS, toS: (last + 1) * voice.hopS,
      atS: (kind === "missing" ? (first + last) / 2 : peak) * voice.hopS,
      cents: kind === "missing" ? NaN : voice.errorCents[peak],
    }))
  })
  return stretches.sort((a, b) => b.weight - a.weight)
}
