// One worker serves all tools with a JSON Schema; of a tool in zod, the code is in the worker too.
import { serve } from "./serve.ts";

serve();
