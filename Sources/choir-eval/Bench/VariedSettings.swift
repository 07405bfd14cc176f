import ArgumentParser
import Corpus
import Probes
import Subjects

/// Refuses values of --vary that a subject doesn't take, before anything is measured.
func refuseStrangeValues(
  _ values: [SettingValue], of name: String, _ subject: any Subject,
  beside settings: SubjectSettings
) throws {
  for value in values {
    let varied = settings.merging([name: value]) { $1 }
    do { _ = try ProbeBench(subject, settings: varied) } catch let error as SubjectError {
      throw ValidationError("--vary \(name)=\(value): \(error)")
    }
  }
}
