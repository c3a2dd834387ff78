import CSatchelSystem

extension Producer {
  /// No record after all.
  static func abandon(_ view: UnsafeMutablePointer<scs_log_view>) {
    if view.pointee.unusual & Unusual.inScratch != 0 { Scratch.drop(view) }
    view.pointee.record = nil
    view.pointee.limit = view.pointee.room
    if view.pointee.unusual & Unusual.isNested != 0 { leave(view) }
  }
}
