// Toolcontract's own table, as tests of node:test: @toolcontract/conformance/node-test.
import { describe, test } from "node:test";
import { describeStore as registerStore, type StoreHarness } from "@toolcontract/stores/testing";
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
export type { CountingJob, CountingResult, StoreHarness } from "@toolcontract/stores/testing";

/**
 * Registers one test of `node:test` for every case of Toolcontract's table, in both styles of the message.
 *
 * @param createHarness - Sets the adapter's framework up with a case's tools and options, and a scripted model.
 * @see docs/writing-an-adapter.md
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

/**
 * Registers one test of `node:test` for each thing that a store of attempts must do, such as keeping a count exact while several processes
 * change it.
 *
 * @param harness - Opens stores of yours at a new place, as several processes would.
 * @see docs/stores.md
 */
export function describeStore<Place>(name: string, harness: StoreHarness<Place>): void {
  void describe(name, () => {
    registerStore(harness, (title, run) => void test(title, run));
  });
}
