/** The last messages of turns in public transcripts: JSON lines of Claude Code itself, and exports of them as Markdown. */

interface Found {
  line: number;
  text: string;
}

export const messagesIn = (path: string, file: string): Found[] =>
  path.endsWith('.jsonl') ? inJsonLines(file) : inMarkdown(file);

interface Block {
  type?: string;
  text?: string;
}

interface Line {
  type?: string;
  isSidechain?: boolean;
  isMeta?: boolean;
  message?: { content?: string | Block[] };
}

const inJsonLines = (file: string): Found[] => {
  const found: Found[] = [];
  let last: Found | null = null;
  for (const [at, text] of file.split('\n').entries()) {
    const line = parse(text);
    if (!line || line.isSidechain) continue;
    const content = line.message?.content ?? [];
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (line.type === 'assistant') {
      for (const block of blocks) {
        if (block.type === 'tool_use') last = null;
        else if (block.type === 'text' && block.text?.trim())
          last = { line: at + 1, text: block.text.trim() };
      }
    } else if (line.type === 'user' && !line.isMeta) {
      const said = blocks.map(block => block.text ?? '').join('');
      if (/^<(?:local-command|command-name|bash-)/.test(said.trim()) || said.includes('<task-notification>'))
        continue;
      const isOver = !blocks.some(({ type }) => type === 'tool_result') && !said.startsWith('[Request inter');
      if (last && isOver) found.push(last);
      last = null;
    }
  }
  return last ? [...found, last] : found;
};

const parse = (text: string): Line | null => {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
};

const inMarkdown = (file: string): Found[] => {
  const found: Found[] = [];
  let last: Found | null = null;
  for (const { who, line, text } of sectionsOf(file)) {
    if (who === 'assistant') {
      const isCall = /<tool-use|^- \*\*Used |^🔧|\*\*Tool:\*\*|^\[Tool|^_?Tool/m.test(text);
      const said = withoutFrame(text);
      if (isCall) last = null;
      else if (said !== '' && said !== '🤖️') last = { line, text: said };
    } else if (!/Result:|<tool_result|Tool Result|🔄|✅ Success/.test(text.slice(0, 80))) {
      if (last) found.push(last);
      last = null;
    }
  }
  return last ? [...found, last] : found;
};

/** Without what the exporters of these logs write around a message. */
const withoutFrame = (text: string): string =>
  text
    .replace(/\n---\s*\n+<a name="ps_[\s\S]*$/, '')
    .replace(/(?:\n\s*---\s*)+$/, '')
    .trim();

interface Section {
  who: 'user' | 'assistant';
  line: number;
  text: string;
}

const sectionsOf = (file: string): Section[] => {
  const sections: { who: Section['who']; line: number; lines: string[] }[] = [];
  for (const [at, text] of file.split('\n').entries()) {
    const who = speakerOf(text.trim());
    if (who) sections.push({ who, line: at + 1, lines: [] });
    else sections.at(-1)?.lines.push(text);
  }
  return sections.map(({ who, line, lines }) => ({
    who,
    line,
    text: lines
      .join('\n')
      .replaceAll(/<details>[\s\S]*?<\/details>|<think>[\s\S]*?<\/think>/g, '')
      .trim(),
  }));
};

const speakerOf = (line: string): Section['who'] | null => {
  if (/^_\*\*User\b.*\*\*_$/.test(line) || /^#{2,3} (?:👤 )?(?:User|Human)\b/u.test(line)) return 'user';
  const isAssistant =
    /^_\*\*(?:Agent|Assistant)\b.*\*\*_$/.test(line) || /^#{2,3} (?:🤖 )?(?:Assistant|Claude)\b/u.test(line);
  return isAssistant ? 'assistant' : null;
};
