// Replaces ajv, which generates code: the page's policy forbids running it, and the engine interprets every schema.
function compiler(): never {
  throw new Error("Schemas are interpreted in this page.");
}

export { compiler as Ajv, compiler as Ajv2019, compiler as Ajv2020 };
