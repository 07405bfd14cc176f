import ArgumentParser
import BuildInfo
import CommandSupport

/// The program `choir`, the harmonizer as an instrument.
@main struct Choir: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choir",
    abstract: "Harmonize, tune and process a voice, in files or live.",
    discussion: """
      Start here:
        choir harmonize in.wav out.wav --intervals 4,7
        choir autotune in.wav out.wav --key "A minor"
        choir effects in.wav out.wav --chain "compressor > reverb"
        choir live --voices 4                 sing through it, by JACK
        choir project new song                keep takes together, export them

      Another program, choir-eval, measures what comes out.

      Results go to standard output, progress and warnings to standard error.

      Exit codes: 0 good; 1 measured and not good enough; 2 could not be done; 64 misuse; \
      130 interrupted by Ctrl-C; 143 terminated by SIGTERM.
      """,
    version: "\(BuildInfo.version) (commit \(BuildInfo.commit))",
    subcommands: [
      Harmonize.self, Autotune.self, EffectsCommand.self, Presets.self, Chords.self, Synth.self,
      LiveCommand.self, PlayThrough.self, ProjectCommand.self, Timing.self,
    ])

  static func main() async { await Program<Self>.main() }
}
