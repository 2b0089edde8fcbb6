import { defineTool, type RunnableTool } from "@toolcontract/core";
import { createGuardrails, currentAttempt, pathInside } from "@toolcontract/guardrails";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inOwnLoop, type World } from "../agents/own-loop.ts";
import { callAt } from "../scenario.ts";
import type { Folder } from "../workspace.ts";

const FILES = ["notes/todo.md", "notes/meeting.md", "src/server.ts"];

interface Edit {
  readonly path: string;
  readonly content: string;
}

const path = { type: "string" } as const;

/** A folder of its own: what is deleted here, other scenes need. */
function ownFolder(folder: Folder): string {
  return `${folder.path}-of-the-agent`;
}

function openFolder(folder: Folder): World {
  const at = (name: string): string => join(ownFolder(folder), name);
  for (const name of FILES) {
    mkdirSync(dirname(at(name)), { recursive: true });
    copyFileSync(join(folder.path, name), at(name));
  }
  const deleteFile = defineTool({
    name: "delete_file",
    description: "Deletes a file",
    inputSchema: { type: "object", properties: { path }, required: ["path"] },
    execute(args: { readonly path: string }) {
      rmSync(at(args.path));
      return `Deleted ${args.path}`;
    },
  });
  const read = (): string => FILES.filter((name) => existsSync(at(name))).join(", ");
  return { tools: [writeFile(at), deleteFile], read };
}

/** A tool that fails after it has written, if the text is too short to be meant. */
function writeFile(at: (name: string) => string): RunnableTool<Edit> {
  return defineTool({
    name: "write_file",
    description: "Writes a file",
    inputSchema: {
      type: "object",
      properties: { path, content: { type: "string" } },
      required: ["path", "content"],
    },
    execute(args: Edit) {
      const file = at(args.path);
      const before = existsSync(file) ? readFileSync(file) : undefined;
      backUp(() => (before === undefined ? rmSync(file) : writeFileSync(file, before)));
      writeFileSync(file, args.content);
      if (args.content === "") throw Object.assign(new Error("the text is empty"), { status: 422 });
      return `Wrote ${args.path}`;
    },
  });
}

/** Only an attempt can undo it; a loop without the contract has none. */
function backUp(restore: () => void): void {
  try {
    currentAttempt().onRollback(restore, "file");
  } catch {
    // Nothing restores it.
  }
}

function readIn(folder: Folder, name: string): string {
  return readFileSync(join(ownFolder(folder), name), "utf8");
}

/** Writes stay in one folder and are undone if they fail; a person agrees to the one deletion that a run may have. */
export const fileAgent = inOwnLoop({
  name: "file-agent",
  title: "an agent that edits files: one folder, backups, and a person before a deletion",
  story: "A path that begins with notes/ may lead anywhere, and a deleted file is gone.",
  open: openFolder,
  guardrails(folder) {
    const root = ownFolder(folder);
    const inNotes = pathInside(join(root, "notes"));
    return createGuardrails({
      tools: ["write_file", "delete_file"],
      effects: { write_file: "compensable", delete_file: "irreversible" },
      limits: { deletions: { max: 1, per: "run" } },
      spends: { delete_file: () => ({ deletions: 1 }) },
      guardrails: [
        {
          name: "notes_only",
          check: ({ args }) =>
            inNotes(join(root, args.path)) === undefined && {
              message: "this assistant may use notes/ only",
              fieldPath: "/path",
              hint: "send a path below notes/",
            },
        },
        {
          name: "deletions",
          tools: ["delete_file"],
          // One policy says all three: refused, asked, or, for other tools, allowed.
          async check({ args, usage }) {
            const { left } = await usage("deletions");
            return left < 1 ? "only one file may be deleted" : { ask: `delete ${args.path}` };
          },
        },
      ],
    });
  },
  person: () => true,
  script: [
    {
      calls: [
        { tool: "write_file", args: { path: "notes/../src/server.ts", content: "// gone" } },
        { tool: "write_file", args: { path: "notes/todo.md", content: "" } },
      ],
    },
    {
      learned: ["this assistant may use notes/ only", "All its state changes were undone."],
      calls: [
        { tool: "delete_file", args: { path: "notes/meeting.md" } },
        { tool: "delete_file", args: { path: "notes/todo.md" } },
      ],
    },
    {
      learned: ["only one file may be deleted"],
      calls: [],
      says: "The meeting is deleted; I left the to-do list as it is.",
    },
  ],
  verify({ worlds, asked, guarded, plain, ...scene }, claim) {
    claim(
      "without the contract both files are gone, and the source is overwritten",
      worlds.plain.read() === "src/server.ts" && readIn(plain, "src/server.ts") === "// gone",
      worlds.plain.read(),
    );
    claim(
      "with it one file is deleted, which the person agreed to",
      worlds.guarded.read() === "notes/todo.md, src/server.ts" && asked.length === 1,
      worlds.guarded.read(),
    );
    claim("the source is as it was", readIn(guarded, "src/server.ts").includes("8080"));
    const restored = readIn(guarded, "notes/todo.md");
    claim("a write that failed is undone", restored.startsWith("# To do"), restored);
    const second = callAt({ ...scene, guarded, plain }, 2, 2).handled;
    claim("nobody is asked about a second deletion", second.status === "rejected", second.status);
  },
});
