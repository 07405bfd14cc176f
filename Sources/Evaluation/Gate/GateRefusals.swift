import Platform

extension Refusal {
  static func severalSubjects(_ ids: [String]) -> Refusal {
    Refusal(
      "the plan has several subjects (\(ids.joined(separator: ", "))), but one is needed here; "
        + "split the plan and try each subject on its own")
  }

  static func incomplete(measured: Int, of all: Int) -> Refusal {
    Refusal("only \(measured) of \(all) cells were measured, and a gate needs all; run it again")
  }

  static func noCells(plan: String) -> Refusal {
    Refusal("the run of '\(plan)' has no cells; check the plan's recordings")
  }
}

/// A file beside a baseline that belongs to another one.
public struct OtherBaseline: Error, Equatable, CustomStringConvertible {
  let path: String
  /// Command that writes both again.
  let accept: String

  public var description: String {
    "\(path) belongs to another baseline than the one beside it: one of the two was restored, merged "
      + "or written alone; restore both from one commit, or accept both again: \(accept)"
  }
}
