/**
 * Kills the portal with SIGKILL during filing, payout, import, refresh, a team's work and migration. The simulators and the database keep
 * running; only the portal is restarted.
 */
import { createRandom } from '../../chaos/random.ts';
import { createPortalDatabase } from '../../../apps/server/src/testing/create-portal-database.ts';
import { useTemporaryPostgres } from '../../testing/use-temporary-postgres.ts';
import type { Campaign, CampaignContext, CampaignOutcome } from '../campaign.ts';
import { killFilings } from './kill-filings.ts';
import { killMigrations } from './kill-migrations.ts';
import { killPractice } from './kill-practice.ts';
import { killTeam } from './kill-team.ts';
import { describeError, type KillContext, type KillResult } from './kill-result.ts';

export const kills: Campaign = {
  name: 'kills',
  proves:
    'A process that is killed while it files, pays, imports, refreshes, serves a team and its clients, or migrates loses and doubles nothing',
  unit: 'kills',
  target: 500,
  defaultCount: 100,
  run: runKills,
};

/** After this many kills, each part gets new simulators and a new database. */
const ROUND = 100;

type Part = {
  readonly name: string;
  readonly share: number;
  readonly run: (context: KillContext, count: number, databaseUrl: string | undefined) => Promise<KillResult>;
};
const PARTS: readonly Part[] = [
  { name: 'filing and payout', share: 0.45, run: killFilings },
  { name: 'import and refresh', share: 0.3, run: killPractice },
  { name: 'team and clients', share: 0.15, run: killTeam },
  { name: 'migration', share: 0.1, run: (context, count) => killMigrations(context, count) },
];

async function runKills({ seed, count, engine, log, signal }: CampaignContext): Promise<CampaignOutcome> {
  const server = engine === 'postgres' ? await useTemporaryPostgres() : undefined;
  const context: KillContext = { random: createRandom(seed), seed, engine, log, signal, steps: new Set() };
  const totals = new Map<string, { kills: number; seconds: number }>();
  const findings: string[] = [];
  let [doneCount, crashes, lostConnections] = [0, 0, 0];
  const runPart = async ({ name, run }: Part, partCount: number): Promise<void> => {
    const startedAt = performance.now();
    let database: Awaited<ReturnType<typeof createPortalDatabase>> | undefined;
    try {
      // An error here must not lose the count of the kills before.
      if (server && name !== 'migration') database = await createPortalDatabase();
      const result = await run(context, partCount, database?.url);
      const total = totals.get(name) ?? { kills: 0, seconds: 0 };
      totals.set(name, { kills: total.kills + result.kills, seconds: total.seconds + (performance.now() - startedAt) / 1000 });
      doneCount += result.kills;
      crashes += result.crashes;
      lostConnections += result.lostConnections;
      findings.push(...result.findings.map((finding) => `${name}: ${finding}`));
    } catch (error) {
      findings.push(`${name}: ${describeError(error)}`);
    } finally {
      await database?.drop();
    }
  };
  try {
    while (doneCount < count && !signal.aborted && findings.length === 0) {
      const plannedCount = Math.min(ROUND, count - doneCount);
      for (const part of PARTS) if (!signal.aborted) await runPart(part, Math.max(1, Math.round(plannedCount * part.share)));
      log(`${doneCount} kills, ${findings.length} findings`);
    }
  } finally {
    server?.stop();
  }
  const parts = [...totals].flatMap(([name, total]) => [
    [name, total.kills] as const,
    [`seconds a kill, ${name}`, Math.round((10 * total.seconds) / Math.max(1, total.kills)) / 10] as const,
  ]);
  if (crashes > 0) findings.push(`the portal ended by itself ${crashes} times`);
  const figures = { ...Object.fromEntries(parts), 'different steps': context.steps.size, 'HMRC connections lost': lostConnections };
  return { done: doneCount, findings, figures };
}
