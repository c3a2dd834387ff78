extension OrderedDictionary {
  /// The value under `key`, or nil. A new key goes to the end, an existing one keeps its position, nil removes. In place: what is
  /// changed through it (`dictionary[key]?.append(1)`) is not copied. O(1).
  @inlinable
  public subscript(key: Key) -> Value? {
    @inline(__always)
    get {
      read { table in
        let index = table.find(key).index
        return index < 0 ? nil : table.entries[index].value
      } ?? nil
    }
    @inline(__always)
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
    }
    _modify {
      let finding = find(key)
      var value = finding.isFound ? change { $0.takeValue(at: finding.index) } : nil
      defer { putBack(value, forKey: key, finding) }
      yield &value
    }
  }

  /// The value under `key`, or the default. Writing through it (`counts[word, default: 0] += 1`) puts the key at the end first if it
  /// is not there, and changes the value in place. O(1).
  @inlinable
  public subscript(key: Key, default defaultValue: @autoclosure () -> Value) -> Value {
    get { self[key] ?? defaultValue() }
    _modify {
      let finding = find(key)
      let index = finding.isFound ? finding.index : append(key, defaultValue(), finding)
      let entries = change { $0.entries }
      yield &entries[index].value
    }
  }

  /// Puts a value; an existing key keeps its position, a new one goes to the end. Returns what was there. O(1).
  @inlinable @inline(__always)
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let finding = find(key)
    guard finding.isFound else {
      append(key, value, finding)
      return nil
    }
    return change { table in exchange(&table.entries[finding.index].value, with: value) }
  }

  /// Puts a value under a new key at the end. False, and nothing changes, when the key is there. O(1).
  @inlinable
  @discardableResult
  public mutating func append(_ value: Value, forKey key: Key) -> Bool {
    let finding = find(key)
    guard !finding.isFound else { return false }
    append(key, value, finding)
    return true
  }

  /// Puts another key in the place of `old`; position and value stay. False, and nothing changes, when `old` is not there or `new`
  /// is. O(1).
  @inlinable
  @discardableResult
  public mutating func replaceKey(_ old: Key, with new: Key) -> Bool {
    let finding = find(old)
    guard finding.isFound, !contains(key: new) else { return false }
    change { table in
      let key = exchange(&table.entries[finding.index].key, with: new)
      if !table.slots.isAbsent {
        table.slots.erase(finding.slot)
        let tag = Table.tag(of: new)
        table.slots.insert(finding.index, tag: tag, from: table.slots.home(of: tag))
      }
      withExtendedLifetime(key) {}
    }
    return true
  }
}

extension OrderedDictionary {
  /// Puts an entry at the end; `finding` is the search that did not find its key. Returns its place.
  @inlinable @inline(__always)
  @discardableResult
  mutating func append(_ key: Key, _ value: Value, _ finding: Table.Finding) -> Int {
    change { $0.append(key, value, finding) }
  }

  /// Ends what `takeValue` began, or puts or removes the key.
  @inlinable
  mutating func putBack(_ value: Value?, forKey key: Key, _ finding: Table.Finding) {
    switch value {
    case .some(let value) where finding.isFound: change { $0.putValue(value, at: finding.index) }
    case .some(let value): append(key, value, finding)
    case nil where finding.isFound: change { $0.removeWithoutValue(finding) }
    case nil: break
    }
  }
}
