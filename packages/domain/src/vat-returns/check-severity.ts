/** Severity of a finding about a return before it is filed. */
export const CHECK_SEVERITIES = ['info', 'warn'] as const;
export type CheckSeverity = (typeof CHECK_SEVERITIES)[number];
