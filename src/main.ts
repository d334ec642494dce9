#!/usr/bin/env node
import { dispatch } from './cli/dispatch.ts';
import { droverWords } from './cli/program.ts';

const main = async (): Promise<void> => {
  process.exitCode = await dispatch(droverWords(process.argv));
};

void main();
