import DSP

/// The outline of a sound for the time line of a player: its peaks in columns of equal length, each
/// as one character from `0` (silence) to `z` (the sound's own peak).
///
/// Amplitudes are drawn by their square root, so that quiet consonants stay visible.
struct SoundOutline {
  static let columns = 180

  let text: String

  init(of signal: Signal) {
    let columns = min(Self.columns, signal.count)
    let peaks = (0..<columns).map { column -> Float in
      let range = signal.count * column / columns..<signal.count * (column + 1) / columns
      return signal.samples[range].reduce(0) { max($0, abs($1)) }
    }
    let highest = peaks.max() ?? 0
    text = String(
      peaks.map { peak -> Character in
        let height = highest > 0 ? (peak / highest).squareRoot() : 0
        return Self.digits[Int((height * Float(Self.digits.count - 1)).rounded())]
      })
  }

  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
}
