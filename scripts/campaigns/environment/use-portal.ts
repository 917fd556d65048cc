/** A user's actions during and after an outage, and their permitted outcomes. */
import { randomBytes } from 'node:crypto';
import { Blob } from 'node:buffer';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { createCaller, PortalError } from '../../smoke/caller.ts';
import { writeSampleBooks } from '../../smoke/sample-books.ts';
import { signUp, uploadBooks } from '../../smoke/trader.ts';
import { NotReachedError } from '../../smoke/wait-until.ts';
import type { Machine } from './machine.ts';

/** An action's outcome: done, rejected with a reason, or no response. */
export type ActionOutcome = {
  readonly action: string;
  readonly outcome: 'done' | 'refused' | 'no response';
  readonly status?: number;
  readonly code?: string;
  readonly message: string;
};

export type ExerciseResult = {
  readonly endings: readonly ActionOutcome[];
  /** The references of the messages that the portal acknowledged. */
  readonly references: readonly string[];
};

/** Reads the figures that must not change from the trader's dashboard. */
export async function readFigures({ trader }: Machine): Promise<string> {
  const { obligations } = await trader.caller.call(dashboardApi.get, { company_id: trader.companyId });
  return JSON.stringify(
    obligations.map(({ period_start, period_end, due_on, state, status }) => [period_start, period_end, due_on, state, status]),
  );
}

/** Reads, saves, uploads and sends a message at the same time, as several users would. */
export async function exercisePortal(machine: Machine, rounds = 1): Promise<ExerciseResult> {
  const references: string[] = [];
  const endings: ActionOutcome[] = [];
  const books = await createBooks(machine);
  for (let round = 0; round < rounds; round += 1) {
    const actionOutcomes = await Promise.all([
      attempt('read the dashboard', () => readFigures(machine)),
      attempt('save a name', () =>
        machine.trader.caller.call(onboardingApi.saveAbout, { full_name: `Sam Okafor ${round}`, phone: '020 7946 0018' }),
      ),
      attempt('upload books', () => uploadBooks(machine.trader, 'books.csv', books)),
      sendMessage(machine, references),
      openPage(machine),
    ]);
    endings.push(...actionOutcomes);
  }
  return { endings, references };
}

const PADDING_ROWS = 2_500;

/** Creates half a megabyte of books: the past period, and rows from earlier. */
async function createBooks({ sandbox, trader }: Machine): Promise<Blob> {
  const [endedObligation] = await sandbox.listObligations(trader.organisation.vrn);
  if (!endedObligation) throw new NotReachedError(`the HMRC simulator has no obligation for ${trader.organisation.vrn}`);
  const createRow = (index: number): string => `2019-05-01,sale,X-${index},Harbour Lights Ltd,${'Lamps '.repeat(20)},1.00,0.20,standard\n`;
  return new Blob([writeSampleBooks(endedObligation.start), ...Array.from({ length: PADDING_ROWS }, (_unused, index) => createRow(index))]);
}

async function attempt(action: string, work: () => Promise<unknown>): Promise<ActionOutcome> {
  try {
    await work();
    return { action, outcome: 'done', message: '' };
  } catch (error) {
    if (error instanceof PortalError) return { action, outcome: 'refused', status: error.status, code: error.code, message: error.message };
    // A file with errors is also a valid result, because the upload itself worked.
    if (error instanceof NotReachedError) return { action, outcome: 'done', message: error.message };
    return { action, outcome: 'no response', message: describeError(error) };
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Sends without an account, so that the response headers can be read too. */
async function sendMessage({ site }: Machine, references: string[]): Promise<ActionOutcome> {
  const action = 'send a message';
  const userSuffix = randomBytes(4);
  try {
    const response = await fetch(`${site.portalUrl}/contact-message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.${userSuffix[0]}.${userSuffix[1]}` },
      body: JSON.stringify({
        name: 'Vi',
        email: `vi-${userSuffix.toString('hex')}@visitor.example`,
        topic: 'refund',
        message: 'Is anybody there?',
      }),
      signal: AbortSignal.timeout(60_000),
    });
    const body = (await response.json()) as { reference?: string; code?: string; message?: string };
    if (response.ok) {
      references.push(String(body.reference));
      return { action, outcome: 'done', message: '' };
    }
    const message = String(body.message ?? '');
    const retryAfter = response.headers.get('retry-after');
    const hint = response.status === 503 && retryAfter === null ? ' (without Retry-After)' : '';
    return { action, outcome: 'refused', status: response.status, code: String(body.code), message: message + hint };
  } catch (error) {
    return { action, outcome: 'no response', message: describeError(error) };
  }
}

async function openPage({ site }: Machine): Promise<ActionOutcome> {
  const action = 'open a page';
  return attempt(action, async () => {
    const { status, text } = await createCaller(site.portalUrl).open(PAGES.instantVatLanding.path);
    if (status !== 200) throw new PortalError(status, { message: text.slice(0, 200) });
  });
}

/** Signs up a new user, which needs reads, writes, a job and an email. */
export async function signUpUser({ site, sandbox }: Machine): Promise<ActionOutcome> {
  const userSuffix = randomBytes(2);
  return attempt('sign up with an emailed link', () =>
    signUp(createCaller(site.portalUrl, { ip: `203.1.${userSuffix[0]}.${userSuffix[1]}` }), sandbox),
  );
}

/** Returns one sentence for each outcome that users must not see. */
export function listFaults(endings: readonly ActionOutcome[], { mayDrop }: { readonly mayDrop: boolean }): string[] {
  return endings.flatMap((ending) => {
    const { action, outcome, status, code, message } = ending;
    if (outcome === 'done') return [];
    if (outcome === 'no response') return mayDrop ? [] : [`${action}: no answer although the portal lives (${message})`];
    const sentence = `${action}: ${status} ${code}: ${message}`;
    if (status === 503 && !message.includes('without Retry-After') && /[.!?]$/.test(message)) return [];
    // Naming a provider that can't be reached, with a reason, is permitted.
    if (status === 502 && /[.!?]$/.test(message)) return [];
    return [sentence];
  });
}
