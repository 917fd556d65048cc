/** Lists what was sent to a language model. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { languageModelApi } from '@portal/contract/language-model.ts';
import { agentProposals, clients, languageModelCalls, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import { isId } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import { describeProblems } from './describe-problems.ts';

const choosingUser = alias(users, 'choosing');

export async function listModelCalls(
  { database: { db } }: AppDeps,
  { input, tenant }: Call<typeof languageModelApi.calls>,
): Promise<EndpointOutput<typeof languageModelApi.calls>> {
  const { practiceId: companyId } = tenant;
  const rows = await db
    .select({
      call: languageModelCalls,
      askedBy: users.fullName,
      chosenBy: choosingUser.fullName,
      client: clients.name,
      title: agentProposals.title,
    })
    .from(languageModelCalls)
    .innerJoin(users, eq(users.id, languageModelCalls.askedBy))
    .leftJoin(choosingUser, eq(choosingUser.id, languageModelCalls.chosenBy))
    .leftJoin(clients, and(eq(clients.companyId, languageModelCalls.companyId), eq(clients.id, languageModelCalls.clientId)))
    .leftJoin(
      agentProposals,
      and(eq(agentProposals.companyId, languageModelCalls.companyId), eq(agentProposals.id, languageModelCalls.proposalId)),
    )
    .where(and(eq(languageModelCalls.companyId, companyId), input.cursor === undefined ? undefined : isAfter(input.cursor)))
    .orderBy(desc(languageModelCalls.askedAt), desc(languageModelCalls.id))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1)?.call;
  return {
    calls: page.map(({ call, askedBy, chosenBy, client, title }) => ({
      call_id: call.id,
      asked_at: call.askedAt,
      asked_by: askedBy,
      client: client === null ? null : { client_id: call.clientId, name: client },
      title,
      host: call.host,
      model: call.model,
      sent_text: call.sentText,
      received_text: call.receivedText,
      state: call.state,
      problems: describeProblems(call.problems),
      chosen_by: chosenBy,
    })),
    next_cursor: last && rows.length > page.length ? `${last.askedAt} ${last.id}` : null,
  };
}

function isAfter(cursor: string) {
  const [at = '', id = ''] = cursor.split(' ');
  if (parseInstant(at) === undefined || !isId(id)) {
    throw new AppError('invalid', 'input.invalid', 'Reload the list from the start.', { field: 'cursor' });
  }
  return sql`(${languageModelCalls.askedAt}, ${languageModelCalls.id}) < (${at}::timestamptz, ${id}::uuid)`;
}
