/** `npm run campaign`: runs one reliability campaign and adds its result to the log. Without a name, it lists them. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_CAMPAIGNS } from './campaigns/all-campaigns.ts';
import { listEngines } from './campaigns/campaign.ts';
import { describeCampaigns, readRuns, recordRun, writeTable } from './campaigns/campaign-log.ts';
import { runCampaign } from './campaigns/run-campaign.ts';
import { repositoryRoot } from './testing/run-command.ts';

const HELP = `npm run campaign [-- NAME] [--seed S] [--count N | --minutes M] [--engine embedded|postgres]
       npm run campaign -- --table

Without a name: what each campaign proves, its target, and what its runs add up to.
With a name: one bounded run. Its result is added to docs/campaigns.jsonl and to the table in docs/figures.md. A long
campaign adds up over many runs. Ctrl-C ends a run and records what was done; a second one ends it at once.

  --seed S      seed of the random choices (default: printed, so that a run can be repeated)
  --count N     how much to do (default: the campaign's own)
  --minutes M   ends after this time instead
  --engine NAME embedded or postgres, a temporary server (default: the campaign's first)
  --table       only rewrites the table from the log, for example after a merge
  --help        this text

Exit code 0: nothing found. 1: the findings were printed, with the command that repeats them.
`;

const DOCS_FOLDER = join(repositoryRoot, 'docs');
const options = {
  seed: { type: 'string' },
  count: { type: 'string' },
  minutes: { type: 'string' },
  engine: { type: 'string' },
  table: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The first request stops the campaign in an orderly way; the second stops it immediately. */
function listenForStop(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      print('Stopping. What was done so far will be recorded; press Ctrl-C again to stop at once.');
      controller.abort();
    });
  }
  return controller.signal;
}

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text) || (name !== 'seed' && Number(text) === 0))
    throw new RangeError(`--${name} is ${text}. Enter a whole number.`);
  return Number(text);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [name] = positionals;
  if (values.help) return void process.stdout.write(HELP);
  if (values.table) return writeTable(DOCS_FOLDER, ALL_CAMPAIGNS);
  if (name === undefined) return print(describeCampaigns(ALL_CAMPAIGNS, readRuns(DOCS_FOLDER)));
  const campaign = ALL_CAMPAIGNS.find((item) => item.name === name);
  if (!campaign) throw new RangeError(`There is no campaign ${name}. Choose one of ${ALL_CAMPAIGNS.map((item) => item.name).join(', ')}.`);
  const engines = listEngines(campaign);
  const engine = values.engine === undefined ? engines[0] : engines.find((engine) => engine === values.engine);
  if (!engine) throw new RangeError(`--engine is ${values.engine}. ${name} runs on ${engines.join(' or ')}.`);
  const [count, minutes] = [readNumber('count', values.count), readNumber('minutes', values.minutes)];
  if (count !== undefined && minutes !== undefined) throw new RangeError('Set --count or --minutes, not both.');
  const seed = readNumber('seed', values.seed) ?? Date.now() % 1_000_000;
  const run = await runCampaign(campaign, { seed, engine, count, minutes }, print, listenForStop());
  recordRun(DOCS_FOLDER, ALL_CAMPAIGNS, run);
  // Exits explicitly, so that a campaign's open handle doesn't keep the command running.
  process.exit(run.findings.length === 0 ? 0 : 1);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
