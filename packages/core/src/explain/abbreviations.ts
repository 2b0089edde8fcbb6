/** Words that are written short in as many names as they are written out, each list one word. */
const SAME_WORDS =
  "address addr, amount amt, application app, argument arg, ascending asc, attribute attr, average avg, " +
  "background bg, boolean bool, button btn, category cat, certificate cert, character char, column col, command cmd, " +
  "configuration config cfg conf, coordinate coord, currency ccy, database db, delete del, department dept, " +
  "description descending desc, destination dest dst, development dev, dictionary dict, directory dir, " +
  "document doc, environment env, error err, expression expr, extension ext, format fmt, frequency freq, " +
  "function func fn, image img, index idx, information info, integer int, language lang, latitude lat, length len, " +
  "library lib, location loc, longitude lon lng, maximum max, message msg, minimum min, number num nr, object obj, " +
  "option opt, organization organisation org, package pkg, parameter param, password passwd pwd, " +
  "percentage percent pct, picture pic, position pos, previous prev, priority prio, production prod, " +
  "property prop, quantity qty, reference ref, repository repo, request req, response resp, source src, " +
  "specification spec, string str, temperature temp, temporary tmp, text txt, timestamp ts, timezone tz, " +
  "transaction txn tx, value val, variable var, version ver, volume vol, weight wt, " +
  "monday mon, tuesday tue tues, wednesday wed, thursday thu thur thurs, friday fri, saturday sat, sunday sun, " +
  "january jan, february feb, april apr, june jun, july jul, august aug, september sep sept, october oct, " +
  "november nov, december dec";

const LONG_FORMS: ReadonlyMap<string, string> = new Map(
  SAME_WORDS.split(", ").flatMap((list) => {
    const [long = "", ...short] = list.split(" ");
    return short.map((word) => [word, long] as const);
  }),
);

/** The word written out where it is a usual abbreviation, else the word. */
export function longForm(word: string): string {
  return LONG_FORMS.get(word) ?? word;
}
