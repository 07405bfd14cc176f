import TestSupport

/// Results of scipy and statsmodels for fixed samples, written by scripts/vectors/stats.py.
struct StatisticsVectors: Decodable {
  struct Bootstrap: Decodable {
    var values: [Double]
    var method: String
    var statistic: String
    var lower: Double
    var upper: Double
  }
  struct SignFlip: Decodable {
    var values: [Double]
    var alternative: String
    var p: Double
  }
  struct Equivalence: Decodable {
    var values: [Double]
    var margin: Double
    var p: Double
    var pLower: Double
    var pUpper: Double
  }
  struct Pareto: Decodable {
    var values: [Double]
    var shape: Double
    var scale: Double
    var cost: Double
    var q999: Double
  }
  struct Proportions: Decodable {
    var k: Int
    var n: Int
    var otherK: Int
    var otherN: Int
    var chance: Double
    var wilson: [Double]
    var clopperPearson: [Double]
    var newcombe: [Double]
    var p: Double
    var pGreater: Double
    var fisher: Double
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
    var smallest: Double
    var smallestOfHundred: Double
  }
  struct RankSum: Decodable {
    var values: [Double]
    var others: [Double]
    var p: Double
  }

  var bootstrap: [Bootstrap]
  var signFlip: [SignFlip]
  var equivalence: [Equivalence]
  var pareto: [Pareto]
  var proportions: [Proportions]
  var holm: [Holm]
  var student: [Student]
  var rankSum: [RankSum]

  static func read() throws -> StatisticsVectors {
    try golden("statistics.json", as: StatisticsVectors.self)
  }
}
