import Analyzer
import DSP

/// Pitch-synchronous overlap-add: what can be chosen for `PSOLABank`.
public enum PSOLA {
  /// Pitch of a voice that is as late as sound without pitch.
  public static var passingHz: Double { 196 }

  /// Settings; every report has a copy.
  public struct Settings: Codable, Equatable, Sendable {
    /// Look-ahead, in periods of the voice. Marks wait for half of it; the rest is for grains to
    /// begin at marks already known.
    public var lookAheadPeriods: Double
    /// Shift of the formants, whatever the pitch does; 0 keeps them.
    public var formantShiftSemitones: Double
    /// The lowest and the highest pitch that is looked for.
    public var floorHz: Double
    public var ceilingHz: Double
    /// Distance of the tracker's looks for a voice while there is none.
    public var unvoicedMs: Double
    /// Level of sound without pitch, which is passed as it is; 0 leaves consonants to the lead.
    public var unvoicedGain: Double
    /// True if the harmonics of high voices, which grains alone join badly, are brought to the
    /// envelope.
    public var envelopeCorrected: Bool

    public init(
      lookAheadPeriods: Double = 1, formantShiftSemitones: Double = 0, floorHz: Double = 60,
      ceilingHz: Double = 1200, unvoicedMs: Double = 2, unvoicedGain: Double = 1,
      envelopeCorrected: Bool = false
    ) {
      self.lookAheadPeriods = lookAheadPeriods
      self.formantShiftSemitones = formantShiftSemitones
      self.floorHz = floorHz
      self.ceilingHz = ceilingHz
      self.unvoicedMs = unvoicedMs
      self.unvoicedGain = unvoicedGain
      self.envelopeCorrected = envelopeCorrected
    }

    /// Omitted settings keep their defaults.
    public init(from decoder: any Decoder) throws {
      self.init()
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func read<Value: Decodable>(_ value: inout Value, _ key: CodingKeys) throws {
        if let known = try container.decodeIfPresent(Value.self, forKey: key) { value = known }
      }
      try read(&lookAheadPeriods, .lookAheadPeriods)
      try read(&formantShiftSemitones, .formantShiftSemitones)
      try read(&floorHz, .floorHz)
      try read(&ceilingHz, .ceilingHz)
      try read(&unvoicedMs, .unvoicedMs)
      try read(&unvoicedGain, .unvoicedGain)
      try read(&envelopeCorrected, .envelopeCorrected)
    }

    public func validate() throws(SettingsError) {
      try require("lookAheadPeriods", lookAheadPeriods, in: 0...2)
      try require("formantShiftSemitones", formantShiftSemitones, in: -12...12)
      try require("unvoicedGain", unvoicedGain, in: 0...1)
      try tracking.validate()
    }

    /// Settings of the marks. The pull is gentle, for each one bends the pitch; voice is believed
    /// sooner than by default, for sound taken for no voice keeps its own pitch; and a higher pitch
    /// is hardly preferred, for what a vowel rings at as it ends is higher, and would be held on
    /// to. For the same reason a period has to prove itself, which takes little more time and lets
    /// hiss pass as it is. Since it does, the newest pitch is believed without waiting for more.
    var tracking: EpochTracker.Settings {
      var tracking = EpochTracker.Settings()
      tracking.pitch.floorHz = floorHz
      tracking.pitch.ceilingHz = ceilingHz
      tracking.pitch.voicingThreshold = 0.25
      tracking.pitch.voicingChangeCost = 0.01
      tracking.pitch.silenceThreshold = 0.01
      tracking.pitch.octaveCost = 0.035
      tracking.pitch.hopMs = 2.5
      tracking.pitch.lookAheadMs = 0
      tracking.lookAheadPeriods = lookAheadPeriods / 2
      tracking.unvoicedMs = unvoicedMs
      tracking.pull = 0.02
      tracking.proofMs = 3
      tracking.heldBackMs = 20
      return tracking
    }
  }
}
