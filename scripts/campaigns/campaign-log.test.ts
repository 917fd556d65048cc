/** Checks that runs are totalled by campaign and engine, and that docs/figures.md matches the log. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_CAMPAIGNS } from './all-campaigns.ts';
import type { Campaign } from './campaign.ts';
import { accumulateRows, describeCampaigns, formatSection, readRuns, recordRun, type CampaignRun } from './campaign-log.ts';
import { runCampaign } from './run-campaign.ts';

const CAMPAIGN: Campaign = {
  name: 'bridges',
  proves: 'Bridges hold',
  unit: 'bridges',
  target: 1_500,
  defaultCount: 10,
  run: async ({ count, signal }) => ({ done: signal.aborted ? 3 : count, findings: [], figures: { 'slowest bridge': '2 s' } }),
};
const RUN: CampaignRun = {
  date: '2026-11-24T00:10:00.000Z',
  commit: 'abcd1234',
  name: 'bridges',
  engine: 'postgres',
  seed: 7,
  done: 1_000,
  findings: ['a bridge fell'],
  figures: {},
  seconds: 12.5,
  load: 1.5,
};

let docsFolder = '';
beforeEach(() => {
  docsFolder = mkdtempSync(join(tmpdir(), 'portal-campaigns-'));
  writeFileSync(join(docsFolder, 'figures.md'), '# Figures\n\n## Reliability campaigns\n\n## After\n\nText.\n');
});
afterEach(() => rmSync(docsFolder, { recursive: true }));

const runBridges = (count: number | undefined, signal: AbortSignal, campaign = CAMPAIGN) => {
  const lines: string[] = [];
  const options = { seed: 5, engine: 'embedded', count, minutes: undefined } as const;
  return runCampaign(campaign, options, (line) => lines.push(line), signal).then((run) => ({ run, text: lines.join('\n') }));
};

describe('the log of campaigns', () => {
  it('adds up runs separately for each engine, and the table shows the sums', () => {
    recordRun(docsFolder, [CAMPAIGN], RUN);
    recordRun(docsFolder, [CAMPAIGN], { ...RUN, date: '2026-11-24T00:20:00.000Z', done: 500, findings: [], commit: 'ffff0000' });
    expect(accumulateRows(readRuns(docsFolder), CAMPAIGN, 'postgres')).toMatchObject({ done: 1_500, runs: 2, findings: 1 });
    expect(accumulateRows(readRuns(docsFolder), CAMPAIGN, 'embedded')).toBeUndefined();
    const figures = readFileSync(join(docsFolder, 'figures.md'), 'utf8');
    expect(figures).toMatch(
      /\| `bridges` +\| Bridges hold +\| PostgreSQL +\| 1,500 bridges +\| 1,500 +\| 2 +\| 1 +\| 0 +\| ffff0000 +\| 2026-11-24 +\|/,
    );
    expect(figures).toContain('\n\n## After\n\nText.\n');
    expect(describeCampaigns([CAMPAIGN], readRuns(docsFolder))).toContain('1,500 in 2 runs, 1 findings');
  });

  it('has no paths of the machine that ran the campaign', () => {
    recordRun(docsFolder, [CAMPAIGN], { ...RUN, findings: [`Error: it fell\n    at build (${import.meta.url}:1:2)`] });
    expect(readRuns(docsFolder)[0]?.findings).toEqual(['Error: it fell\n    at build (scripts/campaigns/campaign-log.test.ts:1:2)']);
  });

  it('orders the runs of merged branches by date', () => {
    recordRun(docsFolder, [CAMPAIGN], { ...RUN, date: '2026-11-24T00:20:00.000Z', commit: 'newer' });
    recordRun(docsFolder, [CAMPAIGN], { ...RUN, commit: 'older' });
    expect(accumulateRows(readRuns(docsFolder), CAMPAIGN, 'postgres')?.last.commit).toBe('newer');
  });

  it('of this repository is what its table shows (npm run campaign -- --table rewrites it)', () => {
    const repositoryDocs = join(import.meta.dirname, '../../docs');
    expect(readFileSync(join(repositoryDocs, 'figures.md'), 'utf8')).toContain(formatSection(ALL_CAMPAIGNS, readRuns(repositoryDocs)));
  });
});

describe('a run', () => {
  it('runs as often as requested, by default the campaign’s own count', async () => {
    const neverAborted = new AbortController().signal;
    expect((await runBridges(4, neverAborted)).run).toMatchObject({
      done: 4,
      seed: 5,
      engine: 'embedded',
      figures: { 'slowest bridge': '2 s' },
    });
    expect((await runBridges(undefined, neverAborted)).run.done).toBe(10);
  });

  it('counts the finished repetitions when it is stopped', async () => {
    expect((await runBridges(4, AbortSignal.abort())).run.done).toBe(3);
  });

  it('says how to reproduce its findings, and counts an error as a finding', async () => {
    const failingCampaign = { ...CAMPAIGN, run: () => Promise.reject(new Error('a rope broke')) };
    const { run, text } = await runBridges(4, new AbortController().signal, failingCampaign);
    expect(run.findings).toEqual([expect.stringContaining('a rope broke')]);
    expect(text).toContain('npm run campaign -- bridges --seed 5 --count 4 --engine embedded');
  });
});
