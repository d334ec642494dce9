/** The scripts of the demo: six sessions of one person, one or two minutes each. They repeat. */
import { edit, askToRun, type Script, read, run } from './script.ts';

const opus = 'claude-opus-4-5';
const sonnet = 'claude-sonnet-4-5';

const migration = `## Move the orders table to UUID keys

1. Add \`orders.uuid\`, filled by a trigger, and backfill in batches of 5,000
2. Let reads take either key; write both
3. Switch the foreign keys of \`payments\` and \`shipments\`
4. Drop the old key after a week without a lookup by it

Each step can be rolled back alone.`;

export const scripts: Script[] = [
  {
    project: 'shop',
    model: opus,
    context: 61_000,
    steps: [
      { kind: 'prompt', text: 'the checkout test is flaky, find out why and release the fix' },
      run('npm test -- checkout', 'Run the checkout tests', 0.8, '1 failed, 41 passed'),
      askToRun('npm publish --tag next', 'Publish the fixed package', 45, '+ shop@2.4.1'),
      {
        kind: 'say',
        text: 'The test raced the clock of the payment stub. It is fixed, and 2.4.1 is out under the tag next. Shall I move latest to it?',
        waits: 11,
      },
      { kind: 'prompt', text: 'yes, and tell the team' },
      read('CHANGELOG.md', 2, 88),
      edit('CHANGELOG.md', '## Unreleased', '## 2.4.1\n\n- Checkout no longer races the payment clock'),
      askToRun('npm dist-tag add shop@2.4.1 latest', 'Move the tag', 30, '+latest: shop@2.4.1'),
      { kind: 'say', text: 'Done: latest is 2.4.1, and the changelog has a line for it.', waits: 14 },
    ],
  },
  {
    project: 'blog',
    model: sonnet,
    context: 24_000,
    steps: [
      { kind: 'prompt', text: 'set up the new theme' },
      read('theme/layout.css', 1.5, 240),
      {
        kind: 'ask',
        tool: 'AskUserQuestion',
        input: {
          questions: [
            {
              question: 'Which accent colour shall the theme have?',
              header: 'Colour',
              multiSelect: false,
              options: [
                { label: 'Teal', description: 'calm, and readable on white' },
                { label: 'Amber', description: 'as the old theme had it' },
              ],
            },
            {
              question: 'Which pages get it first?',
              header: 'Pages',
              multiSelect: true,
              options: [
                { label: 'Start', description: 'what visitors see first' },
                { label: 'Archive', description: 'the long list' },
                { label: 'About', description: 'changes rarely' },
              ],
            },
          ],
        },
        waits: 45,
        takes: 1,
        result: 'Teal; Start, Archive',
      },
      edit('theme/layout.css', '--accent: #b45309;', '--accent: #0f766e;'),
      run('npm run build', 'Build the site', 5, '214 pages in 3.1 s'),
      {
        kind: 'say',
        text: 'The start page and the archive are teal now. Have a look at /preview.',
        waits: 12,
      },
      { kind: 'prompt', text: 'nice. do the RSS feed next' },
      run('npm run feed', 'Make the feed', 7, '20 items'),
      { kind: 'say', text: 'The feed has full text and passes the validator.', waits: 9 },
    ],
  },
  {
    project: 'api',
    model: opus,
    context: 112_000,
    steps: [
      { kind: 'prompt', text: 'plan the move of the orders table to UUIDs' },
      read('db/schema.sql', 2, 612),
      run('rg -n "order_id" src', 'Find the uses', 2, '83 matches in 19 files'),
      {
        kind: 'ask',
        tool: 'ExitPlanMode',
        input: { plan: migration },
        waits: 45,
        takes: 1,
        result: 'Plan approved',
      },
      run('npm run migrate -- --step 1', 'First step', 6, '1,204,331 rows in 5.8 s'),
      edit('src/orders/find.ts', 'where id = $1', 'where id = $1 or uuid = $2'),
      run('npm test', 'Run the tests', 8, '412 passed'),
      {
        kind: 'say',
        text: 'Step one is in: both keys are written and either is read. Step two when you say so.',
        waits: 15,
      },
    ],
  },
  {
    project: 'docs',
    model: sonnet,
    context: 9_000,
    steps: [
      { kind: 'rest', waits: 6 },
      { kind: 'prompt', text: 'check every link in the handbook' },
      run('npm run links', 'Check the links', 9, '3 dead links of 418'),
      edit('handbook/start.md', 'https://old.example/setup', 'https://example.com/setup'),
      {
        kind: 'say',
        text: 'Three links were dead. Two have a new address, and one page no longer exists. Shall I remove its link?',
        waits: 20,
      },
      { kind: 'prompt', text: 'remove it' },
      edit('handbook/index.md', '- [Old tools](old.md)', ''),
      { kind: 'say', text: 'Removed. The handbook has no dead links left.', waits: 5 },
    ],
  },
  {
    project: 'infra',
    model: opus,
    context: 148_000,
    steps: [
      { kind: 'prompt', text: 'roll the new image out to staging' },
      run('kubectl --context staging get pods', 'Check staging', 2, '6 pods running'),
      {
        kind: 'background',
        text: 'The roll-out is running in the background. I will check when it is done.',
        command: 'kubectl --context staging rollout status deploy/web',
        takes: 17,
      },
      run('curl -s https://staging.example.com/healthz', 'Check its health', 2, 'ok'),
      askToRun(
        'kubectl --context production rollout restart deploy/web',
        'Roll out to production',
        30,
        'deployment restarted',
      ),
      { kind: 'say', text: 'Staging and production run the new image.', waits: 12 },
    ],
  },
  {
    project: 'app',
    model: sonnet,
    context: 37_000,
    steps: [
      { kind: 'prompt', text: 'make the start screen load faster' },
      run('npm run profile', 'Profile the start', 8, '1,840 ms to first frame'),
      edit('src/start.tsx', "import { Chart } from './chart'", "const Chart = lazy(() => import('./chart'))"),
      run('npm run profile', 'Profile again', 7, '690 ms to first frame'),
      { kind: 'fail', text: 'API Error: 529 Overloaded', waits: 10 },
      { kind: 'prompt', text: 'continue' },
      run('npm test', 'Run the tests', 6, '98 passed'),
      {
        kind: 'say',
        text: 'The first frame now appears after 690 ms instead of 1,840, and all tests pass.',
        waits: 13,
      },
    ],
  },
];
