/** Finds the words and phrases of words-to-avoid.ts in comments, documents, strings and names. */
import { listTrackedFiles, readTrackedFile } from './tracked-files.ts';
import { listSourceTexts, type SourceText } from './source-text.ts';
import { API_WORDS, AVOIDED_WORDS } from './words-to-avoid.ts';

/** Files that never change, generated files, and the table itself and its tests. */
const NOT_CHECKED = /^packages\/db\/src\/migrations\/|^package-lock\.json$|^scripts\/checking\/(words-to-avoid|check-words\.test)\.ts$/;

export function checkWords(): readonly string[] {
  return listTrackedFiles(/\.(tsx?|m?js|md|sh|ya?ml)$/)
    .filter((path) => !NOT_CHECKED.test(path))
    .flatMap((path) => findWords(path, readTrackedFile(path)));
}

/** Returns one line per finding: its location, the text found, and the replacement. */
export function findWords(path: string, source: string): readonly string[] {
  const isSource = /\.(tsx?|m?js)$/.test(path);
  const sourceTexts: readonly SourceText[] = isSource ? listSourceTexts(path, source) : [{ kind: 'comment', text: source, offset: 0 }];
  return sourceTexts
    .filter(({ kind, text }) => kind === 'comment' || !API_WORDS.has(text))
    .flatMap(({ kind, text, offset }) =>
      AVOIDED_WORDS.filter((word) => word.in === 'both' || (word.in === 'names') === (kind === 'name')).flatMap(({ find, use }) => {
        const match = find.exec(text);
        if (!match) return [];
        const position = isSource ? offset : match.index;
        return [`${path}:${source.slice(0, position).split('\n').length}: "${match[0].trim()}": use ${use}`];
      }),
    );
}
