/** How much a finding about a return matters before it is filed. */
export const CHECK_SEVERITIES = ['info', 'warn'] as const;
export type CheckSeverity = (typeof CHECK_SEVERITIES)[number];
