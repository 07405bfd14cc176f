import DSP
import Foundation
import Music

extension Performance {
  /// Sample rates that the singer renders at.
  public static let ratesHz = 16_000.0...96_000.0

  /// Renders the performance.
  ///
  /// Equal performances and rates give equal bits on one machine. On another, the mathematics
  /// library may differ in the last bit of a sine; the sounds are then equal within -100 dB of the
  /// peak.
  ///
  /// - Parameter sampleRateHz: 16 to 96 kHz. Above 48 kHz the sound ends near 24 kHz.
  /// - Throws: `SingerError` for a setting out of range or events that overlap.
  public func render(sampleRateHz: Double = 48_000) throws(SingerError) -> SynthesizedVoice {
    try validate()
    try require("sampleRateHz", sampleRateHz, in: Self.ratesHz)
    var renderer = Renderer(self, sampleRateHz: sampleRateHz)
    renderer.run()
    return SynthesizedVoice(
      signal: Signal(renderer.samples, sampleRateHz: sampleRateHz),
      truth: Truth(
        sampleRateHz: sampleRateHz, f0Hz: renderer.f0Hz, phaseCycles: renderer.phaseCycles,
        frameHopSamples: renderer.hop, frames: renderer.frames, notes: noteTruth(),
        phones: phones.map {
          PhoneTruth(phone: $0.phone, onsetSeconds: $0.startSeconds, offsetSeconds: $0.endSeconds)
        }))
  }

  private func noteTruth() -> [NoteTruth] {
    var map = PitchMap(pitch)
    return notes.map { note in
      let written = NoteNumber(note.pitchSemitones).hz
      let middle = note.startSeconds + note.durationSeconds / 2
      let lineHz = map.lineHz(at: middle, writtenHz: written, pitchSemitones: note.pitchSemitones)
      return NoteTruth(
        onsetSeconds: note.startSeconds, offsetSeconds: note.endSeconds, f0Hz: lineHz * map.ratio,
        lyric: note.lyric)
    }
  }
}

/// Updates the controls from frame to frame and renders the samples between them.
private struct Renderer {
  private(set) var samples: [Float]
  private(set) var f0Hz: [Double]
  private(set) var phaseCycles: [Double]
  private(set) var frames: [Truth.Frame] = []
  /// Samples between updates of the controls: 0.5 ms.
  let hop: Int

  private let sampleRateHz: Double
  private var line: ControlLine
  private var source: GlottalSource
  private var tract: VocalTract
  private var bank: FricationBank
  private let noise: Noise
  /// Deviation of the noise, whose power per hertz is that at `Noise.rateHz` at any rate.
  private let noiseGain: Double
  private var now: Controls

  /// Output gain, which brings a vowel at mezzo forte to about -20 dB RMS.
  private static let outputGain = 0.05

  /// Gain of turbulence above the glottis relative to that at it.
  private static let strayGain = 0.7

  init(_ performance: Performance, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    hop = max(1, Int((sampleRateHz * 0.0005).rounded()))
    let count = Int((performance.durationSeconds * sampleRateHz).rounded())
    samples = Array(repeating: 0, count: count)
    f0Hz = Array(repeating: 0, count: count)
    phaseCycles = Array(repeating: 0, count: count)
    line = ControlLine(of: performance)
    now = line.controls(at: 0)
    source = GlottalSource(
      seed: performance.seed, pitchRatio: PitchMap(performance.pitch).ratio,
      sampleRateHz: sampleRateHz)
    tract = VocalTract(voice: performance.voice, shape: now.shape, sampleRateHz: sampleRateHz)
    bank = FricationBank(voice: performance.voice, sampleRateHz: sampleRateHz)
    noise = Noise(seed: performance.seed, stream: 2)
    noiseGain = (sampleRateHz / Noise.rateHz).squareRoot()
  }

  mutating func run() {
    let table = GlottalWavetable.shared
    table.rows.withUnsafeBufferPointer { rows in
      table.flow.withUnsafeBufferPointer { flow in
        // The cascade delays the sound, so run on until its last sample is out.
        for start in stride(from: 0, to: samples.count + VocalTract.delaySamples, by: hop) {
          let next = line.controls(at: Double(start + hop) / sampleRateHz)
          if start < samples.count { frames.append(frame(at: start)) }
          source.prepare(now)
          tract.aim(at: next.shape, overSamples: hop)
          render(from: start, to: next, rows: rows, flow: flow)
          now = next
        }
      }
    }
  }

  /// Renders the samples from `start`, while the controls change from `now` to `next`.
  private mutating func render(
    from start: Int, to next: Controls, rows: UnsafeBufferPointer<Float>,
    flow: UnsafeBufferPointer<Float>
  ) {
    let count = samples.count
    var knobs = Knobs(now)
    let step = knobs.step(to: Knobs(next), over: hop)
    var gains = now.fricationGains
    let gainStep = (next.fricationGains - gains) / Double(hop)
    let hasFrication = now.fricationGains != .zero || next.fricationGains != .zero
    let isVoiced = now.voicing >= Truth.voicingThreshold
    var (source, tract, bank) = (self.source, self.tract, self.bank)  // local copies for speed
    for i in start..<start + hop {
      let (glottal, oral) = noise.pair(at: i)
      let sample = source.next(knobs, white: glottal * noiseGain, rows: rows, flow: flow)
      let voiced = tract.process(sample.sound)
      if i >= VocalTract.delaySamples, i - VocalTract.delaySamples < count {
        samples[i - VocalTract.delaySamples] += Float(voiced * Self.outputGain)
      }
      if i < count {
        phaseCycles[i] = source.phaseCycles
        if isVoiced { f0Hz[i] = sample.f0Hz }
        samples[i] += Float(sample.stray * Self.strayGain * Self.outputGain)
        if hasFrication {
          let breathing = 1 - knobs.aspirationPulse * (1 - sample.opening)
          let hiss = bank.process(oral * noiseGain * breathing, gains: gains)
          samples[i] += Float(hiss * Self.outputGain)
          gains += gainStep
        }
      }
      knobs += step
    }
    (self.source, self.tract, self.bank) = (source, tract, bank)
  }

  private func frame(at start: Int) -> Truth.Frame {
    Truth.Frame(
      timeSeconds: Double(start) / sampleRateHz,
      formantsHz: (0..<5).map { now.shape.frequenciesHz[$0] },
      bandwidthsHz: (0..<5).map { now.shape.bandwidthsHz[$0] },
      sourceDb: decibels(now.sourceGain), aspirationDb: decibels(now.aspirationGain),
      fricationDb: decibels(now.fricationGains.max()))
  }
}

/// An amplitude in decibels; nil if negligible.
private func decibels(_ amplitude: Double) -> Double? {
  amplitude > 1e-5 ? 20 * log10(amplitude) : nil
}
