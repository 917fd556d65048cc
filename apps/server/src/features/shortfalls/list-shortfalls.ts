/**
 * Lists cases for operators, page by page. A few queries compute the next action of every open case, so that those that need our action
 * come first.
 */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { shortfallsApi } from '@portal/contract/shortfalls.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, approvalRequests, companies, directDebits, shortfallInstalments, shortfalls, users } from '@portal/db/schema/schema.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { pence, sumPence, ZERO } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getNextPayment } from '@portal/domain/shortfalls/instalment-plan.ts';
import { getNextAction, isOpenShortfall, OPEN_SHORTFALL_STATUSES } from '@portal/domain/shortfalls/shortfall-status.ts';
import { and, asc, desc, eq, inArray, isNull, notInArray, sql, type SQL } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { selectReceivedPence } from '../advances/receipts-sql.ts';
import { getRefreshDay, selectChargesReadAt } from './infer-shortfall-cause.ts';
import { WRITE_OFF_ACTION } from './operator-actions.ts';
import { toNextAction } from './shortfalls-queries.ts';
import { listUndecidedPayments } from './undecided-payments.ts';

type ListOutput = EndpointOutput<typeof shortfallsApi.operatorList>;
type ListInput = ParsedEndpointInput<typeof shortfallsApi.operatorList>;
type Item = ListOutput['shortfalls'][number];

const PAGE_SIZE = 50;
const isOpen = inArray(shortfalls.status, [...OPEN_SHORTFALL_STATUSES]);

export async function listShortfalls(deps: AppDeps, operatorId: string, input: ListInput): Promise<ListOutput> {
  const { db } = deps.database;
  const { show, page } = input;
  const matchesInput = matchInput(input, operatorId);
  const openCases = await loadOpenCases(deps, db, matchesInput);
  const counts = {
    open: openCases.length,
    needs_us: openCases.filter(isOurs).length,
    watching: countStatus(openCases, 'watching'),
    due: countStatus(openCases, 'due'),
    disputed: countStatus(openCases, 'disputed'),
  };
  if (show === 'ended') return { ...(await loadEndedCases(db, matchesInput, page)), counts };
  const matchingCases = openCases.filter((item) => show === 'open' || (show === 'needs_us' ? isOurs(item) : item.status === show));
  return {
    shortfalls: matchingCases.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    count: matchingCases.length,
    pages: Math.ceil(matchingCases.length / PAGE_SIZE),
    missing_pence: sumPence(matchingCases.map(({ missing_pence }) => missing_pence)),
    counts,
  };
}

function matchInput({ owner, q }: ListInput, operatorId: string): SQL | undefined {
  const matchesOwner = owner === undefined ? undefined : owner === 'me' ? eq(shortfalls.ownerId, operatorId) : isNull(shortfalls.ownerId);
  const searchPattern = `%${(q ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const compact = `%${(q ?? '').replaceAll(/[^0-9A-Za-z]/g, '')}%`;
  const isFound =
    q === undefined || q === ''
      ? undefined
      : sql`(${companies.name} ilike ${searchPattern} or ${companies.vrn} like ${compact} or ${shortfalls.reference} ilike ${compact})`;
  return and(matchesOwner, isFound);
}

const RECEIVED = selectReceivedPence(shortfalls.companyId, shortfalls.advanceId);

function selectCases(db: Db, condition: SQL | undefined) {
  return db
    .select({
      shortfall: shortfalls,
      refund: advances.refundPence,
      companyName: companies.name,
      ownerName: users.fullName,
      received: RECEIVED,
      readAt: selectChargesReadAt(shortfalls.companyId),
    })
    .from(shortfalls)
    .innerJoin(companies, eq(companies.id, shortfalls.companyId))
    .innerJoin(advances, and(eq(advances.companyId, shortfalls.companyId), eq(advances.id, shortfalls.advanceId)))
    .leftJoin(users, eq(users.id, shortfalls.ownerId))
    .where(condition);
}

type CaseRow = Awaited<ReturnType<typeof selectCases>>[number];

async function loadOpenCases(deps: AppDeps, db: Db, matchesInput: SQL | undefined): Promise<Item[]> {
  const rows = await selectCases(db, and(isOpen, matchesInput)).orderBy(asc(shortfalls.openedAt), asc(shortfalls.id));
  const requestedCases = new Set(
    (
      await db
        .select({ subject: approvalRequests.subject })
        .from(approvalRequests)
        .where(and(eq(approvalRequests.action, WRITE_OFF_ACTION.action), isNull(approvalRequests.decidedAt)))
    ).map(({ subject }) => subject),
  );
  const pendingDebits = new Map(
    (
      await db
        .select()
        .from(directDebits)
        .where(inArray(directDebits.status, ['created', 'pending_customer_approval', 'pending_submission', 'submitted']))
    ).map((debit) => [debit.shortfallId, { amount: debit.amountPence, chargeOn: debit.chargeOn }]),
  );
  const instalments = Map.groupBy(
    await db
      .select()
      .from(shortfallInstalments)
      .where(sql`${shortfallInstalments.shortfallId} in (select ${shortfalls.id} from ${shortfalls} where ${isOpen})`)
      .orderBy(asc(shortfallInstalments.number)),
    ({ shortfallId }) => shortfallId,
  );
  const undecided = await listUndecidedPayments(db);
  const today = deps.clock.today();
  return rows
    .map((row) => {
      const { shortfall } = row;
      const { planStartedFromPence: from, disputedAt, status } = shortfall;
      const owedAmount = getAmountOwed(row);
      const plan =
        from === null
          ? undefined
          : {
              instalments: (instalments.get(shortfall.id) ?? []).map(({ number, dueOn, amountPence: amount }) => ({
                number,
                dueOn,
                amount,
              })),
              paid: pence(Math.max(0, row.received - from)),
            };
      const action = getNextAction(
        {
          status,
          cause: shortfall.cause,
          openedOn: toLondonDate(disputedAt !== null && status === 'disputed' ? disputedAt : shortfall.openedAt),
          refreshedOn: getRefreshDay(row.readAt, shortfall.openedAt),
          suspected: shortfall.suspectedPence,
          refund: row.refund,
          next: shortfall.dueOn === null ? undefined : getNextPayment(owedAmount, shortfall.dueOn, plan),
          directDebit: pendingDebits.get(shortfall.id),
          isWriteOffRequested: requestedCases.has(shortfall.id),
          undecided: undecided.get(shortfall.companyId) ?? ZERO,
        },
        today,
      );
      return toItem(row, toNextAction(action));
    })
    .toSorted((a, b) => Number(isOurs(b)) - Number(isOurs(a)) || compareDays(a, b));
}

const getAmountOwed = ({ shortfall: { status }, refund, received }: CaseRow) =>
  status === 'due' || status === 'disputed' ? pence(Math.max(0, refund - received)) : ZERO;

/** Loads closed cases, newest first. There can be many, so the database pages them. */
async function loadEndedCases(db: Db, matchesInput: SQL | undefined, page: number): Promise<Omit<ListOutput, 'counts'>> {
  const whereClause = and(notInArray(shortfalls.status, [...OPEN_SHORTFALL_STATUSES]), matchesInput);
  const rows = await selectCases(db, whereClause)
    .orderBy(desc(shortfalls.updatedAt), asc(shortfalls.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE);
  const [total] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(shortfalls)
    .innerJoin(companies, eq(companies.id, shortfalls.companyId))
    .where(whereClause);
  const count = total?.count ?? 0;
  return { shortfalls: rows.map((row) => toItem(row, null)), count, pages: Math.ceil(count / PAGE_SIZE), missing_pence: ZERO };
}

function toItem(row: CaseRow, action: Item['next_action']): Item {
  const { shortfall, companyName, ownerName, refund, received } = row;
  const suspectedAmount = shortfall.suspectedPence;
  const missingAmount = shortfall.status === 'watching' && suspectedAmount > 0 ? suspectedAmount : pence(Math.max(0, refund - received));
  return {
    company_id: shortfall.companyId,
    shortfall_id: shortfall.id,
    company_name: companyName,
    status: shortfall.status,
    cause: shortfall.cause,
    refund_pence: refund,
    missing_pence: isOpenShortfall(shortfall.status) ? missingAmount : ZERO,
    opened_at: shortfall.openedAt,
    owner: ownerName,
    next_action: action,
  };
}

const isOurs = ({ next_action: action }: Item): boolean => action?.by === 'us';
const countStatus = (items: readonly Item[], status: Item['status']): number => items.filter((item) => item.status === status).length;
const NO_DUE_DATE: PlainDate = '9999-12-31' as PlainDate;
const getDueDay = ({ next_action: action }: Item): PlainDate => action?.due_on ?? NO_DUE_DATE;
const compareDays = (a: Item, b: Item): number => (getDueDay(a) === getDueDay(b) ? 0 : getDueDay(a) < getDueDay(b) ? -1 : 1);
