import Foundation
import TestSupport
import Testing

@testable import Sweep

/// The JSON schema for editors has the keys that the reader accepts.
@Suite struct PlanSchemaTests {
  private let corpus = Repository.file("Corpus")

  private func schema() throws -> [String: Any] {
    let url = corpus.appendingPathComponent("plans/schema/plan.schema.json")
    return try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
  }

  private func keys(of schema: Any?) -> Set<String> {
    let properties = (schema as? [String: Any])?["properties"] as? [String: Any]
    return Set((properties ?? [:]).keys)
  }

  @Test func itHasTheKeysOfPlans() throws {
    let schema = try schema()
    let definitions = try #require(schema["$defs"] as? [String: Any])
    #expect(keys(of: schema) == Set(Plan.keys))
    #expect(
      keys(of: definitions["subject"])
        == Set(SubjectChoice.CodingKeys.allCases.map(\.rawValue)))
    #expect(
      keys(of: definitions["filter"])
        == Set(RecordingFilter.CodingKeys.allCases.map(\.rawValue)))
  }

  @Test func everyPlanOfThePackageIsRead() throws {
    let folder = corpus.appendingPathComponent("plans")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }
    #expect(!names.isEmpty)
    for name in names { _ = try Plan(reading: folder.appendingPathComponent(name)) }
  }
}
