/**
 * `npm run smoke`: takes one trader through the whole product over HTTP, against a running portal with its sandbox. Exits with 1 at the
 * first stage that fails.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { acceptQuote, fileReturn, reviewAndRelease, redirectRepayment, type Sale } from './smoke/sell-refund.ts';
import { signUpTrader, createOrganisation, readBooks, readDashboard, reachPortal } from './smoke/set-up.ts';
import { checkBooks, waitForPayout, settleAdvance } from './smoke/settle.ts';
import { createStages, describeError, formatStage } from './smoke/stages.ts';

const HELP = `npm run smoke [-- --file FILE] [--url URL]

Takes one trader through the whole product on a running portal with its sandbox: sign-up, HMRC, books, VAT return,
filing, quote, agreement, review, release, payout, repayment, settlement. It moves the sandbox clock to ten
days after the quarter with most of the file's rows, and leaves a settled trader behind.

  --file FILE   books to use, CSV or XLSX (default: a sample for the quarter that ended last)
  --url URL     the portal (default: http://localhost:3000/portal)
  --help        this text

Exit code 0: every stage passed. 1: a stage failed; its line gives the reason.
`;

const options = {
  file: { type: 'string' },
  url: { type: 'string', default: 'http://localhost:3000/portal' },
  help: { type: 'boolean' },
} as const;

function readCommand(): { file: string | undefined; portalUrl: string } {
  const { values } = parseArgs({ options, allowPositionals: false });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  if (!/^https?:\/\//.test(values.url) || !URL.canParse(values.url))
    throw new RangeError(`--url is ${values.url}. Enter an address such as http://localhost:3000.`);
  // npm runs scripts in the repository's root, so relative paths are resolved against the user's working directory.
  const file = values.file === undefined ? undefined : resolve(process.env['INIT_CWD'] ?? '', values.file);
  return { file, portalUrl: `${new URL(values.url).origin}/portal` };
}

async function runSmokeTest(print: (line: string) => void, portalUrl: string, file: string | undefined): Promise<void> {
  const stages = createStages(print);
  const context = await reachPortal(stages, portalUrl);
  const books = await readBooks(stages, context, file);
  const organisation = await createOrganisation(stages, context, books);
  const trader = await signUpTrader(stages, context, organisation, books);
  const sale: Sale = { context, trader, obligationId: await readDashboard(stages, trader, books.chosenQuarter.quarter) };
  await fileReturn(stages, sale);
  const acceptedAdvance = await acceptQuote(stages, sale);
  await redirectRepayment(stages, sale, acceptedAdvance);
  const operator = await reviewAndRelease(stages, sale, acceptedAdvance.advance_id);
  const payout = await waitForPayout(stages, sale);
  const settledAdvance = await settleAdvance(stages, sale);
  await checkBooks(stages, sale, payout, settledAdvance, operator);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const startedAt = performance.now();
try {
  const { file, portalUrl } = readCommand();
  print(`Smoke test of ${portalUrl}\n`);
  try {
    await runSmokeTest(print, portalUrl, file);
    print(`\n${formatStage('all stages reached', performance.now() - startedAt, '')}`.trimEnd());
  } catch {
    // The stage's own line has already given the reason.
    process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`${describeError(error)}\nnpm run smoke -- --help explains the options.\n`);
  process.exitCode = 1;
}
