// A small MCP server over stdio: `ask` asks the user for a colour, `order` for fields of every kind. Both return what was answered.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const say = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const inputSchema = { type: 'object', properties: {} };
const tools = [
  { name: 'ask', description: 'Asks the user for a colour.', inputSchema },
  { name: 'order', description: 'Asks the user for an order.', inputSchema },
];
const order = {
  message: 'What shall it be?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name' },
      size: {
        type: 'string',
        title: 'Size',
        enum: ['s', 'm', 'l'],
        enumNames: ['Small one', 'Medium one', 'Large one'],
      },
      gift: { type: 'boolean', title: 'Gift wrap' },
      hurry: { type: 'boolean', title: 'Hurry' },
      count: { type: 'integer', title: 'Count' },
    },
    required: ['name', 'size', 'gift'],
  },
};
const form = {
  message: 'Which colour?',
  requestedSchema: {
    type: 'object',
    properties: { colour: { type: 'string', title: 'Colour', description: 'Any colour' } },
    required: ['colour'],
  },
};
/** Calls of the tool that wait for the user, by the id of what was asked. */
const calls = new Map();
let asked = 0;

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'elicit', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'tools/call') {
    calls.set(`ask-${++asked}`, id);
    say({ id: `ask-${asked}`, method: 'elicitation/create', params: params.name === 'order' ? order : form });
  } else if (method !== undefined) {
    const answer = answers[method];
    if (id === undefined) return;
    say(answer ? { id, result: answer(params) } : { id, error: { code: -32601, message: 'unknown method' } });
    if (method === 'tools/list' && process.argv[2]) writeFileSync(process.argv[2], '');
  } else if (calls.has(id)) {
    const text = JSON.stringify(result ?? error);
    say({ id: calls.get(id), result: { content: [{ type: 'text', text }] } });
    calls.delete(id);
  }
});
