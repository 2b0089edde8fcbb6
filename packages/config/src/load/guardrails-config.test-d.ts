import type { GuardrailsConfig as Accepted } from "@toolcontract/guardrails/config";
import { expectTypeOf } from "vitest";
import type { GuardrailsConfig } from "./guardrails-config.ts";

// What a file may hold is what guardrails take; each package describes it, so that neither needs the other's types.
expectTypeOf<GuardrailsConfig>().toExtend<Accepted>();
expectTypeOf<keyof Accepted>().toEqualTypeOf<keyof GuardrailsConfig>();
expectTypeOf<keyof NonNullable<Accepted["rules"]>[number]>().toEqualTypeOf<
  keyof NonNullable<GuardrailsConfig["rules"]>[number]
>();
