/** Wire shapes for Modulr's account name check (Modulr API description, "Confirmation of Payee"). */
import { z } from 'zod';

export const RESULT_CODES = [
  'MATCHED',
  'NOT_MATCHED',
  'CLOSE_MATCH',
  'BUSINESS_ACCOUNT_NAME_MATCHED',
  'PERSONAL_ACCOUNT_NAME_MATCHED',
  'BUSINESS_ACCOUNT_CLOSE_MATCH',
  'PERSONAL_ACCOUNT_CLOSE_MATCH',
  'ACCOUNT_DOES_NOT_EXIST',
  'SECONDARY_ACCOUNT_ID_NOT_FOUND',
  'ACCOUNT_NOT_SUPPORTED',
  'ACCOUNT_SWITCHED',
  'WRONG_PARTICIPANT',
  'NO_RESPONSE',
  'NOT_ENROLLED',
] as const;
export type ResultCode = (typeof RESULT_CODES)[number];

export const nameCheckRequestWire = z.object({
  paymentAccountId: z.string().min(1),
  sortCode: z.string().regex(/^\d{6}$/),
  accountNumber: z.string().regex(/^\d{8}$/),
  accountType: z.enum(['PERSONAL', 'BUSINESS']),
  name: z.string().min(1).max(140),
});

export const nameCheckResponseWire = z.object({
  id: z.string().min(1),
  result: z.object({ code: z.enum(RESULT_CODES), name: z.string().optional() }),
});

/** Errors arrive as a list. */
export const modulrErrorsWire = z
  .array(z.object({ code: z.string(), message: z.string(), field: z.string().optional() }))
  .min(1)
  .transform(([first]) => first);
