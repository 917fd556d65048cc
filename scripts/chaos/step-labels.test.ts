import { describe, expect, it } from 'vitest';
import { readKillPoints, formatPoint } from './kill-plan.ts';
import { describeCall, describeFetchedJobs, createStatementTracker, type JobKinds } from './step-labels.ts';

const trackAll = (texts: readonly string[]) => {
  const tracker = createStatementTracker(new Map());
  return texts.map((text) => tracker.track({ text }));
};

describe('step names from database statements', () => {
  it('names a commit after the tables it changes, in alphabetical order', () => {
    const checkedStatements = [
      'begin',
      'insert into "filings" ("id") values ($1)',
      'select "id" from "advances" for update',
      'insert into "audit_entries" ("id") values ($1) on conflict do nothing',
      'update "advances" set "state" = $1',
      'commit',
    ];
    expect(trackAll(checkedStatements)).toEqual([undefined, undefined, undefined, undefined, undefined, 'commit advances + filings']);
  });

  it('names single writes too, but neither reads nor rolled-back transactions', () => {
    expect(
      trackAll(['update "payouts" set "status" = $1', 'select 1', 'begin', 'delete from "payouts"', 'rollback', 'begin', 'commit']),
    ).toEqual(['write payouts', ...Array.from({ length: 6 }, () => undefined)]);
  });

  it('ignores sessions and the maintenance of the job queue', () => {
    expect(trackAll(['update "sessions" set "last_seen_at" = $1', 'UPDATE pgboss.queue SET monitored_on = now()'])).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('names jobs by kind when they are enqueued, fetched and completed', () => {
    const jobs: JobKinds = new Map();
    const tracker = createStatementTracker(jobs);
    const job = { id: '11111111-2222-4333-8444-555555555555', data: { kind: 'payout.submit', payload: {} } };
    expect(tracker.track({ text: 'INSERT INTO pgboss.job (data) VALUES ($1)', values: [JSON.stringify(job.data)] })).toBe(
      'write job payout.submit',
    );
    expect(describeFetchedJobs([job], jobs)).toBe('take job payout.submit');
    expect(tracker.track({ text: "UPDATE pgboss.job SET state = 'completed' WHERE id = any($1)", values: [[job.id]] })).toBe(
      'write job payout.submit done',
    );
  });

  it('ignores emails and scheduled jobs', () => {
    const jobs: JobKinds = new Map();
    expect(
      describeFetchedJobs(
        [
          { id: 'a', data: { kind: 'mail.send' } },
          { id: 'b', data: { kind: 'payouts.poll' } },
        ],
        jobs,
      ),
    ).toBeUndefined();
    expect(jobs.size).toBe(0);
  });
});

describe('step names from HTTP calls', () => {
  it.each([
    ['POST', 'http://localhost:1/hmrc/organisations/vat/482193730/returns', 'call POST /hmrc/organisations/vat/*/returns'],
    ['GET', 'http://localhost:1/hmrc/organisations/vat/482193730/returns/18A1', 'call GET /hmrc/organisations/vat/*/returns/*'],
    ['GET', 'http://localhost:1/truelayer/v3/payouts/6846a723-bd5a-4228-a3dc-70a2c5cf4a2b', 'call GET /truelayer/v3/payouts/*'],
    ['GET', 'http://localhost:1/healthz', undefined],
  ])('leave out ids: %s %s', (method, url, name) => {
    expect(describeCall(method, url)).toBe(name);
  });
});

describe('the kill points of a recorded run', () => {
  it('keep their order and appear once', () => {
    const trace = [
      { label: 'commit filings', nth: 1, phase: 'before' },
      { label: 'commit filings', nth: 1, phase: 'after' },
      { label: 'commit filings', nth: 2, phase: 'before' },
      { label: 'commit filings', nth: 1, phase: 'after' },
    ];
    const points = readKillPoints(`${trace.map((point) => JSON.stringify(point)).join('\n')}\n`);
    expect(points.map(formatPoint)).toEqual(['before commit filings', 'after commit filings', 'before commit filings (2)']);
  });
});
