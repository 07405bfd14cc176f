import Corpus
import Foundation
import Platform
import Subjects
import Sweep

/// Checks what runs and reports need: programs, recordings, the store, permissions, disk space and
/// subjects. A program that hangs is given up after `patienceSeconds`.
public struct Checkup: Sendable {
  /// The result of one check.
  public struct Finding: Codable, Equatable, Sendable {
    public var name: String
    /// Text of the result; `nil` if something is wrong.
    public var found: String?
    /// The problem and its remedy.
    public var remedy: String?
    /// True if no run or report is possible without it.
    public var needed = true
  }

  /// Folder with `manifest.csv` and `audio`.
  public var corpus: URL
  /// The store's file, which may not exist yet.
  public var store: URL
  /// The command that starts this program from the user's folder.
  public var program: String
  /// Longest time to wait for a program's version.
  public var patienceSeconds = 5.0

  public init(corpus: URL, store: URL, program: String) {
    (self.corpus, self.store, self.program) = (corpus, store, program)
  }

  public func findings() -> [Finding] {
    [
      tool("gnuplot", ["--version"], for: "figures", package: "gnuplot-nox"),
      tool(
        "jackd", ["--version"], for: "live sound without PipeWire", package: "jackd2", needed: false
      ),
      tool(
        "chromium", ["--version"], for: "pictures of a report", package: "chromium", needed: false),
      corpusFinding(), storeFinding(),
      writing("store's folder", store.deletingLastPathComponent(), option: "--store"),
      writing("temporary folder", Scratch.parent, option: "the variable TMPDIR"),
    ] + subjectFindings() + [
      Finding(name: "processors", found: "\(ProcessInfo.processInfo.activeProcessorCount)")
    ]
  }

  // MARK: - Programs

  /// - Parameter arguments: make the program print its version and exit.
  func tool(
    _ name: String, _ arguments: [String], for purpose: String, package: String,
    needed: Bool = true
  ) -> Finding {
    var finding = Finding(name: name, needed: needed)
    // Browsers reserve more address space than any machine has memory.
    let process = ChildProcess(
      arguments: [name] + arguments, timeoutSeconds: patienceSeconds, memoryMB: 1e7,
      folder: URL(fileURLWithPath: "/"))
    do {
      finding.found = try process.run().text.split(separator: "\n").first.map(String.init) ?? ""
    } catch ChildProcess.Failure.notFound {
      finding.remedy =
        "not installed, for \(purpose): \(Self.administrator)apt-get install \(package)"
    } catch ChildProcess.Failure.hung(let seconds) {
      finding.remedy =
        "for \(purpose): '\(name)' did not say its version within \(seconds) s; "
        + "reinstall it: \(Self.administrator)apt-get install --reinstall \(package)"
    } catch {
      finding.remedy =
        "for \(purpose): '\(([name] + arguments).joined(separator: " "))' \(error); "
        + "reinstall it: \(Self.administrator)apt-get install --reinstall \(package)"
    }
    return finding
  }

  private static var administrator: String { geteuid() == 0 ? "" : "sudo " }

  // MARK: - Recordings

  func corpusFinding() -> Finding {
    var finding = Finding(name: "corpus")
    let path = corpus.relativePath
    let add = "\(program) corpus add FILE --corpus \(path.forShell) --licence ID --voice VOICE"
    guard FileManager.default.fileExists(atPath: corpus.appendingPathComponent("manifest.csv").path)
    else {
      finding.remedy =
        "\(path) has no manifest.csv: choose another folder with --corpus, or start "
        + "a corpus: \(add)"
      return finding
    }
    do {
      let corpus = try Corpus(folder: corpus)
      let wrong = try corpus.verify().filter { if case .extra = $0 { false } else { true } }
      if corpus.entries.isEmpty {
        finding.remedy = "\(path) has no recordings: \(add)"
      } else if wrong.isEmpty {
        finding.found = counted(corpus.entries.count, "recording")
      } else {
        finding.remedy =
          "\(counted(wrong.count, "file")) missing or changed"
          + (fetching.map { ": \($0)" } ?? "") + "; list them: \(program) corpus verify --corpus "
          + path.forShell
      }
    } catch {
      finding.remedy = "\(error)"
    }
    return finding
  }

  /// The script that fetches this package's corpus; `nil` for any other corpus.
  private var fetching: String? {
    let script = corpus.deletingLastPathComponent().appendingPathComponent("scripts/fetch-corpus")
    guard FileManager.default.isExecutableFile(atPath: script.path) else { return nil }
    return script.relativePath.forShell
  }

  // MARK: - Results

  func storeFinding() -> Finding {
    var finding = Finding(name: "store")
    guard FileManager.default.fileExists(atPath: store.path) else {
      finding.found = "none yet; the first run creates \(store.relativePath)"
      return finding
    }
    do {
      let opened = try ResultStore(reading: store)
      if let damage = try opened.damage() {
        finding.remedy =
          "\(store.relativePath) is damaged (\(damage)): restore a copy, or choose another --store"
      } else {
        finding.found = "\(store.relativePath), \(try opened.contentsInWords())"
      }
    } catch {
      finding.remedy = "\(error)"
    }
    return finding
  }

  // MARK: - Disk

  /// Checks that a folder, or the nearest existing one above it, can be written and has space.
  func writing(_ name: String, _ folder: URL, option: String) -> Finding {
    var finding = Finding(name: name)
    var existing = folder.standardizedFileURL
    while !FileManager.default.fileExists(atPath: existing.path), existing.path != "/" {
      existing.deleteLastPathComponent()
    }
    let path = folder.relativePath
    let probe = existing.appendingPathComponent(".choir-eval-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: probe.path, contents: Data(count: 4096)) else {
      finding.remedy =
        "\(path) can't be written (\(String(cString: strerror(errno)))): permit it, "
        + "or choose another with \(option)"
      return finding
    }
    try? FileManager.default.removeItem(at: probe)
    var disk = statvfs()
    guard statvfs(existing.path, &disk) == 0 else { return finding }
    let megabytes = Double(disk.f_bavail) * Double(disk.f_frsize) / 1e6
    let room =
      megabytes < 10_000
      ? String(format: "%.0f MB free", megabytes) : String(format: "%.0f GB free", megabytes / 1000)
    if megabytes < Self.minMegabytes {
      finding.remedy =
        "\(path): only \(room), but a run and its report need up to "
        + "\(Int(Self.minMegabytes)) MB: free some space, or choose another with \(option)"
    } else {
      finding.found = "\(path), \(room)"
    }
    return finding
  }

  /// Space for a standard run's store, its report with sound, and temporary renderings.
  private static let minMegabytes = 200.0

  // MARK: - Subjects

  /// Checks the subject files: one finding for all that are ready, one for each of the others.
  func subjectFindings() -> [Finding] {
    let folder = corpus.appendingPathComponent("subjects")
    let ids = Subjects.described(in: folder)
    guard !ids.isEmpty else { return [] }
    var ready: [String] = []
    var others: [Finding] = []
    for id in ids {
      let file = folder.appendingPathComponent("\(id).yaml")
      do {
        let subject = try ExternalSubject(reading: file)
        if subject.isInstalled {
          ready.append(id)
        } else {
          others.append(
            Finding(
              name: "subject \(id)", remedy: subject.file.install ?? subject.absence,
              needed: false))
        }
      } catch {
        others.append(Finding(name: "subject \(id)", remedy: "\(error)"))
      }
    }
    let names = ready.isEmpty ? "none of \(ids.count) is ready" : ready.joined(separator: ", ")
    return [Finding(name: "subjects", found: names, needed: false)] + others
  }
}
