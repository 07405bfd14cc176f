import Analyzer
import DSP
import Files
import Foundation
import Singer

/// Recordings that are made, not kept: probes, and performances of the synthetic singer.
enum SyntheticRecording {
  /// Raised whenever a recording of the same name sounds different.
  private static let version = 1
  private static let rateHz = 48_000.0

  static func isKnown(_ name: String) -> Bool {
    name == "impulses" || (try? Songbook.performance(id: name)) != nil
  }

  /// Stands for the recipe: the same name and version make the same sound.
  static func digest(_ name: String) throws -> String {
    guard isKnown(name) else { throw CorpusError.unknownSynthetic(id: name) }
    return Digest.sha256("synthetic:\(name):\(version)@\(rateHz)")
  }

  static func make(_ name: String, for entry: ManifestEntry) throws -> Recording {
    let digest = try digest(name)
    guard name != "impulses" else {
      return Recording(entry: entry, signal: impulses(), digest: digest, truth: nil)
    }
    let rendering = try Songbook.performance(id: name).render(sampleRateHz: rateHz)
    var annotations = Annotations()
    annotations.phones = rendering.truth.phones.map {
      LabelledSpan(
        onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, label: $0.phone.rawValue)
    }
    return Recording(
      entry: entry, signal: rendering.signal, digest: digest,
      truth: PitchTrack(of: rendering.truth), annotations: annotations)
  }

  /// 400 lone samples, far enough apart for delays up to 200 ms.
  ///
  /// The golden ratio spreads them evenly over the phase of any sweep: a mean over their delays is
  /// then a mean over the sweep, within a two-hundredth of its range.
  private static func impulses() -> Signal {
    let (count, apart, spread) = (400, 10_007.0, 1_990.0)
    var samples = [Float](repeating: 0, count: Int(Double(count) * apart + spread + apart))
    for n in 0..<count {
      let golden = (Double(n) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
      samples[Int(1_000 + Double(n) * apart + golden * spread)] = 0.9
    }
    return Signal(samples, sampleRateHz: rateHz)
  }
}

extension PitchTrack {
  /// Every 5 ms, as sung.
  package init(of truth: Truth) {
    let hop = 0.005
    let count = Int(Double(truth.f0Hz.count) / truth.sampleRateHz / hop)
    let f0 = (0..<count).map {
      truth.f0Hz[Int((Double($0) * hop * truth.sampleRateHz).rounded())]
    }
    self.init(hopSeconds: hop, f0Hz: f0, voicing: f0.map { $0 > 0 ? 1 : 0 })
  }
}
