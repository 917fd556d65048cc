/** The moments that break calendars: both clock changes in London, leap day, and the end of the year and of the tax year. */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { PortalError } from '../../smoke/caller.ts';
import { BOTH_ENGINES, type Condition } from './condition.ts';
import type { Machine } from './machine.ts';

/** The second before and the moment itself, in UTC. */
const CLOCK_MOMENTS: readonly (readonly [string, string, string])[] = [
  ['the clocks go forward in London', '2027-03-28T00:59:59.000Z', '2027-03-28T01:00:00.000Z'],
  ['the clocks go back in London', '2027-10-31T00:59:59.000Z', '2027-10-31T01:00:00.000Z'],
  ['a day begins in London an hour before it does in UTC', '2027-06-30T22:59:59.000Z', '2027-06-30T23:00:00.000Z'],
  ['29 February begins', '2028-02-28T23:59:59.000Z', '2028-02-29T00:00:00.000Z'],
  ['29 February ends', '2028-02-29T23:59:59.000Z', '2028-03-01T00:00:00.000Z'],
  ['the year ends', '2026-12-31T23:59:59.000Z', '2027-01-01T00:00:00.000Z'],
  ['the tax year ends', '2027-04-05T22:59:59.000Z', '2027-04-05T23:00:00.000Z'],
];

/** Every read in the contract that a trader can make. */
const READS = Object.values(ALL_ENDPOINTS)
  .flatMap((endpoints) => Object.values<Endpoint>(endpoints))
  .filter(({ method, access, hasEffect }) => method === 'GET' && access === 'company.read' && !hasEffect);

export const CALENDAR_CONDITIONS: readonly Condition[] = CLOCK_MOMENTS.map(([name, before, after]) => ({
  name,
  engines: BOTH_ENGINES,
  changesFigures: true,
  begin: async ({ machine }) => {
    await machine.sandbox.moveClock({ now: before });
    return async () => void (await machine.sandbox.moveClock({ now: after }));
  },
  check: checkDay,
}));

/** Checks the clock's date in London, using the system's time zone data rather than our rule, and every read the trader can make. */
async function checkDay(machine: Machine): Promise<string[]> {
  const { sandbox, trader } = machine;
  const startedAt = await sandbox.readClock();
  const { today } = await trader.caller.call(dashboardApi.get, { company_id: trader.companyId });
  // The day may end during the call.
  const possibleDates = [startedAt, await sandbox.readClock()].map(formatLondonDate);
  const readProblems = await Promise.all(READS.map((endpoint) => readEndpoint(machine, endpoint)));
  const isRight = possibleDates.includes(today);
  return [...(isRight ? [] : [`at ${startedAt} the dashboard says ${today}, not ${possibleDates[0]}`]), ...readProblems.flat()];
}

function formatLondonDate(at: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date(at));
}

/** An input error is accepted: not every read applies to this trader. */
async function readEndpoint({ trader }: Machine, endpoint: Endpoint): Promise<string[]> {
  const input = { company_id: trader.companyId, obligation_id: trader.obligationId };
  try {
    await trader.caller.call(endpoint, input);
    return [];
  } catch (error) {
    if (error instanceof PortalError) return error.status >= 500 ? [`${endpoint.path}: ${error.status} ${error.message}`] : [];
    return [`${endpoint.path}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`];
  }
}
