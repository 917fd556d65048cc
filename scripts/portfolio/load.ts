/** `--load`: imports the files into the portal and refreshes HMRC's figures for all clients, with one line for each stage. */
import type { STATEMENT_TAXES } from '@portal/domain/practice/statements/statement-columns.ts';
import { Blob } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { CLIENTS_UPLOAD_PATH, clientImportsApi, clientsUploadOutput, type ClientImport } from '@portal/contract/client-imports.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { TAX_STATEMENTS_PATH, taxStatementsApi, taxStatementUploadOutput } from '@portal/contract/tax-statements.ts';
import type { Stages } from '../smoke/stages.ts';
import { isThrottled } from '../smoke/trader.ts';
import { NotReached, tryAgain } from '../smoke/until.ts';
import type { AgentDouble, PortfolioFile } from './agent-double.ts';
import { paceText, syncFigures } from './figures.ts';
import { connectAgent, signInAsPriya, type Admin } from './oakline-admin.ts';
import { untilStill } from './until-still.ts';

/** Higher than the portal's call rate on any machine. */
const LIFTED_PER_SECOND = 10_000;
/** 10,000 clients take hours at HMRC's own rate limit. `waitWhileProgressing` ends a stage that makes no progress. */
const STAGE_LIMIT_MS = 12 * 3_600_000;

type Files = Readonly<Record<PortfolioFile, string>>;
type World = { readonly stages: Stages; readonly admin: Admin };

export async function load(stages: Stages, portalUrl: string, double: AgentDouble, hmrcUserId: string, files: Files): Promise<void> {
  const admin = await stages.run('sign-in', async () => {
    const priya = await signInAsPriya(portalUrl);
    return { figures: `Priya Oakes, practice ${priya.companyId}`, value: priya };
  });
  const world = { stages, admin };
  await stages.run('HMRC consent', async () => {
    const wasNeeded = await connectAgent(admin, hmrcUserId);
    return { figures: wasNeeded ? 'granted' : 'was there', value: undefined };
  });
  await importClients(world, files['clients.csv']);
  await importStatement(world, 'paye', files['paye-statement.csv']);
  await importStatement(world, 'ct', files['ct-statement.csv']);
  await double.setRequestsPerSecond(LIFTED_PER_SECOND);
  try {
    await readTax(world, 'vat');
    await readTax(world, 'sa');
  } finally {
    await double.setRequestsPerSecond(undefined);
  }
}

async function importClients({ stages, admin: { caller, companyId } }: World, text: string): Promise<void> {
  const query = { company_id: companyId, file_name: 'clients.csv' };
  const judged = await stages.run(
    'clients.csv',
    async () => {
      const answer = clientsUploadOutput.parse(await caller.upload(CLIENTS_UPLOAD_PATH, query, new Blob([text])));
      return { figures: countsText(answer), value: answer };
    },
    STAGE_LIMIT_MS,
  );
  await stages.run(
    'import',
    async () => {
      const of = { company_id: companyId, import_id: judged.import_id };
      const startedAt = performance.now();
      await caller.call(clientImportsApi.start, of, { idempotencyKey: randomUUID() });
      const done = await untilStill(
        async () => (await caller.call(clientImportsApi.info, of)).import,
        (one) => one?.state !== 'importing',
        (one) => one?.rows_done,
      );
      if (done?.state !== 'completed') throw new NotReached(`the import is ${done?.state ?? 'gone'}: ${done?.reason ?? ''}`);
      const { applied, rows_total } = done;
      const pace = paceText(rows_total, performance.now() - startedAt);
      return { figures: `${applied.new} made, ${applied.matched} filled in of ${rows_total} rows, ${pace}`, value: undefined };
    },
    STAGE_LIMIT_MS,
  );
}

function countsText({ rows_total, counts }: ClientImport): string {
  const said = Object.entries(counts).filter(([, count]) => count > 0);
  return `${rows_total} rows: ${said.map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`;
}

async function importStatement(
  { stages, admin: { caller, companyId } }: World,
  tax: (typeof STATEMENT_TAXES)[number],
  text: string,
): Promise<void> {
  const fileName = `${tax}-statement.csv`;
  const query = { company_id: companyId, tax_type: tax, file_name: fileName };
  const { statement_id } = await stages.run(
    fileName,
    async () => {
      const { statement } = taxStatementUploadOutput.parse(await caller.upload(TAX_STATEMENTS_PATH, query, new Blob([text])));
      return { figures: `${statement.rows} rows of ${statement.clients} clients, ${statement.refused} of nobody`, value: statement };
    },
    STAGE_LIMIT_MS,
  );
  await stages.run(
    `${tax} figures`,
    async () => {
      const startedAt = performance.now();
      const { statement: done } = await untilStill(
        () => caller.call(taxStatementsApi.get, { company_id: companyId, statement_id }),
        ({ statement }) => statement.state !== 'importing',
        ({ statement }) => statement.rows_done,
      );
      if (done.state !== 'completed') throw new NotReached(`the statement is ${done.state}: ${done.reason ?? ''}`);
      const pace = paceText(done.clients_taken, performance.now() - startedAt);
      return { figures: `${done.clients_taken} clients, ${done.refused} rows refused, ${pace}`, value: undefined };
    },
    STAGE_LIMIT_MS,
  );
}

async function readTax({ stages, admin: { caller, companyId } }: World, tax: 'vat' | 'sa'): Promise<void> {
  const of = { company_id: companyId, tax_type: tax };
  await stages.run(
    tax === 'vat' ? 'VAT at HMRC' : 'SA at HMRC',
    async () => {
      const startedAt = performance.now();
      const { queued, joined } = await tryAgain(() => caller.call(syncApi.start, of), isThrottled);
      const { run } = await untilStill(
        () => caller.call(syncApi.refreshingClients, of),
        ({ is_refreshing }) => !is_refreshing,
        ({ run: live }) => (live === null ? 0 : live.counts.done + live.counts.failed),
      );
      const pace = `${paceText(queued, performance.now() - startedAt)}${joined ? ', joined a refresh that was under way' : ''}`;
      const figures = syncFigures(await caller.call(syncApi.syncData, of));
      if (run !== null && run.state !== 'completed')
        throw new NotReached(`the refresh is ${run.state}: ${run.reason?.sentence ?? ''} ${figures}`);
      return { figures: `${queued} clients: ${figures}; ${pace}`, value: undefined };
    },
    STAGE_LIMIT_MS,
  );
}
