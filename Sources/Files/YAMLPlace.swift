/// A step on the path to a value of a YAML file: a key or an index.
package struct Place: CodingKey {
  package var stringValue: String
  package var intValue: Int?

  package init(stringValue: String) { self.stringValue = stringValue }
  package init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }

  package static func index(_ index: Int) -> Place { Place(intValue: index) }
  package static func name(_ name: String) -> Place { Place(stringValue: name) }
}
