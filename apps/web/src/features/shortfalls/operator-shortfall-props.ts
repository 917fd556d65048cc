/** Props shared by the parts of a case. */
import type { OperatorShortfallOutput } from '@portal/contract/shortfalls.ts';

export type OperatorShortfallProps = { data: OperatorShortfallOutput };
