import Foundation
import Reporting
import Subjects
import TestSupport
import Testing

/// Facts of a subject that decide what a check can expect of it.
@Suite struct CheckedSubjectTests {
  private let scratch = try! TemporaryFolder()

  /// A program that is called once for each voice, so that it gives stems.
  private func program() throws -> ExternalSubject {
    try ExternalSubject(
      reading: scratch.write(
        """
        id: mine
        kind: command
        command: [shift, "{input}", "{output}", "{semitones}"]
        latencyMs: 3
        """, to: "mine.yaml"))
  }

  /// The mix of a subject is judged without its stems, but is still made by its program.
  @Test func aMixIsItsProgramsWithoutStems() throws {
    let program = try program()
    let (whole, mix) = (
      CheckedSubject(program, named: "mine.yaml"),
      CheckedSubject(MixSubject(program), named: "mix:mine.yaml")
    )
    #expect(whole.givesStems && !mix.givesStems)
    #expect(mix.kind == .command && mix.takesWholeFiles && mix.statedLatencyMs == 3)
    #expect(mix.id == "mix:mine" && mix.source == "mine.yaml")
  }

  @Test func anIdStandsForItsFile() throws {
    #expect(CheckedSubject(try program(), named: "mine").source == "mine.yaml")
    #expect(CheckedSubject(MixSubject(try program()), named: "mix:mine").source == "mine.yaml")
  }

  @Test func theReferenceIsNoProgram() throws {
    for name in ["reference", "mix:reference"] {
      let subject = CheckedSubject(try Subjects.subject(id: name), named: name)
      #expect(subject.kind == nil && !subject.isFolder && !subject.takesWholeFiles)
      #expect(subject.givesStems == (name == "reference"))
    }
  }
}
