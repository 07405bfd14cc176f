import Foundation

/// The larynx: glottal pulses of exact phase, and turbulence modulated by the glottal opening.
///
/// Irregularities follow the written cycles, not the sung ones. A transposed performance therefore
/// keeps the same frequency ratio at every sample.
struct GlottalSource {
  /// One sample of the larynx's output.
  struct Sample {
    /// Flow derivative with aspiration.
    var sound: Double
    /// Turbulence above the glottis that bypasses the resonances: breath noise, above about 4 kHz.
    var stray: Double
    var f0Hz: Double
    /// Opening of the glottis, 0 to 1.
    var opening: Double
  }

  /// Glottal phase; whole numbers are the instants of closure.
  private(set) var phaseCycles = 0.0

  private let sampleRateHz: Double
  /// Coefficients per sample of the glide of irregularities and of the aspiration's low-pass, and the
  /// gain of the difference that makes it high: those at `Noise.rateHz` in seconds and hertz.
  private let (glide, lowPass, difference): (Double, Double, Double)
  private let pitchRatio: Double
  private let irregularity: Noise
  private var writtenPhase = 0.0
  private var cycle = 0
  private var jitter = 0.0
  private var jitterTarget = 0.0
  private var shimmer = 0.0
  private var shimmerTarget = 0.0
  private var hiss = 0.0  // low-pass filtered aspiration
  private var lastWhite = 0.0
  private var place = GlottalWavetable.Place()

  init(seed: UInt64, pitchRatio: Double, sampleRateHz: Double) {
    self.pitchRatio = pitchRatio
    self.sampleRateHz = sampleRateHz
    irregularity = Noise(seed: seed, stream: 1)
    let samples = Noise.rateHz / sampleRateHz
    (glide, lowPass, difference) = (0.05 * samples, 1 - pow(0.3, samples), 0.5 / samples)
  }

  /// Selects the table rows for the next samples.
  mutating func prepare(_ controls: Controls) {
    let f0Hz = controls.lineHz * pitchRatio
    // The limit leaves a margin for jitter and vibrato within these samples.
    let harmonics = max(1, 0.46 * sampleRateHz / f0Hz)
    place = GlottalWavetable.place(shape: controls.pulseShape, harmonics: harmonics)
  }

  @inline(__always) mutating func next(
    _ knobs: Knobs, white: Double, rows: UnsafeBufferPointer<Float>,
    flow: UnsafeBufferPointer<Float>
  ) -> Sample {
    // Irregularities glide between values within a millisecond, without clicks.
    jitter += (jitterTarget - jitter) * glide
    shimmer += (shimmerTarget - shimmer) * glide
    let unsteadiness = 1 + jitter * knobs.jitter
    let f0Hz = knobs.lineHz * unsteadiness * pitchRatio
    writtenPhase += knobs.writtenHz * unsteadiness / sampleRateHz
    if writtenPhase >= 1 {
      writtenPhase -= 1
      cycle += 1
      jitterTarget = irregularity.normal(at: 2 * cycle)
      shimmerTarget = irregularity.normal(at: 2 * cycle + 1)
    }
    phaseCycles += f0Hz / sampleRateHz
    let phase = phaseCycles - phaseCycles.rounded(.down)

    let pulse = read(rows, at: phase)
    let opening = Double(flow[place.flow + Int(phase * Double(GlottalWavetable.flowPeriod))])
    hiss += lowPass * (white - hiss)
    let air = difference * (white - lastWhite)
    lastWhite = white
    let breathing = 1 - knobs.aspirationPulse * (1 - opening)
    let breath = knobs.aspirationGain * breathing
    return Sample(
      sound: pulse * knobs.sourceGain * (1 + shimmer * knobs.shimmer) + hiss * breath,
      stray: air * breath, f0Hz: f0Hz, opening: opening)
  }

  /// Interpolates cubically (Catmull-Rom) along each of four rows and linearly between them.
  @inline(__always) private func read(_ rows: UnsafeBufferPointer<Float>, at phase: Double)
    -> Double
  {
    let position = phase * Double(GlottalWavetable.period)
    let index = Int(position)
    let x = Float(position - Double(index))
    let w0 = ((-0.5 * x + 1) * x - 0.5) * x
    let w1 = (1.5 * x - 2.5) * x * x + 1
    let w2 = ((-1.5 * x + 2) * x + 0.5) * x
    let w3 = (0.5 * x - 0.5) * x * x
    func row(_ start: Int) -> Float {
      let i = start + index
      return w0 * rows[i] + w1 * rows[i + 1] + w2 * rows[i + 2] + w3 * rows[i + 3]
    }
    let first = place.first
    let second = first + place.shapeStep
    let (level, shape) = (Float(place.levelShare), Float(place.shapeShare))
    let bright = row(first) * (1 - level) + row(first + place.levelStep) * level
    let dull = row(second) * (1 - level) + row(second + place.levelStep) * level
    return Double(bright + (dull - bright) * shape)
  }
}
