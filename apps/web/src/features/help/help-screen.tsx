/** Help, at any path that ends in /help: articles about the page that the user came from, then all articles, with search. */
import { findPage, PAGES } from '@portal/contract/pages.ts';
import { isOpenTaxPath } from '@portal/contract/pages/open-tax-path.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { systemClock, toLondonDate } from '@portal/domain/clock.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { getCurrentPartner } from '../../lib/partner.ts';
import { getBrandName } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { ArticleList } from './article-list.tsx';
import { GROUPS } from './articles/article.ts';
import styles from './help-screen.module.css';
import { findArticlesAbout, searchArticles, writeArticles } from './list-articles.ts';

const TEXTS = {
  instant_vat: { lead: 'How refunds, VAT returns and your account work.', example: 'fee', contact: PAGES.contact.path },
  open_tax: { lead: 'How your clients, their taxes and your practice work here.', example: 'import', contact: PAGES.openTaxContact.path },
} as const;

export function HelpScreen() {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const question = search.get('q') ?? '';
  const product = isOpenTaxPath(pathname) ? 'open_tax' : 'instant_vat';
  const { lead, example, contact } = TEXTS[product];
  const articles = useMemo(() => {
    const today = toLondonDate(systemClock.now());
    const { feeRateBps } = getPartner(getCurrentPartner());
    return writeArticles({ brand: getBrandName(), today, terms: getAdvanceTerms(today), feeRateBps }, product);
  }, [product]);
  const matchingArticles = findArticlesAbout(articles, findPreviousPage(pathname));
  const foundArticles = searchArticles(articles, question);
  const isSearching = question.trim() !== '';
  return (
    <Page title="Help" maxWidth="text" lead={lead}>
      <Stack gap={32}>
        <form role="search" onSubmit={(event) => event.preventDefault()}>
          <Text as="label" htmlFor="help-question" weight="medium" className={styles.label}>
            Search help
          </Text>
          <TextInput
            id="help-question"
            type="search"
            value={question}
            placeholder={`For example: ${example}`}
            onChange={({ target }) => setSearch(target.value === '' ? {} : { q: target.value }, { replace: true })}
          />
          <Text size="small" tone="quiet" role="status" className={styles.count}>
            {isSearching ? formatFoundCount(foundArticles.length) : ''}
          </Text>
        </form>
        {isSearching ? (
          foundArticles.length > 0 ? (
            <ArticleList title="Search results" articles={foundArticles} />
          ) : (
            <Text>Try fewer or different words, or contact us. A member of our team will reply.</Text>
          )
        ) : (
          <>
            {matchingArticles.length > 0 && <ArticleList title="About the page you were on" articles={matchingArticles} isFirstOpen />}
            {GROUPS.map((group) => (
              <ArticleList
                key={group}
                title={group}
                articles={articles.filter((article) => article.group === group && !matchingArticles.includes(article))}
              />
            ))}
          </>
        )}
        <SectionCard title="Can’t find what you need?">
          <Stack align="start">
            <Text>Contact us. Tell us what you were trying to do and what happened.</Text>
            <Button to={contact} variant="outlined">
              Contact us
            </Button>
          </Stack>
        </SectionCard>
      </Stack>
    </Page>
  );
}

/** Finds the page that this help belongs to: /v2/instant-vat/dashboard/help belongs to the dashboard. */
function findPreviousPage(pathname: string) {
  return findPage(pathname.replace(/\/help\/?$/, ''))?.name;
}

function formatFoundCount(foundCount: number): string {
  return foundCount === 0 ? 'No articles found' : `${foundCount} ${foundCount === 1 ? 'article' : 'articles'} found`;
}
