import { PROBLEM_MESSAGES, REWORDING_PROBLEMS, type Rejection } from '@portal/domain/language-model/check-rewording.ts';
import type { Rewording } from '@portal/contract/language-model.ts';

type Problem = Rewording['problems'][number];

/** Stored as one line each: the problem, then the words that caused it. */
export const toStoredProblems = (rejections: readonly Rejection[]): string[] =>
  rejections.map(({ problem, words }) =>
    [problem, ...words.map((word) => word.slice(0, 60))].join(' ').replaceAll('\0', '').toWellFormed(),
  );

const FAILURES: Readonly<Record<string, string>> = {
  refused: 'The model rejected the text.',
  unauthorized: 'The model didn’t accept the portal’s API key.',
  throttled: 'The model was busy.',
};

export function describeProblems(storedProblems: readonly string[]): Problem[] {
  return storedProblems.map((line) => {
    const [name = '', ...words] = line.split(' ');
    const problem = REWORDING_PROBLEMS.find((item) => item === name);
    if (problem) return { problem, text: PROBLEM_MESSAGES[problem], words };
    return { problem: 'no_answer', text: FAILURES[words[0] ?? ''] ?? 'The model didn’t respond.', words: [] };
  });
}
