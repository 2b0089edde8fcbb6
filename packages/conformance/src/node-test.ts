// Toolcontract's own table, as tests of node:test: @toolcontract/conformance/node-test.
import { describe, test } from "node:test";
import {
  type CreateHarness,
  describeCases,
  type DescribeAdapterOptions,
  nodeExpect,
} from "./table/index.ts";

export type {
  AdapterHarness,
  CallReport,
  Capability,
  CaseCall,
  CaseOptions,
  CaseTool,
  CaseTurn,
  ConformanceCase,
} from "@toolcontract/case-table/run-case";
export type { CreateHarness, DescribeAdapterOptions, Observers } from "./table/index.ts";

/**
 * Registers one test of `node:test` for every case of Toolcontract's table, in both styles of the message.
 *
 * @param createHarness - Sets the adapter's framework up with a case's tools and options, and a scripted model.
 */
export function describeAdapter(
  name: string,
  createHarness: CreateHarness,
  options: DescribeAdapterOptions = {},
): void {
  describeCases(name, createHarness, options, {
    expect: nodeExpect,
    describe: (title, register) => void describe(title, register),
    test: (title, run, skip) => void test(title, { skip: skip ?? false }, run),
  });
}
