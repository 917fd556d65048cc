/** What each part of an advance's page is given. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';

export type AdvancePartProps = { advance: AdvanceOutput; companyId: string };
