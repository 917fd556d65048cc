/**
 * `npm run chaos`: kills the real portal at every step of filing and payout, and at random moments of a practice's imports and refreshes.
 * The simulators keep running.
 */
import { parseArgs } from 'node:util';
import { formatPoint, type KillPoint } from './chaos/kill-plan.ts';
import { RUN_TIMEOUT_MS } from './chaos/run-to-settlement.ts';
import { readLogTail } from './chaos/processes.ts';
import { runPracticeChaos } from './chaos/practice/run-practice-chaos.ts';
import { formatHeader, formatOutcome } from './chaos/report.ts';
import { killAt, killAtRandom, recordKillPoints, type Outcome } from './chaos/kill-portal.ts';
import { ENGINES, runModelCommand, type ModelCommand } from './chaos/model/model-command.ts';
import { createRandom } from './chaos/random.ts';
import { openFilingTestBed, type FilingTestBed } from './chaos/filing-test-bed.ts';
import { migrateDatabaseAt } from '../apps/server/src/testing/create-portal-database.ts';

const HELP = `npm run chaos [-- --part NAME] [--seed S] [--kills N] [--rounds N] [--at TEXT]
       npm run chaos -- --model N [--seed S] [--first K] [--engine NAME]

Two parts, one after the other; --part filings or --part open-tax runs only one of them.

filings: starts the simulators and the real portal in a folder of their own. One trader after another files a return and sells
its refund. Each portal is killed (SIGKILL) before or after one step: a database commit, a job, a call to HMRC or the bank.
After the restart, the trader and the operators continue. Then the HMRC simulator must have exactly one return, the bank
simulator exactly one payout, the ledger must balance, and the advance must be settled.

open-tax: Oakline imports new clients and refreshes their VAT and Self Assessment, round after round, while the portal is
killed at random steps and moments, also while it starts; every other round is cancelled once and continued. After each part
the database is checked with the portal stopped: every row of the file has one outcome, every client exists once, every
observation is stored once, figures and totals equal a rebuild, no call exceeded the rate limit, and the token was refreshed
once. Two hundred kills take about 15 minutes on an idle machine: npm run chaos -- --part open-tax --kills 200

--model N instead runs N random sequences in one process, on a clock of their own: quotes, acceptances and releases on two
instances, providers that fail before and after the work, webhooks that are lost, repeated or late, returned payouts,
partial, early and late credits, instalments, disputes, write-offs, Direct Debits that fail or are charged back, differences
taken off the next payout, and connections that drop at a commit. When the failures end, every amount in the ledger must have
an owner and a next action. Each sequence must end with at most one payout at the bank, one return at HMRC and a ledger that
agrees with the bank to the penny. At the end it prints how often each action, fault and outcome occurred. A sequence takes
less than a second of an idle processor, after ten seconds for the start; npm test plays 60 of them.

  --model N     the number of sequences
  --first K     the number of the first sequence (default: 1), to repeat one
  --engine NAME embedded or postgres, a temporary server (default: embedded)
  --part NAME   filings, open-tax or all (default: all)
  --seed S      seed of the random choices (default: printed, so that a run can be repeated)
  --kills N     open-tax: minimum number of kills (default: 20)
  --rounds N    filings: after all steps, N more traders who click twice, with one to three kills at random moments (default: 5)
  --at TEXT     filings: only the steps whose name contains the text; --at none for the rounds alone
  --help        this text

With DATABASE_URL it uses that PostgreSQL (an empty database, which it migrates), otherwise the embedded engine.
Exit code 0: no violations. 1: a violation, or a step that could not be reached.
`;

/** Attempts at a kill point. Job timing varies, so a run may not reach the point the first time. */
const MAX_ATTEMPTS = 3;

const PARTS = ['all', 'filings', 'open-tax'] as const;

const options = {
  part: { type: 'string', default: 'all' },
  kills: { type: 'string', default: '20' },
  rounds: { type: 'string', default: '5' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  at: { type: 'string', default: '' },
  model: { type: 'string', default: '0' },
  first: { type: 'string', default: '1' },
  engine: { type: 'string', default: 'embedded' },
  help: { type: 'boolean' },
} as const;

type Command = {
  readonly part: (typeof PARTS)[number];
  readonly kills: number;
  readonly rounds: number;
  readonly seed: number;
  readonly at: string;
  /** Undefined without `--model`. */
  readonly model: ModelCommand | undefined;
};

function readCommand(): Command {
  const { values } = parseArgs({ options, allowPositionals: false });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const wholeNumber = (name: 'kills' | 'rounds' | 'seed' | 'model' | 'first'): number => {
    if (!/^\d{1,9}$/.test(values[name])) throw new RangeError(`--${name} is ${values[name]}. Enter a whole number.`);
    return Number(values[name]);
  };
  const part = PARTS.find((name) => name === values.part);
  if (part === undefined) throw new RangeError(`--part is ${values.part}. Choose one of ${PARTS.join(', ')}.`);
  const engine = ENGINES.find((name) => name === values.engine);
  if (engine === undefined) throw new RangeError(`--engine is ${values.engine}. Choose one of ${ENGINES.join(', ')}.`);
  const count = wholeNumber('model');
  const model = count === 0 ? undefined : { engine, count, seed: wholeNumber('seed'), first: wholeNumber('first') };
  return { part, model, kills: wholeNumber('kills'), rounds: wholeNumber('rounds'), seed: wholeNumber('seed'), at: values.at };
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(command: Command): Promise<boolean> {
  if (command.model) return runModelCommand(command.model, print);
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl !== undefined) await migrateDatabaseAt(databaseUrl);
  const { part, kills, seed } = command;
  const haveFilingsPassed = part === 'open-tax' || (await runFilings(command, databaseUrl));
  const havePracticesPassed = part === 'filings' || (await runPracticeChaos({ kills, seed, databaseUrl }, print));
  return haveFilingsPassed && havePracticesPassed;
}

async function runFilings({ rounds, seed, at }: Command, databaseUrl: string | undefined): Promise<boolean> {
  print(`Chaos on ${databaseUrl === undefined ? 'the embedded database' : 'PostgreSQL'}, seed ${seed}`);
  const testBed = await openFilingTestBed(databaseUrl);
  try {
    const { points, outcome } = await recordKillPoints(testBed, RUN_TIMEOUT_MS);
    if (outcome.violations.length > 0) throw new Error(`violations without any kill: ${outcome.violations.join('; ')}`);
    const selectedPoints = points.filter((point) => formatPoint(point).includes(at));
    print(
      `A complete run has ${points.length} points. Killing at ${selectedPoints.length} of them, then ${rounds} random rounds.\n\n${formatHeader()}`,
    );
    let hasPassed = true;
    for (const [index, point] of selectedPoints.entries()) {
      const pointOutcome = await killWithRetries(testBed, point, index);
      hasPassed &&= pointOutcome.violations.length === 0 && pointOutcome.killCount > 0;
      print(formatOutcome(index + 1, formatPoint(point), false, pointOutcome));
    }
    const random = createRandom(seed);
    for (let round = 1; round <= rounds; round += 1) {
      const roundOutcome = await killAtRandom(testBed, random, RUN_TIMEOUT_MS);
      hasPassed &&= roundOutcome.violations.length === 0;
      print(formatOutcome(selectedPoints.length + round, `random, ${roundOutcome.killCount} times`, true, roundOutcome));
    }
    if (!hasPassed) print(`\nLast lines of the portal’s log:\n${readLogTail(testBed.site)}`);
    print(hasPassed ? '\nNothing was lost, and nothing was filed or paid twice.' : '\nThere was a violation, or a step wasn’t reached.');
    return hasPassed;
  } catch (error) {
    print(`\nLast lines of the portal’s log:\n${readLogTail(testBed.site)}`);
    throw error;
  } finally {
    await testBed.close();
  }
}

async function killWithRetries(testBed: FilingTestBed, point: KillPoint, index: number): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await killAt(testBed, point, { limitMs: RUN_TIMEOUT_MS, shouldRepeatKeys: index % 2 === 0 });
    if (outcome.killCount > 0 || outcome.violations.length > 0 || attempt === MAX_ATTEMPTS) return outcome;
  }
}

try {
  if (!(await run(readCommand()))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
