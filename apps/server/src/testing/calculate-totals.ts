/** Calculates the dashboard's totals from every row, to verify the stored totals. */
import { clientMembers, clientRows, clients, dueItems, taxPositions } from '@portal/db/schema/schema.ts';
import type { Db } from '@portal/db/database.ts';
import { addDays, addMonths, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { eq } from 'drizzle-orm';

const TAXES = ['vat', 'paye', 'ct', 'sa'] as const;
type Tab = (typeof TAXES)[number] | 'all';

/** For all clients, or for those assigned to a person. */
export async function calculateTotals(db: Db, companyId: string, today: PlainDate, userId?: string) {
  const members = await db.select().from(clientMembers).where(eq(clientMembers.companyId, companyId));
  const mine = new Set(members.filter((one) => one.userId === userId).map(({ clientId }) => clientId));
  const sees = ({ id }: { id: string }): boolean => userId === undefined || mine.has(id);
  const all = (await db.select().from(clients).where(eq(clients.companyId, companyId))).filter(sees);
  const activeClients = new Map(
    all.filter(({ status }) => status !== 'inactive' && status !== 'closed').map((client) => [client.id, client]),
  );
  const has = (clientId: string, tax: Tab): boolean => {
    const client = activeClients.get(clientId);
    return client !== undefined && { vat: client.hasVat, paye: client.hasPaye, ct: client.hasCt, sa: client.hasSa, all: true }[tax];
  };
  const rows = (await db.select().from(clientRows).where(eq(clientRows.companyId, companyId))).filter(({ clientId }) =>
    activeClients.has(clientId),
  );
  const positions = await db.select().from(taxPositions).where(eq(taxPositions.companyId, companyId));
  const items = await db.select().from(dueItems).where(eq(dueItems.companyId, companyId));
  return Object.fromEntries(
    (['all', ...TAXES] as const).map((tab) => {
      const matchesTab = (one: { clientId: string; tax: (typeof TAXES)[number] }): boolean =>
        (tab === 'all' || one.tax === tab) && has(one.clientId, one.tax);
      const own = positions.filter(matchesTab);
      const clientsWith = (condition: (of: { overduePence: number; refundPence: number }) => boolean): number =>
        (tab === 'all' ? rows : own).filter(condition).length;
      return [
        tab,
        {
          clients: [...activeClients.keys()].filter((id) => has(id, tab)).length,
          owed_pence: sum(own, (one) => one.owedPence),
          overdue_pence: sum(own, (one) => one.overduePence),
          overdue_clients: clientsWith((one) => one.overduePence > 0),
          refund_pence: sum(own, (one) => one.refundPence),
          refund_clients: clientsWith((one) => one.refundPence > 0),
          overdue_returns: sum(own, (one) => one.overdueReturns),
          at_risk_pence: sum(own, (one) => one.penaltyPence + one.interestPence),
          ...sumItems(items.filter(matchesTab), today),
        },
      ];
    }),
  );
}

const sum = <T>(list: readonly T[], read: (one: T) => number): number => list.reduce((total, one) => total + read(one), 0);

function sumItems(items: readonly (typeof dueItems.$inferSelect)[], today: PlainDate) {
  const due = (days: number) => {
    const within = items.filter(({ what, dueOn }) => what !== 'refund' && dueOn >= today && dueOn <= addDays(today, days));
    return { items: within.length, amount_pence: sum(within, ({ amountPence }) => Math.max(amountPence ?? 0, 0)) };
  };
  const first = plainDate(`${today.slice(0, 7)}-01`);
  const by_month = Array.from({ length: 12 }, (_, place) => {
    const month = addMonths(first, place);
    const inMonth = items.filter(({ dueOn }) => (dueOn < first ? first : `${dueOn.slice(0, 7)}-01`) === month);
    const getAmount = (kind: 'payment' | 'refund'): number =>
      sum(inMonth, ({ what, amountPence }) => (what === kind ? (amountPence ?? 0) : 0));
    return { month, to_pay_pence: getAmount('payment'), to_receive_pence: 0 - getAmount('refund') };
  });
  return { due: { 7: due(7), 30: due(30), 90: due(90) }, by_month };
}
