/** The code that an API gives a failure, as letters and digits in lower case, by what went wrong. */
export const CODES: Readonly<
  Record<"quota" | "auth" | "rateLimit" | "context" | "moderation", readonly string[]>
> = {
  quota: [
    "insufficientquota",
    "insufficientquotaerror",
    "quotaexceeded",
    "billinghardlimitreached",
    "billingnotactive",
    "billingerror",
    "paymentrequired",
    "paymentrequirederror",
    "insufficientbalance",
    "insufficientcredits",
    "budgetexceeded",
  ],
  auth: [
    "authenticationerror",
    "gatewayauthenticationerror",
    "invalidapikey",
    "apikeyinvalid",
    "permissiondenied",
    "permissiondeniederror",
    "permissionerror",
    "unauthenticated",
    "unauthorized",
    "modelauthentication",
    "ailoadapikeyerror",
    "accessdeniedexception",
    "expiredtokenexception",
    "unrecognizedclientexception",
  ],
  rateLimit: [
    "ratelimitexceeded",
    "ratelimiterror",
    "gatewayratelimiterror",
    "resourceexhausted",
    "throttlingexception",
    "toomanyrequests",
    "toomanyrequestsexception",
  ],
  context: ["contextlengthexceeded", "contextoverflow", "contextoverflowerror", "requesttoolarge"],
  moderation: ["contentpolicyviolation", "contentfilter", "moderation", "promptblocked"],
};

/** Prompts that do not fit, in the words of each provider. */
const OVERFLOWS: readonly RegExp[] = [
  // OpenAI, Azure, vLLM, Mistral, OpenRouter
  /context_length_exceeded|maximum (?:context|prompt) length/,
  // OpenAI, for a request that is larger than what a minute may take
  /request too large for .{0,200}\btokens per min/,
  // Anthropic
  /prompt is too long|exceeds? context limit/,
  // Bedrock
  /input is too long/,
  // Gemini
  /input tokens exceed|exceeds the maximum number of (?:input )?tokens/,
  // llama.cpp, Ollama, Groq
  /exceeds? the (?:available )?context (?:window|size|length)|context (?:window|length|size) (?:is |was )?exceeded/,
  // Kimi
  /exceed(?:s|ed)? (?:the )?(?:model )?(?:token|context) limit/,
  // MiniMax
  /context (?:window|length|size) exceeds/,
  // GLM
  /(?:prompt|input) exceeds? (?:the )?max(?:imum)? (?:input )?(?:length|tokens)/,
  // Copilot
  /token count of \d+ exceeds the limit/,
  // LM Studio
  /greater than the context length|context the overflows|context length of only/,
  // Qwen
  /range of input length should be/,
  // Together, TGI
  /tokens\b.{0,60} must be <= ?\d+/,
  // Cohere
  /too many tokens:|tokens in the prompt cannot exceed/,
  // Databricks
  /longer than the (?:maximum|model's) .{0,20}\b(?:input|context) length/,
  /reduce the length of (?:the |your )?(?:messages|prompt|input)/,
];

/** What providers say, by what went wrong. */
export const WORDS: Readonly<
  Record<
    "quota" | "auth" | "rateLimit" | "context" | "moderation" | "blockPage" | "network",
    RegExp
  >
> = {
  quota:
    /insufficient[_ -]?(?:quota|balance|credits?|funds)|exceeded (?:your|the) (?:current |available |monthly )?quota|quota (?:has been |is )?(?:exhausted|used up)|credit balance|out of credits|billing (?:details|hard limit|limit|account)|(?:spend|spending|usage) limits?\b.{0,20}\b(?:reached|exceeded)|(?:reached (?:your|its) (?:\w+ ){0,3}(?:usage|spend|spending) limits?|used all available credits)|budget has been exceeded/i,
  auth: /\b(?:invalid|incorrect|missing|expired)\b.{0,24}\bapi[ _-]?key|\bapi[ _-]?key\b.{0,32}\b(?:not valid|not found|invalid|missing|expired)|\bunauthori[sz]ed\b|authentication (?:failed|error|method)|(?:invalid|missing) credentials/i,
  rateLimit: /\brate.?limit|too many requests|\bthrottl/i,
  context: new RegExp(OVERFLOWS.map(({ source }) => source).join("|"), "i"),
  /** A prompt that was refused for what it says: another target may take it. */
  moderation:
    /\bmoderation\b|\bflagged\b|content (?:policy|management policy|filter)|safety (?:system|policy)|violat\w+ .{0,40}\bpolic/i,
  /** The page of a firewall between here and the provider, which has never seen the key. */
  blockPage: /<!doctype html|<html[\s>]|cloudflare|attention required|you have been blocked/i,
  network:
    /fetch failed|failed to fetch|network|socket|cannot connect|connection|time[ds]? ?out|^terminated$|getaddrinfo/im,
};

/** What a status alone says in place of a reason. */
export const STATUS_TEXT: RegExp =
  /^(?:\d{3}\s+)?(?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|not acceptable|request time-?out|conflict|gone|precondition failed|(?:payload|content|request entity) too large|unprocessable (?:entity|content)|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out|status code \(no body\)|unknown error|error)\.?$/i;
