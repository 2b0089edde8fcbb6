import { PNG } from "./media.ts";

/** A resource that both SDK lines serve. */
export interface ReferenceResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly body: { readonly text: string } | { readonly blob: string };
}

/** The resources that the suite asks of every server. */
export const RESOURCES: readonly ReferenceResource[] = [
  {
    uri: "test://static-text",
    name: "text",
    description: "A text that never changes",
    mimeType: "text/plain",
    body: { text: "The text" },
  },
  {
    uri: "test://static-binary",
    name: "picture",
    description: "A picture that never changes",
    mimeType: "image/png",
    body: { blob: PNG },
  },
  {
    uri: "test://watched-resource",
    name: "watched",
    description: "A text to subscribe to",
    mimeType: "text/plain",
    body: { text: "The watched text" },
  },
];

/** A resource template with one variable. */
export const TEMPLATE = {
  uriTemplate: "test://template/{id}/data",
  name: "template",
  description: "Data by id",
  mimeType: "application/json",
} as const;

/** The content at a URI of the template. */
export function templateData(id: string): string {
  return JSON.stringify({ id, isFromTemplate: true });
}
