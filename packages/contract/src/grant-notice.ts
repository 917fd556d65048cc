/** What stands above every page of a person's while something is wrong with a connection to HMRC; apart, because the login page reads it too. */
import { z } from 'zod';
import { idScalar, instantScalar } from './scalars.ts';

/** A connection that has ended (`at`: since when, where that is known) or ends within 30 days (`at`: when). */
export const grantNotice = z.object({
  company_id: idScalar,
  name: z.string(),
  kind: z.enum(['company', 'practice']),
  state: z.enum(['ended', 'ending']),
  at: instantScalar.nullable(),
  /** Whether the person may give the permission anew. */
  may_connect: z.boolean(),
  /** The page where that is done. */
  path: z.string(),
});
export type GrantNotice = z.output<typeof grantNotice>;
