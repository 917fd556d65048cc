/** Screening against sanctions lists and lists of politically exposed persons, as the portal uses it. Implemented by `screening-client.ts`. */
import type { PlainDate } from '@portal/domain/plain-date.ts';

export type ScreeningSubject =
  | { readonly kind: 'person'; readonly name: string; readonly birthDate?: PlainDate }
  | { readonly kind: 'company'; readonly name: string; readonly registrationNumber?: string };

/** A listed person or company that may be the subject. `topics` in the provider's words, such as "sanction" or "role.pep". */
export type ScreeningHit = {
  readonly listedId: string;
  readonly caption: string;
  readonly topics: readonly string[];
  readonly datasets: readonly string[];
  /** 0 to 1. */
  readonly score: number;
};

/** A check changes nothing, so it may be repeated. Failures are ProviderErrors; no answer never means that nothing was found. */
export type Screening = {
  /** Possible matches for each subject, in the subjects' order. An empty list: nothing found. */
  screen(subjects: readonly ScreeningSubject[]): Promise<ScreeningHit[][]>;
};
