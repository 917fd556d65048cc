/** Screening against sanctions lists and lists of politically exposed persons, as the portal uses it. Implemented by `screening-client.ts`. */
import type { PlainDate } from '@portal/domain/plain-date.ts';

export type ScreeningSubject =
  | { readonly kind: 'person'; readonly name: string; readonly birthDate?: PlainDate }
  | { readonly kind: 'company'; readonly name: string; readonly registrationNumber?: string };

/** A listed person or company that may be the subject. `topics` are the provider's, such as "sanction" or "role.pep". */
export type ScreeningHit = {
  readonly listedId: string;
  readonly caption: string;
  readonly topics: readonly string[];
  readonly datasets: readonly string[];
  /** 0 to 1. */
  readonly score: number;
};

/** A check doesn't change anything, so it may be retried. Failures are ProviderErrors and never mean that nothing was found. */
export type Screening = {
  /** Returns possible matches for each subject, in the same order. An empty list means that nothing was found. */
  screen(subjects: readonly ScreeningSubject[]): Promise<ScreeningHit[][]>;
};
