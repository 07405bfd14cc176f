import Corpus
import DSP
import Effects
import Platform

/// A subject followed by a chain of effects.
///
/// The setting `effects` is a chain in the language of racks; the default is `dry`. The mix goes
/// through it, and each stem through a chain of its own, so that voices can still be measured one by
/// one; a nonlinear effect (a compressor, a drive) acts on the stem alone. All metrics but those of
/// stereo hear the mean of both channels. The chain's latency and processor time (for the stereo mix)
/// are added to the subject's.
public struct ThroughEffects: LiveSubject, SubjectWrapper {
  private let live: any LiveSubject
  package var source: any Subject { live }

  public init(_ source: any LiveSubject) { live = source }

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    var others = settings
    others.removeValue(forKey: Self.setting)
    return source.settingNames(beside: others).map { $0 + [Self.setting] }
  }

  /// The name of the setting.
  package static let setting = "effects"

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    let (_, others) = try split(settings)
    try source.validate(others, for: score)
  }

  public func render(_ request: RenderRequest) throws -> Rendering {
    let (chain, others) = try split(request.settings)
    var dry = request
    dry.settings = others
    let rendering = try source.render(dry)
    return chain.stages.isEmpty ? rendering : try rendering.through(chain)
  }

  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    let (chain, others) = try split(settings)
    let sound = try live.start(score, settings: others, sampleRateHz: sampleRateHz)
    guard !chain.stages.isEmpty else { return sound }
    return LiveEffects(sound, try EffectsRack(chain, sampleRateHz: sampleRateHz))
  }

  private func split(_ settings: SubjectSettings) throws -> (EffectChain, SubjectSettings) {
    var others = settings
    guard let text = others.removeValue(forKey: Self.setting) else {
      return (EffectChain(), others)
    }
    do { return (try EffectChain(parsing: "\(text)"), others) } catch {
      throw Refusal("\(id): \(Self.setting)", error)
    }
  }
}

extension Rendering {
  /// Returns the rendering through a chain of effects.
  func through(_ chain: EffectChain) throws -> Rendering {
    let rack = try EffectsRack(chain, sampleRateHz: mix.sampleRateHz)
    var changed = self
    // Time the stereo mix that a listener would hear.
    var (left, right) = (mix.samples, mix.samples)
    let before = ThreadClock.seconds
    rack.process(&left, &right, blockSize: 128)
    let spent = ThreadClock.seconds - before
    changed.cpuSeconds = changed.cpuSeconds.map { $0 + spent }
    changed.mix.samples = zip(left, right).map { 0.5 * ($0 + $1) }
    if left != right {
      let rateHz = mix.sampleRateHz
      changed.stereo = StereoSound(
        left: Signal(left, sampleRateHz: rateHz), right: Signal(right, sampleRateHz: rateHz))
    }
    changed.stems = stems.map { stem in
      rack.reset()
      var voice = rack
      return Signal(voice.render(stem.samples), sampleRateHz: stem.sampleRateHz)
    }
    let latencyMs = Double(rack.latencySamples) / mix.sampleRateHz * 1000
    changed.reportedLatencyMs = reportedLatencyMs.map { $0 + latencyMs }
    return changed
  }
}
