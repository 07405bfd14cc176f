import Corpus
import Foundation
import Subjects
import Sweep

/// Looks at all that runs and reports need: programs, recordings, the store, permissions, disk and
/// subjects. Nothing that it looks at can hold it up.
public struct Checkup: Sendable {
  /// One thing looked at.
  public struct Finding: Codable, Equatable, Sendable {
    public var name: String
    /// What is there; `nil` where something is wrong.
    public var found: String?
    /// What is wrong, and what to do about it.
    public var remedy: String?
    /// Whether a run or report is impossible without.
    public var needed = true
  }

  /// Holds `manifest.csv` and `audio`.
  public var corpus: URL
  /// May not be there yet.
  public var store: URL
  /// How this program is called from where the user is.
  public var program: String
  /// How long a program may take to say its version.
  public var patienceSeconds = 5.0

  public init(corpus: URL, store: URL, program: String) {
    (self.corpus, self.store, self.program) = (corpus, store, program)
  }

  public func findings() -> [Finding] {
    [
      tool("gnuplot", ["--version"], for: "figures", package: "gnuplot-nox"),
      tool("unzip", ["-v"], for: "data sets in ZIP files", package: "unzip", needed: false),
      tool(
        "chromium", ["--version"], for: "pictures of a report", package: "chromium", needed: false),
      corpusFinding(), storeFinding(),
      writing("store's folder", store.deletingLastPathComponent(), option: "--store"),
      writing(
        "temporary folder", FileManager.default.temporaryDirectory, option: "the variable TMPDIR"),
    ] + subjectFindings() + [
      Finding(name: "processors", found: "\(ProcessInfo.processInfo.activeProcessorCount)")
    ]
  }

  // MARK: - Programs

  /// - Parameter arguments: make it say its version and end.
  func tool(
    _ name: String, _ arguments: [String], for purpose: String, package: String,
    needed: Bool = true
  ) -> Finding {
    var finding = Finding(name: name, needed: needed)
    // Browsers reserve more addresses than any machine has memory.
    let process = ChildProcess(
      arguments: [name] + arguments, timeoutSeconds: patienceSeconds, memoryMB: 1e7,
      folder: FileManager.default.temporaryDirectory)
    do {
      finding.found = try process.run().text.split(separator: "\n").first.map(String.init) ?? ""
    } catch ChildProcess.Failure.notFound {
      finding.remedy =
        "not installed, for \(purpose): \(Self.administrator)apt-get install \(package)"
    } catch {
      finding.remedy =
        "for \(purpose): '\(([name] + arguments).joined(separator: " "))' \(error); "
        + "install it anew: \(Self.administrator)apt-get install --reinstall \(package)"
    }
    return finding
  }

  private static var administrator: String { geteuid() == 0 ? "" : "sudo " }

  // MARK: - Recordings

  func corpusFinding() -> Finding {
    var finding = Finding(name: "corpus")
    let path = corpus.relativePath
    let add = "\(program) corpus add FILE --corpus \(Self.word(path)) --licence ID --voice VOICE"
    guard FileManager.default.fileExists(atPath: corpus.appendingPathComponent("manifest.csv").path)
    else {
      finding.remedy =
        "\(path) holds no manifest.csv: name another folder with --corpus, or begin "
        + "a corpus: \(add)"
      return finding
    }
    do {
      let corpus = try Corpus(folder: corpus)
      let wrong = try corpus.verify().filter { if case .extra = $0 { false } else { true } }
      if corpus.entries.isEmpty {
        finding.remedy = "\(path) has no recordings: \(add)"
      } else if wrong.isEmpty {
        finding.found = "\(corpus.entries.count) recordings"
      } else {
        finding.remedy =
          "\(wrong.count) recordings missing or changed"
          + (fetching.map { ": \($0)" } ?? "") + "; their names: \(program) corpus verify --corpus "
          + Self.word(path)
      }
    } catch {
      finding.remedy = "\(error)"
    }
    return finding
  }

  /// The script that fetches the corpus of this package, where that is what the folder is.
  private var fetching: String? {
    let script = corpus.deletingLastPathComponent().appendingPathComponent("scripts/fetch-corpus")
    guard FileManager.default.isExecutableFile(atPath: script.path) else { return nil }
    return Self.word(script.relativePath)
  }

  // MARK: - Results

  func storeFinding() -> Finding {
    var finding = Finding(name: "store")
    guard FileManager.default.fileExists(atPath: store.path) else {
      finding.found = "none yet; the first run makes \(store.relativePath)"
      return finding
    }
    do {
      let opened = try ResultStore(reading: store)
      if let damage = try opened.damage() {
        finding.remedy =
          "\(store.relativePath) is damaged (\(damage)): restore a copy, or run into "
          + "another --store"
      } else {
        finding.found = "\(store.relativePath), \(try opened.contentsInWords())"
      }
    } catch {
      finding.remedy = "\(error)"
    }
    return finding
  }

  // MARK: - Disk

  /// Whether files can be made in a folder, or in the one that it would be made in, and how many.
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
        "\(path) can't be written to (\(String(cString: strerror(errno)))): allow it, "
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
    if megabytes < Self.leastMegabytes {
      finding.remedy =
        "\(path): only \(room), where a run and its report take up to "
        + "\(Int(Self.leastMegabytes)) MB: make room, or choose another with \(option)"
    } else {
      finding.found = "\(path), \(room)"
    }
    return finding
  }

  /// A standard run's store and report, with sound, and what is rendered on the way.
  private static let leastMegabytes = 200.0

  // MARK: - Subjects

  /// The files that describe subjects: one finding for those in order, one for each of the others.
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
              name: "subject \(id)", remedy: subject.file.install ?? "its program is not installed",
              needed: false))
        }
      } catch {
        others.append(Finding(name: "subject \(id)", remedy: "\(error)"))
      }
    }
    let names = ready.isEmpty ? "none of \(ids.count) is ready" : ready.joined(separator: ", ")
    return [Finding(name: "subjects", found: names, needed: false)] + others
  }

  /// A path as a shell takes it.
  private static func word(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+".contains($0) }
    return isPlain && !path.isEmpty ? path : "'\(path.replacing("'", with: "'\\''"))'"
  }
}
