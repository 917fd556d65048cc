/** What a demo story is made of: a company's books and the moments of its refund. Every figure on the screens is computed from these by the domain. */
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/**
 * A moment that the clock can be moved to: `filed` and `confirmed` are the trader's own acts, `query` is HMRC asking about the claim,
 * `suspended` HMRC holding it back, `late_filed` the filing of an earlier return that was missing; the others are states of the advance.
 */
export type Moment = {
  readonly at: Instant;
  readonly what: 'ready' | 'filed' | 'confirmed' | 'shown_filed' | 'query' | 'suspended' | 'late_filed' | AdvanceState;
  readonly title: string;
  /** Days that HMRC's inquiries add to its 30 from here on (reference/hmrc FACTS section 8: supplementDelayDays). */
  readonly delayDays?: number;
};

export type StoryPeriod = {
  readonly obligation_id: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
  /** When it was filed, for every period but the hero; where that is within the story, the return is missing until then. */
  readonly filedAt?: Instant;
};

export type Story = {
  /** Names the story in the demo's address: `?story=hmrc-asks`. */
  readonly key: string;
  /** What the visitor chooses it by. */
  readonly title: string;
  readonly company: { readonly company_id: string; readonly name: string; readonly vrn: string; readonly registeredOn: PlainDate };
  readonly trader: string;
  readonly books: { readonly file_name: string; readonly applied_at: Instant; readonly rows: readonly (readonly string[])[] };
  /** Oldest first, without gaps. */
  readonly periods: readonly StoryPeriod[];
  /** The period whose refund the story tells. */
  readonly hero: string;
  readonly advance_id: string;
  /** In the order of time; the first is where "Start again" leads. */
  readonly moments: readonly Moment[];
  /** Where a visitor comes in. */
  readonly startAt: Instant;
  /** What HMRC pays where it is not what was claimed; it arrives at the moment `repaid` or `shortfall`. */
  readonly hmrcPays?: Pence;
  readonly receipt: { readonly form_bundle_number: string; readonly receipt_id: string };
  readonly collectionAccount: { readonly account_holder: string; readonly sort_code: string; readonly account_number: string };
  readonly payoutAccount: { readonly account_holder: string; readonly sort_code: string; readonly account_number_end: string };
};
