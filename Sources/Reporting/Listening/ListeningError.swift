import Platform

/// Reasons why a listening test can't be made or its answers can't be pooled.
enum ListeningError: Error, Equatable, CustomStringConvertible {
  case unreadable(String, what: String, String)
  case noSound(run: String)
  case noIdeal(run: String)
  case tooFewSystems(Int, run: String)
  case tooManySystems(Int, most: Int)
  case unknownSystem(String, known: [String])
  case licence(String)
  case silent(String)
  case otherTest(String)
  case strangeAnswer(String, String)
  case twice(listener: String, [String])
  case tooFewListeners(Int, out: Int)

  package var description: String {
    switch self {
    case .unreadable(let path, let what, let why): "\(path) is not \(what): \(why)"
    case .noSound(let run):
      "the run '\(run)' kept no sound; name recordings under 'listen:' in its plan and run it again"
    case .noIdeal(let run):
      "no recording that the run '\(run)' kept has an ideal choir, which a MUSHRA test needs as its "
        + "reference; choose --method rating or pairs, or listen to recordings of the synthetic singer"
    case .tooFewSystems(let count, let run):
      "the run '\(run)' has the sound of \(count == 1 ? "one setting" : "no setting") on any clip; "
        + "a test compares two or more; run a plan with several"
    case .tooManySystems(let count, let most):
      "\(count) settings are too many to judge at once; name at most \(most) with --setting, or choose "
        + "--method pairs"
    case .unknownSystem(let words, let known):
      "no setting of the run is '\(words)'; choose among: \(known.joined(separator: "; "))"
    case .licence(let recording):
      "the licence of \(recording) forbids passing it on; remove it from 'listen:' in the plan"
    case .silent(let place):
      "the sound of \(place) is silent, so it can't be made as loud as others"
    case .otherTest(let path):
      "\(path) holds answers to another test; pool it with the key of its own test"
    case .strangeAnswer(let path, let what):
      "\(path): \(what); the file was changed, or the test was made again"
    case .twice(let listener, let paths):
      "'\(listener)' answered twice (\(paths.joined(separator: ", "))); leave out one of the files"
    case .tooFewListeners(let count, let out):
      "\(count) listener\(count == 1 ? "" : "s") can be pooled"
        + (out > 0 ? ", \(out) screened out" : "") + "; an interval needs at least two"
    }
  }
}
