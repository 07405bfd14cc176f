import Metrics

/// A part of a model, or the reason why it could not be identified.
public enum Identified<Value: Codable & Equatable & Sendable>: Equatable, Sendable {
  case known(Value)
  case unknown(Undefined)

  public var value: Value? { if case .known(let value) = self { value } else { nil } }

  public var reason: Undefined? { if case .unknown(let reason) = self { reason } else { nil } }

  /// Runs a measurement; its error is the reason.
  init(_ measure: () throws -> Value) {
    do { self = .known(try measure()) } catch { self = .unknown(Undefined(error)) }
  }

  /// Runs a measurement that leaves out what it can't tell.
  init(orBecause reason: Undefined, _ value: Value?) {
    self = value.map(Identified.known) ?? .unknown(reason)
  }
}

/// Coded as `{"value": …}` or `{"undefined": {"code": …, "detail": …}}`.
extension Identified: Codable {
  private enum Key: CodingKey { case value, undefined }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let value = try container.decodeIfPresent(Value.self, forKey: .value) {
      self = .known(value)
    } else {
      self = .unknown(try container.decode(Undefined.self, forKey: .undefined))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .known(let value): try container.encode(value, forKey: .value)
    case .unknown(let reason): try container.encode(reason, forKey: .undefined)
    }
  }
}
