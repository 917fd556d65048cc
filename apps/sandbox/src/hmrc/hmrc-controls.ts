/**
 * Controls for the sandbox's control page, which read and change the simulator's records. HMRC has no equivalent. Changes take effect
 * immediately; an impossible change throws an AppError with a message for the page.
 */
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { applySituation, SITUATIONS, type Situation } from './apply-situation.ts';
import { amendReturn, fileExternalReturn, type ExternalReturn } from './file-external-return.ts';
import { readStatistics, type HmrcStatistics } from './call-statistics.ts';
import { listRecordedCalls } from './fraud-header-service.ts';
import { openHmrcContext, type HmrcContext, type HmrcSimulatorDeps } from './hmrc-context.ts';
import type { BankAccount, CallRecord, RepaymentRecord, RepaymentStage, Stagger, TraderHistory, TraderRecord } from './hmrc-records.ts';
import { createTestUser, seedOrganisation, type SeededOrganisation } from './create-users.ts';
import { AUTOMATIC_REPAYMENTS, moveRepayment } from './move-repayment.ts';
import { listObligationStates } from './obligation-states.ts';
import { applyClock } from './trader-books.ts';
import { deleteTraderRecords, writeTraderWithHistory } from './trader-history.ts';
import { CHARGE_DELAY } from './vat-accounts.ts';

/** The situations for chooseSituation; "normal" reverts the others. */
export const HMRC_SITUATIONS = SITUATIONS;

/**
 * A test organisation with its sign-in and its obligations, oldest first. `filedOn` is set as soon as HMRC holds the return, before the
 * status changes.
 */
export type OrganisationView = {
  readonly userId: string;
  readonly password: string;
  readonly organisationName: string;
  /** Its number at Companies House. */
  readonly companyNumber?: string;
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

/** All returns accepted for one period. HMRC accepts only one, so `timesAccepted` above 1 means a bug in the simulator. */
export type FiledReturnsView = {
  readonly vrn: string;
  readonly periodKey: string;
  readonly timesAccepted: number;
  readonly boxes: NineBoxes;
  readonly acceptances: readonly { readonly acceptedAt: Instant; readonly formBundleNumber: string; readonly receiptId: string }[];
};

export type HmrcControls = {
  /** Lists every VAT-registered test organisation, in order of creation. */
  listOrganisations(): Promise<OrganisationView[]>;
  /** Creates an organisation like HMRC's Create Test User, registered for VAT and at Companies House. Returns its name. */
  createOrganisation(): string;
  /** Creates a named organisation. Repeating it with the same user ID changes nothing. */
  seedOrganisation(organisation: SeededOrganisation): void;
  /** Lists the repayment claims of one trader or all traders, oldest first. Amounts are in pence. */
  listRepayments(vrn?: string): RepaymentRecord[];
  /** Lists returns accepted through the API, one row for each period, excluding the generated history. */
  listReturns(vrn: string): FiledReturnsView[];
  /** Applies a situation to the trader. A situation that affects a claim applies to the unpaid claim, otherwise to the next one. */
  chooseSituation(vrn: string, situation: Situation): Promise<void>;
  /**
   * Changes the stagger (quarters or months) and rewrites the trader's records. Throws once a return has been filed, because filed returns
   * are permanent.
   */
  setStagger(vrn: string, stagger: Stagger): void;
  /** Changes the history: number, kind and size of past returns. Throws once a return has been filed. */
  setHistory(vrn: string, history: Partial<TraderHistory>): void;
  /** Changes the name under which the VAT number is registered. */
  setOrganisationName(vrn: string, name: string): void;
  /** Sets the account for HMRC's repayments, as the trader's page at HMRC does; undefined means payment by post. */
  setRepaymentAccount(vrn: string, account: BankAccount | undefined): void;
  /**
   * Moves a claim to a stage. REPAYMENT_ADJUSTED and ADJUSMENT_TO_TAX_DUE need HMRC's figure in pence; PAID pays into the account that HMRC
   * holds.
   */
  moveRepayment(vrn: string, periodKey: string, stage: RepaymentStage, amountPence?: number): Promise<RepaymentRecord>;
  /** Files the return for the open period that has ended, as if with other software, and returns its period key. */
  fileElsewhere(vrn: string, externalReturn: ExternalReturn): string;
  /** Changes the figure of a filed return. `refundPence` is the amount HMRC now owes, negative when the trader owes. */
  amendReturn(vrn: string, periodKey: string, refundPence: number): void;
  /** Sets whether claims move with the clock (approved after 5 days, paid 3 working days later). Initially off. */
  setAutomaticRepayments(isEnabled: boolean): void;
  isAutomaticRepayments(): boolean;
  /** Sets after how many days the charge of a new return is listed. Initially 0. */
  setChargeDelay(days: number): void;
  /** Applies the effects of the current time to all traders. Call it after moving the clock. */
  advanceToClock(): Promise<void>;
  /** Revokes all authorisations of the user and ends their tokens immediately. Returns the number of authorisations revoked. */
  revokeGrant(userId: string): number;
  /** Lists the last calls, newest first (at most 200), with their fraud headers and HMRC's grade. */
  listCalls(count?: number): CallRecord[];
  /** Returns the counts since the simulator was created. */
  readStatistics(): HmrcStatistics;
};

export function createHmrcControls(deps: HmrcSimulatorDeps): HmrcControls {
  const context = openHmrcContext(deps);
  const { records, store } = context;
  const rewriteRecords = (vrn: string, change: (trader: TraderRecord) => TraderRecord) =>
    store.atomically(() => {
      const trader = getTrader(context, vrn);
      if (listAcceptedReturns(context, vrn).length > 0) {
        throw new AppError(
          'conflict',
          'hmrc.return_filed',
          'This trader has filed a return, which can’t be undone. Create a new test organisation instead.',
        );
      }
      deleteTraderRecords(context, vrn);
      writeTraderWithHistory(context, change(trader));
    });
  return {
    listOrganisations: () => listOrganisations(context),
    createOrganisation: () => {
      const { vrn = '' } = createTestUser(context, 'organisation', ['mtd-vat', 'corporation-tax']);
      return getTrader(context, vrn).organisationName;
    },
    seedOrganisation: (organisation) => seedOrganisation(context, organisation),
    listRepayments: (vrn) =>
      (vrn === undefined ? records.traders.list().map(({ key }) => key) : [vrn])
        .flatMap((traderVrn) => records.repayments(traderVrn).list())
        .map(({ document }) => document),
    listReturns: (vrn) => listReturns(context, vrn),
    chooseSituation: (vrn, situation) => applySituation(context, vrn, situation),
    setStagger: (vrn, stagger) => rewriteRecords(vrn, (trader) => ({ ...trader, stagger })),
    setHistory: (vrn, history) =>
      rewriteRecords(vrn, (trader) => {
        const mergedHistory = { ...trader.history, ...history };
        if (
          !Number.isInteger(mergedHistory.fulfilledPeriods) ||
          mergedHistory.fulfilledPeriods < 0 ||
          mergedHistory.fulfilledPeriods > 40
        ) {
          throw new AppError('invalid', 'hmrc.history_length', 'Choose 0 to 40 fulfilled periods.');
        }
        return { ...trader, history: mergedHistory, hasDirectDebit: mergedHistory.kind === 'payer' };
      }),
    setOrganisationName: (vrn, organisationName) => records.traders.put(vrn, { ...getTrader(context, vrn), organisationName }),
    setRepaymentAccount: (vrn, account) => {
      const { repaymentAccount: _before, ...trader } = getTrader(context, vrn);
      records.traders.put(vrn, { ...trader, ...(account ? { repaymentAccount: account } : {}) });
    },
    moveRepayment: (vrn, periodKey, stage, amountPence) => moveRepayment(context, vrn, periodKey, stage, amountPence),
    fileElsewhere: (vrn, externalReturn) => fileExternalReturn(context, getTrader(context, vrn), externalReturn),
    amendReturn: (vrn, periodKey, refundPence) => amendReturn(context, getTrader(context, vrn), periodKey, refundPence),
    setAutomaticRepayments: (isEnabled) => records.settings.put(AUTOMATIC_REPAYMENTS, isEnabled),
    isAutomaticRepayments: () => records.settings.get(AUTOMATIC_REPAYMENTS) === true,
    setChargeDelay: (days) => records.settings.put(CHARGE_DELAY, days),
    advanceToClock: async () => {
      for (const { document } of records.traders.list()) await applyClock(context, document);
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
    await applyClock(context, trader);
    const { organisationName, vrn, vatRegistrationDate, stagger, insolvent, nextSituation, repaymentAccount } = trader;
    views.push({
      userId: user.userId,
      password: user.password,
      organisationName,
      ...(user.identifiers['crn'] === undefined ? {} : { companyNumber: user.identifiers['crn'] }),
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

function listAcceptedReturns(context: HmrcContext, vrn: string) {
  return context.records.submissions
    .list()
    .map(({ document }) => document)
    .filter((submission) => submission.vrn === vrn);
}

function listReturns(context: HmrcContext, vrn: string): FiledReturnsView[] {
  const byPeriod = Map.groupBy(listAcceptedReturns(context, vrn), ({ periodKey }) => periodKey);
  return [...byPeriod].flatMap(([periodKey, acceptances]) => {
    const filedReturn = context.records.returns(vrn).get(periodKey);
    const receipts = acceptances.map(({ acceptedAt, formBundleNumber, receiptId }) => ({ acceptedAt, formBundleNumber, receiptId }));
    return filedReturn ? [{ vrn, periodKey, timesAccepted: receipts.length, boxes: filedReturn.boxes, acceptances: receipts }] : [];
  });
}

function revokeGrants(context: HmrcContext, userId: string): number {
  return context.store.atomically(() => {
    const activeGrants = context.records.grants.list().filter(({ document }) => document.userId === userId && !document.revoked);
    for (const { key, document: grant } of activeGrants) {
      if (grant.accessToken !== undefined) context.records.accessTokens.delete(grant.accessToken);
      context.records.grants.put(key, { ...grant, revoked: true });
    }
    return activeGrants.length;
  });
}
