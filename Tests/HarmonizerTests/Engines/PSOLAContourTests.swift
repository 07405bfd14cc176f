import DSP
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@testable import Harmonizer

private let rateHz = 48_000.0

/// Vibratos, steep slopes and steps through `psola`: their extent, their delay and their pitch.
@Suite struct PSOLAContourTests {
  /// A vibrato of 50 cents at 5.5 Hz, compared with the same vowel synthesized at the target pitch.
  /// Without look-ahead a period is predicted two to three periods ahead, 0.4 to 0.8 rad of the
  /// vibrato at 130 Hz; the trend's curvature leaves a twentieth of that squared, with look-ahead
  /// half of it. An octave down a period is the mean of two input periods, which takes (2π · 5.5 Hz
  /// · T)² / 6 of the extent. Which of the two periods a grain is cut from depends on where the voice
  /// began, by 0.010 of the extent at 130 Hz: the mean is over beginnings within two periods.
  @Test(arguments: [-12.0, 5, 12], [0.0, 1]) func aVibratoKeepsItsExtent(
    semitones: Double, lookAhead: Double
  ) throws {
    for hz in [130.0, 185] {
      let ratio = exp2(semitones / 12)
      let wanted = swing(swinging(hz: hz, ratio: ratio), around: hz * ratio).cents
      let extents = try (0..<4).map { quarter in
        let lead = Int(0.25 * Double(quarter) * 2 * rateHz / hz)
        var voice = try psolaVoice(semitones, .init { $0.lookAheadPeriods = lookAhead })
        let output = voice.render(swinging(hz: hz, ratio: 1, lead: lead))
        return swing(Array(output.dropFirst(lead)), around: hz * ratio).cents
      }
      let kept = extents.reduce(0, +) / 4 / wanted
      let mean = ratio < 0.6 ? pow(2 * .pi * 5.5 / hz, 2) / 6 : 0
      #expect(abs(kept - 1) < (lookAhead == 0 ? 0.035 : 0.02) + mean, "\(hz) Hz")
    }
  }

  /// The pitch contour of a voice that varies as steeply as speech has the delay that the law
  /// states for the note. An earlier version was half a period later, 2.6 ms at 196 Hz. The
  /// steepest slopes are 20, 50 and 100 semitones a second. A window of three periods and marks
  /// predicted by a fifth of one leave 0.35 ms. Without look-ahead the contour may be ahead by the
  /// two periods predicted.
  @Test(arguments: [58.0, 145, 290], [-5.0, 4, 7])
  func theContourIsNoLaterThanTheLaw(extentCents: Double, semitones: Double) throws {
    for hz in [196.0, 294] {
      let ratio = exp2(semitones / 12)
      let wanted = swing(
        swinging(hz: hz, ratio: ratio, extentCents: extentCents), around: hz * ratio)
      for lookAhead in [1.0, 0] {
        let settings = PSOLA.Settings { $0.lookAheadPeriods = lookAhead }
        var voice = try psolaVoice(semitones, settings)
        let output = voice.render(swinging(hz: hz, ratio: 1, extentCents: extentCents))
        let late = swing(output, around: hz * ratio).lateMs - wanted.lateMs
        let law = PSOLA.Law(settings).delayMs(noteHz: hz, shiftSemitones: semitones)
        #expect(late - law < 0.5, "\(hz) Hz, look-ahead \(lookAhead)")
        #expect(late - law > (lookAhead > 0 ? -0.5 : -1.25), "\(hz) Hz, look-ahead \(lookAhead)")
      }
    }
  }

  /// A voice that steps by two semitones twelve times a second, against the same voice at the target pitch.
  /// Grains that begin before a step are cut at marks predicted wrong. Corrected, the worst of the contour is
  /// 33 and 34 cents off, left where they were 52 and 68.
  @Test(arguments: [4.0, 7]) func aVoiceThatStepsKeepsItsPitch(semitones: Double) throws {
    let ratio = exp2(semitones / 12)
    var voice = try psolaVoice(semitones, .init())
    let output = voice.render(stepping(ratio: 1))
    let law = PSOLA.Law(.init()).delayMs(noteHz: 212, shiftSemitones: semitones)
    let late = Int(law / 1000 * rateHz)
    let found = contour(Array(output.dropFirst(late)), around: 212 * ratio, steps: 200).cents
    let wanted = contour(stepping(ratio: ratio), around: 212 * ratio, steps: 200).cents
    #expect(zip(found, wanted).map { abs($0 - $1) }.max()! < 40)
  }
}

/// A sound of 1.5 s that steps between 200 and 224 Hz, times a ratio.
private func stepping(ratio: Double) -> [Float] {
  var turns = 0.0
  return (0..<72_000).map { i in
    let f0 = ratio * (Int(12 * Double(i) / rateHz) % 2 == 0 ? 200 : 224)
    turns += f0 / rateHz
    return Float(cosines(levels(f0), atTurns: turns))
  }
}

/// A sound of 0.85 s: harmonics under a resonance at 700 Hz, with a vibrato at 5.5 Hz. It begins
/// `lead` samples before that.
private func swinging(
  hz: Double, ratio: Double, extentCents: Double = 50, lead: Int = 0
) -> [Float] {
  var turns = 0.0
  return (-lead..<40_800).map { i in
    let cents = extentCents * sin(2 * .pi * 5.5 * Double(i) / rateHz)
    let f0 = hz * ratio * exp2(cents / 1200)
    turns += f0 / rateHz
    return Float(cosines(levels(f0), atTurns: turns))
  }
}

/// Amplitudes of the harmonics up to 1500 Hz under a resonance at 700 Hz.
private func levels(_ f0: Double) -> [Double] {
  var levels: [Double] = []
  var hz = f0
  while hz <= 1500 {
    let place = (hz - 700) / 300
    levels.append(0.1 / (1 + place * place))
    hz += f0
  }
  return levels
}

/// Extent and delay of a vibrato at 5.5 Hz over three of its waves.
private func swing(_ sound: [Float], around hz: Double) -> (cents: Double, lateMs: Double) {
  contour(sound, around: hz, steps: PitchContour.steps(waves: 3)).swing
}

/// The pitch from 0.2 s on, under windows of three periods.
private func contour(_ sound: [Float], around hz: Double, steps: Int) -> PitchContour {
  PitchContour(of: sound, near: hz, from: 9_600, width: Int(3 * rateHz / hz), steps: steps)
}
