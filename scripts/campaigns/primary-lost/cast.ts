/** All the portals' users during the campaign. Each logs in once, and not again after the database recovers. */
import { Blob } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { CLIENTS_UPLOAD_PATH, clientImportsApi, clientsUploadOutput } from '@portal/contract/client-imports.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { addMilliseconds, parseInstant } from '@portal/domain/clock.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import { createImportFile, formatImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { createTrader, type FilingTrader } from '../../chaos/filing-test-bed.ts';
import { findClients } from '../../chaos/practice/run-practice-round.ts';
import type { KnownClient } from '../../chaos/practice/verify-sync.ts';
import type { SalePeople } from '../../chaos/take-next-step.ts';
import { ensureAgentConnected, signInAsPriya, type Admin } from '../../portfolio/oakline-admin.ts';
import { createCaller } from '../../smoke/caller.ts';
import { logInOperator, OPERATORS } from '../../smoke/log-in-operator.ts';
import { signUp } from '../../smoke/trader.ts';
import { waitUntil } from '../../smoke/wait-until.ts';
import type { Answers } from './responses.ts';
import type { LossTestBed } from './stage.ts';
import { createNameWriter, createNoteWriter, createSignUpWriter, type Writer } from './writers.ts';

export type TestUsers = {
  readonly writers: readonly Writer[];
  readonly people: SalePeople;
  readonly admin: Admin;
  /** The practice's clients that have VAT. */
  readonly clients: readonly KnownClient[];
  createTrader(): Promise<FilingTrader>;
  /** HMRC's access tokens last four hours; this makes the next calls refresh them. */
  letTokensExpire(): Promise<void>;
};

const CLIENT_COUNT = 60;
const PORTFOLIO_SEED = 11;
const WRITERS_PER_PORTAL = 2;
const TOKEN_TTL_PASSED_MS = 5 * 3_600_000;
const IMPORT_LIMIT_MS = 120_000;

export async function createTestUsers(testBed: LossTestBed, answers: Answers, findings: Set<string>): Promise<TestUsers> {
  const { portalUrls, sandbox } = testBed;
  const [first = ''] = portalUrls;
  const createCallerAt = (address: number) => ({ ip: `203.0.113.${address}`, onAnswer: answers.onAnswer });
  const admin = await signInAsPriya(first, createCallerAt(1));
  await ensureAgentConnected(admin, OAKLINE.hmrcUserId);
  const clients = await importClients(testBed, admin);
  const approver = await logInOperator(first, OPERATORS.approver, createCallerAt(2));
  const releasers = [];
  for (const [index, releaser] of OPERATORS.releasers.entries())
    releasers.push(await logInOperator(first, releaser, createCallerAt(3 + index)));
  const writers: Writer[] = [
    createNoteWriter(
      admin,
      clients.map(({ id }) => id),
      findings,
    ),
    createSignUpWriter(portalUrls, sandbox, answers, findings),
  ];
  for (const [place, portalUrl] of portalUrls.entries()) {
    for (let writerIndex = 0; writerIndex < WRITERS_PER_PORTAL; writerIndex += 1) {
      const { caller } = await signUp(createCaller(portalUrl, createCallerAt(10 + 10 * place + writerIndex)), sandbox);
      writers.push(createNameWriter(caller, portalUrl, answers, findings));
    }
  }
  let traders = 0;
  return {
    writers,
    people: { sandbox, approver, releasers },
    admin,
    clients,
    createTrader: () => {
      traders += 1;
      return createTrader(createCaller(portalUrls[traders % portalUrls.length] ?? '', createCallerAt(50 + (traders % 200))), sandbox);
    },
    letTokensExpire: async () => {
      const now = parseInstant(await sandbox.readClock());
      if (now) await sandbox.moveClock({ now: addMilliseconds(now, TOKEN_TTL_PASSED_MS) });
    },
  };
}

async function importClients({ agents, sandbox, query }: LossTestBed, { caller, companyId }: Admin): Promise<readonly KnownClient[]> {
  const today = parsePlainDate((await sandbox.readClock()).slice(0, 10));
  if (today === undefined) throw new Error('the sandbox clock returned no valid date');
  await agents.loadPortfolio(CLIENT_COUNT, PORTFOLIO_SEED);
  const portfolio = generatePortfolio({ clients: CLIENT_COUNT, seed: PORTFOLIO_SEED, today });
  // Companies House allows two calls a second, so companies aren't looked up.
  const rows = createImportFile(portfolio).map((row) => ({ ...row, cells: { ...row.cells, company_number: '' } }));
  const file = new Blob([formatImportFile(rows)]);
  const uploadOutput = clientsUploadOutput.parse(
    await caller.upload(CLIENTS_UPLOAD_PATH, { company_id: companyId, file_name: 'clients.csv' }, file),
  );
  const params = { company_id: companyId, import_id: uploadOutput.import_id };
  await caller.call(clientImportsApi.start, params, { idempotencyKey: randomUUID() });
  const isCompleted = async (): Promise<true | undefined> =>
    (await caller.call(clientImportsApi.info, params)).import?.state === 'completed' ? true : undefined;
  await waitUntil(isCompleted, 'the import did not complete', IMPORT_LIMIT_MS);
  for (const tax of AGENT_TAXES) {
    const taxParams = { company_id: companyId, tax_type: tax };
    const { is_refreshing: isRefreshing } = await caller.call(syncApi.refreshingClients, taxParams);
    if (isRefreshing) await caller.call(syncApi.cancel, taxParams);
  }
  return query(async ({ db }) => (await findClients(db, companyId, portfolio)).vat);
}
