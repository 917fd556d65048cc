/** Control page for the sandbox clock, which the portal and every simulator share. */
import { setTimeout as pause } from 'node:timers/promises';
import { addMilliseconds, toInstant, toLondonDate, parseInstant, type Instant } from '@portal/domain/clock.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { SharedClock } from '@portal/providers/clock/shared-clock.ts';
import {
  ControlInputError,
  sendResult,
  readInput,
  readText,
  acceptsHtml,
  readWholeNumber,
  type ControlRoute,
  type ControlInput,
} from './control-call.ts';
import { h } from './markup.ts';
import { renderField, sendPage } from './page.ts';
import { formatTime } from './format.ts';

/** Every process rereads the clock every 20 ms, so all of them see the new time after this delay. */
const CLOCK_PROPAGATION_MS = 50;
const DAY_MS = 86_400_000;

/** `onMoved` makes the simulators process everything that became due in the skipped time. */
export function clockControlRoutes(clock: SharedClock, onMoved: () => Promise<void>): ControlRoute[] {
  const toResponse = () => ({ now: clock.now(), offset_ms: clock.getOffsetMs() });
  return [
    {
      method: 'GET',
      url: '/control/clock',
      summary: 'The current time of the sandbox.',
      responseExample: '{"now": "2026-11-21T09:00:00.000Z", "offset_ms": 0}',
      handler: (request, reply) => (acceptsHtml(request) ? sendPage(reply, 'Clock', renderClockPage(clock)) : reply.send(toResponse())),
    },
    {
      method: 'POST',
      url: '/control/clock',
      summary:
        'Moves the clock of the portal and the simulators to an instant, to 09:00 in London on a date, or by days. Responds once every process sees it.',
      requestExample: '{"now": "2027-02-07"} or {"now": "2027-02-07T15:30:00Z"} or {"advance_days": 10}',
      responseExample: '{"now", "offset_ms"}',
      handler: async (request, reply) => {
        clock.moveTo(readTarget(readInput(request), clock.now()));
        await onMoved();
        await pause(CLOCK_PROPAGATION_MS);
        return sendResult(reply, toResponse(), '/control/clock', `The sandbox time is now ${formatTime(clock.now())}.`);
      },
    },
  ];
}

function readTarget(input: ControlInput, now: Instant): Instant {
  if (input['advance_days'] !== undefined) return addMilliseconds(now, readWholeNumber(input, 'advance_days', -36_500) * DAY_MS);
  const text = readText(input, 'now');
  const date = parsePlainDate(text);
  if (date !== undefined) {
    // 09:00 in London is 08:00 UTC in summer and 09:00 UTC in winter.
    const nineOClockUtc = toInstant(Date.parse(`${date}T09:00:00Z`));
    const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/London' }).format(
      new Date(nineOClockUtc),
    );
    return addMilliseconds(nineOClockUtc, (9 - Number(hour)) * 3_600_000);
  }
  const instant = parseInstant(text);
  if (instant) return instant;
  throw new ControlInputError('now', 'now must be a date such as 2027-02-07, or an instant such as 2027-02-07T15:30:00Z.');
}

function renderClockPage(clock: SharedClock) {
  const daysAhead = Math.round((clock.getOffsetMs() / DAY_MS) * 10) / 10;
  const distanceText =
    daysAhead === 0
      ? 'the same as this computer’s'
      : `${Math.abs(daysAhead)} days ${daysAhead > 0 ? 'ahead of' : 'behind'} this computer’s`;
  return h`<p class="lead">The portal and all simulators share this clock. It continues from the time you set and survives restarts.</p>
<div class="card"><p class="figure">${formatTime(clock.now())}</p><p class="soft">London time, ${distanceText}</p></div>
<div class="cards forms">
<form class="card" method="post"><h2>Move forward</h2>${renderField('Days', 'advance_days', '1', 'Enter a whole number. A negative number moves the clock back.')}<button>Move clock</button></form>
<form class="card" method="post"><h2>Set the day</h2>${renderField('Date or instant', 'now', toLondonDate(clock.now()), '2027-02-07 means 09:00 in London on that day.')}<button>Set clock</button></form>
</div>
<p class="soft">If you move the clock back, existing data will have dates in the future.</p>`;
}
