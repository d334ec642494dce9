/** Every scenario. */
import type { Scenario } from './scenario.ts';
import { turns } from './turns.ts';

export const scenarios: Scenario[] = [...turns];
