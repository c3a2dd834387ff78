/// What help explains beyond single commands.
struct Topic: Sendable {
  let name: String
  let title: String
  /// What it explains, in half a line.
  let summary: String
  let paragraphs: [String]
  /// A term and what it means.
  let rows: [(term: String, meaning: String)]

  static let all = [types, output, environment, bash, exitCodes]

  static let exitCodes = Topic(
    name: "exit-codes", title: "Exit codes", summary: "what they mean",
    paragraphs: ["Every command uses the same."],
    rows: ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })

  static let types = Topic(
    name: "types", title: "Types", summary: "what --type can be, and how each is written",
    paragraphs: [
      "Every value has a type, for all programs and languages, and list --long shows it. It is a string unless --type says "
        + "something else; import takes types from JSON. A space before or behind is an error for every type but string."
    ],
    rows: [
      ("bool", "true, yes, on, 1 or false, no, off, 0, in any case"),
      ("int", "an integer of 64 bits, decimal or as 0xff; 0123 is 123, there is no octal"),
      ("uint", "an integer from 0 to 18446744073709551615; stored as an int where it fits one"),
      ("double", "a number with or without a point and an exponent: 3, .5, 1e-3; or nan, inf, -inf"),
      ("string", "any text, as it stands"),
      ("data", "bytes, as padded base64 without line breaks"),
      ("date", "an instant, as 2026-01-31T23:59:59Z or 2026-01-31T23:59:59.5+01:00; printed in UTC"),
      ("url", "an absolute URL"),
      ("uuid", "as 01234567-89ab-cdef-fedc-ba9876543210"),
      ("json", "any value written as JSON, arrays and dictionaries among them; help output has what JSON lacks"),
      ("same", "with set only: the type that the key holds now"),
    ])

  static let output = Topic(
    name: "output", title: "Output", summary: "how values are printed",
    paragraphs: [
      "Standard output has data only; everything else is said on standard error, behind satchel:. Where a command fails "
        + "nothing is printed. Not being able to write the output is exit code 3.",
      Escape.explanation,
      "With -z (--null) what is printed ends with a NUL byte instead and is not escaped. --json prints JSON in which what "
        + "JSON has no type for is an object with one key: $data, $date, $url, $uuid or $double.",
    ], rows: [])

  static let bash = Topic(
    name: "bash", title: "In bash", summary: "the builtin, which needs no process",
    paragraphs: [
      "enable -f satchel.so satchel makes satchel a builtin of bash: the same words and the same answers, without a new "
        + "process. bash finds the file in its BASH_LOADABLES_PATH, or by its path, PREFIX/lib/bash/satchel.so. What the "
        + "builtin does not do itself it hands to the command. help satchel lists what only the builtin has:"
    ],
    rows: [
      ("get -v NAME", "the value goes into the variable NAME, exactly; add and export have -v as well"),
      (
        "get -a NAME",
        "the elements of an array go into an indexed array; list and domains have -a for their keys and names"
      ),
      ("get -A NAME", "a dictionary goes into an associative array; list has -A for a whole domain"),
      ("SATCHEL_PROGRAM", "the name under which the builtin records changes, instead of that of the script"),
      ("SATCHEL_BIN", "the command that the builtin hands things to, instead of the satchel in PATH"),
    ])

  static let environment = Topic(
    name: "environment", title: "Environment", summary: "where domains live",
    paragraphs: ["Domains are the files $XDG_CONFIG_HOME/satchel/DOMAIN.satchel."],
    rows: [
      ("XDG_CONFIG_HOME", "an absolute path; $HOME/.config where it is not set"),
      ("HOME", "used where XDG_CONFIG_HOME is not set; a home that does not exist is an error and is never made"),
    ])
}
