/** Routes that the portal calls when it starts with this sandbox: its provider settings, and the seed data of its database. */
import type { Clock } from '@portal/domain/clock.ts';
import { createPortalSeed } from '../seed/portal-seed.ts';
import type { ControlRoute } from './control-call.ts';

export function portalControlRoutes(settings: Readonly<Record<string, string>>, clock: Clock): ControlRoute[] {
  return [
    {
      method: 'GET',
      url: '/control/settings',
      summary: 'The settings with which a portal uses these simulators.',
      responseExample: '{"HMRC_API_URL", "HMRC_CLIENT_ID", ...}',
      handler: (_request, reply) => reply.send(settings),
    },
    {
      method: 'GET',
      url: '/control/seed',
      summary: 'The seed data for the portal’s own database: people, companies and books.',
      responseExample: '{"password", "companies", "people", "trader", "practice"}',
      handler: (_request, reply) => reply.send(createPortalSeed(clock.today())),
    },
  ];
}
