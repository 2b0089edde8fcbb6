import { ADAPTIVE, EXTRINSIC, INTRINSIC, NO_CREDENTIALS, type Treatment } from "./by-status.ts";

/** What an error of a service says, by where its client puts it. */
export type Source =
  /** Five characters of the SQL standard: PostgreSQL, MySQL and whatever wraps them. */
  | "sqlstate"
  /** A code of SQLite without `SQLITE_`. */
  | "sqlite"
  /** A number of MongoDB. */
  | "mongo"
  /** A number of SQL Server. */
  | "mssql"
  /** The first word of a reply of Redis. */
  | "redis"
  /** The number with which a mail server answers. */
  | "smtp"
  /** A code, a reason or a type that is a string. */
  | "code"
  /** The name of the error. */
  | "name"
  /** Words of a client that gives its errors neither codes nor names. */
  | "message";

/** Wrong SQL: the model's to correct if it has sent some, and otherwise a mistake of the tool. */
export const SQL = "sql";

/** What services say when they fail, and how it is treated. The first row that fits decides. */
export const SERVICE_ROWS: readonly (readonly [Source, RegExp, Treatment | typeof SQL])[] = [
  ["sqlstate", /^28/, NO_CREDENTIALS],
  // No privilege, read-only, or no lock in time; then whole classes: connections, conflicts, resources, shutdowns, disks.
  ["sqlstate", /^(?:42501|25006|25P0[34]|5500[06]|55P03|HYT0[01]|3D000)$/, EXTRINSIC],
  ["sqlstate", /^(?:08|40|53|57|58|XX)/, EXTRINSIC],
  ["sqlstate", /^(?:21|22|23|44|P0)/, ADAPTIVE],
  ["sqlstate", /^42/, SQL],
  [
    "sqlite",
    /^(?:BUSY|LOCKED|NOMEM|READONLY|INTERRUPT|IOERR|CORRUPT|FULL|CANTOPEN|PROTOCOL|NOTADB)/,
    EXTRINSIC,
  ],
  ["sqlite", /^(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE)/, ADAPTIVE],
  ["sqlite", /^MISUSE/, INTRINSIC],
  ["sqlite", /^(?:ERROR|AUTH)/, SQL],
  ["mongo", /^(?:11000|11001|121|2|9|14|56|66)$/, ADAPTIVE],
  ["mongo", /^(?:18|8000)$/, NO_CREDENTIALS],
  ["mongo", /./, EXTRINSIC],
  ["mssql", /^(?:102|156|207|208|2812)$/, SQL],
  [
    "mssql",
    /^(?:1204|1205|1222|3960|4060|4221|926|10053|10054|10060|10928|10929|40143|40197|40501|40540|40613|49918|49919|49920)$/,
    EXTRINSIC,
  ],
  ["redis", /^(?:NOAUTH|WRONGPASS)$/, NO_CREDENTIALS],
  [
    "redis",
    /^(?:LOADING|BUSY|BUSYKEY|READONLY|OOM|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|NOGOODSLAVE|MISCONF|EXECABORT|UNKILLABLE|MOVED|ASK|NOPERM|INPROG|UNBLOCKED)$/,
    EXTRINSIC,
  ],
  ["redis", /^(?:WRONGTYPE|ERR|NOSCRIPT|CROSSSLOT|NOPROTO)$/, INTRINSIC],
  // Later, such as of a grey list.
  ["smtp", /^4\d\d$/, EXTRINSIC],
  // Prisma: credentials, then connections, pools and conflicts, then its Accelerate, then missing tables.
  ["code", /^P1000$/, NO_CREDENTIALS],
  ["code", /^(?:P10(?:01|02|08|09|10|11|17)|P2024|P2028|P2034|P2037|P[56]\d{3})$/, EXTRINSIC],
  ["code", /^(?:P20(?:09|10|21|22)|P1003|P101[2-6])$/, INTRINSIC],
  ["code", /^P20\d\d$/, ADAPTIVE],
  ["code", /^(?:ELOGIN|EAUTH|PGRST30[0-3])$/, NO_CREDENTIALS],
  ["code", /^(?:ER_ACCESS_DENIED_ERROR|ER_ACCESS_DENIED_NO_PASSWORD_ERROR)$/, NO_CREDENTIALS],
  ["code", /^(?:PROTOCOL_\w*(?:LOST|TIMEOUT|CLOSED|QUIT)\w*|POOL_\w+)$/, EXTRINSIC],
  [
    "code",
    /^ER_(?:LOCK_\w+|CON_COUNT_ERROR|TOO_MANY_\w+|USER_LIMIT_REACHED|OUT_OF_\w+|OUTOFMEMORY|DISK_FULL|SERVER_SHUTDOWN|QUERY_(?:TIMEOUT|INTERRUPTED)|OPTION_PREVENTS_STATEMENT|READ_ONLY_MODE|CONNECTION_KILLED|SERVER_GONE_ERROR|CMD_CONNECTION_CLOSED|SOCKET_\w+|GET_CONNECTION_TIMEOUT)$/,
    EXTRINSIC,
  ],
  [
    "code",
    /^(?:ESOCKET|ETIMEOUT|ECONNCLOSED|ENOTOPEN|ECONNECTION|EDNS|EPROTOCOL|ESERVFAIL|EREFUSED|EBADRESP)$/,
    EXTRINSIC,
  ],
  [
    "code",
    /^(?:ORA-(?:00051|00054|00060|00257|01033|01034|01089|031(?:13|14|35)|04068|12\d{3})|NJS-(?:040|076|5\d\d)|PGRST00[0-3])$/,
    EXTRINSIC,
  ],
  ["code", /^ORA-01017$/, NO_CREDENTIALS],
  [
    "code",
    /^Neo\.ClientError\.Security\.(?:Unauthorized|AuthenticationRateLimit|TokenExpired|CredentialsExpired)$/,
    NO_CREDENTIALS,
  ],
  ["code", /^(?:Neo\.TransientError\.[\w.]+|ServiceUnavailable|SessionExpired)$/, EXTRINSIC],
  // Google: a quota answers 403, as a record does that one may not read.
  [
    "code",
    /^(?:\w*(?:[rR]ateLimit|[qQ]uota|dailyLimit)Exceeded(?:Unreg)?|limitExceeded|backendError|RESOURCE_EXHAUSTED|RATE_LIMIT_EXCEEDED|resource-exhausted|unavailable|deadline-exceeded)$/,
    EXTRINSIC,
  ],
  ["code", /^Stripe(?:Connection|API|RateLimit)Error$/, EXTRINSIC],
  ["code", /^StripeIdempotencyError$/, INTRINSIC],
  // OAuth answers 400, and Azure's storage 403.
  ["code", /^(?:invalid_grant|invalid_client|unauthorized_client)$/, NO_CREDENTIALS],
  [
    "code",
    /^(?:AuthenticationFailed|InvalidAuthenticationInfo|(?:Expired|Invalid)AuthenticationToken)$/,
    NO_CREDENTIALS,
  ],
  ["code", /^(?:ERR_FR_TOO_MANY_REDIRECTS|ERR_TOO_MANY_REDIRECTS|ETLS)$/, EXTRINSIC],
  // AWS answers 400 to much of this.
  [
    "name",
    /^(?:ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|InvalidSignature|InvalidAccessKeyId|MissingAuthenticationToken|IncompleteSignature|AuthFailure|TokenRefreshRequired)(?:Exception)?$/,
    NO_CREDENTIALS,
  ],
  [
    "name",
    /^(?:CredentialsProviderError|TokenProviderError|CredentialUnavailableError|AuthenticationRequiredError|AggregateAuthenticationError)$/,
    NO_CREDENTIALS,
  ],
  ["name", /^AccessDenied(?:Exception)?$/, ADAPTIVE],
  [
    "name",
    /^(?:\w*Throttl\w+|TooManyRequests|ProvisionedThroughputExceeded|RequestLimitExceeded|BandwidthLimitExceeded|SlowDown|PriorRequestNotComplete|TransactionConflict|TransactionInProgress|LockTimeout|RequestTimeout|ServiceUnavailable|InternalServer(?:Error)?|InternalFailure|InternalService|ServiceQuotaExceeded|ModelNotReady|KMSThrottling|LimitExceeded)(?:Exception|Error)?$/,
    EXTRINSIC,
  ],
  [
    "message",
    /^(?:Connection (?:is closed|terminated)\b|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end|Stream isn't writeable|The client is closed|Channel (?:closed|ended)|Pool is closed|Connection lost)/,
    EXTRINSIC,
  ],
  ["message", /^(?:Queue limit reached\.|No connections available\.)/, EXTRINSIC],
  // GitHub answers 403.
  ["message", /^(?:API rate limit exceeded|You have exceeded a secondary rate limit)\b/, EXTRINSIC],
  [
    "message",
    /^(?:timeout exceeded when trying to connect|Query read timeout|Command timed out|connect(?:ion)? timed? ?out|Operation `[^`]{1,200}` buffering timed out)/i,
    EXTRINSIC,
  ],
];
