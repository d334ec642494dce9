#!/usr/bin/env node
import { dispatch } from './cli/dispatch.ts';

void dispatch(process.argv.slice(2)).then(code => {
  process.exitCode = code;
});
