import { expect, it } from 'vitest';
import { describeHmrc } from './hmrc-status.tsx';

const NO_FACTS = { isMissing: false, refreshing: [], data: [], isPending: false };
type SyncData = Parameters<typeof describeHmrc>[0]['data'][number];
type RefreshState = Parameters<typeof describeHmrc>[0]['refreshing'][number];
const createSyncData = (facts: Partial<SyncData>): SyncData => ({ failures: [], newest_read_at: null, ...facts }) as SyncData;
const refresh = (doneCount: number, failedCount: number, total: number): RefreshState =>
  ({ is_refreshing: true, run: { counts: { done: doneCount, failed: failedCount, total, not_authorised: 0 } } }) as unknown as RefreshState;

it.each([
  ['no connection', { ...NO_FACTS, isMissing: true }, 'HMRC isn’t connected', true],
  ['a refresh of two taxes', { ...NO_FACTS, refreshing: [refresh(100, 4, 300), refresh(1, 0, 1000)] }, 'HMRC: 105 of 1,300', false],
  [
    'failures',
    { ...NO_FACTS, data: [createSyncData({ failures: [{ clients: 3 }, { clients: 1 }] as SyncData['failures'] })] },
    'HMRC: 4 not updated',
    true,
  ],
  ['no figures', { ...NO_FACTS, data: [createSyncData({})] }, 'HMRC: no figures yet', false],
  [
    'the newest figures',
    {
      ...NO_FACTS,
      data: ['2026-11-22T14:58:00.000Z', '2026-11-21T09:00:00.000Z'].map((at) =>
        createSyncData({ newest_read_at: at as SyncData['newest_read_at'] }),
      ),
    },
    'HMRC: 22 Nov, 14:58',
    false,
  ],
])('says in one line about %s', (_case, facts, text, isWarning) => {
  expect(describeHmrc(facts)).toEqual({ text, isWarning });
});
