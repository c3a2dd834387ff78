import TestSupport
import Testing

@testable import SatchelLogging

@Suite struct RedactorTests {
  /// nil where there is nothing to take out.
  private func redacted(_ text: some Collection<UInt8>) -> String? {
    Array(text).withUnsafeBytes { bytes in
      guard let size = Redactor.redactedSize(of: bytes) else { return nil }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size + 8, alignment: 8)
      defer { memory.deallocate() }
      let end = Redactor.write(bytes, to: memory)
      #expect(end - memory == size)
      return String(decoding: UnsafeRawBufferPointer(start: memory, count: size), as: UTF8.self)
    }
  }

  private func redacted(_ text: String) -> String? { redacted(text.utf8) }

  @Test func everyKindOfSecretIsTakenOut() {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<5 {
      let secrets = MadeUpSecret.all(&random)
      #expect(secrets.count > 100)
      #expect(Set(secrets.map(\.kind)) == Set(SecretKind.allCases))
      for made in secrets {
        let text = redacted(made.line)
        #expect(text?.contains(made.secret) == false, "\(made.line)")
        #expect(text?.contains("<redacted \(made.kind.word) ") == true, "\(made.line) gave \(text ?? "nothing")")
      }
    }
  }

  @Test func whatIsAroundASecretStays() {
    var random = SeededGenerator(seed: 21)
    for made in MadeUpSecret.all(&random) {
      let line = "before=1 \(made.line)"
      guard let text = redacted(line), let secret = line.range(of: made.secret),
        let mark = text.range(of: "<redacted "), let end = text[mark.lowerBound...].firstIndex(of: ">")
      else {
        Issue.record("nothing in \(line)")
        continue
      }
      // Of a cookie all goes, its name too.
      if made.kind != .cookie { #expect(text[..<mark.lowerBound] == line[..<secret.lowerBound]) }
      #expect(text[text.index(after: end)...] == line[secret.upperBound...])
    }
  }

  @Test func equalSecretsAreToldByTheirDigits() {
    let first = redacted("password=open-sesame")
    #expect(first == redacted("password=open-sesame"))
    #expect(first?.dropLast(10) == redacted("password=open-doors")?.dropLast(10))
    #expect(first != redacted("password=open-doors"))
  }

  @Test func severalAreTakenOutOfOneText() {
    let text = redacted("a password=one b token=two2 c https://u:three@h/ d")
    #expect(text?.split(separator: "<redacted").count == 4)
    for word in ["one", "two2", "three"] { #expect(text?.contains(word) == false) }
    #expect(text?.hasPrefix("a password=<redacted password ") == true)
    #expect(text?.hasSuffix(">@h/ d") == true)
  }

  @Test func whatOnlyBeginsLikeAPlaceholderIsTakenOut() {
    for value in ["/etc1", "$ecret", "<3", "%41bcd", "none1"] {
      #expect(redacted("password=\(value) x")?.contains(value) == false, "\(value)")
    }
  }

  @Test func ordinaryTextStays() {
    for line in HarmlessLines.all { #expect(redacted(line) == nil, "\(line) gave \(redacted(line) ?? "")") }
  }

  @Test func whatWasRedactedStays() {
    var random = SeededGenerator(seed: 22)
    for made in MadeUpSecret.all(&random) {
      guard let text = redacted(made.line) else { continue }
      if made.kind != .cookie { #expect(redacted(text) == nil, "\(text)") }
    }
  }

  @Test func namesOfFieldsTell() {
    func isSecret(_ name: String) -> Bool { Array(name.utf8).withUnsafeBytes { Redactor.isSecret(name: $0) } }
    for name in [
      "password", "PASSWORD", "db.password", "userPassword", "db_pass", "api-key", "apiKey", "x-auth-token", "Cookie",
      "cvv",
    ] {
      #expect(isSecret(name), "\(name)")
    }
    for name in [
      "", "pass_rate", "bypass", "tokens", "max_tokens", "key", "user", "passwordLength", "compass", "sec", "keyboard",
    ] {
      #expect(!isSecret(name), "\(name)")
    }
  }

  @Test func aTextTellsThatASecretFollows() {
    func announces(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { Redactor.announcesSecret($0) } }
    for text in ["password=", "the password: ", "\"token\": \"", "?api_key='"] { #expect(announces(text), "\(text)") }
    for text in ["", "=", ": ", "user=", "password", "password of ", "took: "] { #expect(!announces(text), "\(text)") }
  }

  @Test func randomTextIsSweptWithoutHarm() {
    var random = SeededGenerator(seed: 23)
    let pieces = MadeUpSecret.all(&random).map { Array($0.line.utf8) }
    for _ in 0..<2000 {
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let piece = pieces.randomElement(using: &random) ?? []
        text += piece.prefix(Int.random(in: 0...piece.count, using: &random))
        text.append(UInt8.random(in: 0...255, using: &random))
      }
      _ = redacted(text)
    }
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}

@Suite struct ByteClassTests {
  @Test func eightBytesAreJudgedAsEachAlone() {
    for byte in UInt8.min ... .max {
      for place in 0..<8 {
        for other in [0x61, 0x2f, 0x80, 0xff] as [UInt8] {
          var word: UInt64 = 0
          for index in 0..<8 { word |= UInt64(index == place ? byte : other) << UInt64(index * 8) }
          let bit = UInt64(0x80) << UInt64(place * 8)
          #expect((ByteClasses.others(word) & bit == 0) == ByteClasses.isWord(byte))
        }
      }
    }
  }
}
