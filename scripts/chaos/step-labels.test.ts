import { describe, expect, it } from 'vitest';
import { readKillPoints, tellPoint } from './kill-plan.ts';
import { nameCall, nameTakenJobs, openConversation, type KnownJobs } from './step-labels.ts';

const hearAll = (texts: readonly string[]) => {
  const conversation = openConversation(new Map());
  return texts.map((text) => conversation.hear({ text }));
};

describe('the steps in what a database is told', () => {
  it('are the commits, named by the tables they change', () => {
    const texts = [
      'begin',
      'insert into "filings" ("id") values ($1)',
      'select "id" from "advances" for update',
      'insert into "audit_entries" ("id") values ($1) on conflict do nothing',
      'update "advances" set "state" = $1',
      'commit',
    ];
    expect(hearAll(texts)).toEqual([undefined, undefined, undefined, undefined, undefined, 'commit filings + advances']);
  });

  it('are single writes too, and neither reads nor what was rolled back', () => {
    expect(
      hearAll(['update "payouts" set "status" = $1', 'select 1', 'begin', 'delete from "payouts"', 'rollback', 'begin', 'commit']),
    ).toEqual(['write payouts', ...Array.from({ length: 6 }, () => undefined)]);
  });

  it('leave sessions and the upkeep of the jobs aside', () => {
    expect(hearAll(['update "sessions" set "last_seen_at" = $1', 'UPDATE pgboss.queue SET monitored_on = now()'])).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are jobs: put in, taken and done, by their kind', () => {
    const jobs: KnownJobs = new Map();
    const conversation = openConversation(jobs);
    const job = { id: '11111111-2222-4333-8444-555555555555', data: { kind: 'payout.submit', payload: {} } };
    expect(conversation.hear({ text: 'INSERT INTO pgboss.job (data) VALUES ($1)', values: [JSON.stringify(job.data)] })).toBe(
      'write job payout.submit',
    );
    expect(nameTakenJobs([job], jobs)).toBe('take job payout.submit');
    expect(conversation.hear({ text: "UPDATE pgboss.job SET state = 'completed' WHERE id = any($1)", values: [[job.id]] })).toBe(
      'write job payout.submit done',
    );
  });

  it('leave the post and what runs by the clock aside', () => {
    const jobs: KnownJobs = new Map();
    expect(
      nameTakenJobs(
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

describe('the steps in calls', () => {
  it.each([
    ['POST', 'http://localhost:1/hmrc/organisations/vat/482193730/returns', 'call POST /hmrc/organisations/vat/*/returns'],
    ['GET', 'http://localhost:1/hmrc/organisations/vat/482193730/returns/18A1', 'call GET /hmrc/organisations/vat/*/returns/*'],
    ['GET', 'http://localhost:1/truelayer/v3/payouts/6846a723-bd5a-4228-a3dc-70a2c5cf4a2b', 'call GET /truelayer/v3/payouts/*'],
    ['GET', 'http://localhost:1/healthz', undefined],
  ])('are named without ids: %s %s', (method, url, name) => {
    expect(nameCall(method, url)).toBe(name);
  });
});

describe('the points of a recorded life', () => {
  it('stand in their order, each once', () => {
    const trace = [
      { label: 'commit filings', nth: 1, phase: 'before' },
      { label: 'commit filings', nth: 1, phase: 'after' },
      { label: 'commit filings', nth: 2, phase: 'before' },
      { label: 'commit filings', nth: 1, phase: 'after' },
    ];
    const points = readKillPoints(`${trace.map((point) => JSON.stringify(point)).join('\n')}\n`);
    expect(points.map(tellPoint)).toEqual(['before commit filings', 'after commit filings', 'before commit filings (2)']);
  });
});
