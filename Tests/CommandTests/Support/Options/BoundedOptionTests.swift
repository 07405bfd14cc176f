import ArgumentParser
import Foundation
import Testing

@testable import CommandSupport
@testable import choir
@testable import choir_eval

/// Numbers on the command line are checked against their ranges before any work.
@Suite struct BoundedOptionTests {
  /// Every flag that takes a number, in a command that is otherwise correct.
  static let flags: [(command: String, flags: String)] = [
    ("analyze in.wav", "--hop-ms --live-look-ahead-ms --jobs"),
    (
      "autotune in.wav out.wav --key C",
      "--look-ahead-ms --block --rate-hz --a4-hz --retune-ms --amount-percent --dead-band-cents "
        + "--hysteresis-cents --held-retune-ms --held-after-ms --vibrato-hz --vibrato-cents "
        + "--strictness"
    ),
    (
      "harmonize in.wav out.wav --intervals 4",
      "--intervals --degrees --gain --pan --block --rate-hz --dry "
        + "--spread --detune-cents --delay-ms --glide-ms --scoop-cents --vibrato-cents --vibrato-hz "
        + "--vibrato-delay-ms --humanize-cents --humanize-ms --lead-share --attack-ms --decay-ms "
        + "--sustain-gain --velocity-share --formant-shift-semitones --release-ms --gate-ms --look-ahead-ms --seed --a4-hz --voices "
        + "--spacing-semitones --bass-spacing-semitones --strum-ms --tempo"
    ),
    ("effects in.wav out.wav --chain dry", "--block --rate-hz"),
    ("synth --list", "--semitones --jitter --rate-hz"), ("timing", "--block --rate-hz --voices"),
    ("run plan.yaml", "--jobs --limit-seconds"),
    ("tune plan.yaml", "--jobs --share --max-lost-percent --served"),
    ("history show", "--false-alarms"),
    ("report", "--audio-budget-mb"),
    ("listen make", "--max-trials --seed"),
    ("gate gate.yaml", "--jobs"),
    ("accept gate.yaml --reason because", "--jobs"),
    ("compare a.wav b.wav", "--semitones --intervals --delay-ms"),
    ("hunt psola", "--minutes --sounds --seed --jobs"),
    ("probe psola", "--soak"),
    ("live", "--intervals --voices --pad-key --dry --rate-hz --seconds"),
    ("play client in.wav out.wav", "--silence-ms"),
    ("project crop song --recording lead", "--start --end --speed --gain-db"),
    ("project add song --take verse", "--start --end --speed --gain-db --dry --seed --seconds"),
    ("project record song --from - --as lead", "--seconds --rate-hz"),
    ("corpus import generic here", "--limit"),
    ("tape make smoke --output tape.wav", "--minutes"),
    ("tape read tape.yaml a.wav --output take", "--intervals --dry-channel"),
  ]

  @Test(arguments: flags.map(\.command))
  func everyNumberIsHeldToItsRange(command: String) throws {
    let shell = try Shell()
    let flags = try #require(Self.flags.first { $0.command == command }).flags.split(separator: " ")
    for flag in flags {
      // All flags read numbers by the same code: a command's first flag tries every kind of value.
      let more = flag == flags.first ? ["-1e300", "inf", "nan", "ten"] : []
      for value in ["9223372036854775807"] + more {
        expectRange(try parserMessage("\(command) \(flag) \(value)"), flag, value)
      }
    }
    // The program itself: its exit code, and that it does nothing.
    let answer = try shell.type("\(Built.line(command)) \(flags[0]) nan")
    #expect(answer.status == 64, "\(flags[0]): \(answer.errors)")
    expectRange(answer.words, flags[0], "nan")
    #expect(shell.contents == ["in.wav"])
  }

  /// The message has the value, the flag and the range.
  private func expectRange(_ message: String, _ flag: Substring, _ value: String) {
    #expect(
      message.contains("The value '\(value)' is invalid for '\(flag)"), "\(flag): \(message)")
    #expect(message.contains(#/ -?[0-9.]+ to [0-9.]+/#), "\(flag): \(message)")
  }

  /// Returns how the parser refuses a command line, without a program for each; empty if it accepts it.
  private func parserMessage(_ command: String) throws -> String {
    let words = command.split(separator: " ").map(String.init)
    let root: any ParsableCommand.Type =
      Built.program(of: words.first) == Built.choir ? Choir.self : ChoirEval.self
    do {
      _ = try root.parseAsRoot(words)
      return ""
    } catch {
      return root.fullMessage(for: error).split { $0.isWhitespace }.joined(separator: " ")
    }
  }

  /// The list above has every numeric flag, by the parser's own description of all commands.
  @Test func everyFlagWithARangeIsTried() throws {
    var untried: Set<String> = []
    func look(_ command: [String: Any]) {
      for argument in command["arguments"] as? [[String: Any]] ?? [] {
        let name = (argument["preferredName"] as? [String: Any])?["name"] as? String ?? ""
        let isRanged = (argument["abstract"] as? String ?? "").contains(#/\(-?[0-9.]+ to [0-9.]+/#)
        if isRanged,
          !Self.flags.contains(where: { $0.flags.split(separator: " ").contains("--\(name)") })
        {
          untried.insert(name)
        }
      }
      (command["subcommands"] as? [[String: Any]] ?? []).forEach(look)
    }
    for program in ["choir", "choir-eval"] {
      let root = try Shell().type("\(program) --experimental-dump-help").json()
      look(try #require(root["command"] as? [String: Any]))
    }
    #expect(untried.isEmpty)
  }

  @Test func settingsAreNamedAsTyped() {
    #expect(
      Misuse.typed("windowMs", in: ["harmonize", "--window-ms", "3"]) == "--window-ms")
    #expect(Misuse.typed("windowMs", in: ["--window-ms=3"]) == "--window-ms")
    #expect(Misuse.typed("windowMs", in: ["--set", "windowMs=3"]) == "--set windowMs")
    #expect(Misuse.typed("windowMs", in: ["harmonize"]) == "windowMs")
  }

  @Test func whatOneFlagRulesOutNamesTheFlag() throws {
    let answer = try Shell().type(
      "choir harmonize in.wav out.wav --intervals 4 --engine delayline --set windowMs=30 "
        + "--set crossfadeMs=40")
    #expect(answer.status == 64)
    #expect(answer.words.contains("--set crossfadeMs is 40; choose 0.1 to 30."), "\(answer.errors)")
  }
}
