/** The subject of a task. Determines its icon. */
export const TASK_SUBJECTS = ['return', 'advance', 'connection', 'books', 'bank', 'company', 'person'] as const;
export type TaskSubject = (typeof TASK_SUBJECTS)[number];

/** `problem`: something went wrong or is late. `to_do`: an ordinary next step. */
export const TASK_LEVELS = ['problem', 'to_do'] as const;
export type TaskLevel = (typeof TASK_LEVELS)[number];
