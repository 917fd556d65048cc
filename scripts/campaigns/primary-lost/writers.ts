/**
 * Users who write while a database computer is lost. Each acknowledged write is recorded and must exist afterwards. An unacknowledged write
 * may or may not have been stored.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import type { FilingTrader } from '../../chaos/filing-test-bed.ts';
import { createKeys, DeadEndError, takeNextStep, type SalePeople } from '../../chaos/take-next-step.ts';
import type { Admin } from '../../portfolio/oakline-admin.ts';
import { createCaller, PortalError, type Caller } from '../../smoke/caller.ts';
import type { SandboxClient } from '../../smoke/sandbox-client.ts';
import type { Answers } from './responses.ts';

export type Writer = {
  /** Writes until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Returns one sentence for each acknowledged write that is missing. */
  verify(): Promise<readonly string[]>;
  readonly count: () => number;
};

/** Writes don't wait for earlier ones, like those of several users. */
const WRITE_INTERVAL_MS = 300;
/** The wait before a retry, as the portal tells users to do. */
const RETRY_MS = 500;

/** Returns true if a user may get this error while the database is unavailable. Any other error is a finding. */
function isExpected(error: unknown): boolean {
  if (error instanceof PortalError) return error.status === 503;
  return false;
}

/** Saves a growing number in a user's name, and reads it back both immediately and at the end. */
export function createNameWriter(caller: Caller, portalUrl: string, answers: Answers, findings: Set<string>): Writer {
  let writtenCount = 0;
  let sentCount = 0;
  const read = async (): Promise<number> => {
    const { about } = await caller.call(onboardingApi.progress, {});
    return Number(about.full_name.split(' ')[1]);
  };
  return {
    count: () => writtenCount,
    run: async (signal) => {
      while (!signal.aborted) {
        sentCount += 1;
        const step = sentCount;
        try {
          await caller.call(onboardingApi.saveAbout, { full_name: `Name ${step}`, phone: '020 7946 0018' });
          answers.acknowledge(portalUrl);
          writtenCount = step;
          const readStep = await read();
          if (readStep < writtenCount) findings.add(`a name that was saved as number ${writtenCount} was read as number ${readStep}`);
        } catch (error) {
          if (!isExpected(error)) findings.add(`saving a name: ${describeError(error)}`);
        }
        await pause(WRITE_INTERVAL_MS);
      }
    },
    verify: async () => {
      const readStep = await read();
      return readStep < writtenCount ? [`a name that was saved as number ${writtenCount} is number ${readStep}`] : [];
    },
  };
}

/** Adds notes to a practice's clients. */
export function createNoteWriter({ caller, companyId }: Admin, clientIds: readonly string[], findings: Set<string>): Writer {
  const writtenByClient = new Map<string, string[]>();
  let count = 0;
  return {
    count: () => count,
    run: async (signal) => {
      for (let turn = 0; !signal.aborted; turn += 1) {
        const clientId = clientIds[turn % clientIds.length] ?? '';
        try {
          const { note_id } = await caller.call(clientDashboardApi.addNote, {
            company_id: companyId,
            client_id: clientId,
            text: `Note ${turn}`,
          });
          count += 1;
          writtenByClient.set(clientId, [...(writtenByClient.get(clientId) ?? []), note_id]);
        } catch (error) {
          if (!isExpected(error)) findings.add(`adding a note: ${describeError(error)}`);
        }
        await pause(WRITE_INTERVAL_MS);
      }
    },
    verify: async () => {
      const missingNotes: string[] = [];
      for (const [clientId, ids] of writtenByClient) {
        const { notes } = await caller.call(clientDashboardApi.notes, { company_id: companyId, client_id: clientId });
        const storedNoteIds = new Set(notes.map(({ note_id }) => note_id));
        // The endpoint lists only the latest 200 notes.
        missingNotes.push(...ids.slice(-200).filter((id) => !storedNoteIds.has(id)));
      }
      return missingNotes.length === 0 ? [] : [`${missingNotes.length} notes are missing, first ${missingNotes[0]}`];
    },
  };
}

/** Signs up users. The email for each acknowledged sign-up is a job, so it arrives eventually. */
export function createSignUpWriter(portalUrls: readonly string[], sandbox: SandboxClient, answers: Answers, findings: Set<string>): Writer {
  const addresses: string[] = [];
  let sentCount = 0;
  return {
    count: () => addresses.length,
    run: async (signal) => {
      while (!signal.aborted) {
        sentCount += 1;
        const email = `lost-${randomUUID()}@smoke.example`;
        // Limits count per network.
        const ip = `198.51.${100 + (sentCount % 100)}.${1 + (Math.floor(sentCount / 100) % 250)}`;
        const visitor = createCaller(portalUrls[sentCount % portalUrls.length] ?? '', { ip, onAnswer: answers.onAnswer });
        try {
          await visitor.call(identityApi.signUp, { email, full_name: 'Sam Okafor', phone: '020 7946 0018' });
          addresses.push(email);
        } catch (error) {
          if (!isExpected(error)) findings.add(`signing up: ${describeError(error)}`);
        }
        await pause(2 * WRITE_INTERVAL_MS);
      }
    },
    verify: async () => {
      const missingNotes: string[] = [];
      for (const email of addresses) if ((await sandbox.listMailedLinks(email)).length === 0) missingNotes.push(email);
      return missingNotes.length === 0
        ? []
        : [`${missingNotes.length} of ${addresses.length} sign-ups got no email, first ${missingNotes[0]}`];
    },
  };
}

/** Takes one trader from filing to settlement, retrying whenever the portal asks for it. Returns the reason for a failure. */
export async function runSale(people: SalePeople, trader: FilingTrader, limitMs: number): Promise<string | undefined> {
  const keys = createKeys(true);
  const deadline = performance.now() + limitMs;
  let lastSeen = 'nothing';
  while (performance.now() < deadline) {
    try {
      const { pageState, pressedButton, isSettled } = await takeNextStep(people, trader, keys);
      lastSeen = pressedButton === undefined ? pageState : `${pageState}, pressed ${pressedButton}`;
      if (isSettled) return undefined;
      if (pressedButton === undefined) await pause(RETRY_MS);
    } catch (error) {
      if (error instanceof DeadEndError) return error.message;
      if (!(error instanceof PortalError) || error.status === 500) return `${lastSeen}; then ${describeError(error)}`;
      lastSeen = `${error.status} ${error.code}`;
      await pause(RETRY_MS);
    }
  }
  return `not settled in ${limitMs / 1000} s; last seen: ${lastSeen}`;
}

export function describeError(error: unknown): string {
  if (error instanceof PortalError) return `${error.status} ${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
