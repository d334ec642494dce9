/** The tables of docs/claude-code.md, made from the stored results. */
import { listChange } from './differences.ts';
import type { Fact } from './facts.ts';
import { reliedOnFor } from './relied-on.ts';
import { readResult, storedVersions } from './results.ts';

/** One table per area: a row per fact, a column per version. A later version shows only what is different. */
export const factTables = (): string => {
  const versions = storedVersions();
  const results = versions.map(version => readResult(version).facts);
  const names = Object.keys(results.at(-1) ?? {});
  const areas = new Map<string, string[]>();
  for (const name of names) {
    const entry = reliedOnFor(name);
    if (!entry) continue;
    const label = /\.(?:fields\.(\w+)|exitCode(\w+)|(?:error|message)(\d+)|(\w+)\.recognisedAs)$/
      .exec(name)
      ?.slice(1)
      .find(Boolean);
    const cells = results.map((facts, n) => cell(facts[name], n === 0 ? undefined : results[n - 1]?.[name]));
    const says = label === undefined ? entry.says : `${entry.says}: ${label}`;
    const line = `| ${[says, ...cells, `\`${entry.code.replace('src/', '')}\``].join(' | ')} |`;
    areas.set(entry.area, [...(areas.get(entry.area) ?? []), line]);
  }
  const head = ['', ...versions, 'relied on by'];
  return [...areas]
    .map(([area, lines]) =>
      [`### ${area}`, '', `| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...lines].join(
        '\n',
      ),
    )
    .join('\n\n');
};

const cell = (now: Fact | undefined, before: Fact | undefined): string => {
  if (now === undefined) return 'not measured';
  if (before !== undefined && JSON.stringify(now) === JSON.stringify(before)) return 'same';
  if (Array.isArray(now) && Array.isArray(before)) return code(listChange(before, now));
  return text(now);
};

const text = (fact: Fact): string => {
  if (fact === true) return 'yes';
  if (fact === false) return 'no';
  if (Array.isArray(fact)) return fact.length === 0 ? 'nothing' : code(fact.map(String).join(', '));
  if (fact !== null && typeof fact === 'object') return `${Object.keys(fact).length} models`;
  return code(String(fact));
};

const code = (words: string): string => `\`${words.replaceAll('|', '\\|').replaceAll('"', '')}\``;
