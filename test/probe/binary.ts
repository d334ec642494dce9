/** What the published binary itself lists: hook events and model names. */

/** Lists of hook event names in the binary, the longest first: settings are checked against that one. */
export const eventLists = (binary: Buffer): string[][] => {
  const text = binary.toString('latin1');
  return [...text.matchAll(/\[(?:"[A-Z][A-Za-z]+",){8,60}"[A-Z][A-Za-z]+"\]/g)]
    .map(([list]) => JSON.parse(list) as string[])
    .filter(list => list.includes('PreToolUse') && list.includes('SessionEnd'))
    .sort((a, b) => b.length - a.length);
};

/** Model names without a date, as `claude-opus-4-8`. */
export const modelNames = (binary: Buffer): string[] => {
  const counts = new Map<string, number>();
  for (const [, name = ''] of binary.toString('latin1').matchAll(/"(claude-[a-z]+-\d(?:-\d{1,2})?)"/g))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  // A name that occurs once or twice is an example or a remnant.
  return [...counts]
    .filter(([, count]) => count >= 6)
    .map(([name]) => name)
    .sort();
};
