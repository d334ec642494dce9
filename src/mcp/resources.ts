/** Sessions and transcripts as resources. */
import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { Daemon } from './daemon.ts';
import { findSession } from './find-session.ts';
import { transcriptTail } from './read-conversation.ts';
import type { Own } from './own-session.ts';
import { summaryOf } from './summary.ts';

const root = 'drover://sessions';

export const resourceTemplates: ResourceTemplate[] = [
  {
    name: 'session',
    title: 'A session',
    uriTemplate: `${root}/{id}`,
    description: 'State, open requests and place of a session, by its id or the beginning of it.',
    mimeType: 'application/json',
  },
  {
    name: 'transcript',
    title: 'A transcript',
    uriTemplate: `${root}/{id}/transcript`,
    description: 'The newest messages of a session as text.',
    mimeType: 'text/markdown',
  },
];

/** The live sessions, each with its transcript. */
export const listResources = async (daemon: Daemon): Promise<Resource[]> => {
  const { sessions } = await daemon.call('listSessions', { query: { live: 1 } });
  return [
    { uri: root, name: 'sessions', title: 'All live sessions', mimeType: 'application/json' },
    ...sessions.flatMap(({ id, title, state, transcript }) => {
      const name = title ?? id;
      const session = {
        uri: `${root}/${id}`,
        name,
        title: `${name} (${state})`,
        mimeType: 'application/json',
      };
      const transcriptResource = {
        uri: `${root}/${id}/transcript`,
        name: `${name}: transcript`,
        mimeType: 'text/markdown',
      };
      return transcript === null ? [session] : [session, transcriptResource];
    }),
  ];
};

export const readResource = async (
  uri: string,
  daemon: Daemon,
  own: Own | null,
  signal: AbortSignal,
): Promise<ReadResourceResult> => {
  const json = (value: unknown) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }],
  });
  if (uri === root) {
    const { sessions } = await daemon.call('listSessions', { query: { live: 1 } });
    return json({ sessions: sessions.map(session => summaryOf(session, own)) });
  }
  const [, name, rest] = /^drover:\/\/sessions\/([^/]+)(\/transcript)?$/.exec(uri) ?? [];
  const wanted = name === undefined ? null : decoded(name);
  if (!wanted || wanted.length > limits.mcp.addressText)
    throw new DroverError(
      'not_found',
      `There is no resource ${uri.slice(0, 100)}.`,
      'List the resources to see which exist.',
    );
  const { id } = await findSession(wanted, { daemon });
  if (rest !== undefined)
    return { contents: [{ uri, mimeType: 'text/markdown', text: await transcriptText(id, daemon, signal) }] };
  return json(await daemon.call('readSession', { id }));
};

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

const transcriptText = async (id: string, daemon: Daemon, signal: AbortSignal): Promise<string> => {
  const { messages, earlier } = await transcriptTail(id, limits.mcp.transcriptMessages, daemon, signal);
  const texts = messages.map(({ role, text, tools }) => {
    const called = tools.length > 0 ? `\n\n(calls ${tools.join(', ')})` : '';
    return `## ${role}\n\n${text}${called}`;
  });
  const note = earlier > 0 ? [`(${earlier} earlier messages; \`read_transcript\` has them.)`] : [];
  return [...note, ...texts].join('\n\n');
};
