/// Reasons for which a measurement has no value whatever the subject does: the recording, the score or
/// the kind of subject leaves nothing to measure.
///
/// All others tell of trouble, or might: an output without a pitch is undefined too.
public enum NaturalGap {
  public static func explains(_ reason: String) -> Bool {
    beginnings.contains { reason.hasPrefix($0) }
  }

  private static let beginnings = [
    // The score asks for nothing of the kind.
    "the score moves no note", "the score tunes nothing", "the score has one voice only",
    // The recording has nothing of the kind.
    "a probe has no voice", "tried on probes only", "measured on the impulse probe",
    "impulses are measured by",
    "the input holds no impulses", "only the synthetic singer has an oracle",
    "nobody wrote down the recording's phones", "the recording has no plosives",
    "no such consonant has noise", "no note has a vibrato on both sides",
    "the reference has no onset", "nothing in the input begins clearly",
    "there is no quiet stretch", "the pitch is too high to tell F1",
    // There is too little of it.
    "nowhere is the sound loud for", "the sound is shorter than",
    // The subject has nothing of the kind, which is no fault.
    "there is no second copy", "the subject doesn't state its delay",
    "the subject gives no stems", "the delay was given",
  ]
}
