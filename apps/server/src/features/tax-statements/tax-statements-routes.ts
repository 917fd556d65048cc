import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import {
  MAX_STATEMENT_BYTES,
  STATEMENT_TEMPLATE_PATH,
  statementTemplateQuery,
  type taxStatementsApi,
} from '@portal/contract/tax-statements.ts';
import { formatStatementTemplate } from '@portal/domain/tax-statements/statement-columns.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { receiveFile } from '../../http/receive-file.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { stageStatement } from './stage-statement.ts';
import { cancelStatement, startStatement } from './start-statement.ts';
import { getStatement, listStatementRows, listStatements } from './tax-statements-queries.ts';

export function taxStatementsHandlers(deps: AppDeps): Handlers<typeof taxStatementsApi> {
  const { db } = deps.database;
  type OneStatement = { readonly tenant: { readonly practiceId: string }; readonly input: { readonly statement_id: string } };
  const toStatementKey = ({ tenant, input }: OneStatement) => ({ companyId: tenant.practiceId, statementId: input.statement_id });
  const getStatementOutput = async (call: OneStatement) => ({ statement: await getStatement(db, toStatementKey(call)) });
  return {
    list: async ({ input, tenant }) => ({ statements: await listStatements(db, tenant.practiceId, input.tax_type) }),
    get: getStatementOutput,
    rows: (call) => listStatementRows(db, toStatementKey(call), call.input),
    start: async (call) => {
      await startStatement(deps, toStatementKey(call), { userId: call.actor.userId, ip: call.caller.ip });
      return getStatementOutput(call);
    },
    cancel: async (call) => {
      await cancelStatement(deps, toStatementKey(call), { userId: call.actor.userId, ip: call.caller.ip });
      return getStatementOutput(call);
    },
  };
}

/** The upload is a stream and the template is a file, so they cannot be JSON endpoints of the contract. */
export async function serveStatementFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  app.get(`/portal${STATEMENT_TEMPLATE_PATH}`, async (request, reply) => {
    const { tax_type } = statementTemplateQuery.parse(request.query);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${tax_type}-statement-template.csv"`)
      .send(formatStatementTemplate(tax_type));
  });
  await receiveFile(app, settings, {
    ...FILE_ENDPOINTS.taxStatements.upload,
    maxFileBytes: MAX_STATEMENT_BYTES,
    tooLarge: { code: 'tax_statements.file_too_large', advice: 'Split it by client, or remove columns you don’t need.' },
    handle: async ({ query, tenant, bytes, actor, ip }) => {
      const file = { companyId: tenant.practiceId, tax: query.tax_type, fileName: query.file_name, bytes, isDryRun: query.hold === '1' };
      const key = await stageStatement(deps, actor, file, ip);
      return { statement: await getStatement(deps.database.db, key) };
    },
  });
}
