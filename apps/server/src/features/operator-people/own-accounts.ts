/** Operators' private bank accounts. An operator can't act on a company that shares one of them (conflict-of-interest.ts). */
import { randomUUID } from 'node:crypto';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import { operatorBankAccounts, operators } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { asc, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { toAccountKey } from '../operators/conflict-of-interest.ts';

/** More than anyone is likely to have. Each is decrypted whenever the operator acts. */
const MAX_ACCOUNTS = 20;

export async function listOwnAccounts(
  deps: AppDeps,
  operatorId: string,
): Promise<EndpointOutput<(typeof operatorPeopleApi)['listOwnAccounts']>> {
  const rows = await deps.database.db
    .select()
    .from(operatorBankAccounts)
    .where(eq(operatorBankAccounts.userId, operatorId))
    .orderBy(asc(operatorBankAccounts.recordedAt));
  return { accounts: rows.map(({ id, accountEnd, recordedAt }) => ({ account_id: id, account_end: accountEnd, recorded_at: recordedAt })) };
}

export async function recordOwnAccount(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof operatorPeopleApi)['recordOwnAccount']>,
): Promise<{ done: true }> {
  const account = toAccountKey(input.sort_code, input.account_number);
  const { tokenCipher } = deps;
  await deps.database.db.transaction(async (tx) => {
    await tx.select({ id: operators.userId }).from(operators).where(eq(operators.userId, actor.userId)).for('update');
    const knownAccounts = await tx.select().from(operatorBankAccounts).where(eq(operatorBankAccounts.userId, actor.userId));
    if (knownAccounts.some(({ sealed }) => tokenCipher.open(sealed, `operator_account:${actor.userId}`) === account)) return;
    if (knownAccounts.length >= MAX_ACCOUNTS)
      throw new AppError(
        'conflict',
        'operator.too_many_accounts',
        `You’ve declared ${MAX_ACCOUNTS} accounts, which is the limit. Ask an administrator.`,
      );
    const [id, at] = [randomUUID(), deps.clock.now()];
    const accountEnd = input.account_number.slice(-4);
    await tx.insert(operatorBankAccounts).values({
      id,
      userId: actor.userId,
      sealed: tokenCipher.seal(account, `operator_account:${actor.userId}`),
      accountEnd,
      recordedAt: at,
    });
    // The audit trail records that an account was added, but not which one.
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at,
      actor: actor.userId,
      action: 'operator.account_recorded',
      subject: actor.userId,
      ip: caller.ip,
    });
  });
  return { done: true };
}
