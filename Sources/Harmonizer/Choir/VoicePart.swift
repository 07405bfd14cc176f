import DSP

/// The part of one voice of the choir.
public struct VoicePart: ParameterizedSettings {
  public enum Role: Codable, Equatable, Sendable {
    /// A fixed distance from the lead.
    case interval(semitones: Double)
    /// A step of the key from the lead's note: 3 a third above, -3 a third below, 8 an octave.
    case degree(Int)
    /// A distance for each of the twelve notes above the tonic that the lead may sing; `nil` is
    /// silence.
    case map(semitones: [Int?])
    /// A tone of the present chord, led from chord to chord with the other voices of this role.
    /// They are listed from the lowest up.
    case chord(VoiceLeading.Register)
    /// A note held on the keyboard, chosen by the allocator.
    case held
    /// One key, always.
    case pedal(key: Int)
    /// The note that `setNote` set last for this voice, for apps that allocate notes themselves.
    case explicit
    /// A tone of the present chord above the lead's note, by an octave at most.
    case descant
  }

  public var role = Role.explicit
  /// Share of the lead's deviation from its note, its vibrato included, that the voice follows: 0
  /// stays on the tuned note, 1 moves with the lead.
  ///
  /// Unless given, 1 for intervals, degrees and maps, and for all in barbershop tuning, whose
  /// chords stand on what the lead sings; else 0.
  public var leadShare: Double?

  public static let parameters: [Parameter<VoicePart>] = [
    .init("role", required: \.role),
    .init("leadShare", optional: \.leadShare, in: 0...1, "share of the lead's deviation"),
  ]

  public init() {}

  public init(_ role: Role, leadShare: Double? = nil) {
    (self.role, self.leadShare) = (role, leadShare)
  }

  public func validate() throws(SettingsError) {
    try validateParameters()
    switch role {
    case .interval(let semitones): try require("semitones", semitones, in: -48...48)
    case .degree(let degree):
      try require("degree", Double(degree), in: degree < 0 ? -15 ... -1 : 1...15)
    case .map(let semitones):
      try require("the number of semitones in a map", Double(semitones.count), in: 12...12)
      for case let semitones? in semitones {
        try require("semitones", Double(semitones), in: -48...48)
      }
    case .pedal(let key): try require("key", Double(key), in: 0...127)
    case .chord, .held, .explicit, .descant: break
    }
  }

  /// True if the voice can't be without the lead.
  var followsLead: Bool {
    switch role {
    case .interval, .degree, .map: true
    case .chord, .held, .pedal, .explicit, .descant: false
    }
  }
}
