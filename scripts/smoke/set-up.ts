/** The first stages: file, portal, clock, and a new trader with books. */
import { createReadStream, openAsBlob } from 'node:fs';
import { Blob } from 'node:buffer';
import { basename } from 'node:path';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { parseInstant, toLondonDate } from '@portal/domain/clock.ts';
import { addDays, createPlainDate, toDateParts } from '@portal/domain/plain-date.ts';
import { readBooksFile } from '@portal/providers/books-file/read-books-file.ts';
import { createCaller, type Caller } from './caller.ts';
import { createQuarterChoice, getQuarterEndingInMonth, type ChosenQuarter, type Quarter } from './choose-quarter.ts';
import { createSandboxClient, type SandboxClient, type Organisation } from './sandbox-client.ts';
import { writeSampleBooks } from './sample-books.ts';
import type { Stages } from './stages.ts';
import {
  connectHmrc,
  enterBankAccount,
  verifyIdentity,
  openLandingPage,
  refreshFromHmrc,
  signUp,
  enterCompany,
  formatLineErrors,
  uploadBooks,
  type Trader,
} from './trader.ts';
import { NotReachedError } from './wait-until.ts';

export type Books = { readonly fileName: string; readonly file: Blob; readonly chosenQuarter: ChosenQuarter; readonly rows: number };
export type SmokeContext = { readonly portalUrl: string; readonly caller: Caller; readonly sandbox: SandboxClient };

/** A large file takes a long time on a small machine. */
const FILE_TIMEOUT_MS = 180_000;
/** This many days after the quarter ends, HMRC's obligation is open and not yet overdue. */
const DAYS_AFTER_QUARTER = 10;

export async function reachPortal(stages: Stages, portalUrl: string): Promise<SmokeContext> {
  return stages.run('portal', async () => {
    const caller = createCaller(portalUrl);
    const { status, sandboxUrl } = await openLandingPage(caller);
    if (status !== 200) throw new NotReachedError(`${portalUrl} returns ${status} instead of its landing page`);
    if (sandboxUrl === undefined) {
      throw new NotReachedError(
        'the portal’s pages name no sandbox (meta portal-sandbox). The smoke test needs the simulators of HMRC and the bank',
      );
    }
    const sandbox = createSandboxClient(sandboxUrl);
    return { figures: `sandbox at ${sandboxUrl}, its clock at ${await sandbox.readClock()}`, value: { portalUrl, caller, sandbox } };
  });
}

/**
 * Reads the file as the portal will, to find its quarter. Without a file, the sample covers the latest past quarter on the sandbox clock.
 */
export async function readBooks(stages: Stages, { sandbox }: SmokeContext, path: string | undefined): Promise<Books> {
  return stages.run(
    'books',
    async () => {
      const books = path === undefined ? createSample(await sandbox.readClock()) : await readFile(path);
      const { quarter, rows } = books.chosenQuarter;
      const figures = `${books.fileName}: ${rows} of ${books.rows} rows in the quarter ${quarter.start} to ${quarter.end} (stagger ${quarter.stagger})`;
      return { figures, value: books };
    },
    FILE_TIMEOUT_MS,
  );
}

async function readFile(path: string): Promise<Books> {
  const choice = createQuarterChoice();
  const booksFile = readBooksFile(createReadStream(path), { fileName: basename(path) });
  try {
    for await (const rows of booksFile.batches) choice.add(rows);
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new NotReachedError(`couldn’t read ${path}: ${String(error.code)}`);
    throw error;
  }
  const { rows, errors } = booksFile.summary();
  if (errors.length > 0) throw new NotReachedError(formatLineErrors(errors));
  const chosenQuarter = choice.choose();
  if (!chosenQuarter) throw new NotReachedError('the file has no rows');
  return { fileName: basename(path), file: await openAsBlob(path), chosenQuarter, rows };
}

function createSample(now: string): Books {
  const { year, month } = toDateParts(toLondonDate(parseInstant(now) ?? throwInvalidClock(now)));
  const quarter = getQuarterEndingInMonth(addDays(createPlainDate(year, month, 1), -1));
  const booksText = writeSampleBooks(quarter.start);
  const rows = booksText.trimEnd().split('\n').length - 1;
  return { fileName: 'sample-books.csv', file: new Blob([booksText]), chosenQuarter: { quarter, rows }, rows };
}

function throwInvalidClock(now: string): never {
  throw new NotReachedError(`the sandbox’s clock says ${now}`);
}

/** Moves the clock first, so that the quarter is the newest past obligation of the new organisation. */
export async function createOrganisation(
  stages: Stages,
  { sandbox }: SmokeContext,
  { chosenQuarter: { quarter } }: Books,
): Promise<Organisation> {
  const today = addDays(quarter.end, DAYS_AFTER_QUARTER);
  await stages.run('clock', async () => {
    const now = await sandbox.moveClock({ now: today });
    return { figures: `moved to ${now}, ${DAYS_AFTER_QUARTER} days after the quarter`, value: undefined };
  });
  return stages.run('organisation', async () => {
    const organisation = await sandbox.createOrganisation();
    if (!(await findPeriodKey(sandbox, organisation.vrn, quarter))) await sandbox.setStagger(organisation.vrn, quarter.stagger);
    const periodKey = await findPeriodKey(sandbox, organisation.vrn, quarter);
    if (periodKey === undefined)
      throw new NotReachedError(`the HMRC simulator has no open obligation from ${quarter.start} to ${quarter.end}`);
    return { figures: `${organisation.name}, VAT number ${organisation.vrn}, period key ${periodKey}`, value: organisation };
  });
}

async function findPeriodKey(sandbox: SandboxClient, vrn: string, { start, end }: Quarter): Promise<string | undefined> {
  const obligations = await sandbox.listObligations(vrn);
  return obligations.find((candidate) => candidate.start === start && candidate.end === end && candidate.status === 'O')?.period_key;
}

export async function signUpTrader(
  stages: Stages,
  { caller, sandbox }: SmokeContext,
  organisation: Organisation,
  books: Books,
): Promise<Trader> {
  const visitor = await stages.run('sign-up', async () => {
    const signedUp = await signUp(caller, sandbox);
    return { figures: `${signedUp.email}, through the link in the mailbox`, value: signedUp };
  });
  const trader = await stages.run('company', async () => {
    const savedCompany = await enterCompany(visitor, organisation);
    return { figures: `company ${savedCompany.companyId}`, value: savedCompany };
  });
  await stages.run('HMRC consent', async () => ({ figures: await connectHmrc(trader), value: undefined }));
  await stages.run(
    'books upload',
    async () => {
      const uploadResult = await uploadBooks(trader, books.fileName, books.file);
      const figures = `${uploadResult.rows} rows, ${uploadResult.first_date} to ${uploadResult.last_date}, ${uploadResult.flagged} flagged`;
      return { figures, value: uploadResult };
    },
    FILE_TIMEOUT_MS,
  );
  await stages.run('bank account', async () => {
    await enterBankAccount(trader);
    return { figures: `20-00-00 ${trader.bankAccount.account_number}`, value: undefined };
  });
  await stages.run('identity', async () => {
    await verifyIdentity(trader, sandbox);
    return { figures: 'verified', value: undefined };
  });
  return trader;
}

/** Returns the quarter's obligation once the portal has read HMRC's data. */
export async function readDashboard(stages: Stages, trader: Trader, quarter: Quarter): Promise<string> {
  const { caller, companyId } = trader;
  await stages.run('figures from HMRC', async () => ({ figures: await refreshFromHmrc(trader), value: undefined }));
  return stages.run('dashboard', async () => {
    const { obligations, next_deadline, today } = await caller.call(dashboardApi.get, { company_id: companyId });
    const obligation = obligations.find(({ period_start, period_end }) => period_start === quarter.start && period_end === quarter.end);
    if (!obligation) throw new NotReachedError(`the dashboard shows no obligation from ${quarter.start} to ${quarter.end}`);
    const deadline = next_deadline ? `${next_deadline.what} ${next_deadline.due_on}` : 'none';
    const figures = `today ${today}, ${obligations.length} obligations, this one ${obligation.state}, next deadline: ${deadline}`;
    return { figures, value: obligation.obligation_id };
  });
}
