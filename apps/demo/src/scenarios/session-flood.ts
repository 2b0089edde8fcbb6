import { onSdkSession } from "../session/sdk-session.ts";

const LINE = "2026-11-22 12:00:00 error: no connection to the database\n";

/** A log of a quarter of a megabyte, of which the model reads one kilobyte. */
export const sessionFlood = onSdkSession({
  name: "session-flood",
  title: "A flood of output is cut, and says so",
  story: "One tool call returns a log of 260 KB: it fills the context, and every later request.",
  limits: { toolResponseMaxBytes: 1_024 },
  tools: [{ name: "read_log", description: "Reads a log", run: () => LINE.repeat(4_600) }],
  script: [
    { calls: [{ tool: "read_log", args: {} }] },
    {
      learned: [
        `[TRUNCATED] Original size ${LINE.length * 4_600} bytes; truncated to 1024 bytes.`,
        "no connection to the database",
      ],
      calls: [],
      says: "The log says that the database is not reachable.",
    },
  ],
  verify({ bare, limited: { answers, result } }, claim) {
    const [whole = ""] = bare.answers.values();
    claim("without a session the model reads all of it", whole === LINE.repeat(4_600));
    const [cut = ""] = answers.values();
    const [notice = ""] = cut.split("\n");
    const [gap = ""] = /\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/.exec(cut) ?? [];
    claim(
      "with it the model reads one kilobyte, its beginning and its end, below a line that says so",
      gap !== "" && Buffer.byteLength(cut) === notice.length + 1 + 1_024 + gap.length,
      Buffer.byteLength(cut),
    );
    claim("what it answers is the report", result.success, result.finalReport);
  },
});
