const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = Buffer.from("data:");
const SPACE = 0x20;
const NEXT_LINE = Buffer.from("\n");
const NOTHING = Buffer.alloc(0);

/** Creates the reader of the data of one server-sent event that comes in parts, each line of data in as many parts. */
export function createDataReader(put: (bytes: Buffer) => void): (part: Buffer) => void {
  /** The beginning of a line, as long as it does not show whether the line is of the data. */
  let start = NOTHING;
  let isData: boolean | undefined;

  function decide(): void {
    isData = start.subarray(0, DATA.length).equals(DATA);
    if (isData) put(start.subarray(start[DATA.length] === SPACE ? DATA.length + 1 : DATA.length));
    start = NOTHING;
  }

  function takeOfLine(bytes: Buffer): void {
    if (isData === true) put(bytes);
    if (isData !== undefined) return;
    start = Buffer.concat([start, bytes]);
    if (start.length > DATA.length) decide();
  }

  function endLine(): void {
    if (isData === undefined) decide();
    if (isData === true) put(NEXT_LINE);
    isData = undefined;
  }

  return (part) => {
    let [feed, carriage] = [-1, -1];
    for (let at = 0; at < part.length; at += 1) {
      if (feed < at) feed = indexOf(part, LINE_FEED, at);
      if (carriage < at) carriage = indexOf(part, CARRIAGE_RETURN, at);
      const end = Math.min(feed, carriage);
      if (end > at) takeOfLine(part.subarray(at, end));
      if (end < part.length) endLine();
      at = end;
    }
  };
}

function indexOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? bytes.length : at;
}
