import Analyzer
import DSP
import Foundation
import Platform
import Statistics
import Subjects

/// A path that sound takes through another program in real time: what is sent comes back, sample for
/// sample on one clock.
public protocol SoundLoop {
  var sampleRateHz: Double { get }
  /// True if the program plays keys.
  var takesKeys: Bool { get }
  /// Sends a sound and records until `tailSeconds` after its end.
  ///
  /// - Parameter messages: MIDI to send, in order of time.
  func play(_ signal: Signal, tailSeconds: Double, messages: [LoopMessage]) throws -> LoopTake
}

/// A MIDI message of a channel with its time from the beginning of the sound.
public struct LoopMessage: Sendable {
  public var seconds: Double
  /// Status and data, two or three bytes.
  public var bytes: [UInt8]

  public init(seconds: Double, bytes: [UInt8]) { (self.seconds, self.bytes) = (seconds, bytes) }

  /// A key that goes down or up.
  public init(seconds: Double, key: Int, isDown: Bool) {
    let key = UInt8(clamping: key)
    self.init(seconds: seconds, bytes: isDown ? [0x90, key, 100] : [0x80, key, 64])
  }
}

/// The sound that came back, from the instant at which sending began.
public struct LoopTake: Sendable {
  public var output: Signal
  /// Periods that the server missed meanwhile; each displaces sound.
  public var xrunCount: Int

  public init(output: Signal, xrunCount: Int) {
    (self.output, self.xrunCount) = (output, xrunCount)
  }
}

/// Measures a program that runs in real time, from outside: delay, jitter, and the time from a key to
/// its settled pitch.
///
/// Bursts of noise are measured one by one, to the sample, wherever their waveform comes back: through
/// a delay or a filter, and through pitch shifters that let unvoiced sound pass. Notes have another
/// waveform behind a shifter; their delay is that of the loudness of a note that swells, and of the
/// onsets of notes.
public struct LoopProbe {
  /// Delay of the waveform, burst by burst.
  public struct Bursts: Sendable {
    public let delaysSamples: [Double]
    /// Bursts that came back unlike themselves.
    public let lostCount: Int

    /// Bursts at uneven distances, so that an echo fits none.
    static func sound(
      count: Int, sampleRateHz: Double
    ) -> (sound: Signal, starts: [Int], length: Int) {
      let length = Int(0.04 * sampleRateHz)
      let apart = 2 * longestMs / 1000 * sampleRateHz
      let starts = (0..<count).map { n in
        let golden = (Double(n) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        return Int(0.02 * sampleRateHz + Double(n) * apart + 0.03 * golden * sampleRateHz)
      }
      var random = SeededGenerator(seed: 7)
      var samples = [Float](repeating: 0, count: (starts.last ?? 0) + length)
      for start in starts {
        for i in 0..<length { samples[start + i] = Float(0.5 * (random.uniform() - 0.5)) }
      }
      return (Signal(samples, sampleRateHz: sampleRateHz), starts, length)
    }

    /// Longest delay that a burst is looked for.
    static let longestMs = 250.0

    init(of output: Signal, from input: Signal, starts: [Int], length: Int) {
      let reach = Int(Self.longestMs / 1000 * input.sampleRateHz)
      var (delays, lost) = ([Double](), 0)
      for start in starts {
        let sent = Signal(
          Array(input.samples[start..<start + length]), sampleRateHz: input.sampleRateHz)
        let end = min(output.count, start + length + reach)
        guard start < end else { continue }
        let received = Signal(Array(output.samples[start..<end]), sampleRateHz: input.sampleRateHz)
        let found = try? WaveformDelay(
          of: received, from: sent, longestMs: Self.longestMs, minCorrelation: 0.5)
        if let found, found.delaySamples > -1 {
          delays.append(found.delaySamples)
        } else {
          lost += 1
        }
      }
      (delaysSamples, lostCount) = (delays, lost)
    }

    /// The median delay in whole samples; `nil` if most bursts were lost.
    public var delaySamples: Int? {
      guard delaysSamples.count > lostCount else { return nil }
      return Statistics.median(delaysSamples).map { Int($0.rounded()) }
    }
  }

  public private(set) var findings: [ProbeFinding] = []
  public private(set) var bursts: Bursts?
  public private(set) var xrunCount = 0
  private let loop: any SoundLoop

  /// - Parameters:
  ///   - burstCount: bursts to send.
  ///   - isBrief: true measures the delay by bursts alone.
  public init(_ loop: any SoundLoop, burstCount: Int = 12, isBrief: Bool = false) throws {
    self.loop = loop
    try measureBursts(burstCount)
    if isBrief { return }
    try measureNotes()
    try measureKeys()
  }

  private mutating func measureBursts(_ count: Int) throws {
    let (sound, starts, length) = Bursts.sound(count: count, sampleRateHz: loop.sampleRateHz)
    let output = try play(sound)
    let found = Bursts(of: output, from: sound, starts: starts, length: length)
    bursts = found
    let perMs = loop.sampleRateHz / 1000
    guard let samples = found.delaySamples,
      let low = Statistics.quantile(found.delaysSamples, 0.05),
      let high = Statistics.quantile(found.delaysSamples, 0.95)
    else {
      let isSilent = output.rms < 1e-6
      findings.append(
        .undefined(
          .latency, "waveform",
          isSilent
            ? "nothing came back; check that the program passes sound"
            : "the sound comes back with another waveform, as of a pitch shifter"))
      return
    }
    findings += [
      ProbeFinding(
        .latency, "waveform", Double(samples) / perMs, "ms", .measured,
        "\(samples) samples, by \(found.delaysSamples.count) bursts of noise, "
          + "\(found.lostCount) lost"),
      ProbeFinding(
        .latency, "waveform.jitter", (high - low) / perMs, "ms", .measured,
        "from \(fixed(low, 1)) to \(fixed(high, 1)) samples (p5 to p95)"),
    ]
  }

  /// Delay of sound whose pitch is changed.
  private mutating func measureNotes() throws {
    let rateHz = loop.sampleRateHz
    let swell = ProbeSounds.swell(hz: 220, sampleRateHz: rateHz)
    do {
      let output = try play(swell)
      let found = try OnsetDelay(
        ofOutline: output.slowOutline, from: swell.slowOutline)
      findings.append(
        ProbeFinding(
          .latency, "sustained", found.delayMs, "ms", .measured,
          "delay of the loudness of a note that swells"))
    } catch let error as Unmeasurable {
      findings.append(.undefined(.latency, "sustained", error))
    }
    let beats = ProbeSounds.beats(hz: 220, count: 12, sampleRateHz: rateHz)
    do {
      let output = try play(beats)
      let found = try EventDelay(of: output, from: beats).estimate
      findings += [
        ProbeFinding(
          .latency, "onsets", found.medianMs, "ms", .measured,
          "median of \(found.events) onsets of notes, \(found.lost) lost"),
        ProbeFinding(
          .latency, "onsets.jitter", found.jitterMs, "ms", .measured,
          "from \(fixed(found.p5Ms, 2)) to \(fixed(found.p95Ms, 2)) ms (p5 to p95), by onsets"),
      ]
    } catch let error as Unmeasurable {
      findings.append(.undefined(.latency, "onsets", error))
    }
  }

  /// Time from a key to its settled pitch, while the lead stays at 220 Hz.
  private mutating func measureKeys() throws {
    guard loop.takesKeys else {
      findings.append(.undefined(.step, "command", "the program has no MIDI input"))
      return
    }
    let times = [1.0, 2, 3, 4]
    var messages = [LoopMessage(seconds: 0.1, key: 60, isDown: true)]
    for (index, time) in times.enumerated() {
      let (old, new) = index % 2 == 0 ? (60, 64) : (64, 60)
      messages.append(LoopMessage(seconds: time, key: old, isDown: false))
      messages.append(LoopMessage(seconds: time, key: new, isDown: true))
    }
    messages.append(LoopMessage(seconds: 5, key: 60, isDown: false))
    let sound = ProbeSounds.steady(hz: 220, seconds: 5, sampleRateHz: loop.sampleRateHz)
    let output = try play(sound, messages)
    findings += ProbeFinding.steps(
      of: output, "command", times: times, fromHz: 440 * exp2(-9.0 / 12),
      toHz: 440 * exp2(-5.0 / 12))
  }

  /// Plays a sound again if the server missed a period meanwhile, which cuts the sound; the take with
  /// the fewest such gaps counts.
  private mutating func play(_ sound: Signal, _ messages: [LoopMessage] = []) throws -> Signal {
    // A program that sings the keys that are held has to hold one to be heard.
    var messages = messages
    if messages.isEmpty, loop.takesKeys {
      messages = [true, false].map {
        LoopMessage(seconds: $0 ? 0 : sound.durationSeconds, key: Self.heldKey, isDown: $0)
      }
    }
    var best = try take(sound, messages)
    for _ in 1..<Self.maxTakes where best.xrunCount > 0 {
      let next = try take(sound, messages)
      if next.xrunCount < best.xrunCount { best = next }
    }
    return best.output
  }

  private mutating func take(_ sound: Signal, _ messages: [LoopMessage]) throws -> LoopTake {
    let take = try loop.play(
      sound, tailSeconds: Bursts.longestMs / 1000 + 0.05, messages: messages)
    xrunCount += take.xrunCount
    return take
  }

  private static let maxTakes = 3
  private static let heldKey = 60
}
