import { type DataRule, isFunction, isObject, oneOf } from "@toolcontract/core/adapter";
import type { XmlTransport } from "../shared/index.ts";

/** The transport of a run: in code, one that is not native is an object; a file has its name. */
export const transports: DataRule = {
  wants: '"native", or xml or xmlFinal of @toolcontract/session/xml',
  fits: (value) => value === "native" || isXmlTransport(value),
  schema: oneOf("native", "xml-final", "xml").schema,
};

function isXmlTransport(value: unknown): boolean {
  return isObject.fits(value) && isFunction.fits((value as Partial<XmlTransport>).start);
}
