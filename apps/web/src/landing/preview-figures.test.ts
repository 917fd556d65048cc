// The landing page previews the demo, so its figures must match the demo's.
import { dashboardApi } from '@portal/contract/dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { formatPounds, pence, toWholePounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { expect, it } from 'vitest';
import { createDemoTransport } from '../features/demo/demo-transport.ts';
import { NORMAL_REFUND } from '../features/demo/stories/normal-refund.ts';
import { periodText } from '../lib/period-text.ts';
import { PREVIEW_FIGURES } from './preview-figures.ts';

const { transport, clock } = createDemoTransport(NORMAL_REFUND);
// The preview shows the demo just after the payout.
clock.moveTo(NORMAL_REFUND.moments.find(({ what }) => what === 'paid')?.at ?? NORMAL_REFUND.startAt);
const demo = (await transport(dashboardApi.get, { company_id: NORMAL_REFUND.company.company_id }, {})) as EndpointOutput<
  typeof dashboardApi.get
>;

const toPounds = (amount: number) => toWholePounds(pence(Math.abs(amount)), 'half-away');

it('shows the same company, deadline and open period as the demo', () => {
  const { open_period: period, next_deadline: deadline } = demo;
  if (!period?.estimate || !deadline) throw new Error('the demo has an open period and a deadline');
  const span = periodText(period.period_start, period.period_end);
  expect(PREVIEW_FIGURES).toMatchObject({
    company: demo.company.name,
    vatNumber: formatVrn(demo.company.vrn ?? ''),
    deadline: {
      left: `${deadline.working_days_left} working days left`,
      what: `VAT return for ${span}`,
      due: `Due on ${formatDate(deadline.due_on)}`,
    },
    openPeriod: { amount: formatPounds(period.estimate.box5_pence), span: `For ${span}` },
  });
});

it('shows the same refund and stages as the demo', () => {
  const { advance } = demo;
  if (!advance) throw new Error('the demo has an advance');
  expect(PREVIEW_FIGURES.refund).toEqual({
    paid: formatPounds(advance.net_pence),
    sum: `Refund ${formatPounds(advance.refund_pence)}, less our fee of ${formatPounds(advance.fee_pence)}`,
  });
  expect(PREVIEW_FIGURES.stages).toEqual(
    advance.timeline.map(({ title, at, expected_on: expected }) => ({
      title,
      when: at === null ? (expected === null ? '' : `Expected by ${formatDate(expected)}`) : formatInstant(at),
    })),
  );
  expect(PREVIEW_FIGURES.currentStage).toBe(advance.timeline.find(({ status }) => status === 'current')?.title);
});

it('shows the bars of the demo’s chart', () => {
  expect(PREVIEW_FIGURES.periods).toEqual(
    demo.chart.toReversed().map(({ period_end: end, vat_out_pence, vat_in_pence, net_pence, source }) => ({
      name: `${formatDate(end, 'short').split(' ').slice(1).join(' ')}${source === 'books' ? ' *' : ''}`,
      sales: toPounds(vat_out_pence),
      purchases: toPounds(vat_in_pence),
      net: toPounds(net_pence),
    })),
  );
});
