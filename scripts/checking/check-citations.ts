/** Finds citations of documents or sections that don't exist in the repository, and broken links. */
import { dirname, join } from 'node:path/posix';
import { listTrackedFiles, readTrackedFile } from './tracked-files.ts';
import { listSourceTexts } from './source-text.ts';

/** Documents that aren't in this repository, so its readers can't open them. */
const NOT_IN_REPOSITORY =
  /\bFACTS\b|\b(product|seed|topics|language|house-style|look|stack)\.md\b|\b[Ss]pecification,? (section )?\d|\bproduct decisions?,? (section )?\d|\.\.\/shared\b/;
/** Tests read HMRC's published API descriptions from this folder, and report it if the folder doesn't exist. */
const PUBLISHED_DESCRIPTIONS = /\.\.\/shared\/reference\/\w+\/oas/g;
const CITED_DOCUMENT = /\b(docs\/[\w./-]+\.md)(?:,? sections? (\d+(?:\.\d+)*))?/g;
const CITED_DECISION = /\bdecisions? (\d{1,2})\b/g;
const MARKDOWN_LINK = /\]\((?!\w+:|#|\/)([^)#\s]+)/g;
const NOT_CHECKED = /^packages\/db\/src\/migrations\/|^scripts\/checking\/(check-citations(\.test)?|check-words\.test)\.ts$/;

export type Documents = {
  readonly exists: (path: string) => boolean;
  readonly read: (path: string) => string;
};

export function checkCitations(): readonly string[] {
  const trackedFiles = listTrackedFiles(/./);
  const paths = new Set(trackedFiles);
  const folders = new Set(trackedFiles.flatMap((path) => listParents(path)));
  const documents: Documents = { exists: (path) => paths.has(path) || folders.has(path), read: readTrackedFile };
  return trackedFiles
    .filter((path) => /\.(tsx?|m?js|md)$/.test(path) && !NOT_CHECKED.test(path))
    .flatMap((path) => findDanglingCitations(path, readTrackedFile(path), documents));
}

/** Returns one line per finding: its location, the citation, and why it can't be found. */
export function findDanglingCitations(path: string, source: string, documents: Documents): readonly string[] {
  const isMarkdown = path.endsWith('.md');
  const sourceTexts = isMarkdown ? [{ kind: 'comment', text: source, offset: 0 } as const] : listSourceTexts(path, source);
  return sourceTexts.flatMap(({ kind, text, offset }) => {
    if (kind === 'name') return [];
    const line = source.slice(0, offset).split('\n').length;
    const problems =
      kind === 'comment' ? [...findUnknownDocuments(text), ...findMissingSections(text, documents)] : findMissingSections(text, documents);
    if (isMarkdown) problems.push(...findBrokenLinks(path, text, documents));
    return problems.map((problem) => `${path}:${isMarkdown ? '' : `${line}:`} ${problem}`);
  });
}

function findUnknownDocuments(text: string): string[] {
  const match = NOT_IN_REPOSITORY.exec(text.replaceAll(PUBLISHED_DESCRIPTIONS, ''));
  return match ? [`"${match[0]}" isn't in this repository: cite the public source, docs/reference/ or docs/product/`] : [];
}

function findMissingSections(text: string, documents: Documents): string[] {
  const citationProblems = [...text.matchAll(CITED_DOCUMENT)].flatMap(([, path = '', section]) => {
    if (!documents.exists(path)) return [`${path} doesn't exist`];
    if (section === undefined || hasSection(documents.read(path), section)) return [];
    return [`${path} has no section ${section}`];
  });
  const decisions = [...text.matchAll(CITED_DECISION)].flatMap(([, number = '']) =>
    documents.exists(`docs/decisions/${number.padStart(4, '0')}`) ? [] : [`decision ${number} doesn't exist`],
  );
  return [...citationProblems, ...decisions];
}

function hasSection(markdown: string, section: string): boolean {
  return markdown.split('\n').some((line) => /^#+ /.test(line) && (/^#+ (\d+(?:\.\d+)*)/.exec(line)?.[1] ?? '') === section);
}

function findBrokenLinks(path: string, markdown: string, documents: Documents): string[] {
  const targets = [...markdown.matchAll(MARKDOWN_LINK)].map(([, target = '']) => join(dirname(path), target).replace(/\/$/, ''));
  return targets.filter((target) => !documents.exists(target)).map((target) => `the link to ${target} leads nowhere`);
}

/** Returns the folders above a path and, for a decision record, also its number, so that "decision 12" can be looked up. */
function listParents(path: string): string[] {
  const decision = /^docs\/decisions\/\d{4}/.exec(path);
  const parts = path.split('/');
  return [...parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/')), ...(decision ? [decision[0]] : [])];
}
