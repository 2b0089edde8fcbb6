import { describe, expect, test } from "vitest";
import { isWhole } from "../whole.ts";
import type { AskedCall, AskedOf, GrantsKit } from "./grants-kit.ts";

const SECRET = "a secret of 32 bytes, or more....";
const FIRST = {
  name: "pay",
  arguments: { amount: 500 },
  user: "u-17",
  conversationId: "a",
} as const;

type Change = Partial<Omit<AskedCall, "id">>;

/** A process with guardrails that ask about amounts above 100, and a clock that is set by hand. */
function openProcess<Contract, Request extends AskedOf>(
  kit: GrantsKit<Contract, Request>,
  world: { now: number; frozen: boolean },
  store: unknown,
  secret: string = SECRET,
) {
  const guardrails = kit.createGuardrails({
    guardrails: [
      {
        name: "large",
        check: ({ args }) => args.amount > 100 && { ask: "more than 100 at once" },
      },
      { name: "frozen", check: () => world.frozen && "the account is frozen" },
    ],
    effects: { pay: "irreversible", refund: "irreversible" },
    clock: () => world.now,
    grants: { secret, store: store as never },
  });
  const contract = kit.createContract({ guardrails: guardrails as never, logger: false });
  const grant = async (request: Request, expiresIn = 60_000): Promise<string> =>
    guardrails.grant(request, { by: "operator-3", expiresIn });
  return { contract, grant };
}

function openWorld<Contract, Request extends AskedOf>(kit: GrantsKit<Contract, Request>) {
  const world = { now: 1_000, frozen: false };
  const store = kit.createStore();
  const runs: string[] = [];
  const host = kit.createHost((tool, args) => {
    runs.push(`${tool} ${JSON.stringify(args)}`);
    return "paid";
  });
  const process = openProcess(kit, world, store);
  let serial = 0;
  /** Makes a call, and answers the question with what `answer` gives. */
  const call = async (
    answer: (request: Request) => Promise<unknown>,
    change: Change = {},
    open: () => Contract = () => process.contract,
  ): Promise<string> =>
    host.call({ ...FIRST, ...change, id: `call_${(serial += 1)}` }, open, answer);
  /** What a person is asked about a call that nobody answers. */
  const ask = async (change?: Change, open?: () => Contract): Promise<Request> => {
    let asked: Request | undefined;
    await call(
      async (request) => {
        asked = request;
        return undefined;
      },
      change,
      open,
    );
    if (asked === undefined) throw new Error("nobody was asked");
    return asked;
  };
  return {
    ...process,
    world,
    runs,
    call,
    ask,
    /** Another process, with the same store and the same secret unless one is given. */
    restart: (secret?: string) => openProcess(kit, world, store, secret),
  };
}

type World<Contract, Request extends AskedOf> = ReturnType<typeof openWorld<Contract, Request>>;
/** An attack with a grant; `index` makes each one differ. */
type Attack = <Contract, Request extends AskedOf>(
  world: World<Contract, Request>,
  index: number,
) => Promise<string>;

function flip(text: string, at: number): string {
  const index = at % text.length;
  return text.slice(0, index) + (text[index] === "A" ? "B" : "A") + text.slice(index + 1);
}

/** Edits what a grant says, and leaves its seal. */
function edited(grant: string, change: object): string {
  const [text = "", seal] = grant.split(".");
  const token = { ...JSON.parse(Buffer.from(text, "base64url").toString()), ...change };
  return `${Buffer.from(JSON.stringify(token)).toString("base64url")}.${seal}`;
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  "an approval without a grant": async ({ call }) => call(async () => true),
  "a text that nobody granted": async ({ call }, index) =>
    call(async () => Buffer.from(`${index}`).toString("base64url")),
  "the request in place of the grant": async ({ call }) =>
    call(async (request) => JSON.stringify(request)),
  "the seal of the request": async ({ call }) => call(async ({ seal }) => seal),
  "a grant with another secret": async ({ call, ask, restart }) => {
    const other = restart("another secret, as long as it is");
    const theirs = await other.grant(await ask({}, () => other.contract));
    return call(async () => theirs);
  },
  "one letter is another": async ({ call, grant }, index) =>
    call(async (request) => flip(await grant(request), index * 7)),
  "its time is edited": async ({ call, grant, world }) =>
    call(async (request) => {
      const late = edited(await grant(request, 1), { until: 1e15 });
      world.now += 1;
      return late;
    }),
  "what it is for is edited": async ({ call, ask, grant }) => {
    const small = await grant(await ask());
    return call(async ({ digest }) => edited(small, { digest }), { arguments: { amount: 900 } });
  },
  "it was used": async ({ call, grant }) => {
    let used: string | undefined;
    await call(async (request) => (used = await grant(request)));
    return call(async () => used);
  },
  "it has expired": async ({ call, grant, world }) =>
    call(async (request) => {
      const token = await grant(request, 1_000);
      world.now += 1_000;
      return token;
    }),
  "it is for another tool": async ({ call, ask, grant }) => {
    const other = await grant(await ask());
    return call(async () => other, { name: "refund" });
  },
  "it is for other arguments": async ({ call, ask, grant }, index) => {
    const other = await grant(await ask());
    return call(async () => other, { arguments: { amount: 501 + index } });
  },
  "it is for fewer arguments": async ({ call, ask, grant }) => {
    const other = await grant(await ask());
    return call(async () => other, { arguments: { amount: 500, to: "me" } });
  },
  "it is for an argument of another type": async ({ call, ask, grant }) => {
    const other = await grant(await ask());
    return call(async () => other, { arguments: { amount: "500" } });
  },
  "it is for another user": async ({ call, ask, grant }) => {
    const other = await grant(await ask({ user: "u-18" }));
    return call(async () => other);
  },
  "it is for another conversation": async ({ call, ask, grant }) => {
    const other = await grant(await ask({ conversationId: "b" }));
    return call(async () => other);
  },
  "a guardrail refuses by now": async ({ call, grant, world }, index) => {
    const answer = async (request: Parameters<typeof grant>[0]): Promise<string> => {
      world.frozen = true;
      return grant(request);
    };
    // A refusal counts, and must not end the attempts of the others.
    const text = await call(answer, { conversationId: `f-${index}` });
    world.frozen = false;
    return text;
  },
};

const NAMES = Object.keys(ATTACKS);

/**
 * Registers the table of grants for one host.
 *
 * @param everyday - How many attacks run every day; one of each kind unless a call takes long.
 */
export function describeGrants<Contract, Request extends AskedOf>(
  name: string,
  kit: GrantsKit<Contract, Request>,
  everyday: number = NAMES.length,
): void {
  describe(`${name} asks a person`, () => {
    test("a call waits with what a person is asked, and runs once with a grant", async () => {
      const { call, grant, runs, restart } = openWorld(kit);
      const asked: Request[] = [];
      const answer = async (request: Request): Promise<string> => {
        asked.push(request);
        return grant(request);
      };
      expect(await call(async () => undefined)).toContain("a person must agree first");
      expect(runs).toEqual([]);
      expect(await call(answer)).toBe("paid");
      expect(asked).toMatchObject([
        {
          tool: "pay",
          arguments: { amount: 500 },
          reasons: [{ guardrail: "large", why: "more than 100 at once" }],
          conversationId: expect.any(String),
          user: "u-17",
        },
      ]);
      // A guardrail that does not ask, asks nobody.
      expect(await call(answer, { arguments: { amount: 50 } })).toBe("paid");
      expect([runs, asked.length]).toEqual([['pay {"amount":500}', 'pay {"amount":50}'], 1]);
      const second = restart();
      expect(await call(second.grant, {}, () => second.contract)).toBe("paid");
    });

    test("after a restart a grant is good, once", async () => {
      const { call, ask, grant, restart, contract, runs } = openWorld(kit);
      const earlier = await grant(await ask());
      const second = restart();
      expect(
        await call(
          async () => earlier,
          {},
          () => second.contract,
        ),
      ).toBe("paid");
      expect(
        await call(
          async () => earlier,
          {},
          () => contract,
        ),
      ).not.toBe("paid");
      // The process ends while the person thinks.
      const processes = [contract, restart().contract];
      const between = (): Contract => processes.shift() ?? contract;
      expect(await call(grant, {}, between)).toBe("paid");
      expect(runs).toHaveLength(2);
    });

    const attacks = isWhole ? 1_000 : everyday;
    const step = isWhole ? 1 : Math.floor(NAMES.length / everyday);
    test(`of ${attacks} forged, edited, replayed, expired, misplaced and stale grants none runs, and every good one does`, async () => {
      const world = openWorld(kit);
      const { call, grant, runs } = world;
      const ran: unknown[] = [];
      let good = 0;
      for (let index = 0; index < attacks; index += 1) {
        world.world.now += 1;
        const attack = NAMES[(index * step) % NAMES.length] ?? "";
        const before = runs.length;
        const text = await ATTACKS[attack]?.(world, index);
        // The first of a replay is a good one.
        const allowed = attack === "it was used" ? 1 : 0;
        if (text === "paid" || runs.length - before !== allowed) ran.push([attack, index, text]);
        if (index % 10 > 0) continue;
        good += 1;
        const amount = 101 + index;
        const paid = await call(grant, { arguments: { amount }, conversationId: `g-${index}` });
        expect([index, paid]).toEqual([index, "paid"]);
      }
      expect(ran).toEqual([]);
      expect(good).toBe(Math.ceil(attacks / 10));
    });
  });
}
