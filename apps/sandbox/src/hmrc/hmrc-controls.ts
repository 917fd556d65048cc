/**
 * The levers behind the sandbox's control page. None of this exists at HMRC: it looks into the double's books and moves them.
 * Every lever takes effect at once; what cannot be is refused with an AppError in words for the page.
 */
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { NineBoxes } from '@portal/domain/vat-return/nine-boxes.ts';
import { applySituation, SITUATIONS, type Situation } from './apply-situation.ts';
import { amendReturn, fileElsewhere, type ReturnElsewhere } from './file-elsewhere.ts';
import { readStatistics, type HmrcStatistics } from './call-statistics.ts';
import { listRecordedCalls } from './fraud-header-service.ts';
import { openHmrcContext, type HmrcContext, type HmrcSimulatorDeps } from './hmrc-context.ts';
import type { BankAccount, CallRecord, RepaymentRecord, RepaymentStage, Stagger, TraderHistory, TraderRecord } from './hmrc-records.ts';
import { seedOrganisation, type SeededOrganisation } from './make-users.ts';
import { AUTOMATIC_REPAYMENTS, moveRepayment } from './move-repayment.ts';
import { listObligationStates } from './obligation-states.ts';
import { bringUpToDate } from './trader-books.ts';
import { eraseTraderBooks, writeTraderWithHistory } from './trader-history.ts';

/** The situations that chooseSituation takes; "normal" undoes the others. */
export const HMRC_SITUATIONS = SITUATIONS;

/** A test organisation with its way in and its obligations, oldest first. `filedOn` stands where HMRC holds the return, before the status turns too. */
export type OrganisationView = {
  readonly userId: string;
  readonly password: string;
  readonly organisationName: string;
  readonly vrn: string;
  readonly vatRegistrationDate: PlainDate;
  readonly stagger: Stagger;
  readonly insolvent: boolean;
  readonly nextSituation?: Situation;
  readonly repaymentAccount?: BankAccount;
  readonly obligations: readonly {
    readonly periodKey: string;
    readonly start: PlainDate;
    readonly end: PlainDate;
    readonly due: PlainDate;
    readonly status: 'O' | 'F';
    readonly filedOn?: PlainDate;
  }[];
};

/** All returns accepted for one period. `timesAccepted` above 1 would be a fault of the double: HMRC accepts one. */
export type FiledReturnsView = {
  readonly vrn: string;
  readonly periodKey: string;
  readonly timesAccepted: number;
  readonly boxes: NineBoxes;
  readonly acceptances: readonly { readonly acceptedAt: Instant; readonly formBundleNumber: string; readonly receiptId: string }[];
};

export type HmrcControls = {
  /** Every test organisation with VAT, in the order in which they were made. */
  listOrganisations(): Promise<OrganisationView[]>;
  /** Makes a named organisation once; a second call with the same user id changes nothing. */
  seedOrganisation(organisation: SeededOrganisation): void;
  /** Every repayment claim, of one trader or of all, oldest first; amounts in pence. */
  listRepayments(vrn?: string): RepaymentRecord[];
  /** The returns ever accepted through the API, a row per period; past returns of the generated history are not among them. */
  listReturns(vrn: string): FiledReturnsView[];
  /** Puts the trader into a situation; those of a claim strike the unpaid one, or wait for the next. */
  chooseSituation(vrn: string, situation: Situation): Promise<void>;
  /** Other quarters (or months): the trader's books are written anew. Refused once a return was filed, which stands for ever. */
  setStagger(vrn: string, stagger: Stagger): void;
  /** Another past: how many returns, of what kind, how large. Refused once a return was filed. */
  setHistory(vrn: string, history: Partial<TraderHistory>): void;
  /** The account HMRC repays into, as the trader's own page at HMRC sets it; undefined makes HMRC pay by post. */
  setRepaymentAccount(vrn: string, account: BankAccount | undefined): void;
  /** Moves a claim to a stage. REPAYMENT_ADJUSTED and ADJUSMENT_TO_TAX_DUE need HMRC's figure in pence; PAID pays the account HMRC holds. */
  moveRepayment(vrn: string, periodKey: string, stage: RepaymentStage, amountPence?: number): Promise<RepaymentRecord>;
  /** The trader files the ended open period with other software; answers its period key. */
  fileElsewhere(vrn: string, filed: ReturnElsewhere): string;
  /** HMRC changes the figure of a return that it holds: what it owes by it now, in pence, negative where the trader pays. */
  amendReturn(vrn: string, periodKey: string, refundPence: number): void;
  /** Whether claims move with the clock (approved after 5 days, paid 3 working days later); off at first. */
  setAutomaticRepayments(isOn: boolean): void;
  isAutomaticRepayments(): boolean;
  /** Lets the clock have its effects on every trader now; call it after moving the clock. */
  advanceToClock(): Promise<void>;
  /** The user takes back every grant: the tokens die at once. Answers how many grants there were. */
  revokeGrant(userId: string): number;
  /** The last calls, newest first (at most 200), with their fraud headers and HMRC's verdict on them. */
  listCalls(count?: number): CallRecord[];
  /** What was counted since the double was made. */
  readStatistics(): HmrcStatistics;
};

export function hmrcControls(deps: HmrcSimulatorDeps): HmrcControls {
  const context = openHmrcContext(deps);
  const { records, store } = context;
  const rewriteBooks = (vrn: string, change: (trader: TraderRecord) => TraderRecord) =>
    store.atomically(() => {
      const trader = getTrader(context, vrn);
      if (listAccepted(context, vrn).length > 0) {
        throw new AppError(
          'conflict',
          'hmrc.return_filed',
          'A return of this trader was filed and stands for ever: make a new test organisation.',
        );
      }
      eraseTraderBooks(context, vrn);
      writeTraderWithHistory(context, change(trader));
    });
  return {
    listOrganisations: () => listOrganisations(context),
    seedOrganisation: (organisation) => seedOrganisation(context, organisation),
    listRepayments: (vrn) =>
      (vrn === undefined ? records.traders.list().map(({ key }) => key) : [vrn])
        .flatMap((one) => records.repayments(one).list())
        .map(({ document }) => document),
    listReturns: (vrn) => listReturns(context, vrn),
    chooseSituation: (vrn, situation) => applySituation(context, vrn, situation),
    setStagger: (vrn, stagger) => rewriteBooks(vrn, (trader) => ({ ...trader, stagger })),
    setHistory: (vrn, history) =>
      rewriteBooks(vrn, (trader) => {
        const whole = { ...trader.history, ...history };
        if (!Number.isInteger(whole.fulfilledPeriods) || whole.fulfilledPeriods < 0 || whole.fulfilledPeriods > 40) {
          throw new AppError('invalid', 'hmrc.history_length', 'A history has 0 to 40 fulfilled periods.');
        }
        return { ...trader, history: whole, directDebit: whole.kind === 'payer' };
      }),
    setRepaymentAccount: (vrn, account) => {
      const { repaymentAccount: _before, ...trader } = getTrader(context, vrn);
      records.traders.put(vrn, { ...trader, ...(account ? { repaymentAccount: account } : {}) });
    },
    moveRepayment: (vrn, periodKey, stage, amountPence) => moveRepayment(context, vrn, periodKey, stage, amountPence),
    fileElsewhere: (vrn, filed) => fileElsewhere(context, getTrader(context, vrn), filed),
    amendReturn: (vrn, periodKey, refundPence) => amendReturn(context, getTrader(context, vrn), periodKey, refundPence),
    setAutomaticRepayments: (isOn) => records.settings.put(AUTOMATIC_REPAYMENTS, isOn),
    isAutomaticRepayments: () => records.settings.get(AUTOMATIC_REPAYMENTS) === true,
    advanceToClock: async () => {
      for (const { document } of records.traders.list()) await bringUpToDate(context, document);
    },
    revokeGrant: (userId) => revokeGrants(context, userId),
    listCalls: (count = 50) => listRecordedCalls(context, count),
    readStatistics: () => readStatistics(context),
  };
}

function getTrader(context: HmrcContext, vrn: string): TraderRecord {
  const trader = context.records.traders.get(vrn);
  if (!trader) throw new AppError('notFound', 'hmrc.no_trader', `No test organisation has the VAT number ${vrn}.`);
  return trader;
}

async function listOrganisations(context: HmrcContext): Promise<OrganisationView[]> {
  const views: OrganisationView[] = [];
  for (const { document: user } of context.records.users.list()) {
    const trader = user.vrn === undefined ? undefined : context.records.traders.get(user.vrn);
    if (!trader) continue;
    await bringUpToDate(context, trader);
    const { organisationName, vrn, vatRegistrationDate, stagger, insolvent, nextSituation, repaymentAccount } = trader;
    views.push({
      userId: user.userId,
      password: user.password,
      organisationName,
      vrn,
      vatRegistrationDate,
      stagger,
      insolvent,
      ...(nextSituation ? { nextSituation } : {}),
      ...(repaymentAccount ? { repaymentAccount } : {}),
      obligations: listObligationStates(context, vrn).map(({ filed, ...obligation }) => ({
        ...obligation,
        ...(filed ? { filedOn: filed.receivedOn } : {}),
      })),
    });
  }
  return views;
}

function listAccepted(context: HmrcContext, vrn: string) {
  return context.records.submissions
    .list()
    .map(({ document }) => document)
    .filter((submission) => submission.vrn === vrn);
}

function listReturns(context: HmrcContext, vrn: string): FiledReturnsView[] {
  const byPeriod = Map.groupBy(listAccepted(context, vrn), ({ periodKey }) => periodKey);
  return [...byPeriod].flatMap(([periodKey, acceptances]) => {
    const filed = context.records.returns(vrn).get(periodKey);
    const receipts = acceptances.map(({ acceptedAt, formBundleNumber, receiptId }) => ({ acceptedAt, formBundleNumber, receiptId }));
    return filed ? [{ vrn, periodKey, timesAccepted: receipts.length, boxes: filed.boxes, acceptances: receipts }] : [];
  });
}

function revokeGrants(context: HmrcContext, userId: string): number {
  return context.store.atomically(() => {
    const live = context.records.grants.list().filter(({ document }) => document.userId === userId && !document.revoked);
    for (const { key, document: grant } of live) {
      if (grant.accessToken !== undefined) context.records.accessTokens.delete(grant.accessToken);
      context.records.grants.put(key, { ...grant, revoked: true });
    }
    return live.length;
  });
}
