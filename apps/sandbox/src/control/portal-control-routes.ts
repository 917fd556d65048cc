/** What a portal that starts beside this sandbox asks for: its settings, and the data that its database begins with. */
import type { Clock } from '@portal/domain/clock.ts';
import { portalSeed } from '../seed/portal-seed.ts';
import type { ControlRoute } from './control-call.ts';

export function portalControlRoutes(settings: Readonly<Record<string, string>>, clock: Clock): ControlRoute[] {
  return [
    {
      method: 'GET',
      url: '/control/settings',
      summary: 'The settings that make a portal use these simulators, by their names.',
      responseExample: '{"HMRC_API_URL", "HMRC_CLIENT_ID", ...}',
      handler: (_request, reply) => reply.send(settings),
    },
    {
      method: 'GET',
      url: '/control/seed',
      summary: "The people, companies and books that the portal's own database begins with.",
      responseExample: '{"password", "companies", "people", "trader", "practice"}',
      handler: (_request, reply) => reply.send(portalSeed(clock.today())),
    },
  ];
}
