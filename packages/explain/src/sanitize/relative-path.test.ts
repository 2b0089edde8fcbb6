import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRelativiser } from "./relative-path.ts";

describe("relative paths", () => {
  const posix = createRelativiser("/srv/app/");
  const windows = createRelativiser("C:\\work\\app");

  test.for([
    ["/srv/app/src/index.ts", "src/index.ts"],
    ["/srv/app", "."],
    ["/srv/app/", "./"],
    ["/srv/application/src/index.ts", ".../src/index.ts"],
    ["/srv/app/../other/secret.txt", ".../other/secret.txt"],
    ["/srv/app/./src/../lib/a.ts", "lib/a.ts"],
    ["/home/bob/notes/todo.md", "~/notes/todo.md"],
    ["/home/bob", "~"],
    ["/Users/Bob Smith/My Documents/plan.txt", "~/My Documents/plan.txt"],
    ["/root/.ssh/id_rsa", "~/.ssh/id_rsa"],
    ["/mnt/c/Users/bob/x.txt", "~/x.txt"],
    ["/etc/nginx/conf.d/site.conf", ".../conf.d/site.conf"],
    ["/etc/passwd", "/etc/passwd"],
    ["/tmp/a.txt", "/tmp/a.txt"],
    ["/tmp/../etc/passwd", ".../etc/passwd"],
    ["D:\\data\\a.csv", "D:\\data\\a.csv"],
    ["C:\\Users\\Bob\\notes.txt", "~/notes.txt"],
    ["c:/users/bob/notes.txt", "~/notes.txt"],
    ["D:\\data\\private\\big\\a.csv", ".../big/a.csv"],
    ["C:\\\\Users\\\\Bob\\\\x.txt", "~/x.txt"],
    ["\\\\fileserver\\share\\team\\plan.docx", ".../team/plan.docx"],
    ["\\\\?\\C:\\Users\\Bob\\x.txt", "~/x.txt"],
    ["file:///home/bob/a%20b.txt", "~/a b.txt"],
    ["file:///srv/app/src/a.ts", "src/a.ts"],
    ["file:///C:/Users/Bob/x.txt", "~/x.txt"],
    ["file://localhost/etc/nginx/site.conf", ".../nginx/site.conf"],
    ["ENOENT: no such file, open '/home/bob/a.txt'", "ENOENT: no such file, open '~/a.txt'"],
    ["(see /home/bob/a.txt).", "(see ~/a.txt)."],
    ["/home/bob/a.ts:12:3", "~/a.ts:12:3"],
    ["PATH=/home/bob/bin:/usr/local/bin", "PATH=~/bin:.../local/bin"],
    ["cp /home/bob/a /home/carol/b", "cp ~/a ~/b"],
    ['{"file":"/srv/app/src/a.ts"}', '{"file":"src/a.ts"}'],
    ["/srv/app/[id]/(group)/page.tsx", "[id]/(group)/page.tsx"],
  ] as const)("shows %s as %s", ([text, expected]) => {
    expect(posix(text)).toBe(expected);
  });

  test.for([
    ["C:\\work\\app\\src\\a.ts", "src/a.ts"],
    ["c:/WORK/App/src/a.ts", "src/a.ts"],
    ["C:\\work\\other\\a.ts", ".../other/a.ts"],
  ] as const)("shows %s as %s below a Windows root", ([text, expected]) => {
    expect(windows(text)).toBe(expected);
  });

  test.for([
    "https://example.com/home/bob/page",
    "http://localhost:3000/api/v1/users",
    "https://example.com/a?file=/etc/passwd",
    "12/05/2024",
    "2024/05/12",
    "/",
    "//",
    "/content",
    "and/or",
    "text/html; charset=utf-8",
    "src/a/b.ts",
    "./src/a/b.ts",
    "../src/a.ts",
    "~/notes/a.md",
    "$HOME/notes/a.md",
    "/^\\d+\\/x$/g",
    "/ab+c/i",
    "<b>bold</b> and <br/>",
    "//div/span",
    "5 / 3 / 2",
    "C:",
    "data:image/png;base64,iVBOR/w0K+/Ggo/AAA",
  ])("leaves alone: %s", (text) => {
    expect(posix(text)).toBe(text);
  });

  test("without a root, the last two segments remain", () => {
    expect(createRelativiser()("/srv/app/src/a.ts")).toBe(".../src/a.ts");
    expect(createRelativiser("/")("/srv/app/src/a.ts")).toBe(".../src/a.ts");
  });

  test("no path in a home directory keeps the name of its owner", () => {
    const name = fc.stringMatching(/^[a-z]{3,12}$/).map((letters) => `user-${letters}`);
    const segment = fc.stringMatching(/^[\w.-]{1,12}$/).filter((text) => !/^\.+$/.test(text));
    const home = fc.constantFrom(
      "/home/",
      "/Users/",
      "C:\\Users\\",
      "/mnt/d/Users/",
      "file:///home/",
    );
    fc.assert(
      fc.property(home, name, fc.array(segment, { maxLength: 5 }), (base, user, rest) => {
        expect(posix(`open ${[base + user, ...rest].join("/")} now`)).not.toContain(user);
      }),
    );
  });
});
