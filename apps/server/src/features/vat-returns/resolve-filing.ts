/** Finds the outcome of a filing whose response was lost by reading HMRC's copy of the return. Reading can be repeated; sending cannot. */
import type { FiledBoxes } from '@portal/db/schema/schema.ts';
import type { NineBoxes } from '@portal/domain/vat-return/nine-boxes.ts';
import type { AppDeps } from '../../app-deps.ts';
import { useHmrc, type Person } from '../hmrc-connection/use-hmrc.ts';
import { settleFiling } from './settle-filing.ts';
import { getReturnPicture, toDomainBoxes } from './get-return.ts';

/** Does nothing unless the outcome is unknown. Throws if HMRC does not answer; the outcome then stays unknown. */
export async function resolveFiling(deps: AppDeps, person: Person, companyId: string, obligationId: string): Promise<void> {
  const { filing, state, obligation } = await getReturnPicture(deps, deps.database.db, companyId, obligationId);
  if (!filing || state !== 'outcome_unknown') return;
  const held = await useHmrc(deps, companyId, person, (call, vrn) => deps.hmrc.findReturn(call, vrn, obligation.periodKey));
  if (!held) {
    return settleFiling(deps, filing, {
      state: 'not_received',
      refusal: 'HMRC did not receive the return: nothing was filed. You can file it now.',
    });
  }
  if (isSameReturn(held, filing.boxes)) return settleFiling(deps, filing, { state: 'accepted', receiptSource: 'read_back' });
  return settleFiling(deps, filing, {
    state: 'refused',
    refusal: 'HMRC holds another return for this period, with other figures. Nothing of ours was filed.',
  });
}

function isSameReturn(held: NineBoxes, filed: FiledBoxes): boolean {
  const ours = toDomainBoxes(filed);
  return (Object.keys(ours) as (keyof typeof ours)[]).every((box) => Number(held[box]) === Number(ours[box]));
}
