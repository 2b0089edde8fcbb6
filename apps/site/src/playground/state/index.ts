export {
  DEFAULT_OPTIONS,
  EMPTY_STATE,
  MAX_CALLS,
  MAX_TURNS,
  type PlaygroundOptions,
  type PlaygroundState,
  type ToolText,
  withNextCall,
  zodCodeOf,
} from "./playground-state.ts";
export { OPTION_RANGES, fitOptions } from "./options.ts";
export {
  type NamedState,
  decodeLink,
  decodeLintLink,
  encodeLink,
  encodeLintLink,
  isLintLink,
} from "./link.ts";
