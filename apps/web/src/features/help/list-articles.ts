/** Every article in the articles folder, rendered with current figures. To add an article, add a file to that folder. */
import type { Product } from '@portal/domain/partners/partner.ts';
import type { PageName } from '@portal/contract/pages.ts';
import { GROUPS, type Article, type ArticleBlock, type HelpFacts } from './articles/article.ts';

const FILES = import.meta.glob<Record<string, unknown>>(['./articles/*.ts', '!./articles/article.ts'], { eager: true });

const isArticle = (value: unknown): value is Article => typeof value === 'object' && value !== null && 'write' in value;

/** All articles, by group. Within a group, explanations come before articles that mainly link to other pages. */
export const ARTICLES: readonly Article[] = Object.values(FILES)
  .flatMap((file) => Object.values(file).filter(isArticle))
  .toSorted((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || getPosition(a) - getPosition(b));

function getPosition({ key }: Article): number {
  const place = [
    'practice-begin',
    'practice-import',
    'practice-authority',
    'practice-figures',
    'how-it-works',
    'fee',
    'timing',
    'filing',
    'what-we-see',
    'bank-account',
    'hmrc-pays-less',
    'contact',
  ].indexOf(key);
  return place === -1 ? 5.5 : place;
}

export type WrittenArticle = Omit<Article, 'write'> & { readonly blocks: readonly ArticleBlock[]; readonly text: string };

/** Renders the articles for one product. */
export function writeArticles(facts: HelpFacts, forProduct: Product): readonly WrittenArticle[] {
  return ARTICLES.filter(({ product }) => product === undefined || product === forProduct).map(({ write, ...article }) => {
    const blocks = write(facts);
    return { ...article, blocks, text: `${article.title} ${article.words} ${blocks.map(toText).join(' ')}`.toLowerCase() };
  });
}

function toText(block: ArticleBlock): string {
  if (typeof block === 'string') return block;
  if ('list' in block) return block.list.join(' ');
  if ('steps' in block) return block.steps.join(' ');
  if ('link' in block) return block.link.label;
  return [block.table.caption, ...block.table.head, ...block.table.rows.flat()].join(' ');
}

/** Words in questions that carry no meaning for a search. */
const FILLERS: ReadonlySet<string> = new Set(
  'a about am an and are can did do does for get has have how i if in is it me much my not of on or so that the there to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/**
 * Finds the articles that contain every word of the question or, if none does, those with more than half of its words. Articles with a
 * matching title come first. An empty question returns all articles.
 */
export function searchArticles(articles: readonly WrittenArticle[], question: string): readonly WrittenArticle[] {
  const words = question
    .toLowerCase()
    .split(/[^\p{L}\p{N}£%.]+/u)
    .filter((word) => word !== '' && !FILLERS.has(word));
  const countMatches = (text: string): number => words.filter((word) => text.includes(word)).length;
  const listWithMoreMatches = (foundCount: number): WrittenArticle[] =>
    articles
      .filter(({ text }) => countMatches(text) > foundCount)
      .toSorted((a, b) => countMatches(b.title.toLowerCase()) - countMatches(a.title.toLowerCase()));
  const fullMatches = listWithMoreMatches(words.length - 1);
  return fullMatches.length > 0 ? fullMatches : listWithMoreMatches(words.length / 2);
}

/** Finds the articles about a page. */
export function findArticlesAbout(articles: readonly WrittenArticle[], page: PageName | undefined): readonly WrittenArticle[] {
  return page === undefined ? [] : articles.filter(({ pages }) => pages.includes(page));
}
