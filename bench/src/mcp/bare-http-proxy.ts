// The minimal cost of an HTTP proxy in Node: passes on requests and responses unchanged.
import { Agent, createServer, request } from "node:http";

const [from, to] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

createServer((incoming, response) => {
  const { method, url, headers } = incoming;
  const path = url ?? "/";
  const sent = { agent, port: to, host: "127.0.0.1", path, headers, method: method ?? "GET" };
  const outgoing = request(sent, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}).listen(Number(from), "127.0.0.1");
