/** A Microsoft Graph error (learn.microsoft.com/graph/errors). */
import { z } from 'zod';

export const graphErrorWire = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
export type GraphErrorWire = z.infer<typeof graphErrorWire>;
