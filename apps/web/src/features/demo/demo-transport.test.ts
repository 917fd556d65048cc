import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { advancesApi } from '@portal/contract/advances.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import type { Endpoint, EndpointOutput } from '@portal/contract/endpoint.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { ADVANCE_STATES, canTransition, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDemoTransport } from './demo-transport.ts';
import { findStory, STORIES } from './list-stories.ts';
import type { Story } from './stories/story.ts';
import { formatUrlTime } from './story-clock.ts';
import { NORMAL_REFUND } from './stories/normal-refund.ts';

const COMPANY = { company_id: NORMAL_REFUND.company.company_id };
const RETURN = { ...COMPANY, obligation_id: NORMAL_REFUND.mainObligationId };

function openDemo(story: Story = NORMAL_REFUND) {
  const { transport, clock } = createDemoTransport(story);
  const call = async <E extends Endpoint>(endpoint: E, input: Readonly<Record<string, unknown>>): Promise<EndpointOutput<E>> =>
    endpoint.output.parse(await transport(endpoint, input, {})) as EndpointOutput<E>;
  return { call, clock };
}

function findMoment(story: Story, momentName: string): Instant {
  const moment = story.moments.find((candidate) => candidate.what === momentName);
  if (moment === undefined) throw new RangeError(`${story.key} has no moment ${momentName}`);
  return moment.at;
}

afterEach(() => vi.unstubAllGlobals());

describe('demo', () => {
  it('has every story in the folder, each with its own key', () => {
    const files = readdirSync(join(import.meta.dirname, 'stories')).filter((file) => file !== 'story.ts' && !file.endsWith('-rows.ts'));
    expect(STORIES.map(({ key }) => `${key}.ts`).toSorted()).toEqual(files.toSorted());
    expect(STORIES[0]?.key).toBe('normal-refund');
    expect(findStory('no-such-story')).toBe(STORIES[0]);
  });

  it.each(STORIES)('plays “$title” through all its moments with valid responses and without the network', async (story) => {
    const fetchMock = vi.fn<typeof fetch>();
    vi.stubGlobal('fetch', fetchMock);
    const { call, clock } = openDemo(story);
    const company = { company_id: story.company.company_id };
    const states: (string | undefined)[] = [];
    for (const { at, what } of story.moments) {
      clock.moveTo(at);
      const dashboard = await call(dashboardApi.get, company);
      await call(vatReturnsApi.get, { ...company, obligation_id: story.mainObligationId });
      const { advance } = await call(advancesApi.find, { ...company, obligation_id: story.mainObligationId });
      expect(dashboard.advance?.state).toBe(advance?.state);
      if (ADVANCE_STATES.some((state) => state === what)) expect(advance?.state).toBe(what);
      states.push(advance?.state);
    }
    // A real advance could make each of these transitions.
    const moves = states.filter((state) => state !== undefined).filter((state, index, all) => state !== all[index - 1]) as AdvanceState[];
    for (const [index, to] of moves.entries()) {
      const from = moves[index - 1];
      if (from !== undefined) expect([from, to, canTransition(from, to)]).toEqual([from, to, true]);
    }
    expect(moves.at(-1)).toBe('settled');
    expect(fetchMock).not.toHaveBeenCalled();
  });

  it('moves the expected repayment date when HMRC asks a question', async () => {
    const { call, clock } = openDemo(findStory('hmrc-asks'));
    clock.moveTo(findMoment(findStory('hmrc-asks'), 'awaiting_hmrc'));
    const before = (await call(advancesApi.find, RETURN)).advance?.repayment_expected_on;
    clock.moveTo(findMoment(findStory('hmrc-asks'), 'query'));
    // Filed on 3 November: 30 days, plus 21 days for the inquiry.
    expect([before, (await call(advancesApi.find, RETURN)).advance?.repayment_expected_on]).toEqual(['2026-12-03', '2026-12-24']);
  });

  it('has HMRC’s open question on the dashboard’s to-do list, and nothing once HMRC has repaid', async () => {
    const story = findStory('hmrc-asks');
    const { call, clock } = openDemo(story);
    const listTitles = async () => (await call(dashboardApi.get, COMPANY)).tasks.map(({ title }) => title);
    clock.moveTo(findMoment(story, 'awaiting_hmrc'));
    expect(await listTitles()).toEqual([]);
    clock.moveTo(findMoment(story, 'query'));
    expect(await listTitles()).toEqual(['Reply to HMRC’s question']);
    clock.moveTo(findMoment(story, 'repaid'));
    expect(await listTitles()).not.toContain('Reply to HMRC’s question');
  });

  it.each([
    ['adjusted-refund', 11_105_55],
    ['set-off', 9_840_55],
  ])('shows the amount received when HMRC pays less: %s', async (key, receivedAmount) => {
    const story = findStory(key);
    const { call, clock } = openDemo(story);
    clock.moveTo(findMoment(story, 'shortfall'));
    const { advance } = await call(advancesApi.find, RETURN);
    expect(advance).toMatchObject({ state: 'shortfall', refund_pence: 12_340_55, received_pence: receivedAmount });
  });

  it('has no offer while a return is missing, and one when it is filed', async () => {
    const story = findStory('missing-return');
    const { call, clock } = openDemo(story);
    clock.moveTo(findMoment(story, 'suspended'));
    const failingFetch = async () =>
      (await call(advancesApi.find, RETURN)).advance?.rules.filter(({ outcome }) => outcome === 'fail').map(({ rule }) => rule);
    const lateObligation = { ...COMPANY, obligation_id: '0199c0de-0000-7000-8000-000000000104' };
    expect(await failingFetch()).toEqual(['no_overdue_return']);
    const { obligation } = await call(vatReturnsApi.get, lateObligation);
    expect(obligation).toMatchObject({ state: 'ready', overdue: true, received_on: null });
    expect((await call(dashboardApi.get, COMPANY)).next_deadline).toMatchObject({ due_on: '2026-08-07', overdue: true });
    const fileResponse = await call(vatReturnsApi.file, { ...lateObligation, figures_version: 'x', declaration_accepted: true });
    expect(fileResponse.obligation.state).toBe('filed');
    expect(clock.getLastMoment().what).toBe('late_filed');
    expect(await failingFetch()).toEqual([]);
    clock.moveForwardOneDay();
    expect((await call(advancesApi.find, RETURN)).advance?.state).toBe('paid');
  });

  it('keeps an accepted offer eligible when a later return is overdue', async () => {
    const { call, clock } = openDemo();
    clock.moveTo(findMoment(NORMAL_REFUND, 'paid'));
    for (let day = 0; day < 120; day++) clock.moveForwardOneDay();
    expect((await call(dashboardApi.get, COMPANY)).next_deadline?.overdue).toBe(true);
    expect((await call(advancesApi.find, RETURN)).advance?.eligible).toBe(true);
  });

  it.each([
    ['20261127T063000Z', '2026-11-27T06:30:00.000Z'],
    ['20261105T080005Z', '2026-11-05T08:00:05.000Z'],
  ])('starts at the time in the URL, %s', (text, now) => {
    expect(createDemoTransport(NORMAL_REFUND, text).clock.now()).toBe(now);
    expect(formatUrlTime(createDemoTransport(NORMAL_REFUND, text).clock.now())).toBe(text);
  });

  it.each([null, '', 'yesterday', '20261399T000000Z', '19991231T235959Z', '99991231T235959Z', '2026-11-27', '%00'])(
    'starts at the story’s default time when the time in the URL is %s',
    (text) => {
      expect(createDemoTransport(NORMAL_REFUND, text).clock.now()).toBe(NORMAL_REFUND.startAt);
    },
  );

  it('shows the same refund on the dashboard, the return and the advance', async () => {
    const { call, clock } = openDemo();
    clock.moveTo(findMoment(NORMAL_REFUND, 'paid'));
    const dashboard = await call(dashboardApi.get, COMPANY);
    const { boxes } = await call(vatReturnsApi.get, RETURN);
    const { advance } = await call(advancesApi.find, RETURN);
    expect(boxes).toMatchObject({ box5_pence: 12_340_55, direction: 'repayment' });
    expect(dashboard.advance).toMatchObject({ refund_pence: 12_340_55, fee_pence: 123_41, net_pence: 12_217_14 });
    expect(advance).toMatchObject({ refund_pence: 12_340_55, net_pence: 12_217_14, eligible: true });
  });

  it('lists rows for box 4 that add up to it', async () => {
    const { call } = openDemo();
    const { boxes } = await call(vatReturnsApi.get, RETURN);
    const page = await call(vatReturnsApi.transactions, { ...RETURN, box: '4', after_line: 0 });
    expect(page.transactions.reduce((sum, row) => sum + row.amount_pence, 0)).toBe(boxes?.box4_pence);
    expect(page.total_pence).toBe(boxes?.box4_pence);
  });

  it('moves its clock forward to the filing and the acceptance, and never back', async () => {
    const { call, clock } = openDemo();
    clock.restart();
    expect((await call(vatReturnsApi.get, RETURN)).obligation.state).toBe('ready');
    const fileResponse = await call(vatReturnsApi.file, { ...RETURN, figures_version: 'x', declaration_accepted: true });
    expect(fileResponse.obligation.state).toBe('filed_awaiting_hmrc');
    expect((await call(advancesApi.accept, COMPANY)).state).toBe('accepted');
    expect((await call(advancesApi.confirmCollectionAccount, COMPANY)).state).toBe('in_review');
    const laterTime = clock.now();
    await call(advancesApi.accept, COMPANY);
    expect(clock.now()).toBe(laterTime);
  });

  it('says that it is a demo when it cannot do something', async () => {
    const { call } = openDemo();
    await expect(call(advancesApi.withdraw, COMPANY)).rejects.toThrow('This is a demo, so nothing has changed');
  });
});
