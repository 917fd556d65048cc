/** ePAYE 1.0 responses, based on HMRC's description from 2020; unknown members are ignored. Amounts are in pounds, dates YYYY-MM-DD. */
import { z } from 'zod';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const days = { firstDay: date, lastDay: date };

const charge = z.object({ amount: z.number(), balance: z.number(), dueDate: date });

/** GET /organisations/paye/{office}/{reference}/statements/{taxYear} */
export const payeStatementWire = z.object({
  taxYear: z.object({ year: z.string(), ...days }),
  nonRtiCharges: z.array(charge.extend({ code: z.string() })).default([]),
  _embedded: z
    .object({
      earlierYearUpdate: charge.optional(),
      rtiCharges: z.array(charge.extend({ taxMonth: z.object({ month: z.number().int(), ...days }) })).default([]),
    })
    .default({ rtiCharges: [] }),
});

/** GET /organisations/paye/{office}/{reference}/payment-history/{taxYear} */
export const payePaymentsWire = z.object({
  payments: z.array(z.object({ paymentDate: date, amount: z.number(), method: z.string().optional() })).default([]),
});

export type PayeStatementWire = z.infer<typeof payeStatementWire>;
export type PayePaymentsWire = z.infer<typeof payePaymentsWire>;
