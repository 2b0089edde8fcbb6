import fc from "fast-check";
import { test } from "vitest";
import { createSecrets } from "./secrets.ts";

const secret = fc.stringMatching(/^[A-Za-z0-9]{8,40}$/);

test("whatever repeats a secret, and wherever it is cut, less than 8 of its first characters are left", () => {
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), fc.nat(60), (key, before, after, cut) => {
      const { add, hide } = createSecrets();
      add([key]);
      const whole = `${before}${key}${after}`;
      return [whole, whole.slice(0, cut), `${whole.slice(0, cut)}...`].every((text) => {
        const hidden = hide({ error: text }).error;
        const end = hidden.replace(/\.\.\.$/, "");
        return !hidden.includes(key) && !end.endsWith(key.slice(0, 8));
      });
    }),
  );
});
