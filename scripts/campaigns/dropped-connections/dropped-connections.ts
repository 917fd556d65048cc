/** Cuts connections to PostgreSQL at commits, while random sequences file, pay and collect on two instances. */
import { addCounts, formatCounts } from '../../chaos/model/coverage.ts';
import type { Drop } from '../../chaos/model/dropped-connections.ts';
import { runModel, type SequenceResult } from '../../chaos/model/run-model.ts';
import { createRandom, pick } from '../../chaos/random.ts';
import { useTemporaryPostgres } from '../../testing/use-temporary-postgres.ts';
import type { Campaign, CampaignContext, CampaignOutcome } from '../campaign.ts';
import { openCommitProxy } from './commit-proxy.ts';
import { joinSignals } from '../join-signals.ts';

export const droppedConnections: Campaign = {
  name: 'dropped-connections',
  proves: 'A connection that is lost at a commit, whether the work was stored or not, loses nothing and doubles nothing',
  unit: 'connections dropped',
  target: 10_000,
  defaultCount: 500,
  engines: ['postgres'],
  run: dropConnections,
};

/** As in the sequences campaign, a run's seed is the number of its first sequence. */
const MODEL_SEED = 17;
/** The probability for each commit while the steps run. An action has one to four commits, so about half of the actions succeed. */
const DROP_PROBABILITY = 0.35;
const INSISTENT_ROUNDS = 10;
/** Prints progress after this many sequences. */
const PROGRESS_INTERVAL = 10;
const DROPS: readonly Drop[] = ['before_commit', 'after_commit'];

async function dropConnections({ seed, count, log, signal }: CampaignContext): Promise<CampaignOutcome> {
  const server = await useTemporaryPostgres();
  const proxy = await openCommitProxy(server.url);
  process.env['TEST_DATABASE_URL'] = proxy.url;
  const stopModel = new AbortController();
  const counts = new Map<string, number>();
  const findings: string[] = [];
  let sequences = 0;
  const countCuts = (): number => proxy.cutCounts.before_commit + proxy.cutCounts.after_commit;
  const report = (result: SequenceResult): void => {
    sequences += 1;
    addCounts(counts, result.counts);
    if (result.violations.length > 0) {
      findings.push(`sequence ${result.number} (--seed ${result.number} --count 1): ${result.violations.join('; ')}`);
      log([`\nSequence ${result.number}: ${result.violations.join('; ')}`, ...result.steps.map((step) => `  ${step}`)].join('\n'));
    }
    if (sequences % PROGRESS_INTERVAL === 0) log(`${sequences} sequences, ${countCuts()} connections dropped, ${findings.length} violated`);
    if (countCuts() >= count) stopModel.abort();
  };
  // Uses separate random numbers, because the number of commits depends on timing and must not affect the sequence's own choices.
  const random = createRandom(seed);
  const dropCommits = (): void => proxy.dropOften(() => (random() < DROP_PROBABILITY ? pick(random, DROPS) : undefined));
  try {
    const model = {
      seed: MODEL_SEED,
      first: seed,
      count: Number.MAX_SAFE_INTEGER,
      connections: proxy,
      beforeStep: dropCommits,
      insistentRounds: INSISTENT_ROUNDS,
    };
    await runModel(model, report, joinSignals(signal, stopModel.signal));
  } finally {
    proxy.close();
    server.stop();
  }
  for (const line of formatCounts(counts)) log(line);
  return {
    done: countCuts(),
    findings,
    figures: { sequences, 'dropped before the commit': proxy.cutCounts.before_commit, 'dropped after it': proxy.cutCounts.after_commit },
  };
}
