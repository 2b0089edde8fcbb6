import { execFileSync } from "node:child_process";
import {
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The jobs of a workflow, each with its text. */
function jobsOf(path: string): ReadonlyMap<string, string> {
  const [, jobs = ""] = read(path).split(/^jobs:\n/m);
  const named = jobs.split(/^(?= {2}[a-z][\w-]*:\n)/m).slice(1);
  return new Map(named.map((text) => [text.slice(2, text.indexOf(":")), text]));
}

const RELEASE = jobsOf(".github/workflows/release.yml");
const WORKFLOWS = globSync(".github/{workflows,actions/*}/*.yml", { cwd: ROOT });

describe("the release", () => {
  test("has the jobs that are looked at here", () => {
    expect([...RELEASE.keys()]).toEqual(["version", "propose", "test", "pack", "publish", "tag"]);
  });

  test.each([...RELEASE])("%s runs no code of a dependency if it may write", (_, job) => {
    const mayWrite = /^ {6}[a-z-]+: write$/m.test(job);
    const runsDependencies = /\b(?:pnpm|npx|npm (?:ci|install|exec|run))\b|actions\/pnpm/.test(job);
    expect(mayWrite && runsDependencies).toBe(false);
    // A right that a job does not name is none.
    expect(job).toMatch(/^ {4}permissions:$/m);
  });

  test("packs in a fresh checkout what was tested, and publishes that alone", () => {
    expect(RELEASE.get("pack")).toContain("needs: test\n");
    const runs = [...(RELEASE.get("pack") ?? "").matchAll(/run: (.+)/g)].map(([, run]) => run);
    expect(runs).toEqual(["pnpm release:pack tarballs"]);
    expect(RELEASE.get("publish")).toContain("needs: pack\n");
    expect(RELEASE.get("publish")).not.toContain("actions/checkout");
  });
});

test.each(WORKFLOWS)("%s uses actions by their digest", (path) => {
  const used = [...read(path).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  for (const action of used) expect(action).toMatch(/^\.\/\.github\/actions\/\w+$|@[0-9a-f]{40}$/);
});

test("pnpm is installed by its integrity, wherever something of a run goes on", () => {
  const lock = JSON.parse(read(".github/pnpm/package-lock.json")) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  const { "": root, ...installed } = lock.packages;
  expect(root).toBeDefined();
  expect(Object.keys(installed)).toEqual(["node_modules/@pnpm/exe.linux-x64"]);
  for (const { integrity } of Object.values(installed)) expect(integrity).toMatch(/^sha512-/);
  for (const path of WORKFLOWS)
    for (const [name, job] of jobsOf(path))
      if (name !== "windows") expect(job).not.toMatch(/npx -y pnpm/);
});

describe("the patch of a version", () => {
  /** A repository with these files, a patch that makes them others, and what applying it says. */
  function apply(change: (folder: string) => void): string {
    const folder = mkdtempSync(join(tmpdir(), "toolcontract-version-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const git = (...args: string[]): string =>
      execFileSync(
        "git",
        ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org", ...args],
        { encoding: "utf8" },
      );
    git("init", "--quiet");
    write(folder, "packages/core/package.json", "{}\n");
    write(folder, ".changeset/one.md", "one\n");
    write(folder, ".github/workflows/release.yml", "a\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "begin");
    change(folder);
    git("add", "--all");
    const patch = `${folder}.patch`;
    onTestFinished(() => rmSync(patch));
    writeFileSync(patch, git("diff", "--cached", "--no-renames", "--no-ext-diff"));
    git("reset", "--quiet", "--hard");
    const script = join(ROOT, "scripts/release/apply-version.sh");
    try {
      execFileSync("bash", [script, patch], { cwd: folder, stdio: "pipe" });
    } catch (thrown) {
      return String((thrown as { readonly stderr?: Buffer }).stderr);
    }
    return git("status", "--short");
  }

  test("is applied where versions are", () => {
    const status = apply((folder) => {
      write(folder, "packages/core/package.json", '{"version":"1.0.0"}\n');
      write(folder, "packages/core/CHANGELOG.md", "# 1.0.0\n");
      rmSync(join(folder, ".changeset/one.md"));
    });
    expect(status.split("\n").filter(Boolean).toSorted()).toEqual([
      "A  packages/core/CHANGELOG.md",
      "D  .changeset/one.md",
      "M  packages/core/package.json",
    ]);
  });

  test.each<[what: string, change: (folder: string) => void]>([
    ["a workflow", (folder) => write(folder, ".github/workflows/release.yml", "b\n")],
    ["a source", (folder) => write(folder, "packages/core/src/index.ts", "evil();\n")],
    ["a script", (folder) => write(folder, "scripts/release/pack.ts", "evil();\n")],
    ["settings of npm", (folder) => write(folder, ".npmrc", "a=b\n")],
    ["a name with a line break", (folder) => write(folder, "packages/core/package.json\n", "{}\n")],
    [
      "a link",
      (folder) => {
        rmSync(join(folder, "packages/core/package.json"));
        symlinkSync("/etc/passwd", join(folder, "packages/core/package.json"));
      },
    ],
  ])("is refused if it changes %s", (_, change) => {
    expect(apply(change)).toMatch(/^A version (?:does not change|makes no)/);
  });
});

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
