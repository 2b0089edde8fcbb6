/** The line that the model reads in place of pictures, which would be text of hundreds of thousands of characters. */
export function picturesLeftOut(count: number): string {
  return `(${count} ${count === 1 ? "image" : "images"} left out)`;
}
