import { advancesApi } from '@portal/contract/advances.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import type { Endpoint, OutputOf } from '@portal/contract/endpoint.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDemoTransport } from './demo-transport.ts';
import { NORMAL_REFUND } from './stories/normal-refund.ts';

const COMPANY = { company_id: NORMAL_REFUND.company.company_id };
const RETURN = { ...COMPANY, obligation_id: NORMAL_REFUND.hero };

function openDemo() {
  const { transport, clock } = createDemoTransport(NORMAL_REFUND);
  const call = async <E extends Endpoint>(endpoint: E, input: Readonly<Record<string, unknown>>): Promise<OutputOf<E>> =>
    endpoint.output.parse(await transport(endpoint, input, {})) as OutputOf<E>;
  return { call, clock };
}

afterEach(() => vi.unstubAllGlobals());

describe('the demo', () => {
  it('answers every read in the contract’s shape at every moment of the story, without the network', async () => {
    const fetchNothing = vi.fn<typeof fetch>();
    vi.stubGlobal('fetch', fetchNothing);
    const { call, clock } = openDemo();
    for (const { at } of NORMAL_REFUND.moments) {
      clock.moveTo(at);
      await call(dashboardApi.get, COMPANY);
      await call(vatReturnsApi.get, RETURN);
      await call(advancesApi.find, RETURN);
    }
    expect(fetchNothing).not.toHaveBeenCalled();
  });

  it('shows one refund on the dashboard, on the return and in the advance', async () => {
    const { call } = openDemo();
    const dashboard = await call(dashboardApi.get, COMPANY);
    const { boxes } = await call(vatReturnsApi.get, RETURN);
    const { advance } = await call(advancesApi.find, RETURN);
    expect(boxes).toMatchObject({ box5_pence: 12_340_55, direction: 'repayment' });
    expect(dashboard.advance).toMatchObject({ refund_pence: 12_340_55, fee_pence: 123_41, net_pence: 12_217_14 });
    expect(advance).toMatchObject({ refund_pence: 12_340_55, net_pence: 12_217_14, eligible: true });
  });

  it('opens box 4 to rows that add up to it', async () => {
    const { call } = openDemo();
    const { boxes } = await call(vatReturnsApi.get, RETURN);
    const page = await call(vatReturnsApi.transactions, { ...RETURN, box: '4', after_line: 0 });
    expect(page.transactions.reduce((sum, row) => sum + row.amount_pence, 0)).toBe(boxes?.box4_pence);
    expect(page.total_pence).toBe(boxes?.box4_pence);
  });

  it('files and accepts by moving its clock to that moment, and never back', async () => {
    const { call, clock } = openDemo();
    clock.startAgain();
    expect((await call(vatReturnsApi.get, RETURN)).obligation.state).toBe('ready');
    const filed = await call(vatReturnsApi.file, { ...RETURN, figures_version: 'x', declaration_accepted: true });
    expect(filed.obligation.state).toBe('filed_awaiting_hmrc');
    expect((await call(advancesApi.accept, COMPANY)).state).toBe('accepted');
    expect((await call(advancesApi.confirmCollectionAccount, COMPANY)).state).toBe('in_review');
    const later = clock.now();
    await call(advancesApi.accept, COMPANY);
    expect(clock.now()).toBe(later);
  });

  it('says that it is a demo where it cannot follow', async () => {
    const { call } = openDemo();
    await expect(call(advancesApi.withdraw, COMPANY)).rejects.toThrow('This is a demo, so nothing is changed');
  });
});
