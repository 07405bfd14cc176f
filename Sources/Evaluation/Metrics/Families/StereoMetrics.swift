import Analyzer
import DSP
import Foundation
import Subjects

extension Metric {
  /// The stereo image, of subjects that are judged in stereo.
  static let stereo: [Metric] = [
    ofStereo(
      .init(
        "stereo.level_difference", unit: "dB", .target,
        "Level of the right channel less that of the left")
    ) { image in try image.levelDifferenceDb.get() },
    // Wide or narrow is a matter of taste; the loss in mono is not.
    ofStereo(
      .init(
        "stereo.correlation", unit: "ratio", .target,
        "Correlation of the channels: 1 if equal, 0 if unrelated, -1 if one is the other upside down",
        describes: true)
    ) { image in try image.correlation.get() },
    ofStereo(
      .init(
        "stereo.mono_loss", unit: "dB", .lower,
        "Level lost in mono: mean power of the channels over that of their mean; 0 if equal, 3 if "
          + "unrelated, at most 60")
    ) { image in image.monoLossDb },
    ofStereo(
      .init(
        "stereo.mono_loss.worst_band", unit: "dB", .lower,
        "Largest level lost in mono of a third octave, as by a comb filter")
    ) { image in try image.worstBandLossDb.get() },
  ]

  private static func ofStereo(
    _ figure: Figure, _ part: @escaping @Sendable (StereoImage) throws -> Double
  ) -> Metric {
    Metric(
      figure,
      domain:
        "subjects judged in stereo, which are not silent; bands from 100 Hz to 10 kHz within 30 "
        + "dB of the loudest"
    ) { observation in
      guard let stereo = observation.rendering.stereo else { throw Undefined.noStereo }
      guard [stereo.left, stereo.right].allSatisfy({ $0.firstNonFinite == nil }) else {
        throw Undefined(.notFinite, "some samples are no finite numbers")
      }
      guard let image = StereoImage(of: stereo) else {
        throw Undefined(.silent, "both channels are silent")
      }
      return [.value(try part(image), count: stereo.left.count)]
    }
  }
}

/// Powers of two channels and of their mean, over a whole sound.
struct StereoImage {
  private let stereo: StereoSound
  private let left: Double
  private let right: Double
  private let product: Double

  /// Largest loss that is stated: the channels cancel.
  private static let maxLossDb = 60.0

  /// Returns `nil` for a silent sound.
  init?(of stereo: StereoSound) {
    self.stereo = stereo
    var (left, right, product) = (0.0, 0.0, 0.0)
    for (a, b) in zip(stereo.left.samples, stereo.right.samples) {
      left += Double(a) * Double(a)
      right += Double(b) * Double(b)
      product += Double(a) * Double(b)
    }
    guard left + right > 0 else { return nil }
    (self.left, self.right, self.product) = (left, right, product)
  }

  private static let oneSided = Undefined(.silent, "one channel is silent")

  var levelDifferenceDb: Result<Double, Undefined> {
    left > 0 && right > 0 ? .success(10 * log10(right / left)) : .failure(Self.oneSided)
  }

  var correlation: Result<Double, Undefined> {
    left > 0 && right > 0
      ? .success(product / (left * right).squareRoot()) : .failure(Self.oneSided)
  }

  var monoLossDb: Double { Self.lossDb(left, right, mean: (left + right + 2 * product) / 4) }

  /// Returns the mean power of two channels over that of their mean, in dB.
  private static func lossDb(_ left: Double, _ right: Double, mean: Double) -> Double {
    let power = (left + right) / 2
    return min(maxLossDb, max(0, 10 * log10(power / max(mean, power * 1e-6))))
  }

  /// The loss of the third octave that loses most.
  var worstBandLossDb: Result<Double, Undefined> {
    let count = stereo.left.count
    guard count > 1 else { return .failure(Undefined(.tooShort, "one sample has no bands")) }
    var ofLeft = FourierTransform(count: count)
    var ofRight = FourierTransform(count: count)
    ofLeft.forward(stereo.left.samples.span)
    ofRight.forward(stereo.right.samples.span)
    let bands = (0...20).compactMap { step -> (power: Double, lossDb: Double)? in
      let centre = 100 * exp2(Double(step) / 3)
      let bins = ofLeft.thirdOctave(aroundHz: centre, sampleRateHz: stereo.left.sampleRateHz)
      var (left, right, mean) = (0.0, 0.0, 0.0)
      for bin in bins {
        let (a, b) = (ofLeft[bin], ofRight[bin])
        left += Double(a.power)
        right += Double(b.power)
        let (re, im) = (Double(a.re + b.re) / 2, Double(a.im + b.im) / 2)
        mean += re * re + im * im
      }
      return left + right > 0 ? (left + right, Self.lossDb(left, right, mean: mean)) : nil
    }
    let minPower = (bands.map(\.power).max() ?? 0) / 1000
    guard let worst = bands.filter({ $0.power >= minPower }).map(\.lossDb).max() else {
      return .failure(Undefined(.tooQuiet, "no sound from 100 Hz to 10 kHz"))
    }
    return .success(worst)
  }
}
