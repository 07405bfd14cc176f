/// Sizes and weights of a network that scripts/train-pitch fitted, which says on what, and wrote to the folder
/// Weights: the sizes on the first line, then the weights. Each file is read once.
struct NetworkTable: Sendable {
  /// The rating of a candidate period by `CandidateEvidence`.
  static let periods = NetworkTable(PackageResources.periods_txt)
  /// The log odds of a voice.
  static let voicing = NetworkTable(PackageResources.voicing_txt)
  /// The same where no period repeats clearly, by `SubharmonicSummation` too.
  static let noisyPeriods = NetworkTable(PackageResources.noisy_periods_txt)
  static let noisyVoicing = NetworkTable(PackageResources.noisy_voicing_txt)
  /// The same in `StreamingPitchTracker`.
  static let livePeriods = NetworkTable(PackageResources.live_periods_txt)
  static let liveVoicing = NetworkTable(PackageResources.live_voicing_txt)

  let sizes: [Int]
  let weights: [Float]

  private init(_ file: [UInt8]) {
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    sizes = lines[0].split(separator: " ").compactMap { Int($0) }
    weights = lines.dropFirst().flatMap { $0.split(separator: " ").compactMap { Float($0) } }
  }
}
