/** Props shared by the parts of a shortfall. */
import type { ShortfallOutput } from '@portal/contract/shortfalls.ts';

export type ShortfallPartProps = { shortfall: ShortfallOutput; companyId: string };
