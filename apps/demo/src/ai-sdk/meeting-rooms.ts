import { tool } from "ai";
import { z } from "zod";
import type { AssistantMessage } from "../scripted-model.ts";
import type { Toolbox } from "./toolbox.ts";

/** Tools that book a room and list the rooms. */
export function openMeetingRooms(): Toolbox {
  const reached: unknown[] = [];
  const book_room = tool({
    description: "Books a room",
    inputSchema: z.object({ day: z.iso.date(), people: z.int().min(1) }),
    execute: (input) => {
      reached.push(input);
      return "Booked";
    },
  });
  const list_rooms = tool({
    description: "Lists the rooms",
    inputSchema: z.object({}),
    execute: () => "Room 4: 8 people",
  });
  return { tools: { book_room, list_rooms }, reached };
}

/** A model that fails at booking three times. */
export const threeFailures: readonly AssistantMessage[] = [
  { calls: [{ tool: "book_room", args: { day: "Friday", people: "some" } }] },
  {
    learned: ["expected integer"],
    calls: [{ tool: "book_room", args: { day: "next Friday", people: 0 } }],
  },
  { calls: [{ tool: "book_room", args: { day: "20/11/2026", people: 4 } }] },
];
