/**
 * The rules at the end of a run: the ledger balances, the audit trail is intact, nothing was filed or paid twice, and no error was logged.
 */
import { createSandboxClient } from '../../smoke/sandbox-client.ts';
import { UNREADABLE_WEBHOOK } from './check-response.ts';
import type { Run } from './hostile-person.ts';
import type { ThreePortals } from './three-portals.ts';

/** Each statement counts the violations of its rule. */
const RULES: readonly { readonly rule: string; readonly statement: string }[] = [
  {
    rule: 'a posting of the ledger does not sum to zero',
    statement: 'select posting_id as example from ledger_lines group by company_id, posting_id having sum(amount_pence) <> 0',
  },
];

export async function checkBooks({ record, sandboxUrl }: Run, portals: ThreePortals): Promise<void> {
  for (const { rule, statement } of RULES) {
    const { rows } = await portals.database.query<{ example: string }>(statement);
    if (rows.length > 0) record.find(rule, `${rows.length} times, for example ${rows[0]?.example}`);
  }
  const sandbox = createSandboxClient(sandboxUrl);
  const statistics = await sandbox.readBankStatistics();
  for (const { account_number, not_failed } of statistics.equal_under_different_keys)
    if (not_failed > 1) record.find('the bank paid twice', `${not_failed} times to ${account_number}`);
  const returns = (await (await fetch(`${sandboxUrl}/control/hmrc/returns`)).json()) as { returns: { times_accepted: number }[] };
  const repeatedReturns = returns.returns.filter(({ times_accepted }) => times_accepted > 1);
  if (repeatedReturns.length > 0) record.find('HMRC accepted a return twice', JSON.stringify(repeatedReturns[0]));
  const problem = await portals.verifyAudit();
  if (problem !== undefined) record.find('the audit trail is not whole', problem.slice(0, 1_000));
  for (const line of portals.readErrors().filter((text) => !UNREADABLE_WEBHOOK.test(text))) record.find(`logged: ${summarise(line)}`, line);
}

function summarise(line: string): string {
  try {
    const { msg = '', code = '' } = JSON.parse(line) as { msg?: string; code?: string };
    return `${code} ${msg}`.slice(0, 120);
  } catch {
    return line.slice(0, 80);
  }
}
