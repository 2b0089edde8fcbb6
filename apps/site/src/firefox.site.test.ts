// The pages and the hostile links once more, in a browser with another engine.
import { oneInThree } from "@toolcontract/case-table/whole";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { EMPTY_STATE, encodeLink } from "./playground/state/index.ts";
import { FIREFOX, type Firefox, type FirefoxTab, launchFirefox } from "./testing/firefox.ts";
import {
  BREAKING,
  ENDLESS,
  FORGING,
  type HostileCode,
  SAYING,
  tryAll,
} from "./testing/hostile-code.ts";

const DESKTOP = [1280, 720] as const;
const PHONE = [390, 844] as const;
const ORIGIN = inject("site").origin;
const REACHING: HostileCode = [
  "reaches nothing",
  tryAll(ORIGIN),
  /"origin": "null"(?![^]*reached)/,
];

describe.skipIf(FIREFOX === undefined)(
  `in Firefox${FIREFOX === undefined ? ", which is not installed; FIREFOX is its path" : ""}`,
  () => {
    let firefox: Firefox;
    beforeAll(async () => {
      firefox = await launchFirefox(FIREFOX ?? "");
    });
    afterAll(() => firefox.close());

    async function onTab(
      path: string,
      size: readonly [number, number],
      then: (tab: FirefoxTab) => Promise<void>,
    ): Promise<void> {
      const tab = await firefox.open(ORIGIN + path, size);
      await then(tab);
      await tab.close();
    }

    describe.each([
      ["a desktop", DESKTOP],
      ["a phone", PHONE],
    ] as const)("on %s", (_, size) => {
      test.each(["/", "/docs/getting-started.html", "/playground/"])(
        "%s is whole, fits, and has no errors",
        (path) =>
          onTab(path, size, async (tab) => {
            expect(await tab.evaluate("document.querySelector('h1')?.textContent")).toMatch(/\w/);
            const beside = await tab.evaluate(
              "document.documentElement.scrollWidth - document.documentElement.clientWidth",
            );
            expect(Number(beside)).toBeLessThanOrEqual(0);
            expect(tab.faults()).toEqual([]);
          }),
      );

      test("hints are applied, and the tool runs", () =>
        onTab("/playground/", size, async (tab) => {
          await tab.reads(/\/pth \(VAL-005\)/);
          await tab.click("Apply hints");
          await tab.reads(/the tool runs/);
          expect(tab.faults()).toEqual([]);
        }));
    });

    const links = oneInThree([REACHING, ...FORGING, ...SAYING, ...BREAKING, ...ENDLESS]);
    test.each(links.map(([name, code, said, call = "{}"]) => ({ name, code, said, call })))(
      "code of a link: $name",
      async ({ code, said, call }) => {
        const tool = { language: "zod", text: code } as const;
        const link = await encodeLink({ ...EMPTY_STATE, tool, call });
        if ("fault" in link) throw new Error(link.fault);
        await onTab(`/playground/#${link.fragment}`, DESKTOP, async (tab) => {
          await tab.reads(/has not run/);
          await tab.click("Run the code of this link");
          if (said.test("Stopped.")) await tab.click("Stop");
          await tab.reads(said);
          expect(await tab.evaluate("document.title")).toBe("Playground | Toolcontract");
        });
      },
    );
  },
);
