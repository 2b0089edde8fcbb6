import {
  type Expectation,
  type ExpectedField,
  type Limits,
  type NumberLimits,
  jsonEqual,
  sameExpectation,
} from "../../shared/index.ts";

type Kind<K extends Expectation["kind"]> = Expectation & { readonly kind: K };

/**
 * What two schemas ask for of one value, such as a reference and the limits beside it: every limit of both is kept. What
 * `more` asks for is about values of its own type only.
 */
export function narrowed(base: Expectation, more: Expectation): Expectation {
  if (more.kind === "anything" || base.kind === "nothing") return base;
  if (base.kind === "anything" || more.kind === "nothing" || sameExpectation(base, more))
    return more;
  if (more.kind === "all") return more.of.reduce(narrowed, base);
  if (base.kind === "either") {
    const of = base.of.map((one) => narrowed(one, more));
    return { ...base, of };
  }
  if (more.kind === "either") {
    const narrower = more.of.map((one) => narrowed(base, one)).find((one) => one !== base);
    return narrower ?? base;
  }
  if (more.kind === "values" || base.kind === "values") return narrowedValues(base, more);
  if (base.kind === "number" && more.kind === "number") return narrowedNumber(base, more);
  if (base.kind === "string" && more.kind === "string") return narrowedString(base, more);
  return narrowedContainer(base, more);
}

function narrowedValues(base: Expectation, more: Expectation): Expectation {
  if (base.kind !== "values") return more;
  if (more.kind !== "values") return isOfType(base, more) ? both(base, more) : base;
  const values = base.values.filter((value) => more.values.some((one) => jsonEqual(one, value)));
  return values.length > 0 ? { kind: "values", values } : more;
}

/** Whether limits say something about listed values. */
function isOfType({ values }: Kind<"values">, more: Expectation): boolean {
  const [first] = values;
  if (more.kind === "number")
    return typeof first === "number" && Object.keys(more.limits).length > 0;
  return more.kind === "string" && typeof first === "string" && hasLimits(more);
}

function hasLimits({ length, format, pattern }: Kind<"string">): boolean {
  return Object.keys(length).length > 0 || format !== undefined || pattern !== undefined;
}

function narrowedNumber(base: Kind<"number">, more: Kind<"number">): Expectation {
  const type = base.type === "integer" ? base.type : more.type;
  const joined = { ...base, ...more, type, limits: narrowedLimits(base.limits, more.limits) };
  const isStep = base.multipleOf === undefined || more.multipleOf === undefined;
  if (isStep || base.multipleOf === more.multipleOf) return joined;
  return both({ ...base, type, limits: joined.limits }, { ...joined, limits: {} });
}

function narrowedString(base: Kind<"string">, more: Kind<"string">): Expectation {
  const clashes = (key: "format" | "pattern"): boolean =>
    base[key] !== undefined && more[key] !== undefined && base[key] !== more[key];
  const length = narrowedCount(base.length, more.length);
  if (clashes("format") || clashes("pattern"))
    return both({ ...base, length }, { ...more, length: {} });
  return { ...base, ...more, length };
}

/** One more of several limits; what a string's length or a number's range has to be is said of the first. */
function narrowedAll({ of }: Kind<"all">, more: Expectation): Expectation {
  const [first, ...others] = of;
  if (first?.kind === "string" && more.kind === "string")
    return listed([
      { ...first, length: narrowedCount(first.length, more.length) },
      ...others,
      { ...more, length: {} },
    ]);
  if (first?.kind === "number" && more.kind === "number")
    return listed([
      { ...first, limits: narrowedLimits(first.limits, more.limits) },
      ...others,
      { ...more, type: first.type, limits: {} },
    ]);
  return listed([...of, more]);
}

function narrowedContainer(base: Expectation, more: Expectation): Expectation {
  switch (base.kind) {
    case "array":
      if (more.kind === "tuple") return { ...more, count: narrowedCount(base.count, more.count) };
      if (more.kind !== "array") return base;
      return {
        ...base,
        count: narrowedCount(base.count, more.count),
        ...(more.items && { items: narrowed(base.items ?? more.items, more.items) }),
      };
    case "tuple":
      return more.kind === "array"
        ? { ...base, count: narrowedCount(base.count, more.count) }
        : base;
    case "object":
      if (more.kind === "object") return { ...base, ...more, ...joinedFields(base, more) };
      return (more.kind === "map" || more.kind === "tagged") &&
        base.fields.every(({ isOptional }) => isOptional)
        ? more
        : base;
    case "map":
      return more.kind === "object" && more.fields.some(({ isOptional }) => isOptional !== true)
        ? more
        : base;
    case "all":
      return narrowedAll(base, more);
    default:
      return base;
  }
}

function joinedFields(base: Kind<"object">, more: Kind<"object">): Pick<Kind<"object">, "fields"> {
  const all = [...base.fields, ...more.fields];
  const required = all.filter(({ isOptional }) => isOptional !== true);
  const fields = new Map<string, ExpectedField>();
  for (const field of required.length > 0 ? required : all)
    fields.set(field.name, { ...fields.get(field.name), ...field });
  return { fields: [...fields.values()] };
}

function both(base: Expectation, more: Expectation): Expectation {
  return listed([base, more]);
}

function listed(of: readonly Expectation[]): Expectation {
  return { kind: "all", of };
}

function narrowedCount(a: Limits, b: Limits): Limits {
  const min = greatest(a.min, b.min);
  const max = least(a.max, b.max);
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** The limits of a number that are left of two of a kind: the other one says nothing more. */
export function narrowedLimits(a: NumberLimits, b: NumberLimits): NumberLimits {
  const min = greatest(a.min, b.min);
  const max = least(a.max, b.max);
  const above = greatest(a.above, b.above);
  const below = least(a.below, b.below);
  const isAbove = above !== undefined && above >= (min ?? above);
  const isBelow = below !== undefined && below <= (max ?? below);
  return {
    ...(!isAbove && min !== undefined && { min }),
    ...(!isBelow && max !== undefined && { max }),
    ...(isAbove && { above }),
    ...(isBelow && { below }),
  };
}

function greatest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
