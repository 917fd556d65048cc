/** The notice above every page about an HMRC connection that needs attention. It has its own file because the login page uses it too. */
import { z } from 'zod/mini';
import { idScalar, instantScalar } from './scalars.ts';

/** A connection that has ended, or ends within 30 days. `at` is that moment, if known. */
export const connectionNotice = z.object({
  company_id: idScalar,
  name: z.string(),
  kind: z.enum(['company', 'practice']),
  state: z.enum(['ended', 'ending']),
  at: z.nullable(instantScalar),
  /** Whether this person may reconnect HMRC. */
  may_connect: z.boolean(),
  /** The page where they can reconnect. */
  path: z.string(),
});
export type ConnectionNotice = z.output<typeof connectionNotice>;
