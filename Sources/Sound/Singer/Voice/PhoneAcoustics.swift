import Foundation

/// The acoustic targets of a phone in a vocal tract of 17.5 cm; phones.json has those of each.
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
///   450 Hz for all), and the shapes and levels of frication, whose bands are not Klatt's: a shape for
///   labials, alveolars and palatals, and for the bursts of t and k, at a level of each phone.
struct PhoneAcoustics: Decodable {
  /// Frequencies of F1 to F3; F4 and F5 belong to the voice. `nil` if the tract takes its shape from
  /// the neighbouring phones.
  var formantsHz: [Double]?
  var bandwidthsHz: [Double]?
  /// Level of the voice relative to a vowel; nil if voiceless.
  var voicingDb: Double?
  /// Turbulence at the open glottis, relative to the pulse's peak in a vowel.
  var aspirationDb: Double?
  /// Gains in dB of `FricationBank`'s bands, at 1.2, 1.8, 2.7, 3.7, 4.9, 6.5 and 8.5 kHz, and of its
  /// flat path.
  var frication: [Double]?
  /// Frequency of a side branch's zero: the mouth behind closed lips or a raised tongue.
  var nasalZeroHz: Double?
}

extension Phone {
  var acoustics: PhoneAcoustics { Self.table[rawValue]! }

  private static let table = try! JSONDecoder().decode(  // the file is part of the program
    [String: PhoneAcoustics].self, from: Data(PackageResources.phones_json))
}
