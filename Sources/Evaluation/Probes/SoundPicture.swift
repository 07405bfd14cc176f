import Analyzer

/// The levels of a sound over time and frequency, ready to be drawn.
public struct SoundPicture: Sendable {
  /// Time between columns; column `i` is centred at `i * hopSeconds`.
  public let hopSeconds: Double
  /// Frequency of each row, rising by equal ratios.
  public let frequenciesHz: [Double]
  /// Levels by column, then row.
  public let levelsDb: [[Float]]

  package init(_ spectrogram: Spectrogram) {
    hopSeconds = spectrogram.hopSeconds
    (frequenciesHz, levelsDb) = (spectrogram.frequenciesHz, spectrogram.levelsDb)
  }
}
