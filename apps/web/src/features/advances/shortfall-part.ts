/** Props shared by the components about a shortfall. */
import type { ShortfallOutput } from '@portal/contract/shortfalls.ts';

export type ShortfallPartProps = { shortfall: ShortfallOutput; companyId: string };
