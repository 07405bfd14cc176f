import DSP
import Foundation

/// Finds spectral envelopes and formants of a voice at any pitch, offline.
///
/// The harmonics of a stretch of voice are measured every few milliseconds; as the pitch moves they
/// sample the envelope ever more densely. A model of glottis and vocal tract is fitted to all of
/// them at once (`VoiceModelFit`). A smooth curve through the residual is added to it
/// (`DiscreteCepstrum`). The envelope therefore has plausible peaks even between distant harmonics,
/// yet follows the measurement.
///
/// - Input: mono, and its pitch. Samples that are not finite count as 0.
/// - Cost: for each frame a fit of the model, and the harmonics every `stepMs` (`HarmonicSampler`).
///   Allocates.
public struct EnvelopeAnalyzer: Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    /// Length of the stretch analyzed for one frame.
    public var spanMs = 500.0
    /// Time between frames.
    public var hopMs = 100.0
    /// Time between measurements of the harmonics.
    public var stepMs = 20.0
    /// Upper end of the envelope.
    public var ceilingHz = 8_000.0
    /// Deviation allowed from the model; see `DiscreteCepstrum`.
    public var roughnessDb = 10.0

    public init() {}

    public func validate() throws(SettingsError) {
      try require("spanMs", spanMs, in: 20...5000)
      try require("hopMs", hopMs, in: 1...5000)
      try require("stepMs", stepMs, in: 1...spanMs)
      try require("ceilingHz", ceilingHz, in: 3000...20_000)
      try require("roughnessDb", roughnessDb, in: 0.01...100)
    }
  }

  /// The voice around one instant.
  public struct Frame: Equatable, Sendable {
    public var timeSeconds: Double
    /// The mean pitch.
    public var f0Hz: Double
    public var envelope: SpectralEnvelope
    /// Formants F1 to F4.
    public var formants: [Formant]
  }

  public let settings: Settings

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Returns one frame every `hopMs`, starting at half a span, wherever there is enough voice.
  public func frames(of signal: Signal, _ track: PitchTrack) -> [Frame] {
    frames(sampler(of: signal), signal.durationSeconds, track, from: 0) { _ in true }
  }

  /// Returns the same frames of finite sound without infrasound, which need not be filtered again.
  package func frames(ofAudible signal: Signal, _ track: PitchTrack) -> [Frame] {
    let sampler = HarmonicSampler(ofAudible: signal, ceilingHz: highestHz)
    return frames(sampler, signal.durationSeconds, track, from: 0) { _ in true }
  }

  /// Passes the same frames to `body`, in order, while reading the sound half a minute at a time.
  public func forEachFrame(
    of sound: some SoundSource, _ track: PitchTrack, _ body: (Frame) throws -> Void
  ) throws {
    try sound.forEachStretch(of: track) { stretch in
      let start = stretch.startSeconds
      let frames = frames(
        sampler(of: stretch.signal), stretch.signal.durationSeconds, stretch.track, from: start
      ) { stretch.isOwn($0 - start) }
      for frame in frames { try body(frame) }
    }
  }

  /// Maximum frequency of a measured harmonic.
  private var highestHz: Double { settings.ceilingHz * 1.1 }

  private func sampler(of signal: Signal) -> HarmonicSampler {
    HarmonicSampler(of: signal, ceilingHz: highestHz)
  }

  /// - Parameters:
  ///   - start: start time of the sound; frame times are multiples of the hop from time 0.
  ///   - isChosen: selects the frame times to analyze.
  private func frames(
    _ sampler: HarmonicSampler, _ durationSeconds: Double, _ track: PitchTrack,
    from start: Double, where isChosen: (Double) -> Bool
  ) -> [Frame] {
    guard durationSeconds > 0 else { return [] }
    let (span, hop) = (settings.spanMs / 1000, settings.hopMs / 1000)
    let step = settings.stepMs / 1000
    let end = start + durationSeconds
    func multiples(of unit: Double) -> [Double] {
      let (first, last) = (Int((start / unit - 1e-9).rounded(.up)), Int(end / unit))
      return first <= last ? (first...last).map { Double($0) * unit } : []
    }
    let voiced = multiples(of: step).filter { track.f0Hz(atSeconds: $0 - start) != nil }
    func isEnough(_ count: Int) -> Bool { Double(count) >= max(1, 0.5 * span / step) }
    let chosen = multiples(of: hop).filter(isChosen).filter { time in
      isEnough(voiced.count { abs($0 - time) <= span / 2 })
    }
    // What belongs to no frame is not measured.
    let read = voiced.filter { time in chosen.contains { abs(time - $0) <= span / 2 } }
    let all = read.compactMap { time -> HarmonicLevels? in
      guard let hz = track.f0Hz(atSeconds: time - start) else { return nil }
      var levels = sampler.levels(atSeconds: time - start, expectedHz: hz)
      levels?.timeSeconds = time
      return levels
    }
    return chosen.compactMap { time in
      let near = all.filter { abs($0.timeSeconds - time) <= span / 2 }
      return isEnough(near.count) ? frame(at: time, near) : nil
    }
  }

  private func frame(at time: Double, _ measured: [HarmonicLevels]) -> Frame? {
    let points = EnvelopePoints(measured)
    guard let model = VoiceModelFit(points).best()?.model else { return nil }
    let misses = zip(points.levelsDb, model.levelsDb(points.hz)).map { $0 - $1 }
    let ceilingHz = max(points.hz.last!, settings.ceilingHz)
    let cellCount = Double(points.hz.count)
    let harmonics = (points.hz.last! - points.hz.first!) / points.f0Hz + 1
    let share = min(1, harmonics / cellCount).squareRoot()
    guard
      let rest = DiscreteCepstrum(
        hz: points.hz, levelsDb: misses, weights: points.weights.map { $0 * share },
        ceilingHz: ceilingHz, order: Int(ceilingHz / 150), roughnessDb: settings.roughnessDb)
    else { return nil }
    let stepHz = 10.0
    let hz = (0...Int(settings.ceilingHz / stepHz)).map { max(Double($0) * stepHz, 1) }
    let levels = zip(model.levelsDb(hz), rest.levelsDb(hz)).map { $0 + $1 }
    return Frame(
      timeSeconds: time, f0Hz: points.f0Hz,
      envelope: SpectralEnvelope(
        levelsDb: levels, stepHz: stepHz, lowestHz: points.hz.first!,
        highestHz: min(points.hz.last!, settings.ceilingHz)),
      formants: model.formants)
  }
}
