/**
 * The parts of a demo story: a company's books and the moments of its refund. The domain computes every figure on the screens from these.
 */
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/**
 * A moment that the clock can move to. `ready`, `filed` and `shown_filed` concern the return. `filed` and `confirmed` are the trader's
 * actions. `query`: HMRC asks about the claim. `suspended`: HMRC withholds it. `late_filed`: a missing earlier return is filed. All others
 * are states of the advance.
 */
export type StoryMoment = {
  readonly at: Instant;
  readonly what: 'ready' | 'filed' | 'confirmed' | 'shown_filed' | 'query' | 'suspended' | 'late_filed' | AdvanceState;
  readonly title: string;
  /**
   * Number of days by which HMRC's inquiries extend its 30-day period from this moment on (docs/reference/hmrc.md section 8:
   * supplementDelayDays).
   */
  readonly delayDays?: number;
};

export type StoryPeriod = {
  readonly obligation_id: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
  /** When the return was filed. Not set for the main period. If this falls within the story, the return is missing until then. */
  readonly filedAt?: Instant;
};

export type Story = {
  /** Identifies the story in the demo's URL: `?story=hmrc-asks`. */
  readonly key: string;
  /** Label in the story list. */
  readonly title: string;
  readonly company: { readonly company_id: string; readonly name: string; readonly vrn: string; readonly registeredOn: PlainDate };
  readonly trader: string;
  /** `program`: the bookkeeping software used as the source of the books instead of a file. */
  readonly books: {
    readonly file_name: string;
    readonly applied_at: Instant;
    readonly rows: readonly (readonly string[])[];
    readonly program?: BooksProviderName;
  };
  /** The story's periods, oldest first and without gaps. */
  readonly periods: readonly StoryPeriod[];
  /** The obligation whose refund the story follows. */
  readonly mainObligationId: string;
  readonly advance_id: string;
  /** The story's moments in chronological order. "Start again" goes to the first. */
  readonly moments: readonly StoryMoment[];
  /** The clock's time when a visitor opens the demo. */
  readonly startAt: Instant;
  /** HMRC's question at the `query` moment. */
  readonly hmrcQuestion?: string;
  /** The amount HMRC pays, if it differs from the claim. It arrives at the `repaid` or `shortfall` moment. */
  readonly hmrcPaidAmount?: Pence;
  readonly receipt: { readonly form_bundle_number: string; readonly receipt_id: string };
  readonly collectionAccount: { readonly account_holder: string; readonly sort_code: string; readonly account_number: string };
  readonly payoutAccount: { readonly account_holder: string; readonly sort_code: string; readonly account_number_end: string };
};
