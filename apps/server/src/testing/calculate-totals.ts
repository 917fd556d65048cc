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
  const assignedIds = new Set(members.filter((member) => member.userId === userId).map(({ clientId }) => clientId));
  const sees = ({ id }: { id: string }): boolean => userId === undefined || assignedIds.has(id);
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
      const matchesTab = (position: { clientId: string; tax: (typeof TAXES)[number] }): boolean =>
        (tab === 'all' || position.tax === tab) && has(position.clientId, position.tax);
      const counted = positions.filter(matchesTab);
      const clientsWith = (condition: (position: { overduePence: number; refundPence: number }) => boolean): number =>
        (tab === 'all' ? rows : counted).filter(condition).length;
      return [
        tab,
        {
          clients: [...activeClients.keys()].filter((id) => has(id, tab)).length,
          owed_pence: sum(counted, (position) => position.owedPence),
          overdue_pence: sum(counted, (position) => position.overduePence),
          overdue_clients: clientsWith((position) => position.overduePence > 0),
          refund_pence: sum(counted, (position) => position.refundPence),
          refund_clients: clientsWith((position) => position.refundPence > 0),
          overdue_returns: sum(counted, (position) => position.overdueReturns),
          at_risk_pence: sum(counted, (position) => position.penaltyPence + position.interestPence),
          ...sumItems(items.filter(matchesTab), today),
        },
      ];
    }),
  );
}

const sum = <T>(list: readonly T[], read: (item: T) => number): number => list.reduce((total, item) => total + read(item), 0);

function sumItems(items: readonly (typeof dueItems.$inferSelect)[], today: PlainDate) {
  const due = (days: number) => {
    const within = items.filter(({ what, dueOn }) => what !== 'refund' && dueOn >= today && dueOn <= addDays(today, days));
    return { items: within.length, amount_pence: sum(within, ({ amountPence }) => Math.max(amountPence ?? 0, 0)) };
  };
  const first = plainDate(`${today.slice(0, 7)}-01`);
  const by_month = Array.from({ length: 12 }, (_, index) => {
    const month = addMonths(first, index);
    const inMonth = items.filter(({ dueOn }) => (dueOn < first ? first : `${dueOn.slice(0, 7)}-01`) === month);
    const getAmount = (kind: 'payment' | 'refund'): number =>
      sum(inMonth, ({ what, amountPence }) => (what === kind ? (amountPence ?? 0) : 0));
    return { month, to_pay_pence: getAmount('payment'), to_receive_pence: 0 - getAmount('refund') };
  });
  return { due: { 7: due(7), 30: due(30), 90: due(90) }, by_month };
}
