import DSP
import Singer

/// Four singers of the house choir, each on a tone of a named chord.
public enum ChordOfVoices {
  private static let formulas: [(String, [Int])] = [
    ("maj", [0, 4, 7]), ("min", [0, 3, 7]), ("7", [0, 4, 7, 10]), ("min7", [0, 3, 7, 10]),
    ("maj7", [0, 4, 7, 11]), ("dim", [0, 3, 6]), ("sus4", [0, 5, 7]),
  ]

  public static func mix(_ number: Int, seed: UInt64) throws -> (signal: Signal, label: String) {
    var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
    let formula = formulas[number % formulas.count]
    let root = Int(random.uniform() * 12)
    let tones =
      formula.1 + [0, 7, 4].prefix(4 - formula.1.count).map { formula.1.contains($0) ? $0 : 0 }
    let ranges: [(Voice, Int)] = [(.bass, 41), (.tenor, 50), (.alto, 55), (.soprano, 62)]
    var mixed: [Float] = []
    for (index, (voice, lowest)) in ranges.enumerated() {
      let wanted = root + tones[index]
      let note = lowest + ((wanted - lowest) % 12 + 12) % 12
      var phrase = Phrase(voice: voice, beatsPerMinute: 60, leadSeconds: 0.05)
      let vowel = ["a", "o", "e", "u", "i"][Int(random.uniform() * 5)]
      phrase.sing(semitones: Double(note), beats: 1, vowel) {
        $0.vibrato = Singer.Vibrato(extentCents: 40, rateHz: 5.2 + 0.2 * Double(index))
      }
      let sung = try phrase.performance(seed: UInt64(index + 1)).render(sampleRateHz: 22_050).signal
      if mixed.isEmpty { mixed = Array(repeating: 0, count: sung.count) }
      for n in 0..<min(mixed.count, sung.count) { mixed[n] += sung.samples[n] }
    }
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    return (Signal(mixed, sampleRateHz: 22_050), "\(names[root]):\(formula.0)")
  }
}
