import DSP
import Foundation
import Statistics

/// Finds whether more than one voice sounds, and the pitch of each.
///
/// Each spectral peak belongs to the harmonics of some voice. More than one voice sounds at an instant where
/// no single series of harmonics holds nearly all of the peaks, weighted by amplitude, while few series
/// together do. A series that holds all but leaves out every harmonic outside of two multiples, as two
/// voices a fifth apart do, is none. An octave, a twelfth and unisons pass for one voice.
///
/// The thresholds were chosen on synthetic chords of two to four voices. Of 67 recordings and 140 clips of one
/// voice, in noise, rooms and through telephones too, none then has several voices in a tenth of its time.
///
/// - Input: mono, any rate from 8 kHz. Cost: about 0.001 of real time. Allocates.
public struct Polyphony: Equatable, Sendable {
  /// Share of the sounding instants at which more than one voice sounds.
  public let share: Double
  /// Pitches of the voices from low to high: medians over those instants. Empty if there are none.
  public let voicesHz: [Double]

  /// True if the figures of one voice describe none.
  public var isMostly: Bool { share > 0.5 }

  private static let rateHz = 8000.0
  private static let hopSeconds = 0.05
  /// Probability of a voice below which none may sound: a chord is less like a voice than one note.
  private static let minVoicing = 0.1
  /// Fewer instants in a row are a consonant, or the change of a note in a room.
  private static let minInstants = 3

  /// - Parameter track: pitch of `sound`; only instants at which a voice may sound are judged.
  public init<Sound: SoundSource>(of sound: Sound, track: PitchTrack) throws {
    var finder = SeriesFinder(sampleRateHz: Self.rateHz)
    var instants: [[Double]?] = []  // pitches at each instant; nil where nothing sounds
    try sound.forEachStretch(of: track) { stretch in
      let low = stretch.signal.withoutInfrasound().resampled(to: Self.rateHz)
      let every = max(1, Int((Self.hopSeconds / track.hopSeconds).rounded()))
      for frame in stretch.own where (stretch.firstFrame + frame).isMultiple(of: every) {
        guard stretch.track.likelyHz[frame] > 0, stretch.track.voicing[frame] > Self.minVoicing
        else {
          instants.append(nil)
          continue
        }
        let centre = Int(Double(frame) * track.hopSeconds * Self.rateHz)
        instants.append(finder.pitches(in: low, around: centre))
      }
    }
    let several = instants.indices.filter { (instants[$0]?.count ?? 0) > 1 }.runs
      .filter { $0.count >= Self.minInstants }.joined()
    let sounding = instants.count { $0 != nil }
    share = sounding > 0 ? Double(several.count) / Double(sounding) : 0
    let pitches = several.map { instants[$0]!.sorted() }
    let counts = Dictionary(grouping: pitches, by: \.count)
    let most = counts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
    voicesHz = (0..<(most?.key ?? 0)).map { voice in
      Statistics.median(most!.value.map { $0[voice] })!
    }
  }
}

/// Finds the series of harmonics that hold the peaks of a spectrum.
struct SeriesFinder: ~Copyable {
  private struct Peak {
    var hz: Double
    var weight: Double
  }

  private let rateHz: Double
  private let window: [Float]
  private var transform: FourierTransform

  private static let windowSeconds = 0.1
  private static let rangeHz = 40.0...1200
  private static let highestHz = 3000.0
  /// Level of a peak relative to the highest.
  private static let minPeak = 0.02
  /// Power of the amplitude that is a peak's weight: less than 1, so that a formant decides less.
  private static let weightPower = 0.8
  private static let maxPeaks = 24
  /// Distance of a peak from a harmonic: error of a peak, and that of the pitch times its number.
  private static let toleranceHz = 4.0
  private static let toleranceShare = 0.008
  /// Maximum of that distance, relative to the pitch.
  private static let maxToleranceShare = 0.2
  /// Share of the peaks that one voice holds at least.
  private static let minAlone = 0.92
  /// Share of the peaks that several voices hold.
  private static let minTogether = 0.85
  /// Share of the peaks that a further voice adds.
  private static let minAdded = 0.15
  /// Share of a series outside of two multiples, below which it is two voices.
  private static let minOutside = 0.04
  /// Share of its harmonics that a series holds, up to the highest one or the eighth.
  private static let minFilled = 0.5
  /// The same of a single voice, which may have weak harmonics.
  private static let minFilledAlone = 0.4

  init(sampleRateHz: Double) {
    rateHz = sampleRateHz
    window = Window.hann.samples(Int(Self.windowSeconds * rateHz)).map { Float($0) }
    transform = FourierTransform(count: 4096)
  }

  /// Returns the pitch of each voice; one or none if one series of harmonics suffices or nothing fits.
  mutating func pitches(in signal: Signal, around centre: Int) -> [Double] {
    let peaks = peaks(in: signal, around: centre)
    let total = peaks.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return [] }
    let candidates = candidates(peaks)
    if candidates.contains(where: { isOneVoice($0, peaks, total) }) { return [0] }
    var voices: [Double] = []
    var rest = peaks
    while voices.count < 5 {
      var best: (hz: Double, merit: Double)?
      for hz in candidates where !voices.contains(where: { Self.areRelated($0, hz) }) {
        let (added, filled) = (held(hz, rest), filled(hz, peaks))
        guard hasFundamental(hz, peaks), filled >= Self.minFilled,
          added >= Self.minAdded * total
        else { continue }
        if added * filled > best?.merit ?? 0 { best = (hz, added * filled) }
      }
      guard let hz = best?.hz else { break }
      voices.append(hz)
      rest.removeAll { Self.number(of: $0, in: hz) != nil }
      if rest.reduce(0, { $0 + $1.weight }) < (1 - Self.minTogether) * total { break }
    }
    let left = rest.reduce(0) { $0 + $1.weight }
    return voices.count > 1 && left <= (1 - Self.minTogether) * total ? voices : [0]
  }

  /// Pitches of which the strongest peaks are low harmonics.
  private func candidates(_ peaks: [Peak]) -> [Double] {
    peaks.sorted { $0.weight > $1.weight }.prefix(10).flatMap { peak in
      (1...8).map { peak.hz / Double($0) }
    }.filter { Self.rangeHz.contains($0) }
  }

  private func isOneVoice(_ hz: Double, _ peaks: [Peak], _ total: Double) -> Bool {
    guard held(hz, peaks) >= Self.minAlone * total, filled(hz, peaks) >= Self.minFilledAlone
    else { return false }
    var weights = [Double](repeating: 0, count: 64)
    for peak in peaks {
      if let number = Self.number(of: peak, in: hz), number < 64 { weights[number] += peak.weight }
    }
    let all = weights.reduce(0, +)
    for multiples in Self.chords {
      let outside = (1..<64).reduce(0.0) { sum, number in
        multiples.contains { number.isMultiple(of: $0) } ? sum : sum + weights[number]
      }
      if outside < Self.minOutside * all { return false }
    }
    return true
  }

  /// Two or three numbers of which none is a multiple of another: the lowest harmonics of the voices of a
  /// chord, counted in the pitch that they have in common.
  private static let chords: [[Int]] = {
    var chords: [[Int]] = []
    for m in 2...6 {
      for n in m + 1...8 where n % m != 0 {
        chords.append([m, n])
        for k in n + 1..<9 where k % m != 0 && k % n != 0 { chords.append([m, n, k]) }
      }
    }
    return chords
  }()

  private func hasFundamental(_ hz: Double, _ peaks: [Peak]) -> Bool {
    peaks.contains { Self.number(of: $0, in: hz) == 1 }
  }

  private func held(_ hz: Double, _ peaks: [Peak]) -> Double {
    peaks.reduce(0) { Self.number(of: $1, in: hz) == nil ? $0 : $0 + $1.weight }
  }

  private func filled(_ hz: Double, _ peaks: [Peak]) -> Double {
    let numbers = Set(peaks.compactMap { Self.number(of: $0, in: hz) })
    let highest = min(numbers.max() ?? 0, 8)
    return highest > 0 ? Double(numbers.count { $0 <= highest }) / Double(highest) : 0
  }

  /// The harmonic of a voice near which a peak lies.
  private static func number(of peak: Peak, in hz: Double) -> Int? {
    let number = (peak.hz / hz).rounded()
    guard number >= 1 else { return nil }
    let reach = min(toleranceHz + toleranceShare * peak.hz, maxToleranceShare * hz)
    return abs(peak.hz - number * hz) <= reach ? Int(number) : nil
  }

  /// True if one pitch is a multiple of the other within half a semitone.
  private static func areRelated(_ a: Double, _ b: Double) -> Bool {
    let ratio = max(a, b) / min(a, b)
    return abs(1200 * log2(ratio / ratio.rounded())) < 50
  }

  private mutating func peaks(in signal: Signal, around centre: Int) -> [Peak] {
    let first = centre - window.count / 2
    var cut = [Float](repeating: 0, count: transform.count)
    for i in window.indices {
      let at = first + i
      cut[i] = signal.samples.indices.contains(at) ? signal.samples[at] * window[i] : 0
    }
    transform.forward(cut.span)
    let hzPerBin = rateHz / Double(cut.count)
    let levels = (0..<Int(Self.highestHz / hzPerBin)).map {
      0.5 * log(Double(transform[$0].power) + 1e-30)
    }
    let least = (levels.max() ?? 0) + log(Self.minPeak)
    let lowest = Int(Self.rangeHz.lowerBound / 2 / hzPerBin)
    let found = (lowest..<levels.count - 1).compactMap { bin -> Peak? in
      let (a, b, c) = (levels[bin - 1], levels[bin], levels[bin + 1])
      guard b > a, b >= c, b > least else { return nil }
      let offset = peakOffset(a, b, c) ?? 0
      return Peak(hz: (Double(bin) + offset) * hzPerBin, weight: exp(b * Self.weightPower))
    }
    return Array(found.sorted { $0.weight > $1.weight }.prefix(Self.maxPeaks))
  }
}
