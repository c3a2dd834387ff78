extension SecretScanner {
  /// The number of a payment card, in one piece or in the groups that are printed on it: its length, who issued it, and the check
  /// digit have to be right.
  func card(at start: Int) -> Finding? {
    var place = start
    var digits = 0
    var sum = (odd: 0, even: 0)
    var groups = 1
    while place < text.count, digits <= 19 {
      let byte = text[place]
      if byte.isDigit {
        add(Int(byte - 0x30), &sum)
        digits += 1
      } else if isGap(place), endsGroup(digits, groups) {
        groups += 1
      } else {
        break
      }
      place += 1
    }
    if place < text.count, ByteClasses.isWord(text[place]), text[place] != UInt8(ascii: ".") { return nil }
    guard (13...19).contains(digits), isIssued(start, digits) else { return nil }
    return sum.odd % 10 == 0 ? Finding(kind: .card, range: start..<place) : nil
  }

  /// Two sums, of which the next digit decides which is which: seen from the end each second digit counts double.
  private func add(_ digit: Int, _ sum: inout (odd: Int, even: Int)) {
    let double = digit < 5 ? digit * 2 : digit * 2 - 9
    sum = (odd: sum.even + digit, even: sum.odd + double)
  }

  /// 4 and 4 and 4 and 4, or 4 and 6 and 5.
  private func endsGroup(_ digits: Int, _ groups: Int) -> Bool {
    digits == groups * 4 && groups < 4 || digits == 10 && groups == 2
  }

  private func isGap(_ place: Int) -> Bool {
    (text[place] == UInt8(ascii: " ") || text[place] == UInt8(ascii: "-")) && place + 1 < text.count
      && text[place + 1].isDigit
  }

  private func isIssued(_ start: Int, _ digits: Int) -> Bool {
    var first = 0
    for byte in text[start...].prefix(4) where byte.isDigit { first = first * 10 + Int(byte - 0x30) }
    switch first {
    case 3400...3499, 3700...3799: return digits == 15
    case 3528...3589, 5100...5599, 2221...2720, 6011, 6440...6599: return digits == 16
    case 4000...4999: return digits == 13 || digits == 16 || digits == 19
    case 3000...3059, 3600...3699, 3800...3999: return digits == 14
    default: return false
    }
  }
}
