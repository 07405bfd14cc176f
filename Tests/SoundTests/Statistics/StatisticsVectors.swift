import TestSupport

/// Results of scipy and statsmodels for fixed samples, written by scripts/vectors/stats.py.
struct StatisticsVectors: Decodable {
  struct SignFlip: Decodable {
    var values: [Double]
    var p: Double
  }
  struct Exchange: Decodable {
    struct Group: Decodable { var before, after: [Double] }
    var groups: [Group]
    var p: Double
  }
  struct Proportions: Decodable {
    var k: Int
    var n: Int
    var wilson: [Double]
    var clopperPearson: [Double]
  }
  struct Holm: Decodable {
    var p: [Double]
    var adjusted: [Double]
  }
  struct Student: Decodable {
    var values: [Double]
    var p: Double
    var lower: Double
    var upper: Double
  }

  var signFlip: [SignFlip]
  var proportions: [Proportions]
  var holm: [Holm]
  var student: [Student]
  var exchange: [Exchange]

  static func read() throws -> StatisticsVectors {
    try golden("statistics.json", as: StatisticsVectors.self)
  }
}
