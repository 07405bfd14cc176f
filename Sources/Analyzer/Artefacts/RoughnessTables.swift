/// The curves of the roughness model, interpolated linearly.
///
/// - Source: Zwicker and Fastl, "Psychoacoustics", 2nd ed., table 6.1 and figures 2.1 and 8.18;
///   Aures, "Ein Berechnungsverfahren der Rauhigkeit", Acustica 58, 1985, for the importance of a
///   channel; Daniel and Weber 1997, figure 2, for the modulation rates.
enum RoughnessTables {
  struct Curve: Sendable {
    let x: [Double]
    let y: [Double]

    /// Interpolates at `place`; constant beyond both ends.
    func value(at place: Double) -> Double {
      guard place > x[0] else { return y[0] }
      guard let above = x.firstIndex(where: { $0 >= place }) else { return y[y.count - 1] }
      let share = (place - x[above - 1]) / (x[above] - x[above - 1])
      return y[above - 1] + share * (y[above] - y[above - 1])
    }
  }

  /// Place in Bark of a frequency in Hz.
  static let bark = Curve(
    x: [
      0, 50, 100, 150, 200, 250, 300, 350, 400, 450, 510, 570, 630, 700, 770, 840, 920, 1000, 1080,
      1170, 1270, 1370, 1480, 1600, 1720, 1850, 2000, 2150, 2320, 2500, 2700, 2900, 3150, 3400,
      3700,
      4000, 4400, 4800, 5300, 5800, 6400, 7000, 7700, 8500, 9500, 10_500, 12_000, 13_500, 15_500,
      20_000,
    ],
    y: (0..<50).map { Double($0) / 2 })

  /// Threshold in quiet in dB, by place in Bark.
  static let thresholdDb = Curve(
    x: [
      0, 0.01, 0.17, 0.8, 1, 1.5, 2, 3.3, 4, 5, 6, 8, 10, 12, 13.3, 15, 16, 17, 18, 19, 20, 21, 22,
      23, 24, 24.5, 25,
    ],
    y: [
      130, 70, 60, 30, 25, 20, 15, 10, 8.1, 6.3, 5, 3.5, 2.5, 1.7, 0, -2.5, -4, -3.7, -1.5, 1.4,
      3.8,
      5, 7.5, 15, 48, 60, 130,
    ])

  /// Gain of the outer and middle ear in dB, by place in Bark.
  static let earDb = Curve(
    x: [
      0, 10, 12, 13, 14, 15, 16, 16.5, 17, 18, 18.5, 19, 20, 21, 21.5, 22, 22.5, 23, 23.5, 24, 25,
      26,
    ],
    y: [
      0, 0, 1.15, 2.31, 3.85, 5.62, 6.92, 7.38, 6.92, 4.23, 2.31, 0, -1.43, -2.59, -3.57, -5.19,
      -7.41, -11.3, -20, -40, -130, -999,
    ])

  /// Weight of a channel, by place in Bark.
  static let importance = Curve(
    x: (0..<25).map(Double.init),
    y: [
      0.15, 0.26, 0.38, 0.47, 0.54, 0.65, 0.76, 0.83, 0.90, 0.98, 0.98, 0.90, 0.80, 0.70, 0.62,
      0.54,
      0.49, 0.43, 0.39, 0.35, 0.30, 0.30, 0.30, 0.30, 0.30,
    ])

  /// Weight of a modulation rate in Hz, for a channel from 0 to 46.
  static func modulation(channel: Int) -> Curve {
    switch channel {
    case ..<4: lowest
    case ..<15: low
    case ..<20: middle
    case ..<41: high
    default: highest
    }
  }

  private static let lowest = Curve(
    x: [0, 17, 23, 25, 32, 37, 48, 67, 90, 114, 171, 206, 247, 294, 358],
    y: [0, 0.8, 0.95, 0.975, 1, 0.975, 0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1, 0])
  private static let low = Curve(
    x: [0, 32, 43, 56, 69, 92, 120, 142, 165, 231, 277, 331, 397, 502],
    y: [0, 0.8, 0.95, 1, 0.975, 0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1, 0])
  private static let middle = Curve(
    x: [
      0, 23.5, 34, 47, 56, 63, 79, 100, 115, 135, 159, 172, 194, 215, 244, 290, 348, 415, 500, 645,
    ],
    y: [
      0, 0.4, 0.6, 0.8, 0.9, 0.95, 1, 0.975, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2,
      0.1,
      0,
    ])
  private static let high = Curve(
    x: [
      0, 19, 44, 52.5, 58, 75, 101.5, 114.5, 132.5, 143.5, 165.5, 197.5, 241, 290, 348, 415, 500,
      645,
    ],
    y: [0, 0.4, 0.8, 0.9, 0.95, 1, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0])
  private static let highest = Curve(
    x: [
      0, 15, 41, 49, 53, 64, 71, 88, 94, 106, 115, 137, 180, 238, 290, 348, 415, 500, 645,
    ],
    y: [
      0, 0.4, 0.8, 0.9, 0.965, 0.99, 1, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0,
    ])
}
