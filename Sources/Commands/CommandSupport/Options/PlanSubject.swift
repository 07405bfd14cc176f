import ArgumentParser

/// The subject to use instead of a plan's own.
package struct PlanSubject: ParsableArguments {
  @Option(
    help: """
      Subject to use instead of the plan's: an id, an engine or a .yaml file. It must have the \
      plan's settings; Corpus/plans/first-look.yaml sets none.
      """, completion: .subjects)
  package var subject: String?

  package init() {}

  /// Options that make another command use the same subject.
  package var words: [String] { subject.map { ["--subject", $0] } ?? [] }
}
