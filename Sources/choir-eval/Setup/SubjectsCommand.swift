import ArgumentParser

struct SubjectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subjects",
    abstract: "List the harmonizers that can be tested here, and try each one.",
    discussion: """
      Use it to check the file that describes your own harmonizer, or to describe a plugin. Two \
      subjects are part of this package. A file describes any other: Corpus/subjects has examples, \
      and docs/reference/subjects.md explains how to write one for a program, a pipe, a plugin, or \
      a folder of rendered sounds.

        choir-eval subjects
        choir-eval subjects mine.yaml
        choir-eval subjects plugins pitch
        choir-eval subjects new lv2 http://gareus.org/oss/lv2/fat1
      """,
    subcommands: [SubjectsList.self, SubjectsPlugins.self, SubjectsNew.self],
    defaultSubcommand: SubjectsList.self)
}
