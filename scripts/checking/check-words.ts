/** Finds words and phrases of words-to-avoid.ts in comments, documents, strings and names. */
import { listTrackedFiles, readTrackedFile } from './tracked-files.ts';
import { listSourceTexts, type SourceText } from './source-text.ts';
import { WORDS_TO_AVOID } from './words-to-avoid.ts';

/** Written once and never changed, made by a tool, or the table itself with its tests. */
const NOT_CHECKED = /^packages\/db\/src\/migrations\/|^package-lock\.json$|^scripts\/checking\/(words-to-avoid|check-words\.test)\.ts$/;
/** The next change of the screens rewrites their texts, which the journeys quote. Names and comments are checked there already. */
const SCREEN_TEXTS = /^(apps\/web|tests\/journeys)\//;

export function checkWords(): readonly string[] {
  return listTrackedFiles(/\.(tsx?|m?js|md|sh|ya?ml)$/)
    .filter((path) => !NOT_CHECKED.test(path))
    .flatMap((path) => findWords(path, readTrackedFile(path)));
}

/** One line for each finding: where, what, and what to say instead. */
export function findWords(path: string, source: string): readonly string[] {
  const isSource = /\.(tsx?|m?js)$/.test(path);
  const texts: readonly SourceText[] = isSource ? listSourceTexts(path, source) : [{ kind: 'comment', text: source, offset: 0 }];
  return texts
    .filter(({ kind }) => kind !== 'string' || !SCREEN_TEXTS.test(path))
    .flatMap(({ kind, text, offset }) =>
      WORDS_TO_AVOID.filter((word) => word.in === 'both' || (word.in === 'names') === (kind === 'name')).flatMap(({ find, use }) => {
        const match = find.exec(text);
        if (!match) return [];
        const at = isSource ? offset : match.index;
        return [`${path}:${source.slice(0, at).split('\n').length}: "${match[0].trim()}": use ${use}`];
      }),
    );
}
