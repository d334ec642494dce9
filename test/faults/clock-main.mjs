// The built product under a clock that a test steps: the file that DROVER_FAULTS_CLOCK names holds an offset in ms.
import { readFileSync, watchFile } from 'node:fs';

const file = process.env.DROVER_FAULTS_CLOCK;
const Real = Date;
let offset = 0;
const read = () => {
  offset = Number(readFileSync(file, 'utf8')) || 0;
};
read();
watchFile(file, { interval: 100, persistent: false }, read);
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length) super(...given);
    else super(Real.now() + offset);
  }

  static now() {
    return Real.now() + offset;
  }
};
await import(process.env.DROVER_FAULTS_MAIN);
