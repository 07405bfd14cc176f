import Analyzer

/// The reason why a measure throws; `nil` if it doesn't.
func cause(_ measure: () throws -> some Any) -> Unmeasurable.Cause? {
  do { _ = try measure() } catch { return (error as? Unmeasurable)?.cause }
  return nil
}
