import { resolve } from "node:path";
import {
  BaseSequencer,
  createVitest,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import { type Sources, writeSources } from "./sources.ts";

/** How a test file ended. */
export interface Ended {
  readonly file: string;
  readonly milliseconds: number;
  /** The first test that failed, or why the file did not run to its end. */
  readonly failed?: string;
}

interface SessionOptions {
  readonly workers: number;
  readonly isStoppedByFailure: boolean;
  readonly setupFiles: readonly string[];
}

/** A vitest that stays open and loads changed sources for some files, here and in the processes that tests start. */
export class TestSession {
  readonly #vitest: Vitest;
  readonly #order: Map<string, number>;
  readonly #sources: { current: Sources };

  private constructor(vitest: Vitest, order: Map<string, number>, sources: { current: Sources }) {
    this.#vitest = vitest;
    this.#order = order;
    this.#sources = sources;
  }

  static async open(options: SessionOptions): Promise<TestSession> {
    const { workers, isStoppedByFailure, setupFiles } = options;
    const order = new Map<string, number>();
    const sources: { current: Sources } = { current: {} };
    class InOrder extends BaseSequencer {
      override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
        const place = ({ moduleId }: TestSpecification) => order.get(moduleId) ?? 0;
        return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)));
      }
    }
    const vitest = await createVitest(
      "test",
      {
        watch: false,
        fsModuleCache: false,
        reporters: [{}],
        maxWorkers: workers,
        bail: isStoppedByFailure ? 1 : 0,
        sequence: { sequencer: InOrder },
        onConsoleLog: () => false,
      },
      {
        cacheDir: resolve(".artifacts/mutate"),
        plugins: [
          // For projects that need Vite; in others Node loads the sources, with the hook of the preload.
          {
            name: "mutate",
            enforce: "pre",
            load: (id) => sources.current[id.split("?", 1)[0] ?? id],
          },
        ],
      },
    );
    for (const { config } of vitest.projects) config.setupFiles.push(...setupFiles);
    return new TestSession(vitest, order, sources);
  }

  /** Loads these sources from now on, and every other file as it is. */
  swap(sources: Sources): void {
    const changed = new Set([...Object.keys(this.#sources.current), ...Object.keys(sources)]);
    this.#sources.current = sources;
    writeSources(sources);
    for (const path of changed) this.#vitest.invalidateFile(path);
  }

  /** Runs test files, the first ones first. */
  async run(files: readonly string[]): Promise<readonly Ended[]> {
    const paths = files.map((file) => resolve(file));
    this.#order.clear();
    for (const [index, path] of paths.entries()) this.#order.set(path, index);
    const wanted = new Set(paths);
    const all = await this.#vitest.globTestSpecifications();
    this.#vitest.state.filesMap.clear();
    const specifications = all.filter(({ moduleId }) => wanted.has(moduleId));
    const { testModules, unhandledErrors } =
      await this.#vitest.runTestSpecifications(specifications);
    // Vitest sets it if a test fails.
    process.exitCode = 0;
    const ended = testModules.map(endOf);
    const [uncaught] = unhandledErrors;
    if (uncaught === undefined || ended.some(({ failed }) => failed !== undefined)) return ended;
    const failed = `uncaught: ${(uncaught as Error).message}`;
    return [...ended, { file: files[0] ?? "", milliseconds: 0, failed }];
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }
}

function endOf(module: TestModule): Ended {
  const file = module.relativeModuleId;
  const [failedTest] = module.children.allTests("failed");
  const [error] = module.errors();
  const failed = failedTest?.fullName ?? error?.message ?? suiteError(module);
  return {
    file,
    milliseconds: module.diagnostic().duration,
    ...(failed !== undefined && { failed }),
  };
}

/** A group of tests that failed as a whole, such as in `beforeAll`. */
function suiteError(module: TestModule): string | undefined {
  for (const suite of module.children.allSuites()) {
    const [error] = suite.errors();
    if (error !== undefined) return `${suite.fullName}: ${error.message}`;
  }
  return undefined;
}
