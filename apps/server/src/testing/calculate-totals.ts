/** Calculates the dashboard's totals from every row, to check the stored totals against them. */
import { clientMembers, clients, dueItems, taxPositions } from '@portal/db/schema/schema.ts';
import type { Db } from '@portal/db/database.ts';
import { addDays, addMonths, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getFiguresState, type FiguresState } from '@portal/domain/positions/figures-state.ts';
import { eq } from '@portal/db/sql.ts';

const TAXES = ['vat', 'paye', 'ct', 'sa'] as const;
type Tab = (typeof TAXES)[number] | 'all';

/** Covers all clients, or those assigned to a user. */
export async function calculateTotals(db: Db, companyId: string, today: PlainDate, userId?: string) {
  const members = await db.select().from(clientMembers).where(eq(clientMembers.companyId, companyId));
  const assignedIds = new Set(members.filter((member) => member.userId === userId).map(({ clientId }) => clientId));
  const isVisible = ({ id }: { id: string }): boolean => userId === undefined || assignedIds.has(id);
  const allClients = (await db.select().from(clients).where(eq(clients.companyId, companyId))).filter(isVisible);
  const activeClients = new Map(
    allClients.filter(({ status }) => status !== 'inactive' && status !== 'closed').map((client) => [client.id, client]),
  );
  const hasTax = (clientId: string, tax: Tab): boolean => {
    const client = activeClients.get(clientId);
    return client !== undefined && { vat: client.hasVat, paye: client.hasPaye, ct: client.hasCt, sa: client.hasSa, all: true }[tax];
  };
  const positions = await db.select().from(taxPositions).where(eq(taxPositions.companyId, companyId));
  const items = await db.select().from(dueItems).where(eq(dueItems.companyId, companyId));
  return Object.fromEntries(
    (['all', ...TAXES] as const).map((tab) => {
      const matchesTab = (position: { clientId: string; tax: (typeof TAXES)[number] }): boolean =>
        (tab === 'all' || position.tax === tab) && hasTax(position.clientId, position.tax);
      const countedPositions = positions.filter(matchesTab);
      const countClientsWith = (condition: (position: (typeof positions)[number]) => boolean): number =>
        new Set(countedPositions.filter(condition).map(({ clientId }) => clientId)).size;
      const states = [...activeClients.values()]
        .filter(({ id }) => hasTax(id, tab))
        .map((client) => getState(client, tab, countedPositions, today));
      const countStates = (...countedStates: readonly FiguresState[]): number =>
        states.filter((state) => countedStates.includes(state)).length;
      const isKnown = states.length === 0 || countStates('partial', 'stale', 'current') > 0;
      const hideUnlessKnown = <Value>(value: Value): Value | null => (isKnown ? value : null);
      const isIncomplete = (clientId: string): boolean => {
        const client = activeClients.get(clientId);
        return client !== undefined && ['unread', 'partial'].includes(getState(client, tab, countedPositions, today));
      };
      const { due, by_month } = sumItems(items.filter(matchesTab), isIncomplete, today);
      return [
        tab,
        {
          clients: states.length,
          incomplete_clients: countStates('unread', 'partial'),
          unread_clients: countStates('unread'),
          stale_clients: countStates('stale'),
          owed_pence: hideUnlessKnown(sum(countedPositions, (position) => position.owedPence)),
          owed_clients: countClientsWith((position) => position.owedPence > 0),
          overdue_pence: hideUnlessKnown(sum(countedPositions, (position) => position.overduePence)),
          overdue_clients: countClientsWith((position) => position.overduePence > 0),
          refund_pence: hideUnlessKnown(sum(countedPositions, (position) => position.refundPence)),
          refund_clients: countClientsWith((position) => position.refundPence > 0),
          overdue_returns: hideUnlessKnown(sum(countedPositions, (position) => position.overdueReturns)),
          overdue_return_clients: countClientsWith((position) => position.overdueReturns > 0),
          overdue_updates: hideUnlessKnown(sum(countedPositions, (position) => position.overdueUpdates)),
          overdue_update_clients: countClientsWith((position) => position.overdueUpdates > 0),
          at_risk_pence: hideUnlessKnown(sum(countedPositions, (position) => position.penaltyPence + position.interestPence)),
          at_risk_clients: countClientsWith((position) => position.penaltyPence + position.interestPence > 0),
          due,
          by_month: isKnown ? by_month : [],
        },
      ];
    }),
  );
}

type Position = typeof taxPositions.$inferSelect;

function getState(client: typeof clients.$inferSelect, tab: Tab, positions: readonly Position[], today: PlainDate): FiguresState {
  const hasTax = { vat: client.hasVat, paye: client.hasPaye, ct: client.hasCt, sa: client.hasSa };
  const readPositions = positions.filter(({ clientId, asOf }) => clientId === client.id && asOf !== null);
  const staleOn =
    readPositions
      .flatMap((position) => position.staleOn ?? [])
      .toSorted()
      .at(0) ?? null;
  const taxes = tab === 'all' ? TAXES.filter((tax) => hasTax[tax]) : [tab];
  return getFiguresState({ taxes, readTaxes: readPositions.map(({ tax }) => tax), staleOn }, today);
}

const sum = <T>(list: readonly T[], read: (item: T) => number): number => list.reduce((total, item) => total + read(item), 0);

type Item = typeof dueItems.$inferSelect;

function sumItems(items: readonly Item[], isIncomplete: (clientId: string) => boolean, today: PlainDate) {
  const sumDueItems = (days: number) => {
    const itemsDueSoon = items.filter(({ what, dueOn }) => what !== 'refund' && dueOn >= today && dueOn <= addDays(today, days));
    const amounts = itemsDueSoon.flatMap(({ amountPence }) => (amountPence !== null && amountPence > 0 ? [amountPence] : []));
    const dueClientCount = new Set(itemsDueSoon.map(({ clientId }) => clientId)).size;
    return {
      clients: dueClientCount,
      items: itemsDueSoon.length,
      amount_pence: amounts.length === 0 ? null : sum(amounts, (amount) => amount),
    };
  };
  const first = plainDate(`${today.slice(0, 7)}-01`);
  const by_month = Array.from({ length: 12 }, (_, index) => {
    const month = addMonths(first, index);
    const inMonth = items.filter(({ dueOn }) => (dueOn < first ? first : `${dueOn.slice(0, 7)}-01`) === month);
    const getAmount = (kind: 'payment' | 'refund'): number =>
      sum(inMonth, ({ what, amountPence }) => (what === kind ? (amountPence ?? 0) : 0));
    const isPartial = (kind: 'payment' | 'refund'): boolean =>
      inMonth.some(
        ({ what, amountPence, clientId }) =>
          what === kind && (amountPence === null ? what === 'payment' : amountPence !== 0 && isIncomplete(clientId)),
      );
    return {
      month,
      to_pay_pence: getAmount('payment'),
      to_pay_is_partial: isPartial('payment'),
      to_receive_pence: 0 - getAmount('refund'),
      to_receive_is_partial: isPartial('refund'),
    };
  });
  return { due: { 7: sumDueItems(7), 30: sumDueItems(30), 90: sumDueItems(90) }, by_month };
}
