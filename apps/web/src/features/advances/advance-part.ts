/** Props shared by the parts of the advance screen. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';

export type AdvancePartProps = { advance: AdvanceOutput; companyId: string };
