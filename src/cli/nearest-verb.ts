/** Guesses which command a person meant. */

/** Words of other tools for the same thing. */
const synonyms: Record<string, string> = {
  list: 'ls',
  ps: 'ls',
  kill: 'stop',
  rm: 'forget',
  delete: 'forget',
  start: 'up',
  shutdown: 'down',
  install: 'setup',
  attach: 'go',
  switch: 'go',
  jump: 'go',
  message: 'send',
  prompt: 'send',
  say: 'send',
  approve: 'answer',
  allow: 'answer',
  deny: 'answer',
  reply: 'answer',
  create: 'new',
  run: 'print',
  exec: 'print',
  log: 'events',
  logs: 'events',
  history: 'sessions',
  search: 'sessions',
  find: 'sessions',
  name: 'rename',
  title: 'rename',
  label: 'tag',
  sleep: 'park',
  suspend: 'park',
  unpark: 'go',
  info: 'show',
  inspect: 'show',
  ui: 'board',
  top: 'board',
  web: 'open',
  page: 'open',
  check: 'doctor',
};

/** Returns the nearest verb: a synonym, one that begins alike, or one with few other letters; null when none is near. */
export const nearestVerb = (given: string, verbs: string[]): string | null => {
  const word = given.toLowerCase();
  const synonym = synonyms[word];
  if (synonym !== undefined && verbs.includes(synonym)) return synonym;
  const unlike = (verb: string) => Math.abs(verb.length - word.length);
  const near = verbs
    .map(verb => ({ verb, edits: editsBetween(word, verb) }))
    .filter(({ verb, edits }) => edits <= Math.max(1, Math.floor(verb.length / 3)))
    .sort((a, b) => a.edits - b.edits || unlike(a.verb) - unlike(b.verb))[0];
  if (near) return near.verb;
  return (
    verbs.find(
      verb => word.length >= 2 && (verb.startsWith(word) || (verb.length > 3 && word.startsWith(verb))),
    ) ?? null
  );
};

/** Letters to add, remove, change or swap with their neighbour. */
const editsBetween = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= from.length; i++) {
    const above = rows[i - 1] as number[];
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      const steps = [(above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(Math.min(...steps, ...(isSwap ? [(rows[i - 2]?.[j - 2] ?? 0) + 1] : [])));
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? 0;
};
