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

/** The supported versions of langchain that the tests run on. */
export type Version = "1.0.6" | "1.2.39" | "1.5.14";

/** One version of LangChain with the adapter on top of it. */
export interface Lab extends Packages {
  readonly version: Version;
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
  "1.2.39": "@toolcontract/langchain-1.2",
  "1.0.6": "@toolcontract/langchain-1.0",
} as const;

/**
 * Loads the adapter as in a project with this version of LangChain.
 *
 * Each older version has its own workspace package with matching versions of core and LangGraph. The adapter's imports
 * of core are that package's, so that each lab has a single copy of core, as a project does.
 */
export async function loadLab(version: Version): Promise<Lab> {
  const packages = await load(version);
  const loaded = version === "1.5.14" ? await loadNewest() : await loadOlder(version);
  return { ...packages, version, ...loaded, script: (turns) => scriptedModel(packages, turns) };
}

type Loaded = Pick<Lab, "adapter" | "session">;

async function loadNewest(): Promise<Loaded> {
  return { adapter: await import("../index.ts"), session: await import("../session/index.ts") };
}

async function loadOlder(version: keyof typeof OLDER): Promise<Loaded> {
  const [loaded, ofSession] = await importOn<[typeof adapter, typeof session]>(
    {
      name: `langchain-${version}`,
      sources: new URL("../", import.meta.url),
      packages: { "@langchain/core": "@langchain/core", langchain: "langchain" },
      beside: import.meta.resolve(OLDER[version]),
    },
    "index.ts",
    "session/index.ts",
  );
  return { adapter: loaded, session: ofSession };
}

async function load(version: Version): Promise<Packages> {
  if (version === "1.5.14") return CURRENT;
  /* oxlint-disable no-restricted-imports -- nothing of this folder is published */
  const old: unknown =
    version === "1.2.39"
      ? await import("@toolcontract/langchain-1.2")
      : await import("@toolcontract/langchain-1.0");
  /* oxlint-enable no-restricted-imports */
  // Typed as the newest version; the tests only use what all versions have.
  return old as Packages;
}
