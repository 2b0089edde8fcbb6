import { type Finding, hasField, isRecord } from "../../shared/index.ts";

/** Hints that an unknown field of an object belongs beside it, where the whole declares a field of its name. */
export function withMovesUp(
  findings: readonly Finding[],
  root: unknown,
  schema: unknown,
): readonly Finding[] {
  const { properties } = isRecord(schema) ? schema : {};
  if (!isRecord(properties) || !isRecord(root)) return findings;
  return findings.map((finding) => {
    const { code, path, renameTo, hint } = finding;
    const [, name, ...deeper] = path;
    if (code !== "VAL-005" || renameTo !== undefined || typeof name !== "string") return finding;
    const isOpen = hint === undefined || hint.kind === "leave-out";
    const belongs = Object.hasOwn(properties, name) && !hasField(root, name);
    return isOpen && deeper.length === 0 && belongs
      ? { ...finding, hint: { kind: "move-up" } }
      : finding;
  });
}
