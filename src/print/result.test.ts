/** The output of `json`, byte for byte. */
import { expect, test } from 'vitest';
import { TurnAccount } from '../driver/turn/turn-account.ts';
import { PrintFailure } from './failure.ts';
import { errorLine, resultLine } from './result.ts';

const lines = [
  {
    type: 'assistant',
    version: '2.1.325',
    message: {
      id: 'm1',
      content: [{ type: 'text', text: 'é "two"\nlines' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 7 },
    },
  },
  {
    type: 'cost-state',
    totalCostUSD: 0.25,
    totalAPIDuration: 90,
    modelUsage: { 'claude-x': { costUSD: 0.25 } },
  },
];

const account = (counted = lines) => {
  const made = new TurnAccount(0);
  for (const line of counted) made.add(JSON.stringify(line));
  return made;
};

const answer = (resumes: boolean) => ({
  text: 'é "two"\nlines',
  sessionId: '5eed',
  account: account(),
  duration: 1234.4,
  version: '2.1.325',
  resumes,
});

test('an answer with its cost', () => {
  expect(resultLine(answer(false))).toBe(
    '{"claude_version":"2.1.325","cost_usd":0.25,"duration_api_ms":90,"duration_ms":1234,"is_error":false,' +
      '"modelUsage":{"claude-x":{"costUSD":0.25}},"num_turns":1,"result":"é \\"two\\"\\nlines","session_id":"5eed",' +
      '"stop_reason":"end_turn","subtype":"success","total_cost_usd":0.25,"type":"result",' +
      '"usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":7,"input_tokens":3,"output_tokens":5}}',
  );
});

test('the cost of a resumed session is not known', () => {
  expect(JSON.parse(resultLine(answer(true)))).toMatchObject({
    cost_usd: 0,
    total_cost_usd: null,
    duration_api_ms: null,
    modelUsage: null,
  });
});

test('an answer without a cost', () => {
  expect(resultLine({ ...answer(false), account: account(lines.slice(0, 1)) })).toBe(
    '{"claude_version":"2.1.325","cost_usd":0,"duration_api_ms":null,"duration_ms":1234,"is_error":false,' +
      '"modelUsage":null,"num_turns":1,"result":"é \\"two\\"\\nlines","session_id":"5eed",' +
      '"stop_reason":"end_turn","subtype":"success","total_cost_usd":null,"type":"result",' +
      '"usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":7,"input_tokens":3,"output_tokens":5}}',
  );
});

test('a failure has five keys', () => {
  expect(errorLine(new PrintFailure('timeout', 'too "late"'), null)).toBe(
    '{"claude_version":null,"error_message":"too \\"late\\"","is_error":true,"subtype":"timeout","type":"result"}',
  );
});
