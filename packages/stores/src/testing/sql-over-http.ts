import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Pool } from "pg";

/** Answers one statement a request, as Neon's endpoint does, from the server at this address. */
export async function startSqlOverHttp(
  url: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  // The values leave as the text of the server; the client reads them by the types of the fields.
  const types = { getTypeParser: () => (value: unknown) => value } as never;
  const pool = new Pool({ connectionString: url, max: 4, types });
  const answer = async (body: string): Promise<readonly [status: number, answer: unknown]> => {
    const { query, params } = JSON.parse(body) as { query: string; params: unknown[] };
    try {
      const { fields, rows, command, rowCount } = await pool.query({
        text: query,
        values: params,
        rowMode: "array",
      });
      return [200, { fields, rows, command, rowCount }];
    } catch (thrown) {
      const { message, code } = thrown as { readonly message: string; readonly code?: string };
      return [400, { message, code }];
    }
  };
  const server = createServer((request, response) => {
    void text(request)
      .then(answer)
      .then(([status, answered]) => response.writeHead(status).end(JSON.stringify(answered)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}/sql`,
    async close() {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}
