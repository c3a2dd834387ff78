// placeholder until the file names are here
struct LogFileName {
  let text: String
  init(app: String, day: Int32, number: UInt32, isDirect: Bool = false) {
    let z = Int(day) + 719468, era = z / 146097, doe = z - era * 146097
    let yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153
    let d = doy - (153 * mp + 2) / 5 + 1, mo = mp < 10 ? mp + 3 : mp - 9, y = yoe + era * 400 + (mo <= 2 ? 1 : 0)
    func two(_ v: Int) -> String { v < 10 ? "0\(v)" : "\(v)" }
    text = "\(app)-\(y)-\(two(mo))-\(two(d))" + (isDirect ? ".direct" : "") + (number > 0 ? ".\(number)" : "") + ".log"
  }
}
