import Corpus
import Foundation
import Metrics
import Platform
import Subjects

/// Renders points with one subject and judges the renderings.
///
/// - Cost: a sound of a second takes about 0.2 s beside the subject's own time.
public struct HuntBench: Sendable {
  public let subject: any Subject
  public let settings: SubjectSettings
  /// The kinds to look for.
  public let kinds: Set<FaultKind>
  /// The subject on plain performances.
  public let plain: PlainBehaviour
  let space: HuntSpace
  /// Failures on plain performances that a second rendering did not repeat.
  let plainLapses: [String]

  /// Largest distance of a sound's delay from that of plain performances at which targets are trusted. Beyond it
  /// only late onsets, clicks, failures and costs are judged.
  private static let farthestDelayMs = 40.0

  /// Puts a subject on the bench and listens to it sing plain performances.
  ///
  /// - Throws: the subject's error if it can't sing at an interval from the lead.
  public init(
    _ subject: any Subject, settings: SubjectSettings = [:],
    kinds: Set<FaultKind> = Set(FaultKind.allCases), axes: [HuntSpace.Axis] = []
  ) throws {
    (self.subject, self.settings, self.kinds) = (subject, settings, kinds)
    try subject.validate(settings, for: HuntPoint.plain.score())
    let judgesFormants = kinds.contains(.formantJump)
    let rendered = try PlainBehaviour.points.concurrentMap { point in
      Result { () throws -> (observation: Observation, lapse: String?) in
        let sound = try SungPoint(point)
        let (rendering, lapse) = try Self.render(sound, subject, settings)
        return (try Self.observe(sound, rendering, withIdeal: judgesFormants), lapse)
      }
    }.map { try $0.get() }
    plainLapses = rendered.compactMap(\.lapse)
    let performances = rendered.map(\.observation)
    var plain = PlainBehaviour(of: performances, judgesFormants: judgesFormants)
    for observation in performances {
      for fault in Self.faults(in: observation, kinds, plain)
      where fault.confidence >= SecondJudge.minConfidence {
        plain.severities[fault.kind] = max(plain.severities[fault.kind] ?? 0, fault.severity)
      }
    }
    self.plain = plain
    space = try HuntSpace(
      of: subject, settings: settings, axes: axes,
      givesStems: performances.allSatisfy { !$0.rendering.stems.isEmpty })
  }

  // MARK: One point

  /// Renders and judges a point. An error of the subject is a fault, one of the singer is none.
  public func judge(_ point: HuntPoint) -> Judgement {
    guard let sound = try? SungPoint(point) else { return .unsingable(point) }
    let rendering: Rendering
    do {
      rendering = try subject.render(sound.request(settings))
      try Self.check(rendering, of: sound)
    } catch { return failed(sound, "\(error)") }
    guard let observation = try? Self.observe(sound, rendering, withIdeal: needsIdeal(sound))
    else {
      return .unsingable(point)
    }
    let kind = sound.kind
    var judged = kinds
    // Noise raises the distortion by which the second judge of formants goes.
    if point[.noiseDb] != nil { judged.remove(.formantJump) }
    let faults = Self.faults(in: observation, judged, plain).filter { fault in
      fault.kind.metric.map { Metric.decides($0, on: kind) } ?? true
    }
    return Judgement(
      point: point, seconds: sound.input.durationSeconds,
      faults: faults.compactMap { fault in
        guard fault.severity >= 1, fault.confidence >= SecondJudge.minConfidence else { return nil }
        if fault.kind == .costSpike { return confirmedCost(of: sound) }
        return isOfIdeal(fault, sound) ? nil : fault
      }, hints: faults.filter { $0.severity < 1 })
  }

  /// Renders a point for a page: with its ideal voices.
  public func observe(_ point: HuntPoint) throws -> Observation {
    let sound = try SungPoint(point)
    return try Self.observe(sound, Self.render(sound, subject, settings).rendering, withIdeal: true)
  }

  /// Renders a sound, and once more if that fails.
  ///
  /// - Returns: the rendering, with the failure of the first one.
  /// - Throws: the second failure.
  private static func render(
    _ sound: SungPoint, _ subject: any Subject, _ settings: SubjectSettings
  ) throws -> (rendering: Rendering, lapse: String?) {
    do { return (try subject.render(sound.request(settings)), nil) } catch {
      return (try subject.render(sound.request(settings)), "\(error)")
    }
  }

  /// True if formants are to be judged, which only the ideal makes possible. Synthesizing it costs as
  /// much as all other judges. The first note may lie above the median of all that is sung.
  private func needsIdeal(_ sound: SungPoint) -> Bool {
    kinds.contains(.formantJump) && plain.formants != .unclear && sound.point[.noiseDb] == nil
      && sound.point.targetHz <= 1.2 * FormantFaults.highestHz
  }

  private static func observe(
    _ sound: SungPoint, _ rendering: Rendering, withIdeal: Bool
  ) throws -> Observation {
    Observation(
      sound.recording, score: sound.score, rendering: rendering, heard: sound.input,
      oracle: withIdeal ? try sound.ideal().oracle : nil)
  }

  private static func faults(
    in observation: Observation, _ kinds: Set<FaultKind>, _ plain: PlainBehaviour
  ) -> [HuntFault] {
    var faults: [HuntFault] = []
    let isAligned = observation.delay.ms.map { abs($0 - plain.delayMs) <= farthestDelayMs } ?? false
    if isAligned {
      faults += PitchFaults.all(in: observation, kinds)
      if kinds.contains(.formantJump) { faults += FormantFaults.all(in: observation, plain) }
    }
    if kinds.contains(.click) { faults += EventFaults.clicks(in: observation) }
    if kinds.contains(.lateOnset) {
      faults += EventFaults.lateOnset(in: observation, plainDelayMs: plain.delayMs)
    }
    if kinds.contains(.costSpike), let plainCost = plain.cost,
      let seconds = observation.rendering.cpuSeconds
    {
      faults.append(cost(seconds / observation.heard.durationSeconds / plainCost))
    }
    return faults
  }

  // MARK: Confirmation

  /// True if the ideal rendering shows the fault too: then it is the judge's, not the subject's.
  private func isOfIdeal(_ fault: HuntFault, _ sound: SungPoint) -> Bool {
    guard let (oracle, rendering) = try? sound.ideal() else { return false }
    let ideal = Observation(
      sound.recording, score: sound.score, rendering: rendering, heard: sound.input, oracle: oracle)
    var perfect = plain
    (perfect.delayMs, perfect.formants, perfect.distortionDb) = (0, .kept, 0)
    return Self.faults(in: ideal, [fault.kind], perfect).contains {
      $0.severity >= min(1, fault.severity / 2)
    }
  }

  /// Returns the cost beside that of a plain vowel that is asked for in the same way, if it is a
  /// spike in every further rendering: notes cost more than intervals without being a fault.
  private func confirmedCost(of sound: SungPoint) -> HuntFault? {
    var plain = HuntPoint.plain
    plain.settings = sound.point.settings
    for parameter in [HuntParameter.interval, .second, .playing, .perSecond] {
      plain[parameter] = sound.point[parameter]
    }
    func costs(_ point: HuntPoint) -> [Double] {
      guard let sound = try? SungPoint(point) else { return [] }
      return (0..<3).compactMap { _ in
        try? subject.render(sound.request(settings)).cpuSeconds
          .map { $0 / sound.input.durationSeconds }
      }
    }
    guard let cost = costs(sound.point).min(), let plainCost = costs(plain).max(), plainCost > 0
    else {
      return nil
    }
    let fault = Self.cost(cost / plainCost)
    return fault.severity >= 1 ? fault : nil
  }

  private static func cost(_ times: Double) -> HuntFault {
    HuntFault(
      kind: .costSpike, voice: nil, atSeconds: 0, amount: times,
      words: "it costs \((times * 10).rounded() / 10) times as much as usual", confidence: 1)
  }

  private func failed(_ sound: SungPoint, _ problem: String) -> Judgement {
    let again = Result { try Self.check(subject.render(sound.request(settings)), of: sound) }
    var isAgain = false
    if case .failure = again { isAgain = true }
    let fault = HuntFault(
      kind: .failure, voice: nil, atSeconds: 0, amount: 1, words: problem,
      confidence: isAgain ? 1 : 0.5)
    return Judgement(
      point: sound.point, seconds: sound.input.durationSeconds,
      faults: kinds.contains(.failure) && isAgain ? [fault] : [], hints: [],
      lapse: isAgain ? nil : problem)
  }

  /// Checks the form of a rendering; the error names the fault.
  private static func check(_ rendering: Rendering, of sound: SungPoint) throws {
    func fail(_ problem: String) -> Refusal {
      Refusal("the subject", problem)
    }
    for signal in [rendering.mix] + rendering.stems {
      guard signal.count == sound.input.count else {
        throw fail("returned \(signal.count) samples, expected \(sound.input.count)")
      }
      if let bad = signal.firstNonFinite {
        throw fail("returned \(signal.samples[bad]) at sample \(bad)")
      }
    }
    let count = sound.score.voices.count
    guard rendering.stems.isEmpty || rendering.stems.count == count else {
      throw fail("returned \(counted(rendering.stems.count, "voice")), expected \(count)")
    }
  }
}
