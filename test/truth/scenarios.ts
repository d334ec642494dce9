/** Every scenario. */
import type { Scenario } from './scenario.ts';
import { asks } from './asks.ts';
import { away } from './away.ts';
import { down } from './down.ts';
import { lives } from './lives.ts';
import { places } from './places.ts';
import { turns } from './turns.ts';

export const scenarios: Scenario[] = [...turns, ...asks, ...lives, ...places, ...away, ...down];
