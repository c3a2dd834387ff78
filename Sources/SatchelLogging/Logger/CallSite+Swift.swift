extension CallSite {
  /// Where a call in Swift stands.
  static func with<Result>(
    _ file: StaticString, _ function: StaticString, _ line: UInt32, _ body: (CallSite) -> Result
  ) -> Result {
    file.withUTF8Buffer { file in
      function.withUTF8Buffer { function in
        body(CallSite(file: UnsafeRawBufferPointer(file), function: UnsafeRawBufferPointer(function), line: line))
      }
    }
  }
}
