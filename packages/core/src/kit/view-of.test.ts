import { expect, test } from "vitest";
import { viewOf } from "./view-of.ts";

class Lamp {
  readonly #watts = 40;
  #isOn = false;
  name = "lamp";
  listener: (() => string) | undefined;

  get watts(): number {
    return this.#watts;
  }
  get isOn(): boolean {
    return this.#isOn;
  }
  set isOn(on: boolean) {
    this.#isOn = on;
  }
  describe(): string {
    return `${this.name}, ${this.#watts} W`;
  }
}

test("methods and accessors run on the object itself, which has the private members", () => {
  const lamp = new Lamp();
  const view = viewOf(lamp, {});
  view.isOn = true;
  expect([view.describe(), view.watts, view.isOn, lamp.isOn]).toEqual([
    "lamp, 40 W",
    40,
    true,
    true,
  ]);
  expect(Reflect.get(view, "describe")).toBe(Reflect.get(view, "describe"));
  expect(view).toBeInstanceOf(Lamp);
  expect(view.constructor).toBe(Lamp);
});

test("what changes later is seen, from both sides", () => {
  const lamp = new Lamp();
  const view = viewOf(lamp, {});
  lamp.name = "desk";
  expect(view.describe()).toBe("desk, 40 W");
  view.name = "wall";
  expect(lamp.describe()).toBe("wall, 40 W");
  Reflect.deleteProperty(view, "name");
  expect(Object.hasOwn(lamp, "name")).toBe(false);
});

test("replaced members are the view's alone, methods too", () => {
  const lamp = new Lamp();
  const view = viewOf(lamp, { name: "shown", describe: () => "replaced" });
  view.name = "other";
  expect([view.name, lamp.name, view.describe(), lamp.describe()]).toEqual([
    "other",
    "lamp",
    "replaced",
    "lamp, 40 W",
  ]);
});

test.each([
  ["configurable", true],
  ["unchangeable", false],
])("a member that is defined as %s is the view's, as if it was set", (_, configurable) => {
  const lamp = new Lamp();
  lamp.listener = () => "the object's";
  const members: { listener: (() => string) | undefined } = { listener: undefined };
  const view = viewOf(lamp, members);
  const get = () => () => "defined";
  Object.defineProperty(view, "listener", { get, configurable });
  Object.defineProperty(view, "extra", { value: 1, configurable });
  expect([view.listener?.(), members.listener?.(), lamp.listener()]).toEqual([
    "defined",
    "defined",
    "the object's",
  ]);
  expect(Reflect.get(lamp, "extra")).toBe(1);
  expect(Object.getOwnPropertyDescriptor(view, "listener")).toMatchObject({ get, configurable });
});

test("a frozen object can be viewed: what is replaced differs, the rest cannot be set", () => {
  const mark = Symbol("mark");
  const frozen = Object.freeze({ a: 1, b: 2, [mark]: 3 });
  const view = viewOf(frozen, { b: 20 });
  expect([view.b, "a" in view, Object.keys(view), { ...view }]).toEqual([
    20,
    true,
    ["a", "b"],
    { a: 1, b: 20, [mark]: 3 },
  ]);
  expect(() => Object.assign(view, { a: 5 })).toThrow(TypeError);
});

test("a copy of a view has the object's keys, and no method that was replaced", () => {
  const lamp = new Lamp();
  const view = viewOf(lamp, { name: "shown", describe: () => "replaced" });
  expect(Object.assign({}, view)).toEqual({ name: "shown", listener: undefined });
});
