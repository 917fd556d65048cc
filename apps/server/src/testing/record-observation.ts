import type { Tx } from '@portal/db/database.ts';
import type { ObservationKind } from '@portal/db/schema/schema.ts';
import { recordObservations, type Observation } from '../features/positions/record-observations.ts';

type SingleObservation = Omit<Observation, 'bodies'> & {
  readonly companyId: string;
  readonly kind: ObservationKind;
  readonly body: unknown;
};

/** Stores an observation of one kind. */
export async function recordObservation(tx: Tx, { kind, body, companyId, ...rest }: SingleObservation): Promise<void> {
  await recordObservations(tx, companyId, [{ ...rest, bodies: [{ kind, body }] }]);
}
