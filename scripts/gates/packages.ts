import { type Gate, runCommand, type Tally } from "./run.ts";

const BUILD = "build";

/** Builds every package and checks the tarball that would be published. */
export function packageGates(): readonly Gate[] {
  return [
    { name: BUILD, command: "turbo run build" },
    { name: "tarballs", run: checkTarballs, needs: BUILD },
    { name: "size of the packages", command: "size-limit", needs: BUILD },
  ];
}

/** Packing a package, publint and attw count once each. */
async function checkTarballs(): Promise<Tally> {
  const { ok, stdout, output } = await runCommand("node scripts/gates/tarballs.ts", {
    keepsOutput: true,
  });
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  if (!ok || !last.startsWith("{")) return { passed: 0, failed: 1, output };
  const { passed, failed } = JSON.parse(last) as Tally;
  return { passed, failed, output };
}
