/** `npm run chaos -- --model N`: prints each violation with its steps and how to repeat it, and at the end what the sequences came to. */
import { findPostgresPrograms, startPostgres } from '../../testing/start-postgres.ts';
import { addCounts, formatCounts } from './coverage.ts';
import { runModel, type SequenceResult } from './run-model.ts';

export const ENGINES = ['embedded', 'postgres'] as const;
export type ModelCommand = {
  readonly engine: (typeof ENGINES)[number];
  readonly seed: number;
  readonly first: number;
  readonly count: number;
};

/** A line of progress after this many sequences. */
const REPORT_EVERY = 50;

/** Returns whether every rule held in every sequence. */
export async function runModelCommand(command: ModelCommand, print: (line: string) => void): Promise<boolean> {
  const { engine, seed, first, count } = command;
  const stopServer = engine === 'postgres' ? await useTemporaryServer() : () => undefined;
  const counts = new Map<string, number>();
  let violated = 0;
  const startedAt = performance.now();
  print(`${count} random sequences on ${engine === 'postgres' ? 'PostgreSQL' : 'the embedded database'}, seed ${seed}`);
  const report = (result: SequenceResult): void => {
    addCounts(counts, result.counts);
    if (result.violations.length > 0) {
      violated += 1;
      print(formatViolation(command, result));
    }
    const done = result.number - first + 1;
    if (done % REPORT_EVERY === 0)
      print(`${done} sequences, ${violated} violated, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  };
  try {
    await runModel({ seed, first, count }, report);
  } finally {
    stopServer();
  }
  for (const line of formatCounts(counts)) print(line);
  print(violated === 0 ? 'Every rule held.' : `${violated} sequences violated a rule.`);
  return violated === 0;
}

function formatViolation({ engine, seed }: ModelCommand, { number, violations, steps }: SequenceResult): string {
  const repeat = `npm run chaos -- --model 1 --seed ${seed} --first ${number} --engine ${engine}`;
  return [`\nSequence ${number}: ${violations.join('; ')}`, ...steps.map((step) => `  ${step}`), `  Repeat with: ${repeat}\n`].join('\n');
}

/** A PostgreSQL server of its own, found as `npm test` finds one. */
async function useTemporaryServer(): Promise<() => void> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('There is no PostgreSQL on this machine. Install it, or choose --engine embedded.');
  const server = await startPostgres(programs);
  process.env['TEST_DATABASE_URL'] = server.socketUrl;
  return () => server.stop();
}
