/** Help, at any path that ends in /help: articles about the page the person came from, then all articles, with search. */
import { findPage, isOpenTaxPath, PAGES } from '@portal/contract/pages.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { londonDate, systemClock } from '@portal/domain/clock.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { Link as RouterLink, useLocation, useSearchParams } from 'react-router';
import { getCurrentPartner } from '../../lib/partner.ts';
import { brandName } from '../../lib/settings.ts';
import { Page } from '../../ui/page.tsx';
import { ArticleList } from './article-list.tsx';
import { GROUPS } from './articles/article.ts';
import { findArticlesAbout, searchArticles, writeArticles } from './list-articles.ts';

const TEXTS = {
  instant_vat: { lead: 'How your refund, your returns and your account work here.', example: 'fee', contact: PAGES.contact.path },
  open_tax: { lead: 'How your clients and their taxes come together here.', example: 'import', contact: PAGES.openTaxContact.path },
} as const;

export function HelpScreen() {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const question = search.get('q') ?? '';
  const product = isOpenTaxPath(pathname) ? 'open_tax' : 'instant_vat';
  const { lead, example, contact } = TEXTS[product];
  const articles = useMemo(() => {
    const today = londonDate(systemClock.now());
    const { feeRateBps } = findPartner(getCurrentPartner());
    return writeArticles({ brand: brandName(), today, terms: getAdvanceTerms(today), feeRateBps }, product);
  }, [product]);
  const about = findArticlesAbout(articles, findPageBefore(pathname));
  const found = searchArticles(articles, question);
  const isSearching = question.trim() !== '';
  return (
    <Page title="Help" maxWidth="text" lead={lead}>
      <Box component="form" role="search" onSubmit={(event) => event.preventDefault()} sx={{ mb: 4 }}>
        <Typography component="label" htmlFor="help-question" sx={{ display: 'block', fontWeight: 500, mb: 0.5 }}>
          Search the help
        </Typography>
        <OutlinedInput
          id="help-question"
          type="search"
          fullWidth
          value={question}
          placeholder={`For example: ${example}`}
          onChange={({ target }) => setSearch(target.value === '' ? {} : { q: target.value }, { replace: true })}
        />
        <Typography variant="body2" role="status" sx={{ mt: 0.75, minHeight: 20, color: 'text.secondary' }}>
          {isSearching ? foundText(found.length) : ''}
        </Typography>
      </Box>
      {isSearching ? (
        found.length > 0 ? (
          <ArticleList title="Found" articles={found} />
        ) : (
          <Typography>Try fewer or other words, or ask us: a person answers.</Typography>
        )
      ) : (
        <Box sx={{ display: 'grid', gap: 4 }}>
          {about.length > 0 && <ArticleList title="About the page you came from" articles={about} isFirstOpen />}
          {GROUPS.filter((group) => articles.some((article) => article.group === group && !about.includes(article))).map((group) => (
            <ArticleList
              key={group}
              title={group}
              articles={articles.filter((article) => article.group === group && !about.includes(article))}
            />
          ))}
        </Box>
      )}
      <Box
        component="aside"
        aria-label="No answer here"
        sx={{ mt: 5, p: { xs: 2, sm: 3 }, border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}
      >
        <Typography variant="h2">Is your answer not here?</Typography>
        <Typography sx={{ mt: 1, mb: 2 }}>Write to us. Say what you wanted to do and what you saw.</Typography>
        <Button component={RouterLink} to={contact} variant="outlined">
          Contact us
        </Button>
      </Box>
    </Page>
  );
}

/** The page that this help belongs to: /v2/instant-vat/dashboard/help belongs to the dashboard. */
function findPageBefore(pathname: string) {
  return findPage(pathname.replace(/\/help\/?$/, ''))?.name;
}

function foundText(found: number): string {
  return found === 0 ? 'Nothing found' : `${found} ${found === 1 ? 'article' : 'articles'} found`;
}
