/** Runs one campaign until it ends or is stopped, and prints how to repeat its findings. */
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { repositoryRoot } from '../testing/run-command.ts';
import type { Campaign, CampaignOutcome, Engine } from './campaign.ts';
import type { CampaignRun } from './campaign-log.ts';
import { joinSignals } from './join-signals.ts';

export type CampaignOptions = {
  readonly seed: number;
  readonly engine: Engine;
  /** Undefined: the campaign's default. */
  readonly count: number | undefined;
  readonly minutes: number | undefined;
};

export async function runCampaign(
  campaign: Campaign,
  { seed, engine, count, minutes }: CampaignOptions,
  log: (line: string) => void,
  stopSignal: AbortSignal,
): Promise<CampaignRun> {
  const limit = toCount(campaign, count, minutes);
  const startedAt = performance.now();
  // A campaign that counts minutes handles the time itself, because its run takes longer than the time it counts.
  const isTimed = minutes !== undefined && campaign.unit !== 'minutes';
  const signal = isTimed ? joinSignals(stopSignal, AbortSignal.timeout(minutes * 60_000)) : stopSignal;
  const commit = readCommit();
  log(`${campaign.name} on ${engine === 'postgres' ? 'PostgreSQL' : 'the embedded database'}, seed ${seed}, commit ${commit}`);
  let outcome: CampaignOutcome;
  try {
    outcome = await campaign.run({ seed, count: limit, engine, log, signal });
  } catch (error) {
    // An unexpected error is also a finding.
    outcome = {
      done: 0,
      findings: [`it ended with an error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
      figures: {},
    };
  }
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const run = { date: new Date().toISOString(), commit, name: campaign.name, engine, seed, ...outcome, seconds, load };
  report(campaign, run, limit, log);
  return run;
}

function toCount({ unit, defaultCount }: Campaign, count: number | undefined, minutes: number | undefined): number {
  if (minutes === undefined) return count ?? defaultCount;
  return unit === 'minutes' ? minutes : (count ?? Number.MAX_SAFE_INTEGER);
}

function report(
  { name, unit }: Campaign,
  { done, findings, figures, seconds, seed, engine, load }: CampaignRun,
  limit: number,
  log: (line: string) => void,
): void {
  for (const [figure, value] of Object.entries(figures)) log(`  ${figure}: ${value}`);
  log(`${done} ${unit} in ${seconds} s at a load of ${load}, ${findings.length} findings`);
  if (findings.length === 0) return;
  for (const finding of findings) log(`  FOUND: ${finding}`);
  const count = limit === Number.MAX_SAFE_INTEGER ? Math.max(done, 1) : limit;
  log(`Repeat with: npm run campaign -- ${name} --seed ${seed} --count ${count} --engine ${engine}`);
}

/** Returns the commit, and says if files differ from it. */
function readCommit(): string {
  const runGit = (...args: string[]): string => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim();
  try {
    const gitStatus = runGit('status', '--porcelain', '--untracked-files=no', '--', ':!docs');
    return `${runGit('rev-parse', '--short=8', 'HEAD')}${gitStatus === '' ? '' : ' (changed)'}`;
  } catch {
    // This is a copy without its repository, or a machine without git.
    return 'unknown';
  }
}
