extension GradeTable {
  // Written by `choir-eval metrics validate --write`; a test compares it with the page.
  //
  // A line has a metric, a grade, and the classes of recordings on which it was found.
  //
  // Metrics and classes without a line were not tried, or had no value.
  //
  // swift-format-ignore
  static let text = """
    """
}
