/** The notes of the example, by the name of their file. */
export const NOTES: Readonly<Record<string, string>> = {
  "monday.md": `# Monday

The importer lost 40 rows of a customer: rows with an empty date were skipped without a word.
Ben found it, fixed it and restored the rows. There is a test for it now.
`,
  "wednesday.md": `# Wednesday

Release 2.4 went out at noon. The upgrade took 4 minutes and needed no downtime.
`,
  "friday.md": `# Friday

The price page still shows the plans of last year. Ana takes it, and wants to be done by Tuesday.
`,
};
