import { readFileSync } from "node:fs";
import { importOn } from "@toolcontract/case-table/other-version";
import * as chatModels from "@langchain/core/language_models/chat_models";
import * as messages from "@langchain/core/messages";
import * as tools from "@langchain/core/tools";
import * as jsonSchema from "@langchain/core/utils/json_schema";
import * as types from "@langchain/core/utils/types";
import * as langgraph from "@langchain/langgraph";
import * as prebuilt from "@langchain/langgraph/prebuilt";
import * as langchain from "langchain";
import type * as adapter from "../index.ts";
import type * as session from "../session/index.ts";
import { type Script, scriptedModel, type ScriptedModel } from "./scripted-model.ts";

/** The packages of one installation: they share one copy of core. */
interface Packages {
  readonly chatModels: typeof chatModels;
  readonly messages: typeof messages;
  readonly tools: typeof tools;
  readonly jsonSchema: typeof jsonSchema;
  readonly types: typeof types;
  readonly langgraph: typeof langgraph;
  readonly prebuilt: typeof prebuilt;
  readonly langchain: typeof langchain;
}

/** The installations of langchain that the tests run on; in `previous`, LangGraph and core are older than in `newest`. */
export type Line = "newest" | "previous" | "middle" | "oldest";

/** One version of LangChain with the adapter on top of it. */
export interface Lab extends Packages {
  readonly line: Line;
  /** Whether langchain has all that its newest version has. */
  readonly isRecent: boolean;
  /** What is installed, for people. */
  readonly version: string;
  readonly adapter: typeof adapter;
  readonly session: typeof session;
  /** Creates a model that takes these turns in order, then says "Done." */
  readonly script: (turns: Script) => ScriptedModel;
}

const CURRENT: Packages = {
  chatModels,
  jsonSchema,
  messages,
  tools,
  types,
  langgraph,
  prebuilt,
  langchain,
};

/** The workspace packages that bring the older versions. */
const OLDER = {
  previous: "@toolcontract/langchain-previous",
  middle: "@toolcontract/langchain-1.2",
  oldest: "@toolcontract/langchain-1.0",
} as const;

/**
 * Loads the adapter as in a project with this version of LangChain.
 *
 * Each older version has its own workspace package with matching versions of core and LangGraph. The adapter's imports
 * of core are that package's, so that each lab has a single copy of core, as a project does.
 */
export async function loadLab(line: Line): Promise<Lab> {
  const packages = await load(line);
  const loaded = line === "newest" ? await loadNewest() : await loadOlder(line);
  const isRecent = line === "newest" || line === "previous";
  const version = `${versionOf("langchain", line)} with LangGraph ${versionOf("@langchain/langgraph", line)}`;
  const script: Lab["script"] = (turns) => scriptedModel(packages, turns);
  return { ...packages, line, isRecent, version, ...loaded, script };
}

/** The version of a package that is installed for a line. */
function versionOf(name: string, line: Line): string {
  const root =
    line === "newest"
      ? new URL("../../", import.meta.url)
      : new URL("../", import.meta.resolve(OLDER[line]));
  const manifest = readFileSync(new URL(`node_modules/${name}/package.json`, root), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

type Loaded = Pick<Lab, "adapter" | "session">;

async function loadNewest(): Promise<Loaded> {
  return { adapter: await import("../index.ts"), session: await import("../session/index.ts") };
}

async function loadOlder(line: keyof typeof OLDER): Promise<Loaded> {
  const [loaded, ofSession] = await importOn<[typeof adapter, typeof session]>(
    {
      name: `langchain-${line}`,
      sources: new URL("../", import.meta.url),
      packages: { "@langchain/core": "@langchain/core", langchain: "langchain" },
      beside: import.meta.resolve(OLDER[line]),
    },
    "index.ts",
    "session/index.ts",
  );
  return { adapter: loaded, session: ofSession };
}

async function load(line: Line): Promise<Packages> {
  if (line === "newest") return CURRENT;
  /* oxlint-disable no-restricted-imports -- nothing of this folder is published */
  const importers = {
    previous: async () => import("@toolcontract/langchain-previous"),
    middle: async () => import("@toolcontract/langchain-1.2"),
    oldest: async () => import("@toolcontract/langchain-1.0"),
  };
  const old: unknown = await importers[line]();
  /* oxlint-enable no-restricted-imports */
  // Typed as the newest version; the tests only use what all versions have.
  return old as Packages;
}
