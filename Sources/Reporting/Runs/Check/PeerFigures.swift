/// A pitch shifter that was measured beside others, to compare orders of size with.
struct Peer: Sendable {
  let name: String
  /// `nil` for programs that work on whole files.
  let latencyMs: Double?
  let pitchCents: Double
  let pitchP95Cents: Double
  let grossShare: Double
  let formantPercent: Double
  let estoi: Double
  /// Four voices; `nil` if it was not measured.
  let costShare: Double?

  /// Shifters that others can get, in the versions of Debian 12 or of their authors in 2025.
  ///
  /// Cost is that of four delay lines, 0.0029 of real time, times the measured ratio.
  static let all: [Peer] = [
    Peer(
      name: "AudioKit-style delay line", latencyMs: 15.8, pitchCents: 2.7, pitchP95Cents: 11,
      grossShare: 0.023, formantPercent: 34, estoi: 0.28, costShare: 0.0029),
    Peer(
      name: "SoundTouch", latencyMs: 26.7, pitchCents: 0.58, pitchP95Cents: 2.2,
      grossShare: 0.039, formantPercent: 26, estoi: 0.29, costShare: 0.0032),
    Peer(
      name: "Signalsmith", latencyMs: 119, pitchCents: 1.6, pitchP95Cents: 3.0,
      grossShare: 0.0018, formantPercent: 33, estoi: 0.28, costShare: 0.017),
    Peer(
      name: "Rubber Band R2", latencyMs: 44, pitchCents: 0.64, pitchP95Cents: 13,
      grossShare: 0.0037, formantPercent: 19, estoi: 0.40, costShare: 0.125),
    Peer(
      name: "Rubber Band R3", latencyMs: 87, pitchCents: 0.11, pitchP95Cents: 0.60,
      grossShare: 0.0018, formantPercent: 2.0, estoi: 0.60, costShare: 0.229),
    Peer(
      name: "Rubber Band R3 short", latencyMs: 54, pitchCents: 0.06, pitchP95Cents: 0.30,
      grossShare: 0.0009, formantPercent: 2.6, estoi: 0.57, costShare: 0.099),
    Peer(
      name: "Rubber Band live", latencyMs: 60, pitchCents: 0.08, pitchP95Cents: 0.32,
      grossShare: 0.0010, formantPercent: 2.9, estoi: 0.57, costShare: 0.066),
    Peer(
      name: "Lent (STK)", latencyMs: 39, pitchCents: 0.38, pitchP95Cents: 6.5,
      grossShare: 0.14, formantPercent: 0.6, estoi: 0.56, costShare: nil),
    Peer(
      name: "Autotalent", latencyMs: 46, pitchCents: 5.4, pitchP95Cents: 23,
      grossShare: 0.29, formantPercent: 11, estoi: 0.51, costShare: 0.029),
    Peer(
      name: "Csound harmon2", latencyMs: 6.7, pitchCents: 4.5, pitchP95Cents: 8.4,
      grossShare: 0.056, formantPercent: 1.2, estoi: 0.43, costShare: nil),
    Peer(
      name: "Praat overlap-add", latencyMs: nil, pitchCents: 0.66, pitchP95Cents: 2.5,
      grossShare: 0.0072, formantPercent: 0.6, estoi: 0.60, costShare: nil),
    Peer(
      name: "WORLD", latencyMs: nil, pitchCents: 0.12, pitchP95Cents: 0.54,
      grossShare: 0.0015, formantPercent: 0.6, estoi: 0.58, costShare: nil),
  ]

  /// Conditions of the peers' figures, for readers.
  static let conditions =
    "Peers were measured on other material and another machine: synthetic vowels and phrases with exact "
    + "truth, ten shifts from −12 to +12 semitones, 48 kHz, live in blocks of 128 where they can, cost "
    + "with four voices, gross errors beyond 100 cents (here 200). Compare orders of size only."

  func value(_ figure: CheckFigure) -> Double? {
    switch figure {
    case .latency: latencyMs
    case .pitch: pitchCents
    case .pitchP95: pitchP95Cents
    case .grossErrors: grossShare
    case .formants: formantPercent
    case .intelligibility: estoi
    case .cost: costShare
    case .missing, .tremolo, .clicks: nil
    }
  }
}

/// The best and the worst of the peers on one figure.
package struct PeerRange: Encodable, Equatable, Sendable {
  let best: Double
  let bestName: String
  let worst: Double
  let worstName: String

  /// Creates the range; `nil` if no peer has the figure.
  init?(_ figure: CheckFigure) {
    let known = Peer.all.compactMap { peer in peer.value(figure).map { (peer.name, $0) } }
    guard let low = known.min(by: { $0.1 < $1.1 }), let high = known.max(by: { $0.1 < $1.1 })
    else { return nil }
    let (best, worst) = figure.moreIsBetter ? (high, low) : (low, high)
    (bestName, self.best, worstName, self.worst) = (best.0, best.1, worst.0, worst.1)
  }
}
