// A bot on a generated client: it opens a game, sits on every seat, plays to the end.
//   node bot.js BASE_URL RULESET TOKEN TOKEN …
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Game = components["schemas"]["Game"];
const [base, kind, ...tokens] = process.argv.slice(2) as [string, Game["ruleset"], ...string[]];
const seats = tokens.map((token) =>
  createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${token}` } }),
);

function expect<T>({ data, error }: { data?: T; error?: { detail: string } }): T {
  if (data === undefined) throw new Error(error?.detail ?? "no answer");
  return data;
}

function points(game: Game): number[] {
  if (game.ruleset === "tammany-hall") return game.state?.seats.map((seat) => seat.vp) ?? [];
  return game.state?.result?.votes ?? [];
}

const [host, ...guests] = seats;
let game: Game = expect(await host!.POST("/api/v1/games", { body: { ruleset: kind, seats: seats.length } }));
const params = { path: { game: game.id } };
for (const guest of guests) {
  game = expect(await guest.POST("/api/v1/games/{game}/seats", { params, body: {} }));
}
while (game.awaiting.length > 0) {
  const client = seats[game.awaiting[0]!]!;
  const legal = expect(await client.GET("/api/v1/games/{game}/actions", { params }));
  if (!("actions" in legal)) throw new Error("asked for a list");
  const { action } = legal.actions[Math.floor(Math.random() * legal.actions.length)]!;
  const moved = await client.POST("/api/v1/games/{game}/moves", {
    params: { ...params, header: { "If-Match": `"${legal.version}"` } },
    body: { actions: [action] },
  });
  game = expect(moved).game;
}
console.log(game.status, points(game));
