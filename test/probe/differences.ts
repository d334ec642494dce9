/** Compares two sets of facts and says in one line each what is different. */
import type { Fact, Facts } from './facts.ts';

export const differences = (before: Facts, now: Facts): string[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap(name => {
    const [was, is] = [before[name], now[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    if (was === undefined) return [`${name}: new, ${text(is)}`];
    if (is === undefined) return [`${name}: not measured any more, was ${text(was)}`];
    return [
      `${name}: ${Array.isArray(was) && Array.isArray(is) ? listChange(was, is) : `${text(was)} -> ${text(is)}`}`,
    ];
  });
};

/** For lists only what came and went; a change of order alone shows both. */
export const listChange = (was: Fact[], is: Fact[]): string => {
  const [old, fresh] = [was.map(text), is.map(text)];
  const gone = old.filter(one => !fresh.includes(one)).map(one => `- ${one}`);
  const came = fresh.filter(one => !old.includes(one)).map(one => `+ ${one}`);
  return [...gone, ...came].join(', ') || `${text(was)} -> ${text(is)}`;
};

const text = (fact: Fact | undefined): string => JSON.stringify(fact) ?? 'nothing';
