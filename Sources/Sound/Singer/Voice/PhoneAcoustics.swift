import Foundation

/// The acoustic targets of a phone in a vocal tract of 17.5 cm.
///
/// Sources, rounded to 10 Hz:
/// - Vowels a, i and u: the men of Peterson and Barney, "Control methods used in a study of the
///   vowels", J. Acoust. Soc. Am. 24(2), 1952. e and o: the men of Hillenbrand et al., "Acoustic
///   characteristics of American English vowels", J. Acoust. Soc. Am. 97(5), 1995. ə: a uniform
///   tube.
/// - Formants of consonants, and bandwidths of sonorants: Klatt, "Software for a
///   cascade/parallel formant synthesizer", J. Acoust. Soc. Am. 67(3), 1980, table III. ŋ, which
///   is not in it, has the velar formants.
/// - Chosen by us: bandwidths of vowels, B2 and B3 of obstruents, zeros of nasals (Klatt has
///   450 Hz for all), and the shapes and levels of frication, whose bands are not Klatt's.
struct PhoneAcoustics {
  /// Frequencies of F1 to F3; F4 and F5 belong to the voice.
  var formantsHz: [Double]
  var bandwidthsHz: [Double]
  /// Level of the voice relative to a vowel; nil if voiceless.
  var voicingDb: Double?
  /// Turbulence at the open glottis, relative to the pulse's peak in a vowel.
  var aspirationDb: Double?
  /// Gains of `FricationBank`'s bands, in dB.
  var frication: [Double]?
  /// Frequency of a side branch's zero: the mouth behind closed lips or a raised tongue.
  var nasalZeroHz: Double?
  /// True if the tract takes its shape from the neighbouring phones.
  var isTransparent = false
}

extension Phone {
  var acoustics: PhoneAcoustics {
    switch self {
    case .a: vowel([730, 1090, 2440], [80, 90, 120])
    case .e: vowel([480, 2090, 2690], [60, 100, 130])
    case .i: vowel([270, 2290, 3010], [55, 110, 170])
    case .o: vowel([500, 910, 2460], [65, 80, 110])
    case .u: vowel([300, 870, 2240], [60, 80, 110])
    case .schwa: vowel([500, 1500, 2500], [65, 90, 120])
    case .m: nasal([480, 1270, 2130], [40, 200, 200], zeroHz: 1_000)
    case .n: nasal([480, 1340, 2470], [40, 300, 300], zeroHz: 1_700)
    case .ng: nasal([480, 1990, 2850], [40, 300, 300], zeroHz: 3_000)
    case .l: voiced([310, 1050, 2880], [50, 100, 280], db: -4)
    case .r: voiced([310, 1060, 1380], [70, 100, 120], db: -3)
    case .w: voiced([290, 610, 2150], [50, 80, 60], db: -3)
    case .j: voiced([260, 2070, 3020], [40, 250, 500], db: -3)
    case .v: voiced([220, 1100, 2080], [60, 90, 120], db: -10, frication: Self.labial, at: -14)
    case .z: voiced([240, 1390, 2530], [70, 60, 180], db: -11, frication: Self.alveolar, at: -9)
    case .zh: voiced([300, 1840, 2750], [70, 100, 300], db: -11, frication: Self.palatal, at: -9)
    case .f: noise([340, 1100, 2080], [200, 120, 150], Self.labial, at: -6)
    case .s: noise([320, 1390, 2530], [200, 80, 200], Self.alveolar, at: 0)
    case .sh: noise([300, 1840, 2750], [200, 100, 300], Self.palatal, at: 0)
    case .p: noise([400, 1100, 2150], [300, 150, 220], Self.labial, at: 2)
    case .t: noise([400, 1600, 2600], [300, 120, 250], Self.alveolarBurst, at: 4)
    case .k: noise([300, 1990, 2850], [250, 160, 330], Self.velarBurst, at: 4)
    case .b: voiced([200, 1100, 2150], [60, 110, 130], db: -16, frication: Self.labial, at: -2)
    case .d:
      voiced([200, 1600, 2600], [60, 100, 170], db: -16, frication: Self.alveolarBurst, at: 0)
    case .g: voiced([200, 1990, 2850], [60, 150, 280], db: -16, frication: Self.velarBurst, at: 0)
    case .h:
      PhoneAcoustics(
        formantsHz: [], bandwidthsHz: [], aspirationDb: -18, isTransparent: true)
    case .breath:
      PhoneAcoustics(
        formantsHz: [550, 1500, 2500], bandwidthsHz: [300, 200, 250], aspirationDb: -26)
    case .silence:
      PhoneAcoustics(formantsHz: [], bandwidthsHz: [], isTransparent: true)
    }
  }

  // Gains in dB of the bands at 1.2, 1.8, 2.7, 3.7, 4.9, 6.5 and 8.5 kHz and of the flat path.
  private static let labial: [Double] = [-24, -24, -24, -24, -22, -20, -20, -14]
  private static let alveolar: [Double] = [-60, -45, -36, -22, -8, -4, -8, -30]
  private static let palatal: [Double] = [-60, -22, -6, -6, -10, -16, -22, -34]
  private static let alveolarBurst: [Double] = [-40, -30, -20, -8, -6, -10, -16, -26]
  private static let velarBurst: [Double] = [-14, -4, -6, -20, -22, -26, -30, -32]

  private func vowel(_ formants: [Double], _ bandwidths: [Double]) -> PhoneAcoustics {
    voiced(formants, bandwidths, db: 0)
  }

  private func nasal(
    _ formants: [Double], _ bandwidths: [Double], zeroHz: Double
  ) -> PhoneAcoustics {
    PhoneAcoustics(
      formantsHz: formants, bandwidthsHz: bandwidths, voicingDb: -5, nasalZeroHz: zeroHz)
  }

  private func voiced(
    _ formants: [Double], _ bandwidths: [Double], db: Double, frication: [Double]? = nil,
    at fricationDb: Double = 0
  ) -> PhoneAcoustics {
    PhoneAcoustics(
      formantsHz: formants, bandwidthsHz: bandwidths, voicingDb: db,
      frication: frication?.map { $0 + fricationDb })
  }

  private func noise(
    _ formants: [Double], _ bandwidths: [Double], _ frication: [Double], at fricationDb: Double
  ) -> PhoneAcoustics {
    PhoneAcoustics(
      formantsHz: formants, bandwidthsHz: bandwidths, frication: frication.map { $0 + fricationDb })
  }
}
