/** Random sequences of filing, advance, payout and repayment with faults, in one process with its own clock. */
import { addCounts, formatCounts } from '../chaos/model/coverage.ts';
import { runModel, type SequenceResult } from '../chaos/model/run-model.ts';
import { useTemporaryPostgres } from '../testing/use-temporary-postgres.ts';
import type { Campaign, CampaignContext, CampaignOutcome } from './campaign.ts';

export const sequences: Campaign = {
  name: 'sequences',
  proves:
    'Whatever order people, providers and faults act in, every refund ends with one return, one payout, and a ledger that agrees with the bank',
  unit: 'sequences',
  target: 10_000,
  defaultCount: 200,
  run: runSequences,
};

/** The model's own seed never changes: a campaign's seed is the number of its first sequence, so that a single one can be repeated. */
const MODEL_SEED = 16;
/** Prints progress after this many sequences. */
const PROGRESS_INTERVAL = 50;

async function runSequences({ seed, count, engine, log, signal }: CampaignContext): Promise<CampaignOutcome> {
  const server = engine === 'postgres' ? await useTemporaryPostgres() : undefined;
  const counts = new Map<string, number>();
  const findings: string[] = [];
  let doneCount = 0;
  const report = (result: SequenceResult): void => {
    doneCount += 1;
    addCounts(counts, result.counts);
    if (result.violations.length > 0) {
      findings.push(`sequence ${result.number} (--seed ${result.number} --count 1): ${result.violations.join('; ')}`);
      log([`\nSequence ${result.number}: ${result.violations.join('; ')}`, ...result.steps.map((step) => `  ${step}`)].join('\n'));
    }
    if (doneCount % PROGRESS_INTERVAL === 0) log(`${doneCount} sequences, ${findings.length} violated`);
  };
  try {
    await runModel({ seed: MODEL_SEED, first: seed, count }, report, signal);
  } finally {
    server?.stop();
  }
  for (const line of formatCounts(counts)) log(line);
  return { done: doneCount, findings, figures: { 'connections dropped': counts.get('action: a connection drops') ?? 0 } };
}
