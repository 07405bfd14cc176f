import Platform
import Subjects

/// A recipe that was rendered and judged again.
public struct HuntReplay: Sendable {
  public let recipe: HuntRecipe
  /// The fault now; `nil` if it is gone.
  public let now: HuntFault?
  /// All faults of the sound now.
  public let judgement: Judgement
  /// True if the subject received the same samples as then.
  public let isSameInput: Bool
  /// True if it gave the same samples.
  public let isSameOutput: Bool

  /// - Parameter subject: the subject that the recipe names.
  public init(_ recipe: HuntRecipe, by subject: any Subject) throws {
    let bench = try HuntBench(subject, settings: recipe.settings)
    self.recipe = recipe
    judgement = bench.judge(recipe.sound)
    now = judgement.fault(recipe.fault)
    let (input, output) = try bench.digests(recipe.sound)
    (isSameInput, isSameOutput) = (input == recipe.input, output == recipe.output)
  }
}

extension HuntBench {
  /// Returns the digests of a point's input and output. A subject that fails has no output.
  func digests(_ point: HuntPoint) throws -> (input: String, output: String) {
    let sound = try SungPoint(point)
    let output = try? subject.render(sound.request(settings)).mix
    return (
      Digest.sha256(sound.input.samples.data),
      output.map { Digest.sha256($0.samples.data) } ?? "none"
    )
  }
}
