export {
  ConfigError,
  type ConfigFault,
  type FileFaultCode,
  MissingVariableError,
  type Position,
  formatFault,
  inFileOrder,
  showPath,
} from "./config-fault.ts";
