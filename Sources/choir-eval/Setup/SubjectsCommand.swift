import ArgumentParser
import CommandSupport
import Foundation
import HostProtocol
import Platform
import Subjects

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

struct SubjectsNew: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Describe an installed plugin as a subject.",
    discussion: """
      Writes a file with a guess of which control is the pitch. Read it: the other controls keep \
      their defaults, which may mix in the dry voice.

        choir-eval subjects new lv2 http://gareus.org/oss/lv2/fat1 --output fat1.yaml
        choir-eval subjects new ladspa tap_pitch tap_pitch
        choir-eval subjects new clap ZamGrains com.zamaudio.ZamGrains

      Exit codes: 0 good; 2 there is no such plugin, or no control that looks like a pitch; 64 \
      misuse.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case lv2, ladspa, clap }

  @Argument(help: "Format: lv2, ladspa or clap.") var format: Format
  @Argument(
    help: ArgumentHelp(
      "URI of an LV2 plugin; library and label of LADSPA; file and id of CLAP.",
      valueName: "address"))
  var address: [String]
  @Option(name: .shortAndLong, help: "File to write; - is standard output.", completion: .yaml)
  var output = "-"
  @OptionGroup var overwriting: Overwriting

  /// The plugin; `nil` if its address has too few or too many parts.
  private var plugin: PluginAddress? {
    switch (format, address.count) {
    case (.lv2, 1): .lv2(uri: address[0])
    case (.ladspa, 2): .ladspa(library: address[0], label: address[1])
    case (.clap, 2): .clap(library: address[0], id: address[1])
    default: nil
    }
  }

  func validate() throws {
    guard plugin == nil else { return }
    let rule =
      switch format {
      case .lv2: "An LV2 plugin has one address, its URI."
      case .ladspa: "A LADSPA plugin has two addresses, its library and its label."
      case .clap: "A CLAP plugin has two addresses, its file and its id."
      }
    throw ValidationError(rule)
  }

  func run() throws {
    let file = output == "-" ? nil : output
    var files = OutputFiles(reading: [], force: overwriting.force)
    try files.claim(file)
    let text = try PluginFileText(PluginHost.description(of: plugin!)).text
    guard let file else { return print(text, terminator: "") }
    try WholeFile.write(text, to: file)
    Terminal.printError("wrote \(file); try it: choir-eval subjects \(file.forShell)")
  }
}
