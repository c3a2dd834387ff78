/// What the line above an entry says, in this order.
package struct HeaderMask: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let date = HeaderMask(rawValue: 1)
  /// The name of the thread, in brackets; empty ones where it has none.
  package static let thread = HeaderMask(rawValue: 2)
  /// The file, without its folders, and the line. Both have to be known.
  package static let source = HeaderMask(rawValue: 4)
  package static let function = HeaderMask(rawValue: 8)
  /// In front of everything else.
  package static let category = HeaderMask(rawValue: 16)

  package static let all: HeaderMask = [.date, .thread, .source, .function, .category]
  /// Who looks at a console knows what time it is.
  package static let console: HeaderMask = [.thread, .source, .function]
}
