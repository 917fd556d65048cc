/** Finds the basis of an advance: our filing that HMRC accepted, or a return filed elsewhere as HMRC last listed it. */
import type { Tx } from '@portal/db/database.ts';
import type { companies, FiledBoxes } from '@portal/db/schema/schema.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { findFoundReturn } from '../vat-returns/find-found-return.ts';
import type { ReturnSnapshot } from '../vat-returns/get-return.ts';

/** The basis's figures, and the advance's columns that identify it. A check constraint allows only one of the IDs to be set. */
export type AdvanceBasis = {
  readonly columns: {
    readonly filingId: string | null;
    readonly foundReturnId: string | null;
    readonly foundOn: PlainDate | null;
    readonly filedOn: PlainDate;
  };
  readonly boxes: FiledBoxes;
};

/** Returns the basis, or a sentence that explains why it can't be used. */
export async function findBasis(tx: Tx, company: typeof companies.$inferSelect, snapshot: ReturnSnapshot): Promise<AdvanceBasis | string> {
  const { filing, state, obligation } = snapshot;
  if (filing?.state === 'accepted') {
    const columns = { filingId: filing.id, foundReturnId: null, foundOn: null, filedOn: toLondonDate(filing.sentAt) };
    return { columns, boxes: filing.boxes };
  }
  // HMRC may hold the return from our filing attempt, so the outcome of that attempt must be known first.
  if (state !== 'filed_elsewhere') return 'HMRC doesn’t have this return yet. We can make you an offer once you’ve filed it.';
  const foundReturn = await findFoundReturn(tx, company.id, obligation.id);
  if (!foundReturn) return 'This return was filed with other software and we haven’t read its figures yet. Request the offer again.';
  if (foundReturn.vrn !== company.vrn)
    return 'This return belongs to a VAT number that your company no longer uses, so there’s nothing for us to buy.';
  const { receivedOn } = foundReturn;
  return { columns: { filingId: null, foundReturnId: foundReturn.id, foundOn: receivedOn, filedOn: receivedOn }, boxes: foundReturn.boxes };
}
