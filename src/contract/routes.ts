/** The one route table, by subject. The server dispatches by it and openapi.json is made from it. */
import { changesRoutes } from './routes/changes.ts';
import { daemonRoutes } from './routes/daemon.ts';
import { eventsRoutes } from './routes/events.ts';
import { fleetRoutes } from './routes/fleet.ts';
import { hubRoutes } from './routes/hub.ts';
import { pageRoutes } from './routes/page.ts';
import { queueRoutes } from './routes/queue.ts';
import { sessionsRoutes } from './routes/sessions.ts';
import { usageRoutes } from './routes/usage.ts';
import { wakesRoutes } from './routes/wakes.ts';

export { errorsOf } from './routes/route.ts';
export type { Route } from './routes/route.ts';

export const routes = [
  ...eventsRoutes,
  ...sessionsRoutes,
  ...usageRoutes,
  ...changesRoutes,
  ...queueRoutes,
  ...wakesRoutes,
  ...hubRoutes,
  ...fleetRoutes,
  ...daemonRoutes,
  ...pageRoutes,
] as const;

export type RouteId = (typeof routes)[number]['id'];
