import Analyzer
import Corpus
import DSP
import Foundation
import Platform
import Statistics

/// A trial of a program at 0 semitones: checks that it runs and that its output is the same voice.
///
/// A program that misreads the samples, for example floats as integers, returns noise at any interval,
/// and its measurements would mean nothing.
public struct SubjectTrial: Codable, Equatable, Sendable {
  /// Largest normalized cross-correlation of the waveforms.
  public var waveformCorrelation: Double
  /// Correlation of levels in third-octave bands, which does not depend on phase.
  public var spectrumCorrelation: Double
  public var gainDb: Double
  /// A remark about the output.
  public var note: String?
  /// The advice on the subject's file if the output is another voice.
  private var remedy = SubjectFile.Kind.command.trialRemedy

  private enum CodingKeys: CodingKey {
    case waveformCorrelation, spectrumCorrelation, gainDb, note
  }

  /// Largest plausible gain of a harmonizer.
  static let maxGainDb = 12.0
  /// Lowest correlation of the same voice.
  static let minCorrelation = 0.5

  /// Runs the trial.
  ///
  /// - Throws: the subject's error.
  public init(of subject: any Subject, settings: SubjectSettings = [:]) throws {
    let bench = try ProbeBench(subject, settings: settings)
    // For programs that sing notes, the note is the A of the sound.
    let input = ProbeSounds.swell(hz: 220, sampleRateHz: 48_000)
    let score = bench.score(noteHz: 220, semitones: 0)
    let rendering = try bench.render(input, score)
    // Voices in unison add up.
    let share = 1 / Float(score.voices.count + (rendering.holdsDryVoice ? 1 : 0))
    let mix = Signal(rendering.mix.samples.map { $0 * share }, sampleRateHz: input.sampleRateHz)
    self.init(of: mix, from: input)
    note = rendering.note
    if let kind = subject.external?.file.kind { remedy = kind.trialRemedy }
  }

  init(of output: Signal, from input: Signal) {
    gainDb = 20 * log10(max(output.rms, 1e-9) / max(input.rms, 1e-9))
    waveformCorrelation = (try? WaveformDelay(of: output, from: input).correlation) ?? 0
    spectrumCorrelation = Statistics.pearson(Self.levels(output), Self.levels(input)) ?? 0
  }

  /// The reason why the output can't be the same voice; `nil` if it can.
  public var problem: String? {
    var reasons: [String] = []
    if abs(gainDb) > Self.maxGainDb { reasons.append("its level changes by \(gain) dB") }
    if max(waveformCorrelation, spectrumCorrelation) < Self.minCorrelation {
      reasons.append("its waveform and its spectrum differ from the input's")
    }
    guard !reasons.isEmpty else { return nil }
    return
      "at 0 semitones \(reasons.joined(separator: " and ")) (\(words)); \(remedy)"
  }

  /// The figures in words: `correlation 0.998, of spectra 0.999, gain -0.1 dB`.
  public var words: String {
    "correlation \(fixed(waveformCorrelation, 3)), of spectra \(fixed(spectrumCorrelation, 3)), "
      + "gain \(gain) dB"
  }

  private var gain: String { (gainDb >= 0.05 ? "+" : "") + fixed(gainDb) }

  /// Returns the levels in dB of third octaves from 100 Hz to 8 kHz, limited to 60 dB below the loudest.
  private static func levels(_ signal: Signal) -> [Double] {
    guard signal.count > 1 else { return [] }
    // A power of two: plans of transforms are kept, so there should be few lengths.
    let count = powerOfTwo(above: signal.count - 1)
    var transform = FourierTransform(count: count)
    transform.forward(signal.samples.span)
    let powers = (0..<20).map { band in
      transform.thirdOctave(
        aroundHz: 100 * exp2(Double(band) / 3), sampleRateHz: signal.sampleRateHz
      ).reduce(0) { $0 + Double(transform[$1].power) }
    }
    let least = max(powers.max() ?? 0, 1e-20) * 1e-6
    return powers.map { 10 * log10(max($0, least)) }
  }
}

extension SubjectFile.Kind {
  /// The advice if the output of such a subject is another voice.
  fileprivate var trialRemedy: String {
    switch self {
    case .command:
      "check that it reads the sample format (inputFormat: pcm16, pcm24 or float)"
    case .stream: "check that it reads and writes 32-bit floats"
    case .lv2, .ladspa, .clap, .library:
      "check its ports: the pitch has to get {semitones} or the like, and the wet sound has to be heard"
    case .folder: "check that the files are renderings of these recordings"
    }
  }
}
