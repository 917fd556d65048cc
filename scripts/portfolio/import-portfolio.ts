/** `--load`: imports the files into the portal and refreshes HMRC's figures for all clients, printing one line per stage. */
import type { STATEMENT_TAXES } from '@portal/domain/tax-statements/statement-columns.ts';
import { Blob } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { CLIENTS_UPLOAD_PATH, clientImportsApi, clientsUploadOutput, type ClientImport } from '@portal/contract/client-imports.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { TAX_STATEMENTS_PATH, taxStatementsApi, taxStatementUploadOutput } from '@portal/contract/tax-statements.ts';
import type { Stages } from '../smoke/stages.ts';
import { isThrottled } from '../smoke/trader.ts';
import { NotReachedError, retry } from '../smoke/wait-until.ts';
import type { AgentSimulatorClient, PortfolioFile } from './agent-simulator-client.ts';
import { formatRate, formatSyncCounts } from './format-figures.ts';
import { ensureAgentConnected, signInAsPriya, type Admin } from './oakline-admin.ts';
import { waitWhileProgressing } from './wait-while-progressing.ts';

/** Higher than the portal's call rate on any machine. */
const EFFECTIVELY_UNLIMITED_CALLS_PER_SECOND = 10_000;
/** At HMRC's own rate limit, 10,000 clients take hours. `waitWhileProgressing` ends a stage that makes no progress. */
const LOAD_STAGE_TIMEOUT_MS = 12 * 3_600_000;

type Files = Readonly<Record<PortfolioFile, string>>;
type LoadContext = { readonly stages: Stages; readonly admin: Admin };

export async function importPortfolio(
  stages: Stages,
  portalUrl: string,
  agents: AgentSimulatorClient,
  hmrcUserId: string,
  files: Files,
): Promise<void> {
  const admin = await stages.run('sign-in', async () => {
    const priya = await signInAsPriya(portalUrl);
    return { figures: `Priya Oakes, practice ${priya.companyId}`, value: priya };
  });
  const context = { stages, admin };
  await stages.run('HMRC consent', async () => {
    const wasConnected = await ensureAgentConnected(admin, hmrcUserId);
    return { figures: wasConnected ? 'granted' : 'already exists', value: undefined };
  });
  await importClients(context, files['clients.csv']);
  await importStatement(context, 'paye', files['paye-statement.csv']);
  await importStatement(context, 'ct', files['ct-statement.csv']);
  await agents.setRequestsPerSecond(EFFECTIVELY_UNLIMITED_CALLS_PER_SECOND);
  try {
    await refreshTax(context, 'vat');
    await refreshTax(context, 'sa');
  } finally {
    await agents.setRequestsPerSecond(undefined);
  }
}

async function importClients({ stages, admin: { caller, companyId } }: LoadContext, text: string): Promise<void> {
  const query = { company_id: companyId, file_name: 'clients.csv' };
  const validatedImport = await stages.run(
    'clients.csv',
    async () => {
      const uploadOutput = clientsUploadOutput.parse(await caller.upload(CLIENTS_UPLOAD_PATH, query, new Blob([text])));
      return { figures: formatCounts(uploadOutput), value: uploadOutput };
    },
    LOAD_STAGE_TIMEOUT_MS,
  );
  await stages.run(
    'import',
    async () => {
      const params = { company_id: companyId, import_id: validatedImport.import_id };
      const startedAt = performance.now();
      await caller.call(clientImportsApi.start, params, { idempotencyKey: randomUUID() });
      const finishedImport = await waitWhileProgressing(
        async () => (await caller.call(clientImportsApi.info, params)).import,
        (current) => current?.state !== 'importing',
        (current) => current?.rows_done,
      );
      if (finishedImport?.state !== 'completed')
        throw new NotReachedError(`the import is ${finishedImport?.state ?? 'gone'}: ${finishedImport?.reason ?? ''}`);
      const { applied, rows_total } = finishedImport;
      const rate = formatRate(rows_total, performance.now() - startedAt);
      return { figures: `${applied.new} created, ${applied.matched} completed of ${rows_total} rows, ${rate}`, value: undefined };
    },
    LOAD_STAGE_TIMEOUT_MS,
  );
}

function formatCounts({ rows_total, counts }: ClientImport): string {
  const nonZeroCounts = Object.entries(counts).filter(([, count]) => count > 0);
  return `${rows_total} rows: ${nonZeroCounts.map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`;
}

async function importStatement(
  { stages, admin: { caller, companyId } }: LoadContext,
  tax: (typeof STATEMENT_TAXES)[number],
  text: string,
): Promise<void> {
  const fileName = `${tax}-statement.csv`;
  const query = { company_id: companyId, tax_type: tax, file_name: fileName };
  const { statement_id } = await stages.run(
    fileName,
    async () => {
      const { statement } = taxStatementUploadOutput.parse(await caller.upload(TAX_STATEMENTS_PATH, query, new Blob([text])));
      return {
        figures: `${statement.rows} rows for ${statement.clients} clients, ${statement.refused} for unknown clients`,
        value: statement,
      };
    },
    LOAD_STAGE_TIMEOUT_MS,
  );
  await stages.run(
    `${tax} figures`,
    async () => {
      const startedAt = performance.now();
      const { statement: finishedStatement } = await waitWhileProgressing(
        () => caller.call(taxStatementsApi.get, { company_id: companyId, statement_id }),
        ({ statement }) => statement.state !== 'importing',
        ({ statement }) => statement.rows_done,
      );
      if (finishedStatement.state !== 'completed')
        throw new NotReachedError(`the statement is ${finishedStatement.state}: ${finishedStatement.reason ?? ''}`);
      const rate = formatRate(finishedStatement.clients_taken, performance.now() - startedAt);
      return {
        figures: `${finishedStatement.clients_taken} clients, ${finishedStatement.refused} rows rejected, ${rate}`,
        value: undefined,
      };
    },
    LOAD_STAGE_TIMEOUT_MS,
  );
}

async function refreshTax({ stages, admin: { caller, companyId } }: LoadContext, tax: 'vat' | 'sa'): Promise<void> {
  const params = { company_id: companyId, tax_type: tax };
  await stages.run(
    tax === 'vat' ? 'VAT at HMRC' : 'SA at HMRC',
    async () => {
      const startedAt = performance.now();
      const { queued, joined: hasJoined } = await retry(() => caller.call(syncApi.start, params), isThrottled);
      const { run } = await waitWhileProgressing(
        () => caller.call(syncApi.refreshingClients, params),
        ({ is_refreshing }) => !is_refreshing,
        ({ run: activeRun }) => (activeRun === null ? 0 : activeRun.counts.done + activeRun.counts.failed),
      );
      const rate = `${formatRate(queued, performance.now() - startedAt)}${hasJoined ? ', joined a refresh that was under way' : ''}`;
      const figures = formatSyncCounts(await caller.call(syncApi.syncData, params));
      if (run !== null && run.state !== 'completed')
        throw new NotReachedError(`the refresh is ${run.state}: ${run.reason?.sentence ?? ''} ${figures}`);
      return { figures: `${queued} clients: ${figures}; ${rate}`, value: undefined };
    },
    LOAD_STAGE_TIMEOUT_MS,
  );
}
