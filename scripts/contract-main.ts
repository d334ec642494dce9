/** `npm run contract [-- --write]`: see contract.ts. */
import { version } from '../src/version.ts';
import { changesSince, contract, lastRecord, record } from './contract.ts';

if (process.argv.includes('--write')) {
  record(version);
  console.log(`recorded: test/contract/${version}.json`);
} else {
  const { version: last, recorded } = lastRecord();
  const now = contract();
  for (const name of changesSince(recorded, now))
    console.log(`${name}\n  ${last}: ${recorded[name] ?? '(not there)'}\n  now: ${now[name] ?? '(gone)'}`);
}
