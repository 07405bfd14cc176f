import Analyzer
import CommandSupport
import DSP
import Foundation
import Harmonizer
import Instrument
import Music

/// The view of a running session: redrawn in place on a terminal, a line a second elsewhere.
struct LiveView {
  /// The figures to show.
  struct State {
    var preset = ""
    var seconds = 0.0
    var inputHz: Double?
    /// Peak of the input since the last look, decaying.
    var inputPeak: Float = 0
    var keys: Set<Int> = []
    var voices: [TruthLog.Entry] = []
    var load = 0.0
    var maxLoad = 0.0
    var xruns = 0
    private var past: [Float] = []

    /// Pitch and level of the newest input.
    mutating func update(_ input: [Float], rateHz: Double) {
      guard !input.isEmpty else { return }
      inputPeak = max(inputPeak * 0.8, input.reduce(0) { max($0, abs($1)) })
      past = Array((past + input).suffix(Int(0.12 * rateHz)))
      let track = PitchTracker.standard.track(Signal(past, sampleRateHz: rateHz))
      inputHz = inputPeak > 0.003 ? track.f0Hz.last { $0 > 0 } : nil
    }
  }

  private let isInPlace: Bool
  private var shownLines = 0
  private var lastLine = -1.0

  init() { isInPlace = Terminal.isInteractive }

  mutating func show(_ state: State) {
    if isInPlace {
      let lines = Self.lines(state)
      let back = shownLines > 0 ? "\u{1B}[\(shownLines)A" : ""
      Terminal.progress(back + lines.map { "\r\u{1B}[K\($0)\n" }.joined())
      shownLines = lines.count
    } else if state.seconds - lastLine >= 1 {
      lastLine = state.seconds
      Terminal.progress(Self.lines(state).joined(separator: "  ") + "\n")
    }
  }

  static func lines(_ state: State) -> [String] {
    [
      "\(format(state.seconds, 1)) s  preset \(state.preset)",
      "input   \(pitch(state.inputHz))  \(level(state.inputPeak))",
      "keys    \(keys(state.keys))",
      "voices  \(voices(state))",
      "load    \(format(100 * state.load, 0)) %, longest block \(format(100 * state.maxLoad, 0)) %  "
        + "xruns \(state.xruns)",
    ]
  }

  /// A pitch such as "A3 +12 cents".
  private static func pitch(_ hz: Double?) -> String {
    guard let hz else { return "no pitch" }
    let semitones = NoteNumber(hz: hz).semitones
    let cents = Int(((semitones - semitones.rounded()) * 100).rounded())
    return "\(NoteNumber(semitones.rounded())) \(cents < 0 ? "" : "+")\(cents) cents"
  }

  private static func level(_ peak: Float) -> String {
    peak > 0.00003 ? "\(format(20 * log10(Double(peak)), 0)) dB" : "silent"
  }

  private static func keys(_ keys: Set<Int>) -> String {
    guard !keys.isEmpty else { return "none held" }
    let names = keys.sorted().map { "\(NoteNumber(Double($0)))" }.joined(separator: " ")
    let chord = Chord.identified(from: Array(keys)).first
    return chord.map { "\(names) (\($0))" } ?? names
  }

  private static func voices(_ state: State) -> String {
    let sounding = state.voices.filter { $0.gain > 0.001 }
    guard !sounding.isEmpty else { return "silent" }
    return sounding.map { voice in
      let hz = voice.targetHz ?? state.inputHz.map { $0 * exp2(voice.intervalSemitones / 12) }
      return hz.map { "\(NoteNumber(NoteNumber(hz: $0).semitones.rounded()))" } ?? "–"
    }.joined(separator: " ")
  }
}
