import { IMPORT_COLUMNS } from '@portal/domain/client-imports/import-columns.ts';
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { describe, expect, it } from 'vitest';
import {
  getFieldLabel,
  listDoneSentences,
  listPlannedSentences,
  listStatusChoices,
  describeFileStatus,
  describeMatch,
  formatReferences,
  listRefreshParts,
  listUndoneSentences,
  formatRowValues,
} from './import-labels.ts';

const counts = {
  new: 0,
  matched: 0,
  ambiguous: 0,
  duplicate: 0,
  invalid: 0,
  skipped: 0,
  needs_fixing: 0,
  not_client: 0,
  archived: 0,
  status_differs: 0,
};

describe('texts of an import', () => {
  const toText = (sentences: ReturnType<typeof listPlannedSentences>): string =>
    sentences.map(({ before = '', count, outcome, rest }) => `${before}[${count}: ${outcome}]${rest}`).join(' ');

  it.each([
    [{ ...counts, new: 1200 }, '[1,200 new clients: new] will be added.'],
    [
      { ...counts, new: 1, matched: 1, invalid: 1, duplicate: 2, needs_fixing: 1 },
      '[1 new client: new] will be added. Missing details will be added to [1 existing client: matched]. Nothing is overwritten. [1 client: needs_fixing] has details we couldn’t read, and will be imported without them. [1 row: invalid] can’t be imported. [2 rows: duplicate] repeat clients in this file.',
    ],
    [counts, ''],
  ])('describe what starting would do, each number with its rows: %j', (givenCounts, text) => {
    expect(toText(listPlannedSentences({ counts: givenCounts }))).toBe(text);
  });

  it('say what happens to prospects and to existing clients with another status, and offer the other choice', () => {
    const KEEP_CHOICES = { prospects: 'leave_out', existing: 'keep' } as const;
    const list = (overrides: Partial<typeof counts>, choices: Parameters<typeof listStatusChoices>[0]['status_choices']) =>
      listStatusChoices({ counts: { ...counts, ...overrides }, status_choices: choices }).map(({ sentence, button, choices: next }) => [
        toText([sentence]),
        button,
        next,
      ]);
    expect(list({ new: 3 }, KEEP_CHOICES)).toEqual([]);
    expect(list({ not_client: 12, status_differs: 1 }, KEEP_CHOICES)).toEqual([
      [
        '[12 prospects: not_client] aren’t clients and are left out.',
        'Import prospects as archived clients',
        { ...KEEP_CHOICES, prospects: 'archive' },
      ],
      [
        '[1 existing client: status_differs] has a different status in the file. Its status here won’t change.',
        'Use the status in the file',
        { ...KEEP_CHOICES, existing: 'change' },
      ],
    ]);
    expect(list({ archived: 12 }, { ...KEEP_CHOICES, prospects: 'archive' })).toEqual([
      ['[Prospects: archived] will be imported as archived clients.', 'Leave prospects out', KEEP_CHOICES],
    ]);
    const row = { file_status: 'archived', status_differs: true, status_changed: false, applied: false } as const;
    expect(describeFileStatus(row, KEEP_CHOICES)).toBe('The file says it’s archived, but here it’s active. It won’t change.');
    expect(describeFileStatus(row, { ...KEEP_CHOICES, existing: 'change' })).toContain('It will become archived.');
    expect(describeFileStatus({ ...row, status_differs: false }, KEEP_CHOICES)).toBeUndefined();
  });

  it('describe what was done and undone', () => {
    const formatDone = (appliedCounts: { new: number; matched: number }, remainingCounts = counts) =>
      toText(
        listDoneSentences({
          state: 'completed',
          applied: appliedCounts,
          counts: remainingCounts,
          status_choices: { prospects: 'leave_out', existing: 'keep' },
        }),
      );
    expect(formatDone({ new: 2, matched: 1 })).toBe('[2 clients: new] added. [1 client: matched] updated.');
    expect(formatDone({ new: 0, matched: 0 })).toBe('');
    expect(formatDone({ new: 0, matched: 4 }, { ...counts, status_differs: 4, not_client: 3 })).toBe(
      '[4 clients: matched] updated. [4 existing clients: status_differs] keep their status, which differs from the file’s. [3 prospects: not_client] left out.',
    );
    expect(formatDone({ new: 1, matched: 0 }, { ...counts, invalid: 1, needs_fixing: 1 })).toBe(
      '[1 client: new] added. [1 row: invalid] couldn’t be imported. Correct it below, or download it with the reason and upload the corrected file. [1 client: needs_fixing] imported without the details we couldn’t read.',
    );
    expect(toText(listUndoneSentences({ undone: { removed: 3, restored: 0, kept: 1 } }))).toBe(
      '[3 clients: removed] removed. [1 client: kept] kept, because it has been used or changed since.',
    );
  });

  it('list the values of a row in the template’s order, and its references on their own', () => {
    const values = { utr: '2234567890', name: 'Reed Ltd', vrn: '980780684', postcode: 'LS1 4DY' };
    expect(formatRowValues(values)).toBe('Name Reed Ltd, VAT number 980780684, UTR 2234567890, Postcode LS1 4DY');
    expect(formatReferences(values)).toBe('VAT number 980780684, UTR 2234567890');
  });

  it('describe the refresh that follows, and its result, but no earlier one', () => {
    const uploadedAt = toInstant(Date.UTC(2026, 10, 22, 9));
    const counts = { total: 3, queued: 0, waiting: 0, reading: 0, done: 2, failed: 1, not_authorised: 0, throttled: 0 };
    const run = {
      run_id: '',
      state: 'completed' as const,
      started_at: toInstant(Date.UTC(2026, 10, 22, 9, 1)),
      ended_at: null as Instant | null,
      reason: null,
      is_throttled: false,
      rate_per_minute: null,
      seconds_left: null,
      counts,
    };
    const refreshStatus = { tax_type: 'vat' as const, is_refreshing: false, sentence: null, run };
    const toLinks = (refreshState: typeof refreshStatus | undefined) =>
      listRefreshParts(refreshState, 'vat', uploadedAt)
        ?.map((part) => (typeof part === 'string' ? part : `[${part.text}: ${part.refresh}]`))
        .join('');
    expect(toLinks(refreshStatus)).toBe(
      'VAT updated from HMRC for [2: run_done] of [3 clients: run]. [1 client: run_failed] couldn’t be updated.',
    );
    const refusedRun = { ...run, counts: { ...counts, failed: 0, not_authorised: 1 } };
    expect(toLinks({ ...refreshStatus, run: refusedRun })).toBe(
      'VAT updated from HMRC for [2: run_done] of [3 clients: run]. [1 client: run_not_authorised] hasn’t authorised you yet.',
    );
    expect(toLinks({ ...refreshStatus, is_refreshing: true })).toBe(
      'Refreshing VAT for [3 clients: run]: [2 done: run_done], [1 failed: run_failed], [0 queued: run_queued]',
    );
    // A refresh that was already running when the file was uploaded includes its clients.
    expect(toLinks({ ...refreshStatus, run: { ...run, started_at: toInstant(0) } })).toContain('3 clients');
    expect(toLinks({ ...refreshStatus, run: { ...run, started_at: toInstant(0), ended_at: toInstant(1) } })).toBeUndefined();
    expect(toLinks(undefined)).toBeUndefined();
  });

  it('name what a match is based on', () => {
    expect(describeMatch(['company_number'])).toBe('Matched on company number');
    expect(describeMatch(['vrn', 'utr'])).toBe('Matched on VAT number and UTR');
  });

  it('name every column of the template', () => {
    for (const column of IMPORT_COLUMNS) expect(getFieldLabel(column)).not.toBe(column);
    expect(getFieldLabel('')).toBe('Row');
  });
});
