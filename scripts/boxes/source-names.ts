export const SOURCE_NAMES = ['xero', 'quickbooks', 'freeagent'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];
